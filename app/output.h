// Where results go: standard output and the files of --out.
#pragma once

#include "core/message.h"

#include <QString>
#include <QStringList>

namespace attnlab::app {

/// Standard output cannot be written.
class OutputError : public Error {
public:
    using Error::Error;
};

/// printf to standard output. Throws OutputError with the reason where that fails.
[[gnu::format(printf, 1, 2)]] void printOut(const char* format, ...);
/// Sends on what printOut has kept back. Throws OutputError.
void flushOut();
/// The same, for good: only after this has everything been written. Throws OutputError.
void closeOut();

/// Throws UsageError where the file of an option is one of `inputs`, and Error where it cannot be written: before the
/// results are computed.
void checkOutput(const char* option, const QString& out, const QStringList& inputs);

} // namespace attnlab::app
