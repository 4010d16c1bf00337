#include "ui/matrix/stages/heads_view.h"

#include "ui/matrix/stages/layer_grid.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int head_gap = 4;
constexpr int line_room = head_gap * 2 + 1;
constexpr int usual_heads = 4;  // in sight, where the room is not given
constexpr int widest_word = 84; // longer words of a translation are elided

} // namespace

HeadGrid::HeadGrid(QWidget* parent) : ThumbnailGrid(parent), mean_(makeTile(this)) {
    mean_->hide();
    connect(scroll()->verticalScrollBar(), &QScrollBar::valueChanged, this, &HeadGrid::visibleHeadsChanged);
    connect(scroll()->verticalScrollBar(), &QScrollBar::rangeChanged, this, &HeadGrid::visibleHeadsChanged);
}

MatrixTile* HeadGrid::makeTile(QWidget* parent) {
    auto* tile = addTile(parent);
    tile->setSelection(true);
    connect(tile, &MatrixTile::cellHovered, this, &HeadGrid::cellHovered);
    return tile;
}

void HeadGrid::setHeads(int count) {
    if (count == heads())
        return;
    while (heads() > count) {
        removeSafely(tiles_.back());
        tiles_.pop_back();
    }
    while (heads() < count) {
        const int head = heads();
        auto* tile = makeTile(content());
        showDetail(tile, head);
        tiles_.push_back(tile);
    }
    mean_->setVisible(showsMean());
    order_.resize(static_cast<std::size_t>(count));
    std::iota(order_.begin(), order_.end(), 0);
    relayout();
    updateGeometry();
}

MatrixTile* HeadGrid::tile(int head) const {
    if (head == ViewState::mean_of_heads)
        return mean_;
    return head >= 0 && head < heads() ? tiles_[static_cast<std::size_t>(head)] : nullptr;
}

void HeadGrid::setMeanShown(bool shown) {
    mean_shown_ = shown;
    mean_->setVisible(showsMean());
    relayout();
    updateGeometry();
}

void HeadGrid::setMapShape(std::int64_t rows, std::int64_t columns) {
    if (rows == map_rows_ && columns == map_columns_)
        return;
    map_rows_ = rows;
    map_columns_ = columns;
    relayout();
    updateGeometry();
}

void HeadGrid::setOrder(std::vector<int> order) {
    if (order == order_)
        return;
    order_ = std::move(order);
    relayout();
}

void HeadGrid::setDetail(Detail detail, const QStringList& samples) {
    detail_ = std::move(detail);
    for (int head = 0; head < heads(); ++head)
        showDetail(tile(head), head);
    if (std::exchange(samples_, samples) == samples)
        return;
    sample_width_ = -1;
    relayout();
    updateGeometry();
}

void HeadGrid::showDetail(MatrixTile* tile, int head) {
    if (detail_)
        tile->setDetail([this, head] { return detail_(head); });
}

int HeadGrid::hidden() const {
    const QRect sight = scroll()->sight().adjusted(0, -head_gap, 0, head_gap);
    return static_cast<int>(
        std::ranges::count_if(tiles_, [&](const MatrixTile* tile) { return !sight.contains(tile->geometry()); }));
}

void HeadGrid::setSelected(int head) {
    setChosenTile(tile(head));
    emit visibleHeadsChanged();
}

/// Layouts ask several times for each result.
int HeadGrid::sampleWidth(const MatrixTile& any) const {
    if (sample_width_ < 0 || any.font() != sample_font_) {
        sample_font_ = any.font();
        sample_width_ = 0;
        for (const auto& words : samples_)
            sample_width_ = std::max(sample_width_, std::min(any.detailWidth(words), widest_word));
    }
    return sample_width_;
}

void HeadGrid::setRoomy(bool roomy) {
    if (std::exchange(is_roomy_, roomy) != roomy)
        relayout();
}

/// The largest with which all heads and their mean fit.
int HeadGrid::sideFor(int height) const {
    if (!is_roomy_ || heads() == 0)
        return picture_side;
    const int tiles = heads() + (showsMean() ? 1 : 0);
    const int room = (height - (showsMean() ? line_room - head_gap : 0) + head_gap) / tiles - head_gap;
    return std::clamp(room - 2 * MatrixTile::padding, picture_side, roomy_side);
}

