#include "ui/matrix/stages/layer_grid.h"

#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <QLabel>
#include <utility>

namespace attnlab::ui {
LayerGrid::LayerGrid(ViewState& view, QWidget* parent)
    : ThumbnailGrid(parent), view_(view), descriptions_([this](int piece) { describe(piece); }) {
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Layers and heads"));
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
    bool same = layers == layers_.size();
    for (std::size_t i = 0; i < layers && same; ++i) {
        const Stage* stage = computed_->trace.find(computed_->trace.layers[i]);
        const auto heads = static_cast<std::size_t>(stage->value.dim(1));
        same = layers_[i].stage == stage->name && rows()[i].size() == heads + (heads > 1 ? 1 : 0);
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
    for (const auto& layer : layers_)
        removeSafely(layer.title);
    for (const auto& row : rows())
        std::ranges::for_each(row, removeSafely);
    layers_.clear();
    const auto layers = computed_ && computed_->trace.layers.size() > 1 ? computed_->trace.layers.size() : 0;
    Rows rows(layers);
    for (std::size_t i = 0; i < layers; ++i) {
        const Stage* stage = computed_->trace.find(computed_->trace.layers[i]);
        layers_.push_back({stage->name, mutedLabel(content()), {}});
        layers_.back().title->setText(title(static_cast<int>(i)));
        layers_.back().title->show();
        const auto heads = static_cast<int>(stage->value.dim(1));
        for (int column = 0; column < heads + (heads > 1 ? 1 : 0); ++column)
            rows[i].push_back(newTile(static_cast<int>(i), column < heads ? column : ViewState::mean_of_heads));
    }
    setRows(std::move(rows));
    nameHeads();
    relayout();
    updateGeometry();
}

void LayerGrid::nameHeads() {
    std::ranges::for_each(columns_, removeSafely);
    columns_.clear();
    const int count = widestRow();
    for (int column = 0; column < count && count > 1; ++column) {
        auto* label = mutedLabel(content());
        label->setAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->setText(column + 1 < count ? QString::number(column) : tr("mean", "of heads, the title of a column"));
        label->show();
        columns_.push_back(label);
    }
}

int LayerGrid::widestRow() const {
    std::size_t widest = 0;
    for (const auto& row : rows())
        widest = std::max(widest, row.size());
    return static_cast<int>(widest);
}

/// Names the tiles of a layer, which reads all its cells.
void LayerGrid::describe(int piece) {
    const auto& row = rows()[static_cast<std::size_t>(piece)];
    const Stage& stage = *computed_->trace.find(layers_[static_cast<std::size_t>(piece)].stage);
    const QString layer = title(piece);
    for (std::size_t column = 0; column < row.size(); ++column) {
        const int head = headAt(piece, column);
        auto* one = row[column];
        if (head == ViewState::mean_of_heads) {
            one->setAccessibleName(tr("%1, mean of heads").arg(layer));
            one->setToolTip(one->accessibleName());
            continue;
        }
        const auto figures = explain::head_figures(computed_->trace, stage, view_.batch(), head);
        const QString name = tr("%1, head %2").arg(layer).arg(head);
        one->setAccessibleName(tr("%1: %2", "a head and what is known of it").arg(name, headSummary(figures)));
        one->setToolTip(name + QLatin1Char('\n') + headTip(figures));
    }
}

MatrixTile* LayerGrid::newTile(int layer, int head) {
    auto* tile = addTile(content());
    tile->setSelection(true);
    connect(tile, &MatrixTile::cellHovered, this, [this, layer, head](std::optional<Cell> cell) {
        if (view_.stage() == stageOf(layer) && view_.head() == head)
            view_.setHovered(cell);
    });
    return tile;
}

int LayerGrid::headAt(int layer, std::size_t column) const {
    const auto count = rows()[static_cast<std::size_t>(layer)].size();
    return count > 1 && column + 1 == count ? ViewState::mean_of_heads : static_cast<int>(column);
}

void LayerGrid::refresh() {
    if (!computed_ || layers_.empty())
        return;
    const Trace& trace = computed_->trace;
    ValueRange range, held_range;
    bool hides = false, hid = false;
    for (const auto& layer : layers_) {
        const Stage& stage = *trace.find(layer.stage);
        const auto one = rangeOf(trace, stage, view_.batch());
        const bool one_hides = linearHides(trace, stage, view_.batch());
        const HeldRange* held = view_.held().a.find(layer.stage, view_.batch());
        range.include(one);
        hides = hides || one_hides;
        held_range.include(held ? held->range : one);
        hid = hid || (held ? held->linear_hides : one_hides);
    }
    if (std::exchange(described_batch_, view_.batch()) != view_.batch())
        descriptions_.start(layers());
    const ColorScale scale = heldTo(colorScale(choiceFor(hid, view_.colors()), held_range, false, true),
                                    colorScale(choiceFor(hides, view_.colors()), range, false, true));
    for (int layer = 0; layer < layers(); ++layer) {
        auto& one = layers_[static_cast<std::size_t>(layer)];
        const auto& row = rows()[static_cast<std::size_t>(layer)];
        const Stage* stage = trace.find(one.stage);
        one.shape = QSize(static_cast<int>(stage->value.dim(-1)), static_cast<int>(stage->value.dim(-2)));
        for (std::size_t column = 0; column < row.size(); ++column)
            row[column]->setMatrix(
                [computed = computed_, stage, batch = view_.batch(), head = headAt(layer, column)] {
                    return sliceOf(computed->trace, *stage, batch, head);
                },
                scale);
    }
}

QString LayerGrid::stageOf(int layer) const {
    return QString::fromStdString(layers_[static_cast<std::size_t>(layer)].stage);
}

QString LayerGrid::title(int layer) const { return passWords(layers_[static_cast<std::size_t>(layer)].stage); }

MatrixTile* LayerGrid::tile(int layer, int head) const {
    if (layer < 0 || layer >= layers())
        return nullptr;
    const auto& row = rows()[static_cast<std::size_t>(layer)];
    for (std::size_t column = 0; column < row.size(); ++column)
        if (headAt(layer, column) == head)
            return row[column];
    return nullptr;
}

void LayerGrid::chooseTile(MatrixTile& tile) {
    const auto at = positionOf(&tile);
    const int layer = static_cast<int>(at->row);
    view_.setStage(stageOf(layer));
    view_.setHead(headAt(layer, at->column));
    showChosen();
}

void LayerGrid::showChosen() {
    const Stage* shown = computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
    MatrixTile* chosen = nullptr;
    for (int layer = 0; layer < layers() && !chosen; ++layer)
        // Any stage of a layer's pass belongs to the layer.
        if (shown && prefix_of(shown->name) == prefix_of(layers_[static_cast<std::size_t>(layer)].stage))
            chosen = tile(layer, headWithin(computed_->trace, view_.head()));
    setChosenTile(chosen);
}

// Where the maps of a LayerGrid are.

namespace {

constexpr int layer_gap = 4, column_gap = 2;
constexpr int thinnest_map = 14; // so that there is something to click

} // namespace

/// One size of cells for all maps: `side` is the longest side of the largest.
QSize LayerGrid::pictureOf(const Layer& layer, int side) const {
    int largest = 1;
    for (const auto& other : layers_)
        largest = std::max({largest, other.shape.width(), other.shape.height()});
    const auto length = [&](int cells) { return std::max(thinnest_map, qRound(double(side) * cells / largest)); };
    return {length(layer.shape.width()), length(layer.shape.height())};
}

int LayerGrid::columnWidth(int side) const {
    int width = 0;
    for (const auto& layer : layers_)
        width = std::max(width, pictureOf(layer, side).width());
    return width + MatrixTile::padding * 2 + column_gap;
}

int LayerGrid::titleHeight() const { return QFontMetrics(font()).height(); }

QSize LayerGrid::sizeWith(int side) const {
    int height = columns_.empty() ? 0 : titleHeight();
    for (const auto& layer : layers_)
        height += titleHeight() + pictureOf(layer, side).height() + MatrixTile::padding * 2 + layer_gap;
    return {widestRow() * columnWidth(side) - column_gap, std::max(0, height - layer_gap)};
}

void LayerGrid::relayout() {
    scroll()->setGeometry(rect());
    if (layers_.empty())
        return;
    int side = largest_map;
    for (; side > smallest_map; --side)
        if (const QSize all = sizeWith(side); all.width() <= width() && all.height() <= height())
            break;
    const QSize all = sizeWith(side);
    const int column_width = columnWidth(side), line = titleHeight();
    const int bar = all.height() > height() ? TileScroll::bar_width : 0;
    const int content_width = std::max(all.width(), width() - bar);
    content()->resize(content_width, all.height());
    int y = 0;
    for (std::size_t column = 0; column < columns_.size(); ++column)
        place(*columns_[column], {static_cast<int>(column) * column_width, y, column_width - column_gap, line});
    if (!columns_.empty())
        y += line;
    for (int layer = 0; layer < layers(); ++layer) {
        const auto& row = rows()[static_cast<std::size_t>(layer)];
        const auto& one = layers_[static_cast<std::size_t>(layer)];
        place(*one.title, {MatrixTile::padding, y, content_width - MatrixTile::padding, line});
        y += line;
        const QSize picture = pictureOf(one, side);
        const int height = picture.height() + MatrixTile::padding * 2;
        for (std::size_t column = 0; column < row.size(); ++column) {
            // The mean is in the last column, however many heads this layer has.
            const bool mean = headAt(layer, column) == ViewState::mean_of_heads;
            const int at = mean ? widestRow() - 1 : static_cast<int>(column);
            row[column]->setPictureSize(picture);
            place(*row[column], {at * column_width, y, column_width - column_gap, height});
        }
        y += height + layer_gap;
    }
    revealChosen();
}

QSize LayerGrid::sizeHint() const { return sizeWith(usual_map); }

QSize LayerGrid::minimumSizeHint() const {
    const QSize all = sizeWith(smallest_map);
    return {std::min(all.width(), 5 * columnWidth(smallest_map)), std::min(all.height(), 120)};
}

} // namespace attnlab::ui
