#include "ui/plot/heatmap_view.h"

#include "ui/plot/cursor_step.h"
#include "ui/plot/heatmap_plot.h"
#include "ui/text.h"
#include "ui/tip.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double zoom_step = 1.25;

/// What the mouse is doing between press and release.
enum class Gesture { None, Click, Pan, Stroke };

} // namespace

struct HeatmapView::Parts {
    explicit Parts(QWidget* parent) : plot(parent) {}

    HeatmapPlot plot;
    std::function<QString(Cell)> text;
    bool painting = false;
    bool space_held = false;
    Gesture gesture = Gesture::None;
    QPointF pressed_at;
    QPointF last_at;
    std::optional<Cell> pressed_cell;
    std::optional<Cell> stroke_cell;

    void mark(std::optional<Cell> HeatmapMarks::*which, std::optional<Cell> cell) {
        HeatmapMarks marks = plot.marks();
        marks.*which = cell;
        plot.setMarks(marks);
    }
};

HeatmapView::HeatmapView(QWidget* parent) : QWidget(parent), parts_(std::make_unique<Parts>(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    parts_->plot.widget()->installEventFilter(this);
    parts_->plot.setRangeListener([this] { emit visibleRangeChanged(visibleRange()); });
    describe();
}

HeatmapView::~HeatmapView() = default;

void HeatmapView::setMatrix(MatrixData matrix, const ColorScale& scale) {
    const auto before = this->matrix().view();
    parts_->plot.setMatrix(std::move(matrix), scale);
    const auto now = this->matrix().view();
    if (before.rows != now.rows || before.columns != now.columns)
        describe();
}

const MatrixData& HeatmapView::matrix() const { return parts_->plot.matrix(); }
const ColorScale& HeatmapView::colorScale() const { return parts_->plot.scale(); }

void HeatmapView::setCrosshair(std::optional<Cell> cell) { parts_->mark(&HeatmapMarks::crosshair, cell); }
void HeatmapView::setPinned(std::optional<Cell> cell) { parts_->mark(&HeatmapMarks::pinned, cell); }
void HeatmapView::setHighlighted(std::vector<Cell> cells) {
    HeatmapMarks marks = parts_->plot.marks();
    marks.highlighted = std::move(cells);
    parts_->plot.setMarks(marks);
}
std::optional<Cell> HeatmapView::crosshair() const { return parts_->plot.marks().crosshair; }
std::optional<Cell> HeatmapView::pinned() const { return parts_->plot.marks().pinned; }
const std::vector<Cell>& HeatmapView::highlighted() const { return parts_->plot.marks().highlighted; }

void HeatmapView::setPainting(bool on) {
    parts_->painting = on;
    updateMouseShape();
}

bool HeatmapView::isPainting() const { return parts_->painting; }
void HeatmapView::setCellText(std::function<QString(Cell)> text) { parts_->text = std::move(text); }

void HeatmapView::setSides(bool row_labels, bool color_bar) { parts_->plot.setSides(row_labels, color_bar); }
double HeatmapView::sidesWidth() const { return parts_->plot.sidesWidth(); }

QRectF HeatmapView::visibleRange() const { return parts_->plot.range(); }
void HeatmapView::setVisibleRange(const QRectF& range) {
    if (range != visibleRange())
        parts_->plot.setRange(range);
}

void HeatmapView::zoomIn() { parts_->plot.zoom(zoom_step, parts_->plot.frame().body.center()); }
void HeatmapView::zoomOut() { parts_->plot.zoom(1.0 / zoom_step, parts_->plot.frame().body.center()); }
void HeatmapView::zoomToFit() { parts_->plot.fit(); }

std::optional<Cell> HeatmapView::cellAt(const QPointF& position) const {
    return matrix().view().empty() ? std::nullopt : parts_->plot.frame().cellAt(position);
}

QRectF HeatmapView::cellRect(Cell cell) const { return parts_->plot.frame().cellRect(cell); }
QRect HeatmapView::visibleCells() const { return parts_->plot.frame().visibleCells(); }
QString HeatmapView::textInCell(Cell cell) const { return parts_->plot.numbers().text(matrix(), cell); }

QStringList HeatmapView::visibleRowLabels() const {
    QStringList texts;
    for (const auto& label : parts_->plot.labels().rows)
        texts << label.text;
    return texts;
}

QStringList HeatmapView::visibleColumnLabels() const {
    QStringList texts;
    for (const auto& label : parts_->plot.labels().columns)
        texts << label.text;
    return texts;
}

QString HeatmapView::cellText(Cell cell) const {
    if (parts_->text)
        return parts_->text(cell);
    const MatrixData& shown = matrix();
    const QString value =
        shown.isBlocked(cell.row, cell.column) ? tr("masked") : exactText(shown.view()(cell.row, cell.column));
    return tr("%1 → %2: %3").arg(shown.rowLabel(cell.row), shown.columnLabel(cell.column), value);
}

QSize HeatmapView::sizeHint() const { return QSize(36, 28) * fontMetrics().height(); }

QSize HeatmapView::minimumSizeHint() const { return QSize(12, 8) * fontMetrics().height(); }

void HeatmapView::describe() {
    const auto view = matrix().view();
    setAccessibleName(view.empty() ? tr("Heatmap")
                                   : tr("Heatmap, %1 rows, %2 columns").arg(view.rows).arg(view.columns));
}

void HeatmapView::hover(std::optional<Cell> cell) {
    if (cell == crosshair())
        return;
    setCrosshair(cell);
    emit cellHovered(cell);
}

void HeatmapView::setCursorCell(std::optional<Cell> cell) {
    parts_->mark(&HeatmapMarks::cursor, cell);
    if (cell) {
        parts_->plot.show(*cell);
        setAccessibleDescription(cellText(*cell));
        QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&spoken);
    }
    hover(cell);
}