QSize HeadGrid::tileSize(int side) const {
    const MatrixTile* any = tiles_.empty() ? mean_ : tiles_.back(); // the last head has the longest number
    const QSize picture = thumbnailWithin(map_rows_, map_columns_, side);
    int text = std::max(any->titleWidth(), showsMean() ? mean_->titleWidth() : 0);
    text = std::max(text, sampleWidth(*any));
    return {MatrixTile::widthWith(side, text), std::max(picture.height(), any->textHeight()) + MatrixTile::padding * 2};
}

int HeadGrid::heightOf(int heads) const { return std::max(0, heads * (tileSize().height() + head_gap) - head_gap); }
int HeadGrid::fittedHeight(int room) const {
    const int full = tileSize().height();
    const int fitting = heads() > 0 ? (room + head_gap) / heads() - head_gap : full;
    return fitting < full && fitting * 10 >= full * 9 ? fitting : full;
}

int HeadGrid::meanHeight() const { return showsMean() ? line_room + tileSize().height() : 0; }

QSize HeadGrid::sizeHint() const {
    return {tileSize(side_).width() + TileScroll::bar_width + head_gap / 2,
            heightOf(std::min(heads(), usual_heads)) + meanHeight()};
}
QSize HeadGrid::minimumSizeHint() const { return {sizeHint().width(), heightOf(std::min(heads(), 1)) + meanHeight()}; }

