#include "ui/matrix/heatmap_view.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/motion.h"
#include "ui/widgets/text.h"

#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double key_step = 1.5;           ///< per key press or button click
constexpr double recognizable_cell = 28.0; ///< pixels
constexpr int fade_milliseconds = 150;

} // namespace

HeatmapView::HeatmapView(QWidget* parent)
    : QWidget(parent), dense_(new DenseSource(this)), source_(dense_), fade_(new QVariantAnimation(this)) {
    setAccessibleRole(*this, QAccessible::Chart);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    grabGesture(Qt::PinchGesture);
    scale_.map = &colormap({});
    fade_->setStartValue(1.0);
    fade_->setEndValue(0.0);
    fade_->setDuration(fade_milliseconds);
    connect(fade_, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(fade_, &QVariantAnimation::finished, this, [this] { before_ = QPixmap(); });
    connect(dense_, &MatrixSource::changed, this, &HeatmapView::refresh);
    declareGestures();
    describe();
}

HeatmapView::~HeatmapView() = default;

void HeatmapView::setSource(MatrixSource* source) {
    MatrixSource* next = source ? source : dense_;
    if (next != source_) {
        if (source_ != dense_)
            source_->disconnect(this);
        source_ = next;
        if (source_ != dense_)
            connect(source_, &MatrixSource::changed, this, &HeatmapView::refresh);
    }
    renewSource();
}

void HeatmapView::setMatrix(MatrixData matrix, const ColorScale& scale) {
    scale_ = scale;
    const QSignalBlocker quiet(dense_);
    dense_->setMatrix(std::move(matrix));
    setSource(nullptr);
}

/// The source has another matrix.
void HeatmapView::renewSource() {
    axes_ = source_->axes();
    if (viewport_.rows() != axes_.rows.count || viewport_.columns() != axes_.columns.count) {
        viewport_.setShape(axes_.rows.count, axes_.columns.count);
        describe();
    }
    // Crosshair and pin belong to the caller; the keyboard cursor must stay inside.
    if (marks_.cursor && (marks_.cursor->row >= axes_.rows.count || marks_.cursor->column >= axes_.columns.count))
        marks_.cursor.reset();
    relayout();
}

void HeatmapView::setScale(const ColorScale& scale) {
    scale_ = scale;
    relayout(); // the numbers of the colour bar may be wider
}

void HeatmapView::fadeToNext() {
    if (reducedMotion() || !isVisible() || picture_.isNull())
        return;
    before_ = picture_;
    fade_->start();
}

void HeatmapView::setMessage(const QString& text) {
    message_ = text;
    update();
}

void HeatmapView::setCrosshair(std::optional<Cell> cell) {
    if (cell == marks_.crosshair)
        return;
    marks_.crosshair = cell;
    update();
}

void HeatmapView::setPinned(std::optional<Cell> cell) {
    marks_.pinned = cell;
    describeCell();
    update();
}

void HeatmapView::setHighlighted(std::vector<Cell> cells) {
    marks_.highlighted = std::move(cells);
    update();
}

void HeatmapView::setPainting(bool on) {
    painting_ = on;
    updateMouseShape();
}

void HeatmapView::setColorBarTip(const QString& tip) { color_bar_tip_ = tip; }

bool HeatmapView::isOnColorBar(const QPointF& position) const {
    return color_bar_ && !color_bar_tip_.isEmpty() && source_->hasCells() && placed().color_bar.contains(position);
}

void HeatmapView::setSides(bool row_labels, bool color_bar) {
    row_labels_ = row_labels;
    color_bar_ = color_bar;
    relayout();
}

void HeatmapView::setAtTop(bool at_top) {
    viewport_.setAtTop(at_top);
    refresh();
}

void HeatmapView::setLabelSize(std::optional<double> size) {
    fixed_label_size_ = size;
    relayout();
}

void HeatmapView::setPosition(const ViewPosition& position) {
    viewport_.setPosition(position);
    refresh();
}

void HeatmapView::showCells(const QRectF& cells) {
    viewport_.showCells(cells);
    moved();
}

void HeatmapView::showCell(Cell cell) {
    viewport_.showLarge(cell, recognizable_cell);
    moved();
}

void HeatmapView::zoom(double factor, const QPointF& about) {
    viewport_.zoom(factor, about);
    moved();
}

void HeatmapView::zoomIn() { zoom(key_step, frame().body.center()); }
void HeatmapView::zoomOut() { zoom(1.0 / key_step, frame().body.center()); }
void HeatmapView::zoomToFit() {
    viewport_.fit();
    moved();
}

void HeatmapView::moved() {
    refresh();
    emit positionChanged(position());
}

std::optional<Cell> HeatmapView::cellAt(const QPointF& position) const {
    if (axes_.empty() || (showsMinimap() && minimapRect().contains(position)))
        return std::nullopt;
    return frame().cellAt(position);
}

QSize HeatmapView::sizeHint() const { return QSize(36, 28) * fontMetrics().height(); }

QSize HeatmapView::minimumSizeHint() const { return QSize(12, 8) * fontMetrics().height(); }

void HeatmapView::setCaption(const QString& caption) {
    caption_ = caption;
    describe();
}

int HeatmapView::tableRows() const { return clippedToInt(axes_.rows.count); }

int HeatmapView::tableColumns() const { return clippedToInt(axes_.columns.count); }

QString HeatmapView::tableCellWords(int row, int column) const {
    const QString text = source_->hasCells() ? cellText({row, column}) : QString();
    return text.isEmpty() ? tr("%1 → %2: not computed yet").arg(tableRowName(row), tableColumnName(column)) : text;
}

QRect HeatmapView::tableCellPlace(int row, int column) const {
    return cellRect({row, column}).toAlignedRect().intersected(rect());
}

std::optional<std::pair<int, int>> HeatmapView::tableCursor() const {
    const auto cell = describedCell();
    return cell ? std::optional(std::pair(cell->row, cell->column)) : std::nullopt;
}

void HeatmapView::describe() {
    const QString size = axes_.empty()
                             ? tr("Heatmap")
                             : tr("Heatmap, %1 rows, %2 columns").arg(axes_.rows.count).arg(axes_.columns.count);
    setAccessibleName(caption_.isEmpty() ? size : caption_ + QStringLiteral(": ") + size);
}

/// The cell of the keyboard, or the pinned one: a screen reader has no mouse.
std::optional<Cell> HeatmapView::describedCell() const {
    const auto cell = marks_.cursor ? marks_.cursor : marks_.pinned;
    const bool exists =
        cell && source_->hasCells() && cell->row < axes_.rows.count && cell->column < axes_.columns.count;
    return exists ? cell : std::nullopt;
}

void HeatmapView::describeCell() {
    const auto cell = describedCell();
    const QString text = cell ? cellText(*cell) : QString();
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    sayTableCells(*this);
}

void HeatmapView::hover(std::optional<Cell> cell) {
    if (cell == crosshair())
        return;
    setCrosshair(cell);
    emit cellHovered(cell);
}

void HeatmapView::setCursorCell(std::optional<Cell> cell) {
    marks_.cursor = cell;
    if (cell) {
        const auto before = position();
        viewport_.show(*cell);
        if (position() != before)
            moved();
    }
    describeCell();
    sayTableCursor(*this);
    hover(cell);
    update();
}

void HeatmapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        relayout();
}

void HeatmapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    relayout();
}

} // namespace attnlab::ui
