#include "ui/stages/heads_view.h"

#include "ui/card.h"
#include "ui/slice.h"
#include "ui/stages/stage_kinds.h"
#include "ui/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int usual_picture = 96, largest_picture = 200, smallest_picture = 56, lone_picture = 64;
constexpr int gap = 8;

} // namespace

/// Where the tiles go in the room that there is.
struct HeadsView::Grid {
    int picture = smallest_picture;
    QSize tile;
    int columns = 1;
    int rows = 1;
    QSize size(int spacing) const {
        return {columns * (tile.width() + spacing) - spacing, rows * (tile.height() + spacing) - spacing};
    }
};

HeadsView::HeadsView(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), title_(mutedLabel(this, true)), scale_note_(mutedLabel(this)),
      sort_(new QComboBox(this)), body_(new QWidget(this)), scroll_(new QScrollArea(body_)), content_(new QWidget),
      line_(new QFrame(body_)), mean_(new MatrixTile(body_)), hint_(mutedLabel(body_)) {
    scroll_->setWidget(content_);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setFocusPolicy(Qt::NoFocus);
    scroll_->viewport()->setAutoFillBackground(false);
    content_->setAutoFillBackground(false);
    line_->setFrameShape(QFrame::VLine);
    hint_->setWordWrap(true);
    for (const auto order : {HeadOrder::Number, HeadOrder::Entropy, HeadOrder::MaxWeight, HeadOrder::Similarity})
        sort_->addItem({}, static_cast<int>(order));

    auto* heading = new QHBoxLayout;
    heading->addWidget(title_);
    heading->addStretch();
    heading->addWidget(scale_note_);
    heading->addWidget(sort_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(11, 6, 8, 6);
    layout->setSpacing(4);
    layout->addLayout(heading);
    layout->addWidget(body_, 1);
    adoptTile(mean_, ViewState::MeanOfHeads);

    // A click that starts a double click must not move the tiles away under the mouse.
    resort_later_.setSingleShot(true);
    connect(&resort_later_, &QTimer::timeout, this, &HeadsView::resort);
    connect(sort_, &QComboBox::currentIndexChanged, this, &HeadsView::resort);
    connect(&view_, &ViewState::sliceChanged, this, [this] {
        if (order() == HeadOrder::Similarity)
            resort_later_.start(QApplication::doubleClickInterval() + 50);
        refreshTiles();
        showSelected();
    });
    connect(&view_, &ViewState::stageChanged, this, &HeadsView::rebuild);
    connect(&view_, &ViewState::colorsChanged, this, &HeadsView::refreshTiles);
    connect(&view_, &ViewState::hoveredChanged, this, &HeadsView::showCrosshair);
    retranslate();
}

void HeadsView::adoptTile(MatrixTile* tile, int head) {
    tile->setProperty("head", head);
    tile->installEventFilter(this);
    connect(tile, &MatrixTile::clicked, this, [this, tile] { selectTile(tile); });
    connect(tile, &MatrixTile::doubleClicked, this, [this, tile] {
        selectTile(tile);
        emit enlargeRequested();
    });
    connect(tile, &MatrixTile::cellHovered, this, [this](std::optional<Cell> cell) {
        const Stage* stage = mapStage();
        if (stage && stage->name == view_.stage().toStdString())
            view_.setHovered(cell);
    });
}

void HeadsView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    rebuild();
}

const Stage* HeadsView::mapStage() const { return computed_ ? headMapStage(computed_->trace, view_.stage()) : nullptr; }

const Stage* HeadsView::weightsStage() const {
    return computed_ ? headMapStage(computed_->trace, QStringLiteral("weights")) : nullptr;
}

QString HeadsView::shownStage() const {
    const Stage* stage = mapStage();
    return stage ? QString::fromStdString(stage->name) : QString();
}

QString HeadsView::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }

MatrixTile* HeadsView::tile(int head) const {
    if (head == ViewState::MeanOfHeads)
        return mean_;
    return head >= 0 && head < heads() ? tiles_[static_cast<std::size_t>(head)] : nullptr;
}

HeadOrder HeadsView::order() const { return static_cast<HeadOrder>(sort_->currentData().toInt()); }

void HeadsView::setOrder(HeadOrder order) { sort_->setCurrentIndex(sort_->findData(static_cast<int>(order))); }