void HeadGrid::relayout() {
    line_ = QRect();
    if (const int side = sideFor(height()); std::exchange(side_, side) != side)
        updateGeometry();
    const int mean_height = showsMean() ? line_room + tileSize(side_).height() : 0;
    const int room = std::max(0, height() - mean_height);
    const int full_height = tileSize(side_).height();
    const int tile_height = side_ > picture_side ? full_height : fittedHeight(room);
    const int all = std::max(0, heads() * (tile_height + head_gap) - head_gap);
    const QSize picture = thumbnailWithin(map_rows_, map_columns_, side_ - (full_height - tile_height));
    const bool scrolls = all > room;
    // No head in part: the number of those that are hidden and the bar say that more follow.
    const int step = tile_height + head_gap, whole = std::max(step, (room + head_gap) / step * step) - head_gap;
    const int sight = scrolls ? std::min(whole, room) : all;
    const int tile_width = width() - (scrolls ? TileScroll::bar_width + head_gap / 2 : 0);
    scroll()->setVerticalScrollBarPolicy(scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    scroll()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll()->setGeometry(0, 0, width(), sight);
    content()->resize(tile_width, all);
    int y = 0;
    Rows rows; // the mean follows the last head
    for (const int head : order_) {
        tile(head)->setPictureSize(picture);
        place(*tile(head), {0, y, tile_width, tile_height});
        y += tile_height + head_gap;
        rows.push_back({tile(head)});
    }
    if (showsMean()) {
        rows.push_back({mean_});
        const int below = sight + head_gap;
        line_ = QRect(MatrixTile::padding, below, tile_width - 2 * MatrixTile::padding, 1);
        mean_->setPictureSize(picture);
        place(*mean_, {0, below + 1 + head_gap, tile_width, tile_height});
    }
    setRows(std::move(rows));
    revealChosen();
    emit visibleHeadsChanged();
    update();
}

void HeadGrid::chooseTile(MatrixTile& tile) {
    const auto at = std::ranges::find(tiles_, &tile);
    const int head = at == tiles_.end() ? ViewState::mean_of_heads : static_cast<int>(at - tiles_.begin());
    setSelected(head);
    emit chosen(head);
}

void HeadGrid::paintEvent(QPaintEvent*) {
    if (line_.isValid())
        QPainter(this).fillRect(QStyle::visualRect(layoutDirection(), rect(), line_), theme().border);
}

double headSimilarity(const MatrixView& one, const MatrixView& other) {
    if (one.rows != other.rows || one.columns != other.columns || one.empty())
        return 0.0;
    double distance = 0.0;
    for (std::int64_t i = 0; i < one.rows * one.columns; ++i)
        distance += std::abs(one.data[i] - other.data[i]);
    return 1.0 - distance / 2.0 / static_cast<double>(one.rows);
}

std::vector<int> orderedHeads(int count, HeadOrder order, const std::function<explain::HeadFigures(int)>& figures,
                              const std::function<double(int)>& similarity) {
    std::vector<int> heads(static_cast<std::size_t>(count));
    std::iota(heads.begin(), heads.end(), 0);
    if (order == HeadOrder::Number)
        return heads;
    std::vector<double> key;
    for (const int head : heads)
        key.push_back(order == HeadOrder::Entropy     ? figures(head).entropy
                      : order == HeadOrder::MaxWeight ? -figures(head).max_weight
                                                      : -similarity(head));
    std::stable_sort(heads.begin(), heads.end(), [&key](int a, int b) {
        const double one = key[static_cast<std::size_t>(a)], other = key[static_cast<std::size_t>(b)];
        return std::isnan(other) ? !std::isnan(one) : one < other;
    });
    return heads;
}

namespace {

constexpr int widest_of_layers = 280;

} // namespace

HeadsView::HeadsView(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), title_(mutedLabel(this, true)), note_(mutedLabel(this)), sort_(new QComboBox(this)),
      grid_(new HeadGrid(this)), layers_(new LayerGrid(view, this)),
      descriptions_([this](int head) { describeTile(head); }) {
    build();
    // A click that starts a double click must not move the tiles under the mouse.
    resort_later_.setSingleShot(true);
    connect(&resort_later_, &QTimer::timeout, this, &HeadsView::resort);
    connect(sort_, &QComboBox::currentIndexChanged, this, &HeadsView::resort);
    connect(grid_, &HeadGrid::chosen, &view_, &ViewState::setHead);
    connect(grid_, &HeadGrid::enlarged, this, &HeadsView::enlargeRequested);
    connect(layers_, &LayerGrid::enlarged, this, &HeadsView::enlargeRequested);
    connect(grid_, &HeadGrid::visibleHeadsChanged, this, &HeadsView::showNote);
    connect(grid_, &HeadGrid::cellHovered, this, [this](std::optional<Cell> cell) {
        if (shownStage() == view_.stage())
            view_.setHovered(cell);
    });
    connect(&view_, &ViewState::sliceChanged, this, [this] {
        if (order() == HeadOrder::Similarity)
            resort_later_.start(QApplication::doubleClickInterval() + 50);
        refreshTiles();
        grid_->setSelected(selected());
    });
    connect(&view_, &ViewState::stageChanged, this, &HeadsView::rebuild);
    connect(&view_, &ViewState::colorsChanged, this, &HeadsView::refreshTiles);
    connect(&view_, &ViewState::hoveredChanged, this, &HeadsView::showCrosshair);
    rebuild();
}

void HeadsView::build() {
    setAccessibleRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Heads"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
    sort_->setAccessibleName(tr("Order of the heads"));
    // As wide as the tiles, whatever the language.
    sort_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    sort_->setMinimumContentsLength(4);
    QStringList helps;
    const auto add = [&](HeadOrder order, const QString& text, const QString& help) {
        sort_->addItem(text, static_cast<int>(order));
        sort_->setItemData(sort_->count() - 1, help, Qt::ToolTipRole);
        helps << help;
    };
    add(HeadOrder::Number, tr("by number"), tr("Head 0 first"));
    add(HeadOrder::Entropy, tr("by entropy"), tr("The sharpest head first: least entropy, mean over the rows"));
    add(HeadOrder::MaxWeight, tr("by mean largest weight"),
        tr("The head with the largest weights first: each row's maximum, mean over the rows"));
    add(HeadOrder::Similarity, tr("by similarity"),
        tr("The head most like the selected one first: 1 − ½ Σ|a − b| (total variation), mean over the rows"));
    sort_->setToolTip(
        (QStringList(tr("All heads on one colour scale, in this order:")) + helps).join(QLatin1Char('\n')));
    auto* heading = new QHBoxLayout;
    heading->setSpacing(4);
    heading->addWidget(title_, 1);
    heading->addWidget(note_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(5, 6, 3, 6);
    layout->setSpacing(4);
    layout->addLayout(heading);
    layout->addWidget(sort_);
    layout->addWidget(grid_, 1);
    layout->addWidget(layers_, 1);
}

void HeadsView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    figures_.clear();
    layers_->setTrace(computed_);
    rebuild();
}

void HeadsView::setMark(const QString& mark) {
    if (std::exchange(mark_, mark) != mark && computed_)
        refreshTexts();
}

void HeadsView::setRoomy(bool roomy) { grid_->setRoomy(roomy); }

bool HeadsView::showsLayers() const { return layers_->layers() > 0; }

const Stage* HeadsView::mapStage() const { return computed_ ? headMapStage(computed_->trace, view_.stage()) : nullptr; }

const Stage* HeadsView::weightsStage() const {
    return computed_ ? weightsBeside(computed_->trace, mapStage()) : nullptr;
}

int HeadsView::selected() const { return computed_ ? headWithin(computed_->trace, view_.head()) : 0; }

QString HeadsView::shownStage() const {
    const Stage* stage = mapStage();
    return stage ? QString::fromStdString(stage->name) : QString();
}

bool HeadsView::hasChoice() const { return has_choice_; }
const std::vector<int>& HeadsView::shownHeads() const { return grid_->order(); }
MatrixTile* HeadsView::tile(int head) const { return grid_->tile(head); }
HeadOrder HeadsView::order() const { return static_cast<HeadOrder>(sort_->currentData().toInt()); }
void HeadsView::setOrder(HeadOrder order) { sort_->setCurrentIndex(sort_->findData(static_cast<int>(order))); }

MatrixView HeadsView::weightsOf(int head) const {
    const Stage* weights = weightsStage();
    const auto index = std::int64_t{view_.batch()} * grid_->heads() + head;
    return weights && index < matrix_count(weights->value) ? matrix_at(weights->value, index) : MatrixView{};
}

explain::HeadFigures HeadsView::figuresOf(int head) const {
    auto& kept = figures_.at(static_cast<std::size_t>(head));
    const Stage* weights = weightsStage();
    if (!kept)
        kept =
            weights ? explain::head_figures(computed_->trace, *weights, view_.batch(), head) : explain::HeadFigures();
    return *kept;
}

void HeadsView::rebuild() {
    const Stage* stage = mapStage();
    const int heads = stage && !showsLayers() ? sizeOf(computed_->trace).heads : 0;
    const int count = heads > 1 ? heads : 0;
    grid_->setHeads(count);
    if (stage)
        grid_->setMapShape(stage->value.dim(-2), stage->value.dim(-1));
    renewFigures();
    refreshTexts();
    refreshTiles();
    const bool has_choice = count > 0 || showsLayers();
    for (QWidget* part : std::initializer_list<QWidget*>{title_, note_})
        part->setVisible(has_choice);
    sort_->setVisible(count > 0);
    grid_->setVisible(count > 0);
    layers_->setVisible(showsLayers());
    updateGeometry();
    grid_->setSelected(selected());
    showCrosshair();
    resort();
    update();
    if (std::exchange(has_choice_, has_choice) != has_choice)
        emit hasChoiceChanged(has_choice);
}

/// Forgets those of other weights.
void HeadsView::renewFigures() {
    const std::pair place(weightsStage(), view_.batch());
    if (std::exchange(figures_of_, place) == place && std::ssize(figures_) == grid_->heads())
        return;
    figures_.assign(static_cast<std::size_t>(grid_->heads()), std::nullopt);
    descriptions_.start(grid_->heads());
}

void HeadsView::refreshTiles() {
    renewFigures();
    const Stage* stage = mapStage();
    if (!stage)
        return;
    const ColorScale scale = shownScale(computed_->trace, *stage, view_.batch(), view_);
    for (int head = ViewState::mean_of_heads; head < grid_->heads(); ++head)
        tile(head)->setMatrix([computed = computed_, stage, batch = view_.batch(),
                               head] { return sliceOf(computed->trace, *stage, batch, head); },
                              scale);
}

void HeadsView::refreshTexts() {
    title_->setText(showsLayers() ? tr("Layers and heads")
                    : shownStage().isEmpty() || shownStage() == QLatin1String("weights")
                        ? tr("Heads")
                        : tr("Heads: %1").arg(stageWords(shownStage().toStdString())));
    showNote();
    for (int head = 0; head < grid_->heads(); ++head) {
        tile(head)->setText(tr("Head %1").arg(head));
        tile(head)->setAccessibleName(tile(head)->text());
    }
    MatrixTile* mean = tile(ViewState::mean_of_heads);
    mean->setText(tr("Mean"));
    mean->setDetail([] { return tr("hides differences"); });
    mean->setAccessibleName(tr("Average of all heads"));
    mean->setToolTip(tr("The average of all heads: a key that one head reads strongly looks weak here"));
    if (mark_.isEmpty())
        grid_->setDetail([this](int head) { return headWords(figuresOf(head)); }, allHeadWords());
    else
        grid_->setDetail([this](int) { return mark_; }, {mark_});
    descriptions_.start(grid_->heads());
}

/// Reads all cells of the head, which a tile in sight does anyway.
void HeadsView::describeTile(int head) {
    const auto figures = figuresOf(head);
    const auto marked = [this](const QString& text) {
        return mark_.isEmpty() ? text : tr("%1, %2", "random numbers, what is known of a head").arg(mark_, text);
    };
    tile(head)->setAccessibleName(
        tr("Head %1: %2", "number and what is known of it").arg(head).arg(marked(headSummary(figures))));
    tile(head)->setToolTip(marked(headTip(figures)));
}

void HeadsView::showNote() {
    const int hidden = showsLayers() ? 0 : grid_->hidden();
    note_->setText(hidden == 0 ? QString() : tr("%n more", "heads", hidden) + QStringLiteral(" ↕"));
    note_->setToolTip(hidden == 0 ? QString() : tr("%n more to scroll to", "heads", hidden));
}

void HeadsView::resort() {
    resort_later_.stop();
    std::optional<MatrixData> mean;
    MatrixView reference;
    if (order() == HeadOrder::Similarity && weightsStage()) {
        if (selected() == ViewState::mean_of_heads)
            mean = sliceOf(computed_->trace, *weightsStage(), view_.batch(), ViewState::mean_of_heads);
        reference = mean ? mean->view() : weightsOf(selected());
    }
    grid_->setOrder(orderedHeads(
        grid_->heads(), order(), [this](int head) { return figuresOf(head); },
        [this, &reference](int head) { return headSimilarity(weightsOf(head), reference); }));
}

void HeadsView::showCrosshair() {
    const Stage* chosen = computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
    const Stage* shown = mapStage();
    // A hovered cell of an output row does not refer to keys.
    const bool same = chosen && shown && endsWithAxes(*chosen, Axis::Query, Axis::Key) &&
                      endsWithAxes(*shown, Axis::Query, Axis::Key);
    for (int head = ViewState::mean_of_heads; head < grid_->heads(); ++head)
        tile(head)->setCrosshair(same ? view_.hovered() : std::nullopt);
}

/// The room that margins, heading and order take.
QSize HeadsView::aroundTiles() const {
    const auto margins = layout()->contentsMargins();
    const int order = showsLayers() ? 0 : layout()->spacing() + sort_->sizeHint().height();
    return {margins.left() + margins.right(),
            margins.top() + margins.bottom() + layout()->spacing() + title_->sizeHint().height() + order};
}

QSize HeadsView::sizeHint() const {
    if (!has_choice_)
        return {0, 0};
    if (!showsLayers())
        return grid_->sizeHint() + aroundTiles();
    const QSize all = layers_->sizeHint() + aroundTiles();
    return {std::min(all.width(), widest_of_layers), all.height()};
}

QSize HeadsView::minimumSizeHint() const {
    if (!has_choice_)
        return {0, 0};
    return (showsLayers() ? layers_->minimumSizeHint() : grid_->minimumSizeHint()) + aroundTiles();
}

void HeadsView::paintEvent(QPaintEvent*) {
    if (has_choice_)
        paintCard(*this);
}

} // namespace attnlab::ui
