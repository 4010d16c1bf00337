#include "ui/matrix/stages/layer_grid.h"

#include "ui/matrix/stages/matrix_tile.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <utility>

namespace attnlab::ui {
LayerGrid::LayerGrid(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), scroll_(new TileScroll(this)),
      descriptions_([this](int piece) { describe(piece); }) {
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Layers and heads"));
    for (const QScrollBar* bar : {scroll_->verticalScrollBar(), scroll_->horizontalScrollBar()})
        connect(bar, &QScrollBar::rangeChanged, this, &LayerGrid::revealChosen);
    connect(&view_, &ViewState::stageChanged, this, &LayerGrid::showChosen);
    connect(&view_, &ViewState::sliceChanged, this, [this] {
        refresh();
        showChosen();
    });
    connect(&view_, &ViewState::colorsChanged, this, &LayerGrid::refresh);
}

void LayerGrid::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    const auto layers = computed_ && computed_->trace.layers.size() > 1 ? computed_->trace.layers.size() : 0;
    bool same = layers == rows_.size();
    for (std::size_t i = 0; i < layers && same; ++i) {
        const Stage* stage = computed_->trace.find(computed_->trace.layers[i]);
        const auto heads = static_cast<std::size_t>(stage->value.dim(1));
        same = rows_[i].stage == stage->name && rows_[i].tiles.size() == heads + (heads > 1 ? 1 : 0);
    }
    if (!same)
        rebuild();
    described_batch_ = -1;
    descriptions_.start(0); // those of the trace before
    refresh();
    showChosen();
    relayout();
}

void LayerGrid::rebuild() {
    for (const auto& row : rows_) {
        removeSafely(row.title);
        std::ranges::for_each(row.tiles, removeSafely);
    }
    rows_.clear();
    const auto layers = computed_ && computed_->trace.layers.size() > 1 ? computed_->trace.layers.size() : 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const Stage* stage = computed_->trace.find(computed_->trace.layers[i]);
        Row row;
        row.stage = stage->name;
        row.title = mutedLabel(scroll_->content());
        row.title->show();
        const auto heads = static_cast<int>(stage->value.dim(1));
        for (int column = 0; column < heads + (heads > 1 ? 1 : 0); ++column) {
            auto* one = new MatrixTile(scroll_->content());
            one->show();
            row.tiles.push_back(one);
            connectTile(one, static_cast<int>(i), column < heads ? column : ViewState::mean_of_heads);
        }
        rows_.push_back(std::move(row));
    }
    for (int layer = 0; layer < this->layers(); ++layer)
        rows_[static_cast<std::size_t>(layer)].title->setText(title(layer));
    nameHeads();
    relayout();
    updateGeometry();
}

void LayerGrid::nameHeads() {
    std::ranges::for_each(columns_, removeSafely);
    columns_.clear();
    const int count = widestRow();
    for (int column = 0; column < count && count > 1; ++column) {
        auto* label = mutedLabel(scroll_->content());
        label->setAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->setText(column + 1 < count ? QString::number(column) : tr("mean", "of heads, the title of a column"));
        label->show();
        columns_.push_back(label);
    }
}

int LayerGrid::widestRow() const {
    std::size_t widest = 0;
    for (const auto& row : rows_)
        widest = std::max(widest, row.tiles.size());
    return static_cast<int>(widest);
}

/// Names the tiles of a layer, which reads all its cells.
void LayerGrid::describe(int piece) {
    const auto& row = rows_[static_cast<std::size_t>(piece)];
    const QString layer = title(piece);
    for (std::size_t column = 0; column < row.tiles.size(); ++column) {
        const int head = headAt(row, column);
        auto* one = row.tiles[column];
        if (head == ViewState::mean_of_heads) {
            one->setAccessibleName(tr("%1, mean of heads").arg(layer));
            one->setToolTip(one->accessibleName());
            continue;
        }
        const auto figures =
            explain::head_figures(computed_->trace, *computed_->trace.find(row.stage), view_.batch(), head);
        const QString name = tr("%1, head %2").arg(layer).arg(head);
        one->setAccessibleName(tr("%1: %2", "a head and what is known of it").arg(name, headSummary(figures)));
        one->setToolTip(name + QLatin1Char('\n') + headTip(figures));
    }
}

