#include "app/commands/render_exhibits.h"

#include "app/commands/render_steps.h"
#include "app/figure_choices.h"
#include "app/spec_options.h"
#include "ui/export/animation.h"
#include "ui/export/formats.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/exhibits/exhibit_page.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <memory>
#include <QFileInfo>
#include <utility>

namespace attnlab::app {

using namespace attnlab::ui;

QStringList exhibitViews() {
    QStringList views;
    for (const auto& kind : exhibitKinds())
        views << textOf(kind.id);
    return views;
}

void writeExhibit(const RenderRun& run, Computed result, int batch, const QString& path) {
    const auto name = run.parser.value("view");
    const auto& kind = *findExhibitKind(name.toStdString());
    ViewState view;
    view.setBatch(batch);
    view.setHead(readNumber(run.parser, "head", 0, std::max(0, sizeOf(result.trace).heads - 1)));
    const std::unique_ptr<ExhibitPage> page(kind.make(view));
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
