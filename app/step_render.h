// render --steps: one query's row step by step, as an animation or one step of it as a figure.
#pragma once

#include "core/backend.h"
#include "ui/plot/figure.h"

#include <QCommandLineParser>

namespace attnlab::app {

/// --steps, --query, --key, --step, --terms, --seconds and --once.
void addStepOptions(QCommandLineParser& parser);
/// Throws UsageError for what is wrong whatever the data is.
void checkStepOptions(const QCommandLineParser& parser);
/// Writes --out. Needs a QGuiApplication. Throws UsageError and attnlab::Error.
void renderSteps(const QCommandLineParser& parser, const Computed& result, int batch, ui::FigureOptions options);

} // namespace attnlab::app