MatrixView HeadsView::weightsOf(int head) const {
    const Stage* weights = weightsStage();
    const auto index = std::int64_t{view_.batch()} * heads() + head;
    return weights && index < matrix_count(weights->value) ? matrix_at(weights->value, index) : MatrixView{};
}

RowStatistics HeadsView::statisticsOf(int head) const {
    auto& kept = statistics_[static_cast<std::size_t>(head)];
    if (!kept)
        kept = mean_statistics(weightsOf(head));
    return *kept;
}

double HeadsView::similarityTo(int head, const MatrixView& selected) const {
    return headSimilarity(weightsOf(head), selected);
}

void HeadsView::rebuild() {
    const int count = mapStage() ? sizeOf(computed_->trace).heads : 0;
    while (heads() > count) {
        delete tiles_.back();
        tiles_.pop_back();
    }
    while (heads() < count) {
        auto* tile = new MatrixTile(content_);
        adoptTile(tile, heads());
        tile->show();
        tiles_.push_back(tile);
    }
    // One head needs no room for others.
    setMaximumHeight(count > 1 ? QWIDGETSIZE_MAX : sizeHint().height());
    updateGeometry();
    mean_->setVisible(count > 1);
    line_->setVisible(count > 1);
    hint_->setVisible(count <= 1);
    sort_->setVisible(count > 1);
    scale_note_->setVisible(count > 1);
    refreshTiles();
    refreshTexts();
    showSelected();
    showCrosshair();
    resort();
}

void HeadsView::refreshTiles() {
    statistics_.assign(tiles_.size(), std::nullopt);
    const Stage* stage = mapStage();
    if (!stage)
        return;
    const ColorScale scale = thumbnailScale(computed_->trace, *stage, view_.batch(), view_);
    const auto show = [this, stage, &scale](MatrixTile& tile, int head) {
        tile.setMatrix([computed = computed_, stage, batch = view_.batch(),
                        head] { return sliceOf(computed->trace, *stage, batch, head); },
                       scale);
    };
    for (int head = 0; head < heads(); ++head)
        show(*tile(head), head);
    show(*mean_, ViewState::MeanOfHeads);
}

void HeadsView::refreshTexts() {
    title_->setText(shownStage().isEmpty() || shownStage() == QLatin1String("weights")
                        ? tr("Heads")
                        : tr("Heads: %1").arg(shownStage()));
    hint_->setText(heads() == 0 ? tr("This mechanism has no weights for each head.")
                                : tr("There is one head. Several would stand here side by side on one colour scale, "
                                     "with their mean."));
    for (int head = 0; head < heads(); ++head) {
        MatrixTile* one = tile(head);
        one->setText(tr("Head %1").arg(head + 1));
        one->setDetail([this, head] {
            const auto statistics = statisticsOf(head);
            return tr("H %1 · max %2", "mean entropy and mean largest weight of a head, short")
                .arg(statistics.entropy, 0, 'f', 2)
                .arg(statistics.max_weight, 0, 'f', 2);
        });
        one->setAccessibleName(one->text());
        one->setToolTip(tr("Means over the rows: entropy H in nats, and largest weight"));
    }
    mean_->setText(tr("Mean of heads"));
    mean_->setDetail([] { return tr("hides what differs"); });
    mean_->setAccessibleName(mean_->text());
    mean_->setToolTip(tr("The average of all heads: a key that one head reads strongly looks weak here"));
}

void HeadsView::resort() {
    resort_later_.stop();
    const int selected = computed_ ? headWithin(computed_->trace, view_.head()) : 0;
    std::optional<MatrixData> mean;
    MatrixView reference;
    if (order() == HeadOrder::Similarity && weightsStage()) {
        if (selected == ViewState::MeanOfHeads) {
            mean = sliceOf(computed_->trace, *weightsStage(), view_.batch(), selected);
            reference = mean ? mean->view() : MatrixView{};
        } else {
            reference = weightsOf(selected);
        }
    }
    order_ = orderedHeads(
        heads(), order(), [this](int head) { return statisticsOf(head); },
        [this, &reference](int head) { return similarityTo(head, reference); });
    for (std::size_t i = 1; i < order_.size(); ++i)
        QWidget::setTabOrder(tile(order_[i - 1]), tile(order_[i]));
    relayout();
}

