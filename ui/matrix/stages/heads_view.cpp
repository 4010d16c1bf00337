#include "ui/matrix/stages/heads_view.h"

#include "ui/matrix/slice.h"
#include "ui/matrix/stages/head_grid.h"
#include "ui/matrix/stages/layer_grid.h"
#include "ui/matrix/stages/stage_kinds.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

HeadsView::HeadsView(ViewState& view, QWidget* parent)
    : QWidget(parent), view_(view), title_(mutedLabel(this, true)), note_(mutedLabel(this)), sort_(new QComboBox(this)),
      grid_(new HeadGrid(this)), layers_(new LayerGrid(view, this)), hint_(mutedLabel(this)) {
    build();
    // A click that starts a double click must not move the tiles under the mouse.
    resort_later_.setSingleShot(true);
    connect(&resort_later_, &QTimer::timeout, this, &HeadsView::resort);
    connect(sort_, &QComboBox::currentIndexChanged, this, &HeadsView::resort);
    connect(grid_, &HeadGrid::chosen, &view_, &ViewState::setHead);
    connect(grid_, &HeadGrid::enlarged, this, &HeadsView::enlargeRequested);
    connect(layers_, &LayerGrid::enlarged, this, &HeadsView::enlargeRequested);
    connect(grid_, &HeadGrid::briefChanged, this, &HeadsView::refreshTexts);
    connect(grid_, &HeadGrid::sightChanged, this, &HeadsView::showNote);
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
    hint_->setWordWrap(true);
    setAccessibleName(tr("Heads"));
    sort_->setAccessibleName(tr("Order of the heads"));
    QStringList helps;
    const auto add = [&](HeadOrder order, const QString& text, const QString& help) {
        sort_->addItem(text, static_cast<int>(order));
        sort_->setItemData(sort_->count() - 1, help, Qt::ToolTipRole);
        helps << help;
    };
    add(HeadOrder::Number, tr("by number"), tr("Head 0 first"));
    add(HeadOrder::Entropy, tr("by entropy"), tr("The sharpest head first: least entropy, mean over the rows"));
    add(HeadOrder::MaxWeight, tr("by largest weight"),
        tr("The head with the largest weights first: each row's maximum, mean over the rows"));
    add(HeadOrder::Similarity, tr("by similarity"),
        tr("The head most like the selected one first: 1 − ½ Σ|a − b| (total variation), mean over the rows"));
    sort_->setToolTip(helps.join(QLatin1Char('\n')));
    auto* heading = new QHBoxLayout;
    heading->addWidget(title_);
    heading->addStretch();
    heading->addWidget(note_);
    heading->addWidget(sort_);
    auto* body = new QHBoxLayout;
    body->setSpacing(14);
    body->addWidget(grid_, 1);
    body->addWidget(layers_, 1);
    body->addWidget(hint_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(11, 6, 8, 6);
    layout->setSpacing(4);
    layout->addLayout(heading);
    layout->addLayout(body, 1);
}

void HeadsView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    layers_->setTrace(computed_);
    rebuild();
}

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

QString HeadsView::hint() const { return hint_->isHidden() ? QString() : hint_->text(); }
const std::vector<int>& HeadsView::shownHeads() const { return grid_->order(); }
MatrixTile* HeadsView::tile(int head) const { return grid_->tile(head); }
HeadOrder HeadsView::order() const { return static_cast<HeadOrder>(sort_->currentData().toInt()); }
void HeadsView::setOrder(HeadOrder order) { sort_->setCurrentIndex(sort_->findData(static_cast<int>(order))); }

MatrixView HeadsView::weightsOf(int head) const {
    const Stage* weights = weightsStage();
    const auto index = std::int64_t{view_.batch()} * grid_->heads() + head;
    return weights && index < matrix_count(weights->value) ? matrix_at(weights->value, index) : MatrixView{};
}

RowStatistics HeadsView::statisticsOf(int head) const {
    auto& kept = statistics_[static_cast<std::size_t>(head)];
    if (!kept)
        kept = mean_statistics(weightsOf(head));
    return *kept;
}

void HeadsView::rebuild() {
    const Stage* stage = mapStage();
    const int count = stage && !showsLayers() ? sizeOf(computed_->trace).heads : 0;
    statistics_.assign(static_cast<std::size_t>(count), std::nullopt);
    grid_->setHeads(count);
    if (stage)
        grid_->setMapShape(stage->value.dim(-2), stage->value.dim(-1));
    refreshTexts();
    refreshTiles();
    // With at most one head, a hint takes the place of the others.
    hint_->setVisible(count <= 1 && !showsLayers());
    sort_->setVisible(count > 1);
    note_->setVisible(count > 1 || showsLayers());
    if (showsLayers()) // the grid reports its own
        showNote();
    layers_->setVisible(showsLayers());
    grid_->setVisible(count > 0);
    grid_->setMaximumWidth(count == 1 ? grid_->loneWidth() : QWIDGETSIZE_MAX);
    setMaximumHeight(count > 1 || showsLayers() ? QWIDGETSIZE_MAX : sizeHint().height());
    updateGeometry();
    grid_->setSelected(selected());
    showCrosshair();
    resort();
}

