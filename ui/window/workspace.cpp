#include "ui/window/workspace.h"

#include "ui/document/document.h"
#include "ui/matrix/map/head_overview.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/page_stack.h"
#include "ui/window/side_part.h"
#include "ui/window/window_pages.h"

#include <QAction>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace attnlab::ui {

Workspace::Workspace(Document& document, ViewState& view, LargeInputs& large, QWidget* parent)
    : QWidget(parent), strip_(new StageStrip(view)), pages_(new WindowPages(document, view, &large)),
      heads_(new HeadsView(view)), overview_(new HeadOverview(large, view)), heads_column_(new PageStack),
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
    column->addWidget(strip_);
    column->addLayout(below, 1);

    const auto enlarge = [this] {
        pages_->showMatrix();
        pages_->matrix()->heatmap()->setFocus();
    };
    connect(overview_, &HeadOverview::enlargeRequested, pages_, enlarge);
    connect(heads_, &HeadsView::enlargeRequested, pages_, enlarge);
    connect(heads_part_, &SidePart::shown, pages_->matrix(), &MatrixPage::setHeadsBeside);
    connect(&large, &LargeInputs::opened, this, [this, &large] { needHeads(static_cast<int>(large.heads())); });
    needHeads(large.isOpen() ? static_cast<int>(large.heads()) : 1);
}

void Workspace::needHeads(int heads) { heads_part_->setNeeded(heads > 1); }

void Workspace::setTrace(const ComputedPtr& computed) {
    pages_->setTrace(computed);
    if (!computed)
        return; // beside a map
    strip_->setTrace(computed);
    heads_->setTrace(computed);
    needHeads(heads_->showsLayers() ? 2 : sizeOf(computed->trace).heads);
}

void Workspace::showMap(bool map) {
    heads_column_->setCurrentIndex(map ? 1 : 0);
    strip_->setVisible(!map);
    if (map)
        pages_->showMatrix();
}

QWidget* Workspace::headsColumn() const { return heads_column_; }

QList<QAction*> Workspace::actions() const { return {heads_part_->action()}; }

void Workspace::showAllParts() {
    for (QAction* action : actions())
        action->setChecked(true);
}

} // namespace attnlab::ui
