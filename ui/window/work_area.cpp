#include "ui/window/work_area.h"

#include "ui/document/document.h"
#include "ui/matrix/map/head_overview.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/panels/ribbon/sentence_ribbon.h"
#include "ui/widgets/page_stack.h"
#include "ui/window/side_part.h"
#include "ui/window/window_pages.h"

#include <QAction>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnlab::ui {

WorkArea::WorkArea(Document& document, ViewState& view, LargeInputs& large, QWidget* parent)
    : QWidget(parent), large_(large), ribbon_(new SentenceRibbon(document, view, this)), strip_(new StageStrip(view)),
      pages_(new WindowPages(document, view, &large)), heads_(new HeadsView(view)),
      overview_(new HeadOverview(large, view)), heads_column_(new PageStack(this)),
      ribbon_part_(new SidePart(QStringLiteral("sentence"), tr("Sentence"), ribbon_)),
      heads_part_(new SidePart(QStringLiteral("heads"), tr("Heads"), heads_column_)) {
    heads_column_->addWidget(heads_);
    heads_column_->addWidget(overview_);
    auto* below = new QHBoxLayout;
    below->setSpacing(6);
    below->addWidget(pages_, 1);
    below->addWidget(heads_column_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(ribbon_);
    column->addWidget(strip_);
    column->addLayout(below, 1);

    const auto enlarge = [this] {
        pages_->showMatrix();
        pages_->matrix()->heatmap()->setFocus();
    };
    connect(overview_, &HeadOverview::enlargeRequested, pages_, enlarge);
    connect(heads_, &HeadsView::enlargeRequested, pages_, enlarge);
    connect(heads_part_, &SidePart::shown, pages_->matrix(), &MatrixPage::setHeadsBeside);
    connect(ribbon_, &SentenceRibbon::hasTokensChanged, ribbon_part_, &SidePart::setNeeded);
    ribbon_part_->setNeeded(ribbon_->hasTokens());
    connect(heads_, &HeadsView::hasChoiceChanged, this, &WorkArea::needHeads);
    connect(&large, &LargeInputs::opened, this, &WorkArea::needHeads);
    connect(&large, &LargeInputs::closed, this, &WorkArea::needHeads);
    needHeads();
}

void WorkArea::needHeads() { heads_part_->setNeeded(large_.isOpen() ? large_.heads() > 1 : heads_->hasChoice()); }

void WorkArea::setTrace(const ComputedPtr& computed) {
    pages_->setTrace(computed);
    ribbon_->setTrace(computed);
    if (!computed)
        return; // beside a map
    strip_->setTrace(computed);
    heads_->setTrace(computed);
}

void WorkArea::showMap(bool map) {
    heads_column_->setCurrentIndex(map ? 1 : 0);
    strip_->setVisible(!map);
    if (map)
        pages_->showMatrix();
}

QWidget* WorkArea::headsColumn() const { return heads_column_; }

QList<QAction*> WorkArea::actions() const { return {ribbon_part_->action(), heads_part_->action()}; }

void WorkArea::showAllParts() {
    for (QAction* action : actions())
        action->setChecked(true);
}

} // namespace attnlab::ui
