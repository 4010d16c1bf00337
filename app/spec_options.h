// Options shared by the commands: input files, variant, scale, position, masks, and a second setting.
#pragma once

#include "app/command_parser.h"
#include "core/io/file_formats.h"
#include "core/recognition/recognition.h"

#include <QStringList>

#include <stdexcept>
#include <string>
#include <string_view>

namespace attnlab::app {

/// A wrong command line: exit code 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

void addSpecOptions(CommandParser& parser);

/// The view of weights in --view, "none" to remove it; empty without the option. Throws UsageError for another view,
/// unless the option also says how a head is drawn (`drawings`).
std::string readWeightsView(const QCommandLineParser& parser, bool drawings = true);

/// The interpretation of the files, and the problem with the options applied.
struct RecognisedInput {
    Recognition recognition;
    AttentionProblem problem;
};
/// Throws as readProblem, except for missing inputs. `limits`: whether numbers are read.
RecognisedInput recogniseInput(const QCommandLineParser& parser, const QStringList& files,
                               const io::ReadLimits& limits = {});

/// Reads the files and applies the options: options override the choices of a workspace; --with, if the command has it,
/// gives the second setting. Unused contents of the files are reported on standard error. Throws UsageError for options
/// that are wrong for any data, and attnlab::Error for data. `spare` is an input that the command does not need.
AttentionProblem readProblem(const QCommandLineParser& parser, const QStringList& files, std::string_view spare = {});

/// The first given option that replaces settings or inputs of a problem, so that its weights may be others; empty:
/// none.
QString replacingOption(const QCommandLineParser& parser);

/// For tiled computation: throws UsageError naming the option where a choice of the command line prevents it, and Error
/// where the problem does.
void checkTiles(const QCommandLineParser& parser, const AttentionProblem& problem);

/// Adds --with: the options of setting B in one quoted text, applied to those of A.
void addCompareOption(CommandParser& parser);

} // namespace attnlab::app
