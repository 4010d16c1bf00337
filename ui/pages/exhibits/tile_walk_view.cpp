#include "ui/pages/exhibits/tile_walk_view.h"

#include "ui/drawing/drawing_canvas.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/stage_colors.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/pages/exhibits/player.h"
#include "ui/pages/exhibits/tile_words.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

/// Tokens across: (tokens, features) -> (features, tokens).
MatrixData transposed(const MatrixData& matrix) {
    const auto view = matrix.view();
    MatrixData result;
    result.values = Tensor({view.columns, view.rows});
    auto values = result.values.mutable_values();
    for (std::int64_t i = 0; i < view.rows; ++i)
        for (std::int64_t j = 0; j < view.columns; ++j)
            values[static_cast<std::size_t>(j * view.rows + i)] = view(i, j);
    return result;
}

} // namespace

TileWalkView::TileWalkView(ViewState& view, QWidget* parent)
    : ExhibitPage(parent), view_(view), map_(new QComboBox(this)), divide_(new QCheckBox(this)),
      player_(new Player(this)) {
    for (auto* tool : std::initializer_list<QWidget*>{map_, divide_}) {
        tools()->addWidget(tool);
        tools()->setAlignment(tool, Qt::AlignVCenter);
    }
    column()->addWidget(player_);
    setTabOrder(divide_, canvas());
    connect(&view_, &ViewState::sliceChanged, this, &TileWalkView::refresh);
    connect(&view_, &ViewState::hoveredChanged, this, &TileWalkView::showStep);
    connect(&view_, &ViewState::pinnedChanged, this, &TileWalkView::showStep);
    connect(map_, &QComboBox::activated, this, &TileWalkView::refresh);
    connect(divide_, &QCheckBox::toggled, this, [this] {
        refreshColors();
        showStep();
    });
    connect(player_, &Player::positionChanged, this, [this] {
        showStep();
        if (canvas()->isVisible() && !drawing_.steps.empty())
            reveal(drawing_.tileRect(drawing_.layout(canvas()->area(), canvas()->font()),
                                     drawing_.steps.tile(drawing_.step)));
    });
    map_->setAccessibleName(tr("Numbers on the map"));
    map_->setToolTip(map_->accessibleName());
    divide_->setText(tr("divide by ℓ"));
    divide_->setToolTip(tr("Show the outputs divided by the running sum"));
    refresh();
}

const TileWalk* TileWalkView::walk() const { return computed_ ? exhibitOf<TileWalk>(computed_->trace) : nullptr; }

void TileWalkView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    refresh();
}

void TileWalkView::refresh() {
    const TileSteps before = drawing_.steps;
    const auto tile =
        before.empty() ? std::nullopt : std::optional(before.tile(std::min(player_->position(), before.count() - 1)));
    canvas()->setDrawing(nullptr);
    drawing_.steps = {};
    const int head = std::max(0, computed_ ? headWithin(computed_->trace, view_.head()) : 0);
    if (walk())
        drawing_.steps = TileSteps(computed_, *walk(), view_.batch(), head);
    const bool heads = computed_ && sizeOf(computed_->trace).heads > 1;
    setTitle(heads ? tr("Tiles · head %1").arg(head) : tr("Tiles"));
    refreshMaps();
    const auto& steps = drawing_.steps;
    const bool same_tiles = before.queryTiles() == steps.queryTiles() && before.keyTiles() == steps.keyTiles();
    player_->setCount(steps.count());
    // Another walk restarts; the same one continues at its tile, whose step number may have changed with a mask.
    player_->setPosition(same_tiles && tile ? steps.stepOf(*tile).value_or(player_->position()) : 0);
    if (!steps.empty() && showsMap())
        canvas()->setDrawing(&drawing_);
    showStep();
}

