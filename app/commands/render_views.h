// `attnlab render --view`: heads as lines, arcs and bars, and all heads of all passes as a wall or a plot.
#pragma once

#include "app/commands/render_run.h"

namespace attnlab::app {

/// Throws UsageError for options that contradict --view.
void checkView(const QCommandLineParser& parser, bool page, bool animated);
/// What the options or the saved view draw a head as.
ui::DrawnHead drawnHead(const QCommandLineParser& parser, const std::optional<Shown>& shown);
/// Notes that the saved answer does not fit options or files that replace what the saved figure shows, and leaves it
/// out.
void dropOutdatedAnswer(const QCommandLineParser& parser, const QStringList& files, Shown& shown);
/// One head as lines, arcs or bars.
void writeDrawing(const RenderRun& run, const AttentionProblem& problem, const Computed& result, const Part& part,
                  ui::DrawnHead drawn, const std::optional<Shown>& shown, const QString& path);
/// The weights of all heads of all passes of a capture or a model, or of the only problem, without labels.
void writeWall(const RenderRun& run, const QStringList& files, const QString& path);
/// The heads of a capture or a model as dots by two figures. Needs a QApplication.
void writePlot(const RenderRun& run, const QStringList& files, const QString& path);

} // namespace attnlab::app