void HeatmapView::moveCursor(int rows, int columns) {
    const auto view = matrix().view();
    if (view.empty())
        return;
    auto cell = parts_->plot.marks().cursor;
    if (cell)
        cell = Cell{cell->row + rows, cell->column + columns};
    else
        cell = pinned().value_or(Cell{visibleCells().top(), visibleCells().left()});
    cell->row = std::clamp(cell->row, 0, static_cast<int>(view.rows) - 1);
    cell->column = std::clamp(cell->column, 0, static_cast<int>(view.columns) - 1);
    setCursorCell(cell);
}

void HeatmapView::clickCursor(bool erase) {
    const auto cell = parts_->plot.marks().cursor;
    if (!cell)
        return;
    if (isPainting()) {
        emit strokeBegan(*cell, erase);
        emit strokeEnded();
    } else if (!erase) {
        emit cellClicked(*cell);
    }
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto step = cursorStep(event->key(), visibleCells().height(), matrix().view().columns)) {
        moveCursor(step->row, step->column);
        return;
    }
    switch (event->key()) {
    case Qt::Key_0:
        zoomToFit();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return;
    case Qt::Key_Minus:
        zoomOut();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        clickCursor(false);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (!isPainting())
            break;
        clickCursor(true);
        return;
    case Qt::Key_Space:
        parts_->space_held = true;
        updateMouseShape();
        return;
    case Qt::Key_Escape:
        if (!parts_->plot.marks().cursor)
            break;
        setCursorCell(std::nullopt);
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void HeatmapView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        parts_->space_held = false;
        updateMouseShape();
    }
    QWidget::keyReleaseEvent(event);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    parts_->space_held = false;
    if (event->reason() != Qt::PopupFocusReason && parts_->plot.marks().cursor)
        setCursorCell(std::nullopt);
    updateMouseShape();
    QWidget::focusOutEvent(event);
}

void HeatmapView::updateMouseShape() {
    if (parts_->gesture == Gesture::Pan)
        setCursor(Qt::ClosedHandCursor);
    else if (parts_->space_held)
        setCursor(Qt::OpenHandCursor);
    else if (parts_->painting)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
}

