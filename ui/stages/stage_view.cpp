#include "ui/stages/stage_view.h"

#include "ui/card.h"
#include "ui/elided_label.h"
#include "ui/export/stage_export.h"
#include "ui/flow_layout.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/slice.h"
#include "ui/stages/range_bar.h"
#include "ui/stages/stage_colors.h"
#include "ui/stages/stage_title.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace attnlab::ui {

StageView::StageView(ViewState& view, QWidget* parent)
    : Page(parent), view_(view), title_(new ElidedLabel(this)), formula_(new ElidedLabel(this)),
      range_bar_(new RangeBar(view, this)), batch_(new QComboBox(this)), head_(new QComboBox(this)),
      heatmap_(new HeatmapView(this)), empty_(new Label(this)), pages_(new QStackedLayout) {
    build();
    connectAll();
    retranslate();
    refresh();
}

QToolButton* StageView::zoomButton(const QString& icon_name, void (HeatmapView::*slot)()) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(icon_name));
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, heatmap_, slot);
    return button;
}

void StageView::build() {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    formula_->setForegroundRole(QPalette::PlaceholderText);
    formula_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    zoom_out_ = zoomButton(QStringLiteral("zoom-out"), &HeatmapView::zoomOut);
    fit_ = zoomButton(QStringLiteral("zoom-fit"), &HeatmapView::zoomToFit);
    zoom_in_ = zoomButton(QStringLiteral("zoom-in"), &HeatmapView::zoomIn);

    auto* heading = new QHBoxLayout;
    heading->setSpacing(10);
    heading->addWidget(title_);
    heading->addWidget(formula_, 1);
    heading->addWidget(batch_);
    heading->addWidget(head_);
    auto* tools = new FlowLayout(nullptr, 2);
    tools->addWidget(range_bar_);
    tools->setFilling(range_bar_);
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        tools->addWidget(button);
    pages_->addWidget(heatmap_);
    pages_->addWidget(empty_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addLayout(heading);
    column->addLayout(tools);
    column->addLayout(pages_, 1);
    const std::array<QWidget*, 11> order{batch_,
                                         head_,
                                         range_bar_->mapPicker(),
                                         range_bar_->logarithmButton(),
                                         range_bar_->lockButton(),
                                         range_bar_->lowField(),
                                         range_bar_->highField(),
                                         zoom_out_,
                                         fit_,
                                         zoom_in_,
                                         heatmap_};
    for (std::size_t i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void StageView::connectAll() {
    connect(&view_, &ViewState::stageChanged, this, &StageView::refresh);
    connect(&view_, &ViewState::sliceChanged, this, &StageView::refresh);
    connect(&view_, &ViewState::colorsChanged, this, &StageView::refresh);
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        heatmap_->setCrosshair(cell);
        refreshSubtitle();
    });
    connect(&view_, &ViewState::pinnedChanged, heatmap_, &HeatmapView::setPinned);
    connect(heatmap_, &HeatmapView::cellHovered, &view_, &ViewState::setHovered);
    connect(heatmap_, &HeatmapView::cellClicked, this,
            [this](Cell cell) { view_.setPinned(view_.pinned() == cell ? std::nullopt : std::optional<Cell>(cell)); });
    connect(batch_, &QComboBox::activated, this, [this](int index) { view_.setBatch(index); });
    connect(head_, &QComboBox::activated, this, [this](int index) { view_.setHead(head_->itemData(index).toInt()); });
}

void StageView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    if (computed_ && view_.batch() >= sizeOf(computed_->trace).batches)
        view_.setBatch(0);
    refresh();
}

const Stage* StageView::shownStage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

int StageView::shownHead() const {
    return computed_ ? std::min(view_.head(), sizeOf(computed_->trace).heads - 1) : view_.head();
}

