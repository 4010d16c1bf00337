#include "ui/pages/matrix_page.h"

#include "ui/drawing/notation_label.h"
#include "ui/export/export.h"
#include "ui/export/map_export.h"
#include "ui/export/stage_export.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/matrix/map/map_colors.h"
#include "ui/matrix/slice.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/range_bar.h"
#include "ui/matrix/stages/stage_colors.h"
#include "ui/matrix/stages/stage_title.h"
#include "ui/widgets/card.h"
#include "ui/widgets/digits.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/label.h"
#include "ui/widgets/one_tab_stop.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace attnlab::ui {
namespace {

constexpr std::int64_t jump_from = 64; ///< rows or columns: fewer are found without a search field

/// A number within the axis, or the first token with that text.
std::optional<int> indexOf(const QString& word, const MatrixAxis& axis) {
    bool number = false;
    const qlonglong index = word.toLongLong(&number);
    if (number)
        return index >= 0 && index < axis.count ? std::optional(static_cast<int>(index)) : std::nullopt;
    const auto found = axis.labels.indexOf(word);
    return found < 0 ? std::nullopt : std::optional(static_cast<int>(found));
}

} // namespace

std::optional<Cell> cellOfText(const QString& text, const MatrixAxes& axes) {
    const auto words = text.split(QLatin1Char(','));
    if (words.size() > 2)
        return std::nullopt;
    const auto row = indexOf(words[0].trimmed(), axes.rows);
    const auto column = words.size() == 2
                            ? indexOf(words[1].trimmed(), axes.columns)
                            : std::optional(std::min(row.value_or(0), static_cast<int>(axes.columns.count) - 1));
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

MatrixPage::MatrixPage(ViewState& view, LargeInputs* large, QWidget* parent)
    : Page(parent), view_(view), large_(large), header_(new QWidget(this)), title_(new ElidedLabel(header_)),
      formula_(new NotationLabel(header_)), colors_(new ColorsButton(view, header_)), batch_(new QComboBox(header_)),
      head_(new QComboBox(header_)), pool_(new QComboBox(header_)), jump_(new QLineEdit(header_)),
      heatmap_(new HeatmapView(this)), zoom_out_(zoomButton(QStringLiteral("zoom-out"), &HeatmapView::zoomOut)),
      fit_(zoomButton(QStringLiteral("zoom-fit"), &HeatmapView::zoomToFit)),
      zoom_in_(zoomButton(QStringLiteral("zoom-in"), &HeatmapView::zoomIn)), empty_(new Label(this)),
      cancelled_(new QWidget(this)), cancelled_words_(new Label(cancelled_)), compute_(new QPushButton(cancelled_)),
      pages_(new QStackedLayout) {
    build();
    connectAll();
    if (large_)
        connectMap();
    setTexts();
    refresh();
}

QToolButton* MatrixPage::zoomButton(const QString& icon_name, void (HeatmapView::*slot)()) {
    auto* button = new QToolButton(header_);
    button->setIcon(icon(icon_name));
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, heatmap_, slot);
    return button;
}