void HeatmapView::beginPan(const QPointF& position) {
    parts_->gesture = Gesture::Pan;
    parts_->last_at = position;
    updateMouseShape();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (parts_->gesture != Gesture::None)
        return;
    const auto cell = cellAt(event->position());
    const bool left = event->button() == Qt::LeftButton;
    parts_->pressed_at = event->position();
    if (event->button() == Qt::MiddleButton || (left && parts_->space_held)) {
        beginPan(event->position());
    } else if (parts_->painting && cell && (left || event->button() == Qt::RightButton)) {
        parts_->gesture = Gesture::Stroke;
        parts_->stroke_cell = cell;
        QToolTip::hideText();
        emit strokeBegan(*cell, !left);
    } else if (!parts_->painting && left) {
        parts_->gesture = Gesture::Click;
        parts_->pressed_cell = cell;
    }
}

void HeatmapView::strokeTo(Cell cell) {
    // A fast mouse skips cells: the stroke does not.
    const Cell from = *parts_->stroke_cell;
    const int steps = std::max(std::abs(cell.row - from.row), std::abs(cell.column - from.column));
    for (int i = 1; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        emit strokeMoved({static_cast<int>(std::lround(from.row + part * (cell.row - from.row))),
                          static_cast<int>(std::lround(from.column + part * (cell.column - from.column)))});
    }
    parts_->stroke_cell = cell;
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    const double moved = (event->position() - parts_->pressed_at).manhattanLength();
    if (parts_->gesture == Gesture::Click && moved >= QApplication::startDragDistance())
        beginPan(parts_->pressed_at);
    if (parts_->gesture == Gesture::Pan) {
        parts_->plot.moveBy(event->position() - parts_->last_at);
        parts_->last_at = event->position();
    } else if (parts_->gesture == Gesture::Stroke && cell) {
        strokeTo(*cell);
    }
    if (cell == crosshair())
        return;
    parts_->mark(&HeatmapMarks::cursor, std::nullopt);
    hover(cell);
    if (QToolTip::isVisible() && cell && parts_->gesture != Gesture::Stroke)
        QToolTip::showText(event->globalPosition().toPoint(), cellText(*cell), this);
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture ended = parts_->gesture;
    if (ended == Gesture::None || event->buttons() & (Qt::LeftButton | Qt::MiddleButton | Qt::RightButton))
        return;
    parts_->gesture = Gesture::None;
    updateMouseShape();
    if (ended == Gesture::Stroke)
        emit strokeEnded();
    else if (ended == Gesture::Click && parts_->pressed_cell && cellAt(event->position()) == parts_->pressed_cell)
        emit cellClicked(*parts_->pressed_cell);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (parts_->painting)
        mousePressEvent(event);
    else if (event->button() == Qt::LeftButton)
        zoomToFit();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    const double steps = event->angleDelta().y() / 120.0;
    if (steps != 0.0)
        parts_->plot.zoom(std::pow(zoom_step, steps), event->position());
    hover(cellAt(event->position()));
    event->accept();
}

void HeatmapView::leaveEvent(QEvent* event) {
    if (!parts_->plot.marks().cursor)
        hover(std::nullopt);
    QWidget::leaveEvent(event);
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto cell = cellAt(tipPosition(*event));
        showTip(*event, cell && parts_->gesture != Gesture::Stroke ? cellText(*cell) : QString(), *this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* pinch = static_cast<QNativeGestureEvent*>(event);
        if (pinch->gestureType() == Qt::ZoomNativeGesture) {
            parts_->plot.zoom(1.0 + pinch->value(), pinch->position());
            return true;
        }
    }
    return QWidget::event(event);
}

bool HeatmapView::eventFilter(QObject* watched, QEvent* event) {
    // A paint that comes before the queued replot (a grab, an uncovered window) must not show the picture before.
    if (watched == parts_->plot.widget() && event->type() == QEvent::Paint)
        parts_->plot.flush();
    return QWidget::eventFilter(watched, event);
}

void HeatmapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        parts_->plot.relayout();
    else if (event->type() == QEvent::LanguageChange)
        describe();
}

void HeatmapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    parts_->plot.widget()->setGeometry(rect());
    parts_->plot.relayout();
}

} // namespace attnlab::ui
