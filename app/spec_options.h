// The choices that the commands share: input files, variant, scale, position, masks, and a second setting.
#pragma once

#include "app/command_parser.h"
#include "core/attention.h"

#include <QStringList>

#include <stdexcept>

namespace attnlab::app {

/// A wrong command line: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void addSpecOptions(CommandParser& parser);

/// Reads the files and lays the options over them: a workspace brings its own choices, options replace them. Throws
/// UsageError for options that are wrong whatever the data is, and attnlab::Error for data.
AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files);

/// For what is computed in tiles: throws UsageError naming the option where a choice of the command line stands in the
/// way, and Error where the problem brought it.
void checkTiles(const QCommandLineParser& parser, const AttentionProblem& problem);

/// Adds --with: the options of a setting B in one quoted text.
void addCompareOption(CommandParser& parser);
/// Makes the options of --with, laid over the problem's own choices, its second setting. Without --with the workspace's
/// own stays, if there is one. Throws UsageError.
void readComparedSetting(const QCommandLineParser& parser, AttentionProblem& problem);

} // namespace attnlab::app
