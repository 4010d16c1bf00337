// Writes results and messages: standard output, standard error and the files of --out.
#pragma once

#include "core/message.h"

#include <QString>
#include <QStringList>

#include <string>
#include <string_view>

namespace attnlab::app {

/// Standard output is not writable.
class OutputError : public Error {
public:
    using Error::Error;
};

/// Text on one line without terminal control: control characters and changes of writing direction are escaped (\x1b,
/// \u202e), and so are invalid UTF-8 bytes.
std::string oneLine(std::string_view text);

/// Six digits.
std::string shortText(double value);

/// Prints an error or a warning as a line on standard error, escaped by oneLine().
void printError(std::string_view line);

/// The reader of standard output has closed it: not reported.
class BrokenPipe : public OutputError {
public:
    using OutputError::OutputError;
};

/// Writes bytes to standard output, in order with printOut. Throws OutputError.
void writeOut(std::string_view bytes);
/// printf to standard output, escaped as by oneLine() except tabs and line feeds: text of a file that must stay on its
/// line requires oneLine() first. Throws OutputError with the reason.
[[gnu::format(printf, 1, 2)]] void printOut(const char* format, ...);
/// Flushes the output of printOut. Throws OutputError.
void flushOut();
/// The same, and closes the stream: only then has everything been written. Throws OutputError.
void closeOut();

/// Before results are computed, throws UsageError where the file of an option is one of `inputs`, and Error where it is
/// not writable. "-" is standard output.
void checkOutput(const char* option, const QString& out, const QStringList& inputs);

} // namespace attnlab::app