void LayerGrid::connectTile(MatrixTile* tile, int layer, int head) {
    tile->installEventFilter(this);
    connect(tile, &MatrixTile::clicked, this, [this, layer, head] { choose(layer, head); });
    connect(tile, &MatrixTile::doubleClicked, this, [this, layer, head] {
        choose(layer, head);
        emit enlarged();
    });
    connect(tile, &MatrixTile::cellHovered, this, [this, layer, head](std::optional<Cell> cell) {
        if (view_.stage() == stageOf(layer) && view_.head() == head)
            view_.setHovered(cell);
    });
}

int LayerGrid::headAt(const Row& row, std::size_t column) {
    return row.tiles.size() > 1 && column + 1 == row.tiles.size() ? ViewState::mean_of_heads : static_cast<int>(column);
}

void LayerGrid::refresh() {
    if (!computed_ || rows_.empty())
        return;
    const Trace& trace = computed_->trace;
    ValueRange range;
    for (const auto& row : rows_) {
        const auto one = rangeOf(trace, *trace.find(row.stage), view_.batch());
        for (const double value : {one.low, one.high})
            if (!one.empty)
                range.include(value);
    }
    if (std::exchange(described_batch_, view_.batch()) != view_.batch())
        descriptions_.start(layers());
    const ColorScale scale = colorScale(view_.colors(), range, false, true);
    for (auto& row : rows_) {
        const Stage* stage = trace.find(row.stage);
        row.shape = QSize(static_cast<int>(stage->value.dim(-1)), static_cast<int>(stage->value.dim(-2)));
        for (std::size_t column = 0; column < row.tiles.size(); ++column)
            row.tiles[column]->setMatrix(
                [computed = computed_, stage, batch = view_.batch(), head = headAt(row, column)] {
                    return sliceOf(computed->trace, *stage, batch, head);
                },
                scale);
    }
}

QString LayerGrid::stageOf(int layer) const {
    return QString::fromStdString(rows_[static_cast<std::size_t>(layer)].stage);
}

QString LayerGrid::title(int layer) const { return passWords(rows_[static_cast<std::size_t>(layer)].stage); }

MatrixTile* LayerGrid::tile(int layer, int head) const {
    if (layer < 0 || layer >= layers())
        return nullptr;
    const auto& row = rows_[static_cast<std::size_t>(layer)];
    for (std::size_t column = 0; column < row.tiles.size(); ++column)
        if (headAt(row, column) == head)
            return row.tiles[column];
    return nullptr;
}

void LayerGrid::choose(int layer, int head) {
    view_.setStage(stageOf(layer));
    view_.setHead(head);
    showChosen(); // clicking the chosen one must not uncheck it
}

void LayerGrid::showChosen() {
    const Stage* shown = computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
    bool found = false;
    for (const auto& row : rows_) {
        // Any stage of a layer's pass belongs to the layer.
        const bool layer = shown && prefix_of(shown->name) == prefix_of(row.stage);
        for (std::size_t column = 0; column < row.tiles.size(); ++column) {
            const bool chosen = layer && headAt(row, column) == headWithin(computed_->trace, view_.head());
            row.tiles[column]->setChecked(chosen);
            // One stop for Tab; the arrow keys move within.
            row.tiles[column]->setFocusPolicy(chosen ? Qt::StrongFocus : Qt::ClickFocus);
            found = found || chosen;
        }
    }
    if (!found && !rows_.empty())
        rows_.front().tiles.front()->setFocusPolicy(Qt::StrongFocus);
    revealChosen();
}

bool LayerGrid::moveFrom(const MatrixTile* from, int key) {
    for (int layer = 0; layer < layers(); ++layer) {
        const auto& tiles = rows_[static_cast<std::size_t>(layer)].tiles;
        const auto found = std::find(tiles.begin(), tiles.end(), from);
        if (found == tiles.end())
            continue;
        auto column = static_cast<int>(found - tiles.begin());
        int row = layer;
        if (key == Qt::Key_Left || key == Qt::Key_Right)
            column += key == Qt::Key_Right ? 1 : -1;
        else if (key == Qt::Key_Up || key == Qt::Key_Down)
            row += key == Qt::Key_Down ? 1 : -1;
        else if (key == Qt::Key_Home || key == Qt::Key_End)
            column = key == Qt::Key_Home ? 0 : static_cast<int>(tiles.size()) - 1;
        else
            return false;
        if (row < 0 || row >= layers())
            return true;
        const auto& target = rows_[static_cast<std::size_t>(row)];
        if (column < 0 || column >= static_cast<int>(target.tiles.size()))
            return true;
        choose(row, headAt(target, static_cast<std::size_t>(column)));
        target.tiles[static_cast<std::size_t>(column)]->setFocus(Qt::TabFocusReason);
        return true;
    }
    return false;
}

