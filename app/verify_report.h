// Implements attnlab compare --against: compares a stage with an array computed by other code.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"

namespace attnlab::app {

void addVerifyOptions(CommandParser& parser);

/// The number of --tolerance. Throws UsageError unless it is finite and >= 0.
double readTolerance(const QString& text);

/// Throws UsageError for a tolerance that is not a number >= 0.
void checkVerifyOptions(const QCommandLineParser& parser);

/// Compares the array of --against with the stage of `problem`: prints the result if `prints`, and writes both arrays
/// and their difference to `out` unless empty. Returns the exit code: 0 within the tolerance, 3 beyond it.
int compareWithArray(const QCommandLineParser& parser, AttentionProblem problem, Backends backends, const QString& out,
                     bool prints);

} // namespace attnlab::app