void MatrixPage::build() {
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);
    formula_->setForegroundRole(QPalette::PlaceholderText);
    formula_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    pool_->addItem(tr("Largest"), static_cast<int>(Pool::Max));
    pool_->addItem(tr("Mean"), static_cast<int>(Pool::Mean));
    jump_->setMaximumWidth(fontMetrics().averageCharWidth() * 22);

    auto* heading = new QWidget(header_);
    auto* words = new QHBoxLayout(heading);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(10);
    words->addWidget(title_);
    words->addWidget(formula_, 1);
    heading->setMinimumWidth(fontMetrics().averageCharWidth() * 9);
    auto* row = new FlowLayout(header_, 4, 4);
    row->addWidget(heading);
    row->setFilling(heading);
    for (QWidget* tool :
         std::initializer_list<QWidget*>{batch_, head_, pool_, jump_, colors_, zoom_out_, fit_, zoom_in_}) {
        row->addWidget(tool);
        row->setAlignment(tool, Qt::AlignVCenter);
    }
    row->setAlignment(heading, Qt::AlignVCenter);
    auto wraps = header_->sizePolicy();
    wraps.setHeightForWidth(true);
    header_->setSizePolicy(wraps);
    new OneTabStop({zoom_out_, fit_, zoom_in_}, this);
    pages_->addWidget(heatmap_);
    pages_->addWidget(empty_);
    auto* line = new QHBoxLayout(cancelled_);
    line->setContentsMargins(6, 0, 0, 0);
    line->setSpacing(10);
    cancelled_words_->setWordWrap(true);
    line->addWidget(cancelled_words_, 1);
    line->addWidget(compute_);
    cancelled_->hide();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(4);
    column->addWidget(header_);
    column->addWidget(cancelled_);
    column->addLayout(pages_, 1);
    const std::array<QWidget*, 10> order{batch_,    head_, pool_,    jump_,    colors_,
                                         zoom_out_, fit_,  zoom_in_, compute_, heatmap_};
    for (std::size_t i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void MatrixPage::connectAll() {
    connect(&view_, &ViewState::stageChanged, this, [this] {
        heatmap_->fadeToNext();
        refresh();
    });
    connect(&view_, &ViewState::sliceChanged, this, &MatrixPage::refresh);
    connect(&view_, &ViewState::colorsChanged, this, [this] { showsMap() ? refreshMapColors() : refresh(); });
    connect(&view_, &ViewState::hoveredChanged, this, [this](std::optional<Cell> cell) {
        heatmap_->setCrosshair(cell);
        refreshSubtitle();
    });
    connect(&view_, &ViewState::pinnedChanged, heatmap_, &HeatmapView::setPinned);
    connect(heatmap_, &HeatmapView::colorBarClicked, this,
            [this](const QRect& bar) { colors_->openAt(QRect(heatmap_->mapToGlobal(bar.topLeft()), bar.size())); });
    connect(heatmap_, &HeatmapView::cellHovered, &view_, &ViewState::setHovered);
    connect(heatmap_, &HeatmapView::cellClicked, &view_, &ViewState::setPinned);
    connect(heatmap_, &HeatmapView::unpinned, this, [this] { view_.setPinned({}); });
    connect(batch_, &QComboBox::activated, this, [this](int index) { view_.setBatch(index); });
    connect(head_, &QComboBox::activated, this, [this](int index) { view_.setHead(head_->itemData(index).toInt()); });
    connect(jump_, &QLineEdit::returnPressed, this, &MatrixPage::jump);
    connect(jump_, &QLineEdit::textEdited, this, [this] { jump_->setPalette(palette()); });
}

void MatrixPage::connectMap() {
    const MapSession& session = large_->session();
    connect(large_, &LargeInputs::opened, this, [this] {
        refreshMapState();
        refresh();
    });
    connect(large_, &LargeInputs::closed, this, [this] {
        refreshMapState();
        refresh();
    });
    connect(pool_, &QComboBox::activated, this,
            [this] { large_->setPool(static_cast<Pool>(pool_->currentData().toInt())); });
    connect(large_, &LargeInputs::choiceChanged, this, [this] {
        refreshMapState();
        heatmap_->setMessage({}); // an existing map is shown in a moment
        refresh();
    });
    connect(&session, &MapSession::ready, this, &MatrixPage::refreshMapColors);
    connect(&session, &MapSession::partReady, this, &MatrixPage::refreshMapColors);
    connect(&session, &MapSession::started, this, &MatrixPage::refreshMapState);
    connect(&session, &MapSession::progressed, this,
            [this](double fraction) { heatmap_->setMessage(tr("Computing the map… %1").arg(progressText(fraction))); });
    connect(&session, &MapSession::failed, this, [this](const Message& why) { heatmap_->setMessage(translated(why)); });
    connect(large_, &LargeInputs::cancelled, this, &MatrixPage::refreshMapState);
    connect(large_, &LargeInputs::resumed, this, &MatrixPage::refreshMapState);
    connect(compute_, &QPushButton::clicked, large_, &LargeInputs::resume);
    refreshMapState();
}

/// Says whether the map is being computed or was cancelled.
void MatrixPage::refreshMapState() {
    const QString cancelled = cancelledText();
    cancelled_words_->setText(cancelled);
    showWithin(cancelled_, !cancelled.isEmpty());
    if (showsMap())
        heatmap_->setMessage(cancelled.isEmpty() ? tr("Computing the map…") : tr("The computation was cancelled"));
}

QString MatrixPage::cancelledText() const {
    if (!showsMap() || !large_->isCancelled())
        return {};
    return large_->session().parts().empty()
               ? tr("The computation of this map was cancelled: nothing of it is computed yet")
               : tr("Incomplete: the computation of this map was cancelled, and only a part of it is shown");
}

bool MatrixPage::showsMap() const { return large_ && large_->isOpen(); }

void MatrixPage::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    if (computed_ && view_.batch() >= sizeOf(computed_->trace).batches)
        view_.setBatch(0);
    refresh();
}

RangeBar* MatrixPage::rangeBar() const { return colors_->rangeBar(); }

void MatrixPage::setHeadsBeside(bool beside) {
    heads_beside_ = beside;
    refreshPickers();
}