void StageView::refresh() {
    refreshPickers();
    refreshTitle();
    const Stage* stage = shownStage();
    auto matrix = stage ? sliceOf(computed_->trace, *stage, view_.batch(), shownHead()) : std::nullopt;
    empty_->setText(emptyText());
    pages_->setCurrentWidget(matrix ? static_cast<QWidget*>(heatmap_) : empty_);
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setEnabled(matrix.has_value());
    if (!matrix)
        return;
    const ColorScale scale = scaleFor(computed_->trace, *stage, view_.batch(), view_.colors());
    range_bar_->setScale(scale);
    heatmap_->setMatrix(std::move(*matrix), scale);
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
    refreshSubtitle();
}

void StageView::refreshPickers() {
    const TraceSize size = computed_ ? sizeOf(computed_->trace) : TraceSize();
    if (batch_->count() != size.batches) {
        batch_->clear();
        for (int i = 0; i < size.batches; ++i)
            batch_->addItem(tr("Batch %1").arg(i));
    }
    if (head_->count() != size.heads + 1) {
        head_->clear();
        for (int i = 0; i < size.heads; ++i)
            head_->addItem(tr("Head %1").arg(i), i);
        head_->addItem(tr("Mean of heads"), ViewState::MeanOfHeads);
    }
    batch_->setVisible(size.batches > 1);
    batch_->setCurrentIndex(view_.batch());
    head_->setVisible(size.heads > 1);
    head_->setCurrentIndex(head_->findData(shownHead()));
}

QString StageView::title() const {
    const Stage* stage = shownStage();
    if (!stage)
        return {};
    return stageTitle(computed_->trace, *stage, view_.batch(), shownHead());
}

std::optional<NamedMatrix> StageView::shownMatrix() const {
    return shownStage() ? std::optional<NamedMatrix>({heatmap_->matrix(), title()}) : std::nullopt;
}

std::optional<StyledFigure> StageView::shownFigure() const {
    if (!shownStage())
        return std::nullopt;
    StyledFigure shown{{heatmap_->matrix(), heatmap_->colorScale()}, {}};
    shown.options.title = title();
    return shown;
}

std::optional<ExportSubject> StageView::exportSubject() const {
    const Stage* stage = shownStage();
    if (!stage)
        return std::nullopt;
    return stageExport(computed_, {stage->name, view_.batch(), view_.head(), view_.colors()}, title());
}

QString StageView::emptyText() const {
    if (!shownStage())
        return tr("Nothing computed yet");
    return shownStage()->value.size() == 0 ? tr("%1 is empty").arg(QString::fromStdString(shownStage()->name))
                                           : QString();
}

void StageView::refreshTitle() {
    title_->setText(title());
    refreshSubtitle();
}

void StageView::refreshSubtitle() {
    const Stage* stage = shownStage();
    const QString formula = stage ? QString::fromStdString(stage->formula) : QString();
    const auto cell = heatmap_->crosshair();
    const auto view = heatmap_->matrix().view();
    // The cell under the mouse or the keyboard's cursor, at once; the formula otherwise.
    const bool has_cell = stage && cell && cell->row < view.rows && cell->column < view.columns;
    const QString text = has_cell ? heatmap_->cellText(*cell) : formula;
    formula_->setText(text);
    formula_->setElideMode(has_cell ? Qt::ElideMiddle : Qt::ElideRight); // behind long labels stands the number
    formula_->setToolTip(formula);
}

QString StageView::subtitle() const { return formula_->text(); }

void StageView::retranslate() {
    batch_->setAccessibleName(tr("Batch"));
    head_->setAccessibleName(tr("Head"));
    zoom_in_->setAccessibleName(tr("Zoom in"));
    zoom_out_->setAccessibleName(tr("Zoom out"));
    fit_->setAccessibleName(tr("Fit to window"));
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setToolTip(button->accessibleName());
    batch_->clear();
    head_->clear();
}

void StageView::paintEvent(QPaintEvent*) { paintCard(*this); }

void StageView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        refresh();
    }
}

} // namespace attnlab::ui
