// QCommandLineParser without exiting the process.
#pragma once

#include "app/command_parser.h"
#include "core/attention.h"

#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace attnlab::app {

/// Parses, and prints help if requested. Returns false when nothing is left to do. Throws UsageError, also for a
/// repeated option that takes one value.
bool parse(CommandParser& parser, const QStringList& arguments);

/// The same without help, for options within an option. Throws UsageError.
void parseOptions(CommandParser& parser, const QStringList& arguments);

/// While one exists, parse() records the declarations of the command's parser and returns false.
class ParserWatch {
public:
    ParserWatch();
    ~ParserWatch();
    ParserWatch(const ParserWatch&) = delete;
    ParserWatch& operator=(const ParserWatch&) = delete;

    Declarations seen;
};

/// The value of a required option. Throws UsageError.
QString required(const QCommandLineParser& parser, const char* option);

/// The value of an option as it was typed, which need not be UTF-8; empty without.
std::string typedBytes(const QCommandLineParser& parser, const char* option);

/// The text of --text-file, or of --text. Leaves out a byte order mark at the start of a file, with a note on standard
/// error. Throws Error if the file has more than `largest` bytes.
std::string givenText(const QCommandLineParser& parser, std::int64_t largest);

/// The stage with a name of --stage. Throws UsageError that lists the existing ones.
const Stage& stageNamed(const std::string& name, const Trace& trace);
/// The stage of --stage. Throws UsageError that lists the existing ones.
const Stage& chosenStage(const QCommandLineParser& parser, const Trace& trace);

/// Prints the warnings of a result on standard error, one a line.
void printWarnings(const std::vector<Note>& notes);

} // namespace attnlab::app
