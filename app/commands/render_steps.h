// The options of `attnlab render` for one query's row step by step, and what they draw.
#pragma once

#include "app/command_parser.h"
#include "core/backend.h"
#include "ui/drawing/figures/figure.h"

#include <optional>
#include <string>

namespace attnlab::app {

/// The size of an animation whose size is not given: as wide as a slide.
inline constexpr QSizeF animation_points(720, 405);

/// --steps, --query, --key, --step, --terms, --seconds and --once.
void addStepOptions(CommandParser& parser);
/// Throws UsageError for options that are wrong for any data. `suffix`: file name extension of the output.
void checkStepOptions(const QCommandLineParser& parser, const QString& suffix);
/// --seconds. Throws UsageError.
double readSeconds(const QCommandLineParser& parser);
/// Writes `out`. Needs a QGuiApplication. Throws UsageError and attnlab::Error.
void renderSteps(const QCommandLineParser& parser, const AttentionProblem& problem, const Computed& result, int batch,
                 ui::FigureOptions options, const QString& out);

/// The step in the view that a figure of steps carries, drawn again. False if there is none.
bool renderStepsAgain(const std::string& view_json, const AttentionProblem& problem, const Computed& result,
                      const ui::FigureOptions& options, const QString& out);

} // namespace attnlab::app
