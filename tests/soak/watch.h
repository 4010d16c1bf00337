// What ends a soak at once: a warning, a crash, an event loop that stands still, memory that grows.
#pragma once

#include <QString>

namespace attnlab::soak {

/// What to say of this process when it fails.
void describe(const QString& round);
/// What it does now; the last ones are printed when it fails.
void note(const QString& action);
/// Prints why and the last actions, and ends the process with exit code 3.
[[noreturn]] void fail(const QString& why);

/// Every warning of Qt's and every crash is a failure from now on.
void watchProcess();
/// So is an event loop that turns no more. Call in the GUI thread, once there is an application.
void watchLoop();

/// Bytes of memory in use (VmRSS).
qint64 residentBytes();

} // namespace attnlab::soak
