// QCommandLineParser without its habit of leaving the process.
#pragma once

#include "app/command_parser.h"
#include "core/attention.h"

#include <QStringList>

#include <vector>

namespace attnlab::app {

/// Parses, and prints help when asked for. Returns false when there is nothing more to do. Throws UsageError, also for
/// an option that takes one value and is given twice.
bool parse(CommandParser& parser, const QStringList& arguments);

/// The same without help, for options within an option. Throws UsageError.
void parseOptions(CommandParser& parser, const QStringList& arguments);

/// While one lives, parse() keeps what the command's parser declares, and returns false.
class ParserWatch {
public:
    ParserWatch();
    ~ParserWatch();
    ParserWatch(const ParserWatch&) = delete;
    ParserWatch& operator=(const ParserWatch&) = delete;

    Declarations seen;
};

/// The value of an option that must be there. Throws UsageError.
QString required(const QCommandLineParser& parser, const char* option);

/// The stage of --stage. Throws UsageError that lists those there are.
const Stage& chosenStage(const QCommandLineParser& parser, const Trace& trace);

/// Warnings of a result on standard error, a line each.
void printWarnings(const std::vector<Note>& notes);

} // namespace attnlab::app
