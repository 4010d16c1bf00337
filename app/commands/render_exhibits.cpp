#include "app/commands/render_exhibits.h"

#include "app/commands/render_steps.h"
#include "app/figure_choices.h"
#include "app/spec_options.h"
#include "ui/export/animation.h"
#include "ui/export/formats.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/exhibits/bucket_sort_view.h"
#include "ui/pages/exhibits/curve_view.h"
#include "ui/pages/exhibits/page_reads_view.h"
#include "ui/pages/exhibits/page_table_view.h"
#include "ui/pages/exhibits/tile_walk_view.h"

#include <algorithm>
#include <array>
#include <QFileInfo>
#include <utility>

namespace attnlab::app {

using namespace attnlab::ui;

namespace {

struct ExhibitKind {
    const char* view;
    std::unique_ptr<ExhibitPage> (*make)(ViewState& view);
};

const std::array exhibit_kinds{
    ExhibitKind{"tiles",
                [](ViewState& view) -> std::unique_ptr<ExhibitPage> { return std::make_unique<TileWalkView>(view); }},
    ExhibitKind{"page_table",
                [](ViewState&) -> std::unique_ptr<ExhibitPage> { return std::make_unique<PageTableView>(); }},
    ExhibitKind{"page_reads",
                [](ViewState& view) -> std::unique_ptr<ExhibitPage> { return std::make_unique<PageReadsView>(view); }},
    ExhibitKind{"buckets",
                [](ViewState& view) -> std::unique_ptr<ExhibitPage> { return std::make_unique<BucketSortView>(view); }},
    ExhibitKind{"curve", [](ViewState&) -> std::unique_ptr<ExhibitPage> { return std::make_unique<CurveView>(); }},
};

} // namespace

QStringList exhibitViews() {
    QStringList views;
    for (const auto& kind : exhibit_kinds)
        views << QLatin1String(kind.view);
    return views;
}

void writeExhibit(const RenderRun& run, Computed result, int batch, const QString& path) {
    const auto name = run.parser.value("view");
    const auto& kind = *std::ranges::find_if(exhibit_kinds, [&](const auto& row) { return name == row.view; });
    ViewState view;
    view.setBatch(batch);
    view.setHead(readNumber(run.parser, "head", 0, std::max(0, sizeOf(result.trace).heads - 1)));
    const auto page = kind.make(view);
    page->setTrace(std::make_shared<const Computed>(std::move(result)));
    const auto picture = page->picture();
    if (!page->hasExhibit() || !picture)
        throw Error({ATTNLAB_TEXT("view: this mechanism has no '%1'"), {name.toStdString()}});
    FigureOptions usual;
    usual.title = page->title();
    auto options = readFigureOptions(run.parser, usual);
    const bool is_sized = run.parser.isSet("size") || run.parser.isSet("style");
    if (findFormat(FormatKind::Animation, run.suffix)) {
        const auto sequence = page->sequence();
        if (!sequence)
            throw UsageError("--view: " + name.toStdString() + " has no steps to animate, expected a picture (" +
                             suffixWords(FormatKind::Picture).toStdString() + ")");
        if (!is_sized)
            options.size_points = animation_points;
        AnimationOptions animation;
        animation.figure = options;
        animation.seconds = readSeconds(run.parser);
        animation.loop = !run.parser.isSet("once");
        return writeAnimation(path, *sequence, animation);
    }
    if (!is_sized)
        options.automatic_height = true;
    writeFigure(path, Figure(picture), options);
    noteStyle(options, run.suffix);
}

} // namespace attnlab::app
