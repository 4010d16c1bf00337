// What one call of `attnlab render` draws: the view of a workspace, replaced by options.
#pragma once

#include "app/backends.h"
#include "app/command_parser.h"
#include "app/out_pattern.h"
#include "core/backend.h"
#include "ui/document/view_state.h"
#include "ui/drawing/figures/figure.h"
#include "ui/export/export.h"

#include <optional>
#include <string>
#include <vector>

namespace attnlab::app {

/// The window's view saved in a workspace; options override it.
struct Shown {
    QString page, stage;
    int batch = 0, head = 0;
    ui::ColorChoice colors;
    ui::HeldColors held;
    QString figure;
    std::string json;
    bool keeps_answer = true; ///< false: settings or inputs of a drawn head are replaced
};

/// The view of the last workspace among the files.
std::optional<Shown> shownBy(const QStringList& files);

/// The part of a result that one figure shows.
struct Part {
    std::vector<const Stage*> stages;
    std::vector<int> heads;
    int batch = 0;
};

/// One call of the command, for each of its inputs.
struct RenderRun {
    const CommandParser& parser;
    Backends backends;
    std::string backend;
    OutPattern& out;
    QString path; ///< of the only file, where `out` has no names in braces
    QString suffix;
    bool steps = false, page = false;
    bool& has_noted; ///< what figures carry: once for all
};

/// What figures carry, for the first of them.
void noteOnce(const RenderRun& run, const ui::FigureOptions& options, const ui::FigureOrigin& origin);

/// Of the saved view; title and ends of the colours are for its stage alone.
ui::FigureOptions figureOf(const Shown& shown, bool same_stage);
/// A colour range is for the stage that it was chosen for, and comparing windows show both settings.
ui::FigureOptions figureLike(const QCommandLineParser& parser, const std::optional<Shown>& shown);
/// The same of a heatmap of this part.
ui::FigureOptions optionsOf(const RenderRun& run, const std::optional<Shown>& shown, bool compares, const Part& part);
/// The requested stages, or the one in the saved view, or the weights.
std::vector<const Stage*> findStages(const QCommandLineParser& parser, const Trace& trace,
                                     const std::optional<Shown>& shown);
/// The heads to draw: one, some, their mean, or all.
std::vector<int> readHeads(const QCommandLineParser& parser, int count, const std::optional<Shown>& shown);
/// "mean" or the number.
QString nameOfHead(int head);

} // namespace attnlab::app