void MatrixPage::setLow(bool low) {
    for (QWidget* button : {zoom_out_, fit_, zoom_in_})
        button->setVisible(!low);
}

const Stage* MatrixPage::shownStage() const {
    return computed_ ? stageToShow(computed_->trace, view_.stage().toStdString()) : nullptr;
}

int MatrixPage::shownHead() const {
    if (showsMap())
        return static_cast<int>(large_->session().choice().head);
    return computed_ ? std::min(view_.head(), sizeOf(computed_->trace).heads - 1) : view_.head();
}

void MatrixPage::refresh() {
    refreshPickers();
    showsMap() ? refreshMap() : refreshStage();
    const MatrixAxes axes = heatmap_->source().axes();
    jump_->setVisible(pages_->currentWidget() == heatmap_ &&
                      std::max(axes.rows.count, axes.columns.count) >= jump_from);
    pool_->setVisible(showsMap());
    refreshTitle();
}

void MatrixPage::refreshStage() {
    const Stage* stage = shownStage();
    auto matrix = stage ? sliceOf(computed_->trace, *stage, view_.batch(), shownHead()) : std::nullopt;
    empty_->setText(emptyText());
    pages_->setCurrentWidget(matrix ? static_cast<QWidget*>(heatmap_) : empty_);
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setEnabled(matrix.has_value());
    if (!matrix)
        return;
    const ColorScale scale = scaleFor(computed_->trace, *stage, view_.batch(), view_.colors());
    colors_->setScale(scale);
    heatmap_->setMatrix(std::move(*matrix), scale);
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
}

void MatrixPage::refreshMap() {
    pages_->setCurrentWidget(heatmap_);
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setEnabled(true);
    pool_->setCurrentIndex(pool_->findData(static_cast<int>(large_->session().choice().pool)));
    heatmap_->setSource(large_->source());
    heatmap_->setCrosshair(view_.hovered());
    heatmap_->setPinned(view_.pinned());
    refreshMapColors();
}

void MatrixPage::refreshMapColors() {
    const MapSession& session = large_->session();
    if (!showsMap() || (!session.pyramid() && session.parts().empty()))
        return;
    const ColorScale scale = mapScale(view_.colors(), session.range());
    colors_->setScale(scale);
    heatmap_->setScale(scale);
    refreshSubtitle();
}

void MatrixPage::refreshPickers() {
    TraceSize size;
    if (showsMap())
        size = {static_cast<int>(large_->batches()), static_cast<int>(large_->heads())};
    else if (computed_)
        size = sizeOf(computed_->trace);
    const int choices = showsMap() ? size.heads : size.heads + 1; // a map has no mean of heads
    if (batch_->count() != size.batches) {
        batch_->clear();
        for (int i = 0; i < size.batches; ++i)
            batch_->addItem(tr("Batch %1").arg(i));
    }
    if (head_->count() != choices) {
        head_->clear();
        for (int i = 0; i < size.heads; ++i)
            head_->addItem(tr("Head %1").arg(i), i);
        if (choices > size.heads)
            head_->addItem(tr("Mean of heads"), ViewState::mean_of_heads);
    }
    batch_->setVisible(size.batches > 1);
    batch_->setCurrentIndex(showsMap() ? static_cast<int>(large_->session().choice().batch) : view_.batch());
    head_->setVisible(size.heads > 1 && !heads_beside_);
    head_->setCurrentIndex(head_->findData(shownHead()));
}

QString MatrixPage::title() const {
    if (showsMap())
        return large_->heads() > 1 ? tr("weights · head %1").arg(shownHead()) : tr("weights");
    const Stage* stage = shownStage();
    return stage ? stageTitle(computed_->trace, *stage, view_.batch(), shownHead()) : QString();
}

CellRect MatrixPage::cellsInSight() const {
    const QRect cells = heatmap_->visibleCells();
    return {cells.top(), cells.top() + cells.height(), cells.left(), cells.left() + cells.width()};
}

QString MatrixPage::copyCellsInSight() {
    constexpr std::int64_t most_cells = 1'000'000;
    const auto pyramid = large_->session().pyramid();
    if (!pyramid)
        return {};
    const CellRect seen = cellsInSight();
    if (seen.rows() * seen.columns() > most_cells)
        return tr("%1 × %2 cells are in sight; zoom in to copy at most a million, or export the map.")
            .arg(seen.rows())
            .arg(seen.columns());
    const auto grid = grid_of(seen, seen.rows(), seen.columns());
    ui::copyMatrix(matrixOfBins(pyramid->map().pool(grid, Pool::Max), grid, Pool::Max));
    return tr("The weights in sight are on the clipboard");
}

