// What attnlab compare --against does: a stage beside an array that other code computed.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"

namespace attnlab::app {

void addAgainstOptions(CommandParser& parser);

/// Throws UsageError for a tolerance that is no number from 0.
void checkAgainstOptions(const QCommandLineParser& parser);

/// Says how far the array of --against is from the stage of `problem`: prints it where it `prints`, and writes both and
/// their difference to `out`, where that is not empty. Returns the exit code: 0 within the tolerance, 3 beyond it.
int compareWithArray(const QCommandLineParser& parser, AttentionProblem problem, Backends backends, const QString& out,
                     bool prints);

} // namespace attnlab::app
