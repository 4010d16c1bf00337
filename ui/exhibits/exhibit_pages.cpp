#include "ui/exhibits/exhibit_pages.h"

#include "ui/exhibits/bucket_sort_view.h"
#include "ui/exhibits/curve_view.h"
#include "ui/exhibits/page_reads_view.h"
#include "ui/exhibits/page_table_view.h"
#include "ui/exhibits/tile_walk_view.h"
#include "ui/stages/centre_pages.h"
#include "ui/step/step_page.h"

namespace attnlab::ui {

ExhibitPages::ExhibitPages(ViewState& view, CentrePages& centre) : QObject(&centre), centre_(centre) {
    add("steps", QT_TRANSLATE_NOOP("CentrePages", "Steps"), new StepPage(view));
    add("tiles", QT_TRANSLATE_NOOP("CentrePages", "Tiles"), new TileWalkView(view));
    add("page_table", QT_TRANSLATE_NOOP("CentrePages", "Page table"), new PageTableView);
    add("page_reads", QT_TRANSLATE_NOOP("CentrePages", "Pages read"), new PageReadsView(view));
    add("buckets", QT_TRANSLATE_NOOP("CentrePages", "Buckets"), new BucketSortView(view));
    add("curve", QT_TRANSLATE_NOOP("CentrePages", "Curve"), new CurveView);
}

void ExhibitPages::add(const char* id, const char* title, ExhibitPage* page) {
    const QString name = QString::fromLatin1(id);
    centre_.addPage(name, title, page);
    centre_.setAvailable(name, false);
    pages_.push_back({name, page});
    connect(page, &ExhibitPage::animationRequested, this, &ExhibitPages::animationRequested);
}

void ExhibitPages::setTrace(const ComputedPtr& computed) {
    for (const auto& [id, page] : pages_) {
        page->setTrace(computed);
        centre_.setAvailable(id, page->hasExhibit());
    }
}

ExhibitPage* ExhibitPages::current() const {
    for (const auto& [id, page] : pages_)
        if (id == centre_.current())
            return page;
    return nullptr;
}

} // namespace attnlab::ui
