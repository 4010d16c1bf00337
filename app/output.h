// Where results go: standard output and the files of --out.
#pragma once

#include "core/message.h"

#include <QString>
#include <QStringList>

#include <string_view>

namespace attnlab::app {

/// Standard output cannot be written.
class OutputError : public Error {
public:
    using Error::Error;
};

/// Standard output has no reader any more: nothing to complain about.
class BrokenPipe : public OutputError {
public:
    using OutputError::OutputError;
};

/// Bytes to standard output, in order with what printOut prints. Throws OutputError.
void writeOut(std::string_view bytes);
/// printf to standard output. Throws OutputError with the reason where that fails.
[[gnu::format(printf, 1, 2)]] void printOut(const char* format, ...);
/// Sends on what printOut has kept back. Throws OutputError.
void flushOut();
/// The same, for good: only after this has everything been written. Throws OutputError.
void closeOut();

/// Throws UsageError where the file of an option is one of `inputs`, and Error where it cannot be written: before the
/// results are computed. "-" is standard output.
void checkOutput(const char* option, const QString& out, const QStringList& inputs);

} // namespace attnlab::app
