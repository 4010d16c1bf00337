// Implements render --steps: one query's row step by step, as an animation or a figure of one step.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"
#include "ui/drawing/figure.h"

namespace attnlab::app {

/// --steps, --query, --key, --step, --terms, --seconds and --once.
void addStepOptions(CommandParser& parser);
/// Throws UsageError for options that are wrong for any data.
/// `suffix` is that of the output.
void checkStepOptions(const QCommandLineParser& parser, const QString& suffix);
/// Writes `out`. Needs a QGuiApplication. Throws UsageError and attnlab::Error.
void renderSteps(const QCommandLineParser& parser, const AttentionProblem& problem, const Computed& result, int batch,
                 ui::FigureOptions options, const QString& out);

} // namespace attnlab::app
