// Where results and messages go: standard output, standard error and the files of --out.
#pragma once

#include "core/message.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>

namespace attnlab::app {

/// Standard output cannot be written.
class OutputError : public Error {
public:
    using Error::Error;
};

/// Text on one line, in which a terminal sees no commands: what controls it, or turns the direction of writing, is
/// spelled out (\x1b, \u202e), and so is every byte that is no UTF-8.
std::string oneLine(std::string_view text);

/// Six digits.
std::string shortText(double value);

/// A line on standard error, by oneLine(), for what is wrong or to be minded.
void printError(std::string_view line);

/// Standard output has no reader any more: nothing to complain about.
class BrokenPipe : public OutputError {
public:
    using OutputError::OutputError;
};

/// Bytes to standard output, in order with what printOut prints. Throws OutputError.
void writeOut(std::string_view bytes);
/// printf to standard output, spelled out as by oneLine() but for tabs and the ends of lines: text of a file that has
/// to stay on its line goes through oneLine() first. Throws OutputError with the reason where that fails.
[[gnu::format(printf, 1, 2)]] void printOut(const char* format, ...);
/// Sends on what printOut has kept back. Throws OutputError.
void flushOut();
/// The same, for good: only after this has everything been written. Throws OutputError.
void closeOut();

/// Throws UsageError where the file of an option is one of `inputs`, and Error where it cannot be written: before the
/// results are computed. "-" is standard output.
void checkOutput(const char* option, const QString& out, const QStringList& inputs);

} // namespace attnlab::app
