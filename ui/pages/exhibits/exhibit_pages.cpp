#include "ui/pages/exhibits/exhibit_pages.h"

#include "ui/export/stage_export.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/centre_pages.h"
#include "ui/pages/exhibits/bucket_sort_view.h"
#include "ui/pages/exhibits/curve_view.h"
#include "ui/pages/exhibits/page_reads_view.h"
#include "ui/pages/exhibits/page_table_view.h"
#include "ui/pages/exhibits/tile_walk_view.h"

#include <QVBoxLayout>

namespace attnlab::ui {

ExhibitRoom::ExhibitRoom(const QString& id, ExhibitPage* exhibit, ViewState& view)
    : id_(id), exhibit_(exhibit), view_(view) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(exhibit_);
    connect(exhibit_, &ExhibitPage::animationRequested, this, &Page::animationRequested);
}

QString ExhibitRoom::title() const { return exhibit_->title(); }

void ExhibitRoom::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    exhibit_->setTrace(computed_);
}

const Stage* ExhibitRoom::stage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

std::optional<NamedMatrix> ExhibitRoom::shownMatrix() const {
    const Stage* shown = stage();
    auto matrix = shown ? sliceOf(computed_->trace, *shown, view_.batch(), view_.head()) : std::nullopt;
    if (!matrix)
        return std::nullopt;
    return NamedMatrix{std::move(*matrix), stageTitle(computed_->trace, *shown, view_.batch(), view_.head())};
}

std::optional<StyledFigure> ExhibitRoom::shownFigure() const {
    std::shared_ptr<const Drawing> drawing = exhibit_->picture();
    if (!drawing)
        return std::nullopt;
    StyledFigure shown{std::move(drawing), {}};
    shown.options.title = title();
    return shown;
}

std::optional<ExportSubject> ExhibitRoom::exportSubject() const {
    const Stage* shown = stage();
    if (!shown)
        return std::nullopt;
    if (auto drawing = exhibit_->picture())
        return drawingExport(computed_, shown->name, {std::move(drawing), id_, title(), exhibit_->sequence()});
    return stageExport(computed_, {shown->name, view_.batch(), view_.head(), view_.colors()},
                       stageTitle(computed_->trace, *shown, view_.batch(), view_.head()));
}

ExhibitPages::ExhibitPages(ViewState& view, CentrePages& centre, ExhibitPage* steps)
    : QObject(&centre), view_(view), centre_(centre) {
    add("steps", QT_TRANSLATE_NOOP("CentrePages", "Steps"), steps);
    add("tiles", QT_TRANSLATE_NOOP("CentrePages", "Tiles"), new TileWalkView(view));
    add("page_table", QT_TRANSLATE_NOOP("CentrePages", "Page table"), new PageTableView);
    add("page_reads", QT_TRANSLATE_NOOP("CentrePages", "Pages read"), new PageReadsView(view));
    add("buckets", QT_TRANSLATE_NOOP("CentrePages", "Buckets"), new BucketSortView(view));
    add("curve", QT_TRANSLATE_NOOP("CentrePages", "Curve"), new CurveView);
}

void ExhibitPages::add(const char* id, const char* title, ExhibitPage* exhibit) {
    const QString name = QString::fromLatin1(id);
    auto* page = new ExhibitRoom(name, exhibit, view_);
    centre_.addPage(name, title, page);
    centre_.setAvailable(name, false);
    rooms_.push_back({name, page});
}

void ExhibitPages::setTrace(const ComputedPtr& computed) {
    for (const auto& [id, page] : rooms_) {
        page->setTrace(computed);
        centre_.setAvailable(id, page->exhibit()->hasExhibit());
    }
}

ExhibitPage* ExhibitPages::current() const {
    const auto* room = qobject_cast<const ExhibitRoom*>(centre_.currentPage());
    return room ? room->exhibit() : nullptr;
}

} // namespace attnlab::ui
