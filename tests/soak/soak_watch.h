// Detects failures: a warning, a crash, a blocked event loop, growing memory.
#pragma once

#include <QString>

class QObject;

namespace attnlab::soak {

/// The description of this process in failures.
void describe(const QString& round);
/// Records the current action; the last ones are printed on failure.
void note(const QString& action);
/// The class and the name of an object, for notes.
QString nameOf(const QObject* object);
/// Prints the reason and the last actions, and exits with code 3.
[[noreturn]] void fail(const QString& why);

/// Makes every warning of Qt and every crash a failure.
void watchProcess();
/// Makes a blocked event loop a failure. Call in the GUI thread, once there is an application.
void watchLoop();

/// Bytes of memory in use (VmRSS).
qint64 residentBytes();

} // namespace attnlab::soak
