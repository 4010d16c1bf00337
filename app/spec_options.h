// The choices that the commands share: input files, variant, scale, position, masks, and a second setting.
#pragma once

#include "app/command_parser.h"
#include "core/recognition/recognition.h"

#include <QStringList>

#include <stdexcept>
#include <string_view>

namespace attnlab::app {

/// A wrong command line: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void addSpecOptions(CommandParser& parser);

/// What the files are taken for, and the problem with the options laid over it.
struct RecognisedInput {
    Recognition recognition;
    AttentionProblem problem;
};
/// Throws as readProblem, but not for inputs that are missing.
RecognisedInput recogniseInput(const QCommandLineParser& parser, const QStringList& files);

/// Reads the files and lays the options over them: a workspace brings its own choices, options replace them; --with,
/// where the command has it, makes the second setting. What the files hold and is not used is said on standard error.
/// Throws UsageError for options that are wrong whatever the data is, and attnlab::Error for data. `spare` is an input
/// that the command does without.
AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files, std::string_view spare = {});

/// For what is computed in tiles: throws UsageError naming the option where a choice of the command line stands in the
/// way, and Error where the problem brought it.
void checkTiles(const QCommandLineParser& parser, const AttentionProblem& problem);

/// Adds --with: the options of a setting B in one quoted text, laid over those of A.
void addCompareOption(CommandParser& parser);

} // namespace attnlab::app