void TileWalkView::refreshMaps() {
    const QString chosen = map_->currentData().toString();
    map_->clear();
    drawing_.map = {};
    drawing_.query.reset();
    drawing_.key.reset();
    if (drawing_.steps.empty())
        return;
    const Trace& trace = computed_->trace;
    const int head = std::max(0, headWithin(trace, view_.head()));
    const auto colored = [&](const char* name) -> std::optional<TileWalkDrawing::Colored> {
        const Stage* stage = trace.find(name);
        auto matrix = stage ? sliceOf(trace, *stage, view_.batch(), head) : std::nullopt;
        if (!matrix)
            return std::nullopt;
        return TileWalkDrawing::Colored{std::move(*matrix), scaleFor(trace, *stage, view_.batch(), {})};
    };
    for (const char* name : {"masked", "weights"})
        if (const Stage* stage = trace.find(name); stage && endsWithAxes(*stage, Axis::Query, Axis::Key))
            map_->addItem(stageWords(name), QString::fromLatin1(name));
    map_->setCurrentIndex(std::max(0, map_->findData(chosen)));
    if (auto map = colored(qPrintable(map_->currentData().toString())))
        drawing_.map = std::move(*map);
    drawing_.map.matrix.row_title.clear();
    drawing_.map.matrix.column_title.clear();
    if (auto query = colored("query"); query && query->matrix.view().rows == drawing_.steps.queries())
        drawing_.query = std::move(query);
    if (auto key = colored("key"); key && key->matrix.view().rows == drawing_.steps.keys())
        drawing_.key = TileWalkDrawing::Colored{transposed(key->matrix), key->scale};
    refreshColors();
}

/// One scale for all steps, so that equal numbers keep their colour: that of the finished rows, which is quick to
/// compute for any number of tiles.
void TileWalkView::refreshColors() {
    const auto& steps = drawing_.steps;
    if (steps.empty())
        return;
    drawing_.divided = divide_->isChecked();
    drawing_.step = steps.count() - 1;
    ValueRange sums, outputs;
    for (std::int64_t row = 0; row < steps.rowsReached(drawing_.step); ++row) {
        sums.include(steps.rowSum(row, drawing_.step));
        for (std::int64_t feature = 0; feature < steps.features(); ++feature)
            outputs.include(drawing_.outputAt(row, feature));
    }
    drawing_.sum_scale = colorScale({}, sums, false);
    drawing_.output_scale = colorScale({}, outputs, outputs.low < 0.0);
    drawing_.step = player_->position();
}

bool TileWalkView::showsMap() const {
    const auto view = drawing_.map.matrix.view();
    return view.rows == drawing_.steps.queries() && view.columns == drawing_.steps.keys();
}

void TileWalkView::showStep() {
    if (!walk()) {
        setWords({});
        return;
    }
    const auto& steps = drawing_.steps;
    drawing_.step = steps.empty() ? 0 : std::min(player_->position(), steps.count() - 1);
    drawing_.mark = view_.hovered() ? view_.hovered() : view_.pinned();
    const auto row = drawing_.mark ? std::optional<std::int64_t>(drawing_.mark->row) : std::nullopt;
    setWords(TileWords::ofStep(steps, drawing_.step, drawing_.map.matrix, row));
    canvas()->refresh();
}

std::shared_ptr<const Drawing> TileWalkView::picture() const {
    return drawing_.steps.empty() || !showsMap() ? nullptr : std::make_shared<TileWalkDrawing>(drawing_);
}

std::optional<DrawingSequence> TileWalkView::sequence() const {
    if (drawing_.steps.empty() || !showsMap())
        return std::nullopt;
    return DrawingSequence{drawing_.steps.count(), [drawing = drawing_](int index) {
                               auto frame = std::make_shared<TileWalkDrawing>(drawing);
                               frame->step = index;
                               return frame;
                           }};
}

bool TileWalkView::pressKey(int key) { return player_->pressKey(key); }

void TileWalkView::point(std::optional<QPointF> position) {
    if (drawing_.steps.empty() || !showsMap())
        return;
    view_.setHovered(position ? drawing_.cellAt(*position, canvas()->area(), canvas()->font()) : std::nullopt);
}

/// A click on a tile goes to the step that reads it.
void TileWalkView::click(QPointF position) {
    if (drawing_.steps.empty() || !showsMap())
        return;
    const auto cell = drawing_.cellAt(position, canvas()->area(), canvas()->font());
    if (!cell)
        return;
    const TileIndex tile{cell->row / drawing_.steps.querySpan(0).count(),
                         cell->column / drawing_.steps.keySpan(0).count()};
    if (const auto step = drawing_.steps.stepOf(tile)) {
        player_->pause();
        player_->setPosition(*step);
    }
}

} // namespace attnlab::ui