void HeadsView::refreshTiles() {
    std::fill(statistics_.begin(), statistics_.end(), std::nullopt);
    const Stage* stage = mapStage();
    if (!stage)
        return;
    const ColorScale scale = thumbnailScale(computed_->trace, *stage, view_.batch(), view_);
    for (int head = ViewState::MeanOfHeads; head < grid_->heads(); ++head)
        tile(head)->setMatrix([computed = computed_, stage, batch = view_.batch(),
                               head] { return sliceOf(computed->trace, *stage, batch, head); },
                              scale);
}

void HeadsView::refreshTexts() {
    const QString number = QStringLiteral("0.00"); // digits are equally wide
    title_->setText(showsLayers() ? tr("Layers and heads")
                    : shownStage().isEmpty() || shownStage() == QLatin1String("weights")
                        ? tr("Heads")
                        : tr("Heads: %1").arg(shownStage()));
    showNote();
    hint_->setText(grid_->heads() == 0 ? tr("This mechanism has no weights for each head.")
                                       : tr("There is one head. Several would stand here side by side on one colour "
                                            "scale, with their mean."));
    for (int head = 0; head < grid_->heads(); ++head) {
        MatrixTile* one = tile(head);
        one->setText(tr("Head %1").arg(head));
        one->setAccessibleName(one->text());
        one->setToolTip(tr("Means over the rows: entropy H in nats, and the largest weight of a row"));
    }
    MatrixTile* mean = tile(ViewState::MeanOfHeads);
    mean->setText(tr("Mean of heads"));
    mean->setDetail([] { return tr("hides what differs"); });
    mean->setAccessibleName(mean->text());
    mean->setToolTip(tr("The average of all heads: a key that one head reads strongly looks weak here"));
    const auto text = [](bool brief) {
        return brief ? QStringLiteral("%1 · %2")
                     : tr("means: H %1 · max %2", "mean entropy and mean largest weight of a head's rows, short");
    };
    grid_->setDetail(
        [this, text](int head, bool brief) {
            const auto statistics = statisticsOf(head);
            const auto two_digits = [](double value) {
                return std::isfinite(value) ? QString::number(value, 'f', 2) : numberText(value);
            };
            return text(brief).arg(two_digits(statistics.entropy), two_digits(statistics.max_weight));
        },
        text(false).arg(number, number), text(true).arg(number, number));
}

void HeadsView::showNote() {
    auto text =
        grid_->isBrief() && !showsLayers() ? tr("entropy · largest weight, one colour scale") : tr("one colour scale");
    if (const int hidden = grid_->hidden(); hidden > 0)
        text = tr("%n more to scroll to", "heads", hidden) + QStringLiteral(" ↕ · ") + text;
    note_->setText(text);
}

void HeadsView::resort() {
    resort_later_.stop();
    std::optional<MatrixData> mean;
    MatrixView reference;
    if (order() == HeadOrder::Similarity && weightsStage()) {
        if (selected() == ViewState::MeanOfHeads)
            mean = sliceOf(computed_->trace, *weightsStage(), view_.batch(), ViewState::MeanOfHeads);
        reference = mean ? mean->view() : weightsOf(selected());
    }
    grid_->setOrder(orderedHeads(
        grid_->heads(), order(), [this](int head) { return statisticsOf(head); },
        [this, &reference](int head) { return headSimilarity(weightsOf(head), reference); }));
}

void HeadsView::showCrosshair() {
    const Stage* chosen = computed_ ? computed_->trace.find(view_.stage().toStdString()) : nullptr;
    const Stage* shown = mapStage();
    // A hovered cell of an output row does not refer to keys.
    const bool same = chosen && shown && endsWithAxes(*chosen, Axis::Query, Axis::Key) &&
                      endsWithAxes(*shown, Axis::Query, Axis::Key);
    for (int head = ViewState::MeanOfHeads; head < grid_->heads(); ++head)
        tile(head)->setCrosshair(same ? view_.hovered() : std::nullopt);
}

int HeadsView::heightWith(int picture) const {
    const auto margins = layout()->contentsMargins();
    return margins.top() + margins.bottom() + layout()->spacing() + sort_->sizeHint().height() +
           grid_->heightFor(picture);
}

QSize HeadsView::sizeHint() const {
    if (showsLayers())
        return {640, heightWith(0) - grid_->heightFor(0) + layers_->sizeHint().height()};
    return {640, heightWith(grid_->heads() > 1 ? HeadGrid::usual_picture : HeadGrid::lone_picture)};
}
QSize HeadsView::minimumSizeHint() const { return {240, heightWith(HeadGrid::smallest_picture)}; }

void HeadsView::paintEvent(QPaintEvent*) { paintCard(*this); }

void HeadsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

} // namespace attnlab::ui