QString MatrixPage::copyMatrix() { return showsMap() ? copyCellsInSight() : Page::copyMatrix(); }

QString MatrixPage::copyPicture() {
    if (!showsMap())
        return Page::copyPicture();
    QGuiApplication::clipboard()->setPixmap(heatmap_->grab());
    return pictureCopied();
}

std::optional<NamedMatrix> MatrixPage::shownMatrix() const {
    return shownStage() ? std::optional<NamedMatrix>({heatmap_->matrix(), title()}) : std::nullopt;
}

std::optional<StyledFigure> MatrixPage::shownFigure() const {
    if (!shownStage())
        return std::nullopt;
    StyledFigure shown{{heatmap_->matrix(), heatmap_->colorScale()}, {}};
    shown.options.title = title();
    return shown;
}

std::optional<ExportSubject> MatrixPage::exportedMap() const {
    const auto pyramid = large_->session().pyramid();
    if (!pyramid)
        return std::nullopt;
    MapPicture like;
    like.pool = large_->session().choice().pool;
    like.colors = view_.colors();
    like.figure.dark = theme().dark;
    like.figure.title = title();
    return mapExport(pyramid->shared_map(), cellsInSight(), like);
}

std::optional<ExportSubject> MatrixPage::exportSubject() const {
    if (showsMap())
        return exportedMap();
    const Stage* stage = shownStage();
    if (!stage)
        return std::nullopt;
    return stageExport(computed_, {stage->name, view_.batch(), view_.head(), view_.colors()}, title());
}

std::string MatrixPage::markedStage() const {
    if (showsMap())
        return "weights";
    return shownStage() ? shownStage()->name : std::string();
}

QString MatrixPage::emptyText() const {
    if (showsMap())
        return {};
    if (!shownStage())
        return tr("Nothing computed yet");
    return shownStage()->value.size() == 0 ? tr("%1 is empty").arg(QString::fromStdString(shownStage()->name))
                                           : QString();
}

void MatrixPage::refreshTitle() {
    title_->setText(title());
    heatmap_->setCaption(title());
    refreshSubtitle();
}

void MatrixPage::refreshSubtitle() {
    const MatrixAxes axes = heatmap_->source().axes();
    const Stage* stage = showsMap() ? nullptr : shownStage();
    QString usual = stage ? formulaText(stage->formula) : QString();
    if (showsMap())
        usual = tr("%1 × %2 cells", "queries x keys").arg(axes.rows.count).arg(axes.columns.count);
    // The cell under the mouse or the keyboard cursor; otherwise the formula.
    const auto cell = heatmap_->crosshair();
    const bool has_cell =
        (stage || showsMap()) && cell && cell->row < axes.rows.count && cell->column < axes.columns.count;
    const QString words = has_cell ? heatmap_->cellText(*cell) : QString();
    if (words.isEmpty())
        formula_->setFormula(usual);
    else
        formula_->setWords(words);
    formula_->setElideMode(words.isEmpty() ? Qt::ElideRight : Qt::ElideMiddle); // the number follows after long labels
    formula_->setToolTip(usual);
}

QString MatrixPage::subtitle() const { return formula_->text(); }

void MatrixPage::jump() {
    const auto cell = cellOfText(jump_->text(), heatmap_->source().axes());
    QPalette colors = palette();
    if (!cell)
        colors.setColor(QPalette::Text, theme().error_text);
    jump_->setPalette(colors);
    if (!cell)
        return;
    heatmap_->showCell(*cell);
    view_.setPinned(*cell);
    heatmap_->setFocus();
}

void MatrixPage::setTexts() {
    batch_->setAccessibleName(tr("Batch"));
    head_->setAccessibleName(tr("Head"));
    pool_->setAccessibleName(tr("What a pixel shows of its cells"));
    pool_->setToolTip(pool_->accessibleName());
    jump_->setPlaceholderText(tr("Row, column"));
    jump_->setAccessibleName(tr("Jump to a cell"));
    jump_->setToolTip(tr("Jump to a cell: row and column by number or token, separated by a comma"));
    heatmap_->setColorBarTip(colors_->toolTip());
    compute_->setText(tr("Compute the map"));
    zoom_in_->setAccessibleName(tr("Zoom in"));
    zoom_out_->setAccessibleName(tr("Zoom out"));
    fit_->setAccessibleName(tr("Fit to window"));
    for (auto* button : {zoom_out_, fit_, zoom_in_})
        button->setToolTip(button->accessibleName());
}

void MatrixPage::paintEvent(QPaintEvent*) { paintCard(*this); }

} // namespace attnlab::ui