bool LayerGrid::eventFilter(QObject* watched, QEvent* event) {
    auto* from = qobject_cast<MatrixTile*>(watched);
    if (!from || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        from->click();
        emit enlarged();
        return true;
    }
    return moveFrom(from, key) || QWidget::eventFilter(watched, event);
}

void LayerGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

// Where the maps of a LayerGrid are.

namespace {

constexpr int layer_gap = 4, column_gap = 2;
constexpr int thinnest_map = 14; // so that there is something to click

} // namespace

/// One size of cells for all maps: `side` is the longest side of the largest.
QSize LayerGrid::pictureOf(const Row& row, int side) const {
    int largest = 1;
    for (const auto& other : rows_)
        largest = std::max({largest, other.shape.width(), other.shape.height()});
    const auto length = [&](int cells) { return std::max(thinnest_map, qRound(double(side) * cells / largest)); };
    return {length(row.shape.width()), length(row.shape.height())};
}

int LayerGrid::columnWidth(int side) const {
    int width = 0;
    for (const auto& row : rows_)
        width = std::max(width, pictureOf(row, side).width());
    return width + MatrixTile::padding * 2 + column_gap;
}

int LayerGrid::titleHeight() const { return QFontMetrics(font()).height(); }

QSize LayerGrid::sizeWith(int side) const {
    int height = columns_.empty() ? 0 : titleHeight();
    for (const auto& row : rows_)
        height += titleHeight() + pictureOf(row, side).height() + MatrixTile::padding * 2 + layer_gap;
    return {widestRow() * columnWidth(side) - column_gap, std::max(0, height - layer_gap)};
}

void LayerGrid::relayout() {
    scroll_->setGeometry(rect());
    if (rows_.empty())
        return;
    int side = largest_map;
    for (; side > smallest_map; --side)
        if (const QSize all = sizeWith(side); all.width() <= width() && all.height() <= height())
            break;
    const QSize all = sizeWith(side);
    const int column_width = columnWidth(side), line = titleHeight();
    const int bar = all.height() > height() ? TileScroll::bar_width : 0;
    const int content_width = std::max(all.width(), width() - bar);
    int y = 0;
    for (std::size_t column = 0; column < columns_.size(); ++column)
        columns_[column]->setGeometry(static_cast<int>(column) * column_width, y, column_width - column_gap, line);
    if (!columns_.empty())
        y += line;
    for (const auto& row : rows_) {
        row.title->setGeometry(MatrixTile::padding, y, content_width - MatrixTile::padding, line);
        y += line;
        const QSize picture = pictureOf(row, side);
        const int height = picture.height() + MatrixTile::padding * 2;
        for (std::size_t column = 0; column < row.tiles.size(); ++column) {
            // The mean is in the last column, however many heads this layer has.
            const bool mean = headAt(row, column) == ViewState::mean_of_heads;
            const int place = mean ? widestRow() - 1 : static_cast<int>(column);
            row.tiles[column]->setPictureSize(picture);
            row.tiles[column]->setGeometry(place * column_width, y, column_width - column_gap, height);
        }
        y += height + layer_gap;
    }
    scroll_->content()->resize(content_width, all.height());
    revealChosen();
}

void LayerGrid::revealChosen() {
    for (const auto& row : rows_)
        for (const auto* one : row.tiles)
            if (one->isChecked())
                scroll_->reveal(*one, layer_gap);
}

QSize LayerGrid::sizeHint() const { return sizeWith(usual_map); }

QSize LayerGrid::minimumSizeHint() const {
    const QSize all = sizeWith(smallest_map);
    return {std::min(all.width(), 5 * columnWidth(smallest_map)), std::min(all.height(), 120)};
}

} // namespace attnlab::ui
