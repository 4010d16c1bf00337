#include "ui/learn/lab/exhibit_board.h"

#include "ui/learn/lab/scene_model.h"
#include "ui/pages/exhibits/bucket_sort_view.h"
#include "ui/pages/exhibits/curve_view.h"
#include "ui/pages/exhibits/page_reads_view.h"
#include "ui/pages/exhibits/page_table_view.h"
#include "ui/pages/exhibits/tile_walk_view.h"

namespace attnlab::ui {
namespace {

ExhibitPage* pageFor(lab::BoardKind board, ViewState& view) {
    switch (board) {
    case lab::BoardKind::PageTable:
        return new PageTableView;
    case lab::BoardKind::PageReads:
        return new PageReadsView(view);
    case lab::BoardKind::Buckets:
        return new BucketSortView(view);
    case lab::BoardKind::Curve:
        return new CurveView;
    default:
        return new TileWalkView(view);
    }
}

} // namespace

ExhibitBoard::ExhibitBoard(SceneModel& model, QWidget* parent) : SettingBoard(model, parent) {
    setPage(pageFor(model.view().board, view_));
    connect(&model, &SceneModel::viewChanged, this, &ExhibitBoard::refresh);
    connect(&view_, &ViewState::pinnedChanged, this, [this](std::optional<Cell> cell) {
        auto view = this->model().view();
        view.pin = cell ? std::optional(lab::BoardCell{cell->row, cell->column}) : std::nullopt;
        this->model().setView(std::move(view));
    });
    refresh();
}

void ExhibitBoard::showTrace(std::shared_ptr<const Trace> trace) {
    const auto& pin = model().view().pin;
    view_.setPinned(pin ? std::optional(Cell{static_cast<int>(pin->query), static_cast<int>(pin->key)}) : std::nullopt);
    auto computed = trace ? std::make_shared<Computed>() : nullptr;
    if (trace)
        computed->trace = *trace;
    page()->setTrace(computed);
}

QString ExhibitBoard::whyNothing() const { return tr("This setting has nothing to show here."); }

} // namespace attnlab::ui