void HeadsView::showSelected() {
    const int selected = computed_ ? headWithin(computed_->trace, view_.head()) : 0;
    const auto mark = [selected](MatrixTile& tile, int head) {
        tile.setChecked(head == selected);
        // One stop for Tab; the arrow keys go on from there.
        tile.setFocusPolicy(head == selected ? Qt::StrongFocus : Qt::ClickFocus);
    };
    for (int head = 0; head < heads(); ++head)
        mark(*tile(head), head);
    mark(*mean_, ViewState::MeanOfHeads);
    if (selected >= 0 && selected < heads())
        scroll_->ensureWidgetVisible(tile(selected), 0, gap);
}

void HeadsView::showCrosshair() {
    const Stage* chosen = computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
    const Stage* shown = mapStage();
    // A hovered cell of an output row says nothing about keys.
    const bool same = chosen && shown && endsWithAxes(*chosen, Axis::Query, Axis::Key) &&
                      endsWithAxes(*shown, Axis::Query, Axis::Key);
    const auto cell = same ? view_.hovered() : std::nullopt;
    for (auto* tile : tiles_)
        tile->setCrosshair(cell);
    mean_->setCrosshair(cell);
}

QSize HeadsView::tileSize(int picture) const {
    const Stage* stage = mapStage();
    const auto& shape = stage ? stage->value.shape() : Shape{1, 1};
    const QSize size = thumbnailSize(shape[shape.size() - 2], shape.back(), picture);
    // Numbers have the same width: two digits stand for all.
    const int text =
        std::max({mean_->titleWidth(), mean_->detailWidth(mean_->detail()),
                  mean_->detailWidth(tr("H %1 · max %2").arg(QStringLiteral("0.00"), QStringLiteral("0.00")))});
    return {std::max(size.width(), text) + MatrixTile::padding * 2,
            size.height() + mean_->textHeight() + MatrixTile::padding * 2};
}

// The largest tiles with which all heads are in sight, or small ones that scroll.
HeadsView::Grid HeadsView::gridFor(QSize room) const {
    const int count = std::max(1, heads());
    Grid grid;
    const int most = std::clamp(room.height() - tileSize(0).height(), smallest_picture, largest_picture);
    for (int picture = most; picture >= smallest_picture; picture -= 2) {
        grid.picture = picture;
        grid.tile = tileSize(picture);
        grid.columns = std::clamp((room.width() + gap) / (grid.tile.width() + gap), 1, count);
        grid.rows = (count + grid.columns - 1) / grid.columns;
        if (grid.size(gap).height() <= room.height())
            return grid;
    }
    const int scrollbar = scroll_->verticalScrollBar()->sizeHint().width();
    grid.columns = std::clamp((room.width() - scrollbar + gap) / (grid.tile.width() + gap), 1, count);
    grid.rows = (count + grid.columns - 1) / grid.columns;
    return grid;
}

void HeadsView::relayout() {
    const QSize room = body_->size();
    if (heads() <= 1) {
        const Grid grid{
            std::min(lone_picture, std::max(smallest_picture, room.height() - tileSize(0).height())), {}, 1, 1};
        const QSize tile = heads() ? tileSize(grid.picture) : QSize(0, room.height());
        scroll_->setGeometry(0, 0, tile.width(), room.height());
        placeTiles({grid.picture, tile, 1, 1});
        hint_->setGeometry(tile.width() + gap * 2, 0, std::max(0, room.width() - tile.width() - gap * 2),
                           room.height());
        return;
    }
    const int beside = tileSize(smallest_picture).width() + gap * 3;
    Grid grid = gridFor({room.width() - beside - gap, room.height()});
    // The mean's tile is as wide as the heads'.
    if (grid.tile.width() + gap * 3 > beside)
        grid = gridFor({room.width() - grid.tile.width() - gap * 4, room.height()});
    const QSize size = grid.size(gap);
    const bool scrolls = size.height() > room.height();
    const int width = size.width() + (scrolls ? scroll_->verticalScrollBar()->sizeHint().width() : 0);
    const int left = std::max(0, (room.width() - width - grid.tile.width() - gap * 3) / 2);
    scroll_->setGeometry(left, 0, width, room.height());
    placeTiles(grid);
    const int mean_top = scrolls ? 0 : std::max(0, (room.height() - size.height()) / 2);
    const QSize mean(grid.tile.width(), std::min(grid.tile.height(), room.height()));
    line_->setGeometry(left + width + gap, mean_top + gap, 3,
                       std::max(0, std::min(room.height(), size.height()) - gap * 2));
    const Stage* stage = mapStage();
    mean_->setPictureSize(thumbnailSize(stage->value.dim(-2), stage->value.dim(-1), grid.picture));
    mean_->setGeometry(QRect(QPoint(left + width + gap * 2 + 3, mean_top), mean));
}

void HeadsView::placeTiles(const Grid& grid) {
    const QSize size = grid.size(gap);
    const int top = std::max(0, (scroll_->height() - size.height()) / 2);
    content_->resize(size.width(), std::max(size.height(), scroll_->height()));
    const Stage* stage = mapStage();
    for (int position = 0; position < heads(); ++position) {
        MatrixTile* one = tile(order_[static_cast<std::size_t>(position)]);
        const QPoint corner((position % grid.columns) * (grid.tile.width() + gap),
                            top + (position / grid.columns) * (grid.tile.height() + gap));
        one->setPictureSize(thumbnailSize(stage->value.dim(-2), stage->value.dim(-1), grid.picture));
        one->setGeometry(QRect(corner, grid.tile));
    }
}

void HeadsView::selectTile(MatrixTile* tile) {
    view_.setHead(tile->property("head").toInt());
    showSelected(); // a click on the selected one must not take the check away
}

bool HeadsView::move(MatrixTile* from, int key) {
    // The mean comes after the last head.
    std::vector<MatrixTile*> row;
    for (const int head : order_)
        row.push_back(tile(head));
    if (heads() > 1)
        row.push_back(mean_);
    const auto last = static_cast<std::ptrdiff_t>(row.size()) - 1;
    std::ptrdiff_t index = std::find(row.begin(), row.end(), from) - row.begin();
    const bool on_mean = from == mean_;
    const int columns =
        std::max<int>(1, static_cast<int>(std::count_if(tiles_.begin(), tiles_.end(), [this](auto* one) {
                          return one->y() == tile(order_.front())->y();
                      })));
    if (key == Qt::Key_Right)
        ++index;
    else if (key == Qt::Key_Left)
        --index;
    else if (key == Qt::Key_Down)
        index += on_mean ? 0 : columns;
    else if (key == Qt::Key_Up)
        index -= on_mean ? 1 : columns;
    else if (key == Qt::Key_Home)
        index = 0;
    else if (key == Qt::Key_End)
        index = last;
    else
        return false;
    if (index < 0 || index > last)
        return true;
    MatrixTile* target = row[static_cast<std::size_t>(index)];
    selectTile(target);
    target->setFocus(Qt::TabFocusReason);
    return true;
}

bool HeadsView::eventFilter(QObject* watched, QEvent* event) {
    auto* from = qobject_cast<MatrixTile*>(watched);
    if (!from || event->type() != QEvent::KeyPress || heads() == 0)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        selectTile(from);
        emit enlargeRequested();
        return true;
    }
    return move(from, key) || QWidget::eventFilter(watched, event);
}

int HeadsView::heightFor(int picture) const {
    return 12 + 4 + sort_->sizeHint().height() + picture + mean_->textHeight() + MatrixTile::padding * 2;
}

QSize HeadsView::sizeHint() const { return {640, heightFor(heads() > 1 ? usual_picture : lone_picture)}; }
QSize HeadsView::minimumSizeHint() const { return {240, heightFor(smallest_picture)}; }

void HeadsView::paintEvent(QPaintEvent*) { paintCard(*this); }

void HeadsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout()->activate(); // the body must have its new size
    relayout();
}

void HeadsView::retranslate() {
    setAccessibleName(tr("Heads"));
    scale_note_->setText(tr("one colour scale"));
    sort_->setAccessibleName(tr("Order of the heads"));
    const QStringList texts{tr("by number"), tr("by entropy"), tr("by largest weight"), tr("by similarity")};
    const QStringList helps{
        tr("Head 1 first"), tr("The sharpest head first: least entropy, mean over the rows"),
        tr("The head with the largest weights first: mean over the rows of each row's maximum"),
        tr("The head most like the selected one first: 1 − the total variation distance, ½ Σ|a − b|, "
           "mean over the rows")};
    for (int i = 0; i < sort_->count(); ++i) {
        sort_->setItemText(i, texts[i]);
        sort_->setItemData(i, helps[i], Qt::ToolTipRole);
    }
    sort_->setToolTip(helps.join(QLatin1Char('\n')));
    rebuild();
}

void HeadsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::FontChange)
        relayout();
    else if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
