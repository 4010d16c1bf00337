#include "ui/panels/mask/mask_grid.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/own_keys.h"
#include "ui/widgets/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

MaskGrid::MaskGrid(MaskPainter& painter, QWidget* parent) : QWidget(parent), painter_(painter) {
    setAccessibleRole(*this, QAccessible::Chart);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setContextMenuPolicy(Qt::PreventContextMenu);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&painter_.document(), &Document::problemChanged, this, &MaskGrid::updateLayers);
    connect(&painter_, &MaskPainter::contextChanged, this, &MaskGrid::updateLayers);
    connect(&painter_, &MaskPainter::traceChanged, this, &MaskGrid::learnFromTrace);
    connect(&painter_.view(), &ViewState::sliceChanged, this, &MaskGrid::redraw);
    connect(&painter_.view(), &ViewState::hoveredChanged, this, [this] { update(); });
    updateLayers();
    declareKeys(*this, {tr("Mask"),
                        {{tr("Arrow keys, Home, End"), tr("Move the cursor over the cells")},
                         {tr("Space"), tr("Paint the cell, or erase it")},
                         {tr("Shift + arrow keys"), tr("Paint along the way")},
                         {tr("Escape"), tr("Take back the stroke")}}});
    setAccessibleName(tr("Mask: rows are queries, columns are keys"));
    announceCursor();
}

void MaskGrid::updateLayers() {
    const MaskContext context = painter_.context().value_or(MaskContext{0, 0, 0, 0});
    const MaskContext& old = layers_.context();
    const bool same_sizes = context.B == old.B && context.H == old.H && context.L == old.L && context.S == old.S;
    AttentionProblem part = maskPartOf(painter_.document().problem());
    // Queries and keys are edited with every keystroke; masks rarely change with them.
    if (!same_sizes || !(part == shown_part_)) {
        if (!same_sizes)
            mechanism_ = {};
        layers_ = MaskLayers(part, context);
        layers_.addMechanism(mechanism_);
        shown_part_ = std::move(part);
        cursor_ = {std::clamp(cursor_.row, 0, std::max(0, layers_.rows() - 1)),
                   std::clamp(cursor_.column, 0, std::max(0, layers_.columns() - 1))};
        emit layersChanged();
        redraw();
    }
    nameAxes();
    announceCursor(); // tokens may have changed
}

void MaskGrid::redraw() {
    picture_ = {};
    update();
    announceCursor();
}

void MaskGrid::learnFromTrace() {
    const auto& computed = painter_.computed();
    const Stage* blocked = computed ? computed->trace.find("blocked") : nullptr;
    const MaskContext context = painter_.context().value_or(MaskContext{0, 0, 0, 0});
    MaskLayers own = mechanism_.rank() == 4 ? MaskLayers(shown_part_, context) : layers_;
    Tensor mechanism = blocked ? own.beyond(blocked->value) : Tensor();
    if (mechanism == mechanism_)
        return;
    mechanism_ = std::move(mechanism);
    layers_ = std::move(own);
    layers_.addMechanism(mechanism_);
    emit layersChanged();
    redraw();
}

bool MaskGrid::isBlocked(Cell cell) const {
    return layers_.blockedShare(painter_.view().batch(), painter_.view().head(), cell) >= 1.0;
}

bool MaskGrid::isPainted(Cell cell) const {
    return layers_.paintedShare(painter_.view().batch(), painter_.view().head(), cell) > 0.0;
}

QString MaskGrid::rowLabel(int row) const {
    const auto& tokens = painter_.document().problem().query_tokens;
    const auto index = static_cast<std::size_t>(row);
    return index < tokens.size() && !tokens[index].empty() ? QString::fromStdString(tokens[index])
                                                           : QString::number(row);
}

QString MaskGrid::columnLabel(int column) const {
    const auto& problem = painter_.document().problem();
    const bool same_tokens = problem.key_tokens.empty() && layers_.rows() == layers_.columns();
    const auto& tokens = same_tokens ? problem.query_tokens : problem.key_tokens;
    const auto index = static_cast<std::size_t>(column);
    return index < tokens.size() && !tokens[index].empty() ? QString::fromStdString(tokens[index])
                                                           : QString::number(column);
}

QString MaskGrid::describe(Cell cell) const {
    if (!painter_.contains(cell) || layers_.isTooLarge())
        return {};
    const int batch = painter_.view().batch();
    const int head = painter_.view().head();
    const QString row = rowLabel(cell.row);
    const QString column = columnLabel(cell.column);
    const QStringList blockers = layers_.blockers(batch, head, cell);
    if (blockers.isEmpty())
        return tr("%1 → %2: kept").arg(row, column);
    const QString list = blockers.join(tr(", ", "between the names of masks"));
    if (layers_.blockedShare(batch, head, cell) < 1.0)
        return tr("%1 → %2: blocked in some heads by %3").arg(row, column, list);
    return tr("%1 → %2: blocked by %3").arg(row, column, list);
}

std::optional<Cell> MaskGrid::cellAt(const QPointF& position) const {
    const QRect area = matrixRect();
    if (area.isEmpty() || !QRectF(area).contains(position))
        return std::nullopt;
    const auto index = [](double offset, int length, int count) {
        return std::clamp(static_cast<int>(offset * count / length), 0, count - 1);
    };
    return Cell{index(position.y() - area.y(), area.height(), layers_.rows()),
                index(position.x() - area.x(), area.width(), layers_.columns())};
}

QRectF MaskGrid::cellRect(Cell cell) const {
    const QRect area = matrixRect();
    if (area.isEmpty())
        return {};
    const int left = cellEdge(area.x(), area.width(), cell.column, layers_.columns());
    const int right = cellEdge(area.x(), area.width(), cell.column + 1, layers_.columns());
    const int top = cellEdge(area.y(), area.height(), cell.row, layers_.rows());
    const int bottom = cellEdge(area.y(), area.height(), cell.row + 1, layers_.rows());
    return QRectF(left, top, right - left, bottom - top);
}

void MaskGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        redraw();
    QWidget::changeEvent(event);
}

void MaskGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    emit resized();
}

void MaskGrid::announceCursor() {
    const QString text = describe(cursor_);
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    sayTableCells(*this);
}

std::optional<std::pair<int, int>> MaskGrid::tableCursor() const {
    return tableRows() > 0 && tableColumns() > 0 ? std::optional(std::pair(cursor_.row, cursor_.column)) : std::nullopt;
}

void MaskGrid::togglePainted(Cell cell) {
    if (painter_.isStroking())
        return;
    painter_.begin(cell, painter_.isPainted(cell));
    painter_.end();
}

void MaskGrid::pressTableCell(int row, int column) {
    setKeyboardCursor({row, column});
    togglePainted({row, column});
}

void MaskGrid::setKeyboardCursor(Cell cell) {
    if (layers_.isEmpty())
        return;
    cursor_ = {std::clamp(cell.row, 0, layers_.rows() - 1), std::clamp(cell.column, 0, layers_.columns() - 1)};
    painter_.view().setHovered(cursor_);
    announceCursor();
    sayTableCursor(*this);
    update();
}

void MaskGrid::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    const bool paints = event->button() == Qt::LeftButton || event->button() == Qt::RightButton;
    if (!cell || !paints || mouse_strokes_)
        return;
    setKeyboardCursor(*cell);
    mouse_strokes_ = true;
    painter_.begin(*cell, event->button() == Qt::RightButton);
}

void MaskGrid::mouseMoveEvent(QMouseEvent* event) {
    const QRect area = matrixRect();
    auto cell = cellAt(event->position());
    if (mouse_strokes_ && !area.isEmpty()) {
        // A drag that leaves the matrix continues along its edge.
        const QPointF inside(std::clamp<double>(event->position().x(), area.left(), area.right()),
                             std::clamp<double>(event->position().y(), area.top(), area.bottom()));
        cell = cellAt(inside);
        if (cell) {
            setKeyboardCursor(*cell);
            painter_.move(*cell);
        }
    }
    painter_.view().setHovered(cell);
    // Shown without the usual delay, since reading a mask means moving over its cells.
    QToolTip::showText(event->globalPosition().toPoint() + QPoint(12, 12), cell ? describe(*cell) : QString(), this);
}

void MaskGrid::mouseReleaseEvent(QMouseEvent* event) {
    if (!mouse_strokes_ || event->buttons() != Qt::NoButton)
        return;
    mouse_strokes_ = false;
    painter_.end();
}

void MaskGrid::leaveEvent(QEvent* event) {
    painter_.view().setHovered(std::nullopt);
    QWidget::leaveEvent(event);
}

void MaskGrid::keyPressEvent(QKeyEvent* event) {
    Cell next = cursor_;
    switch (event->key()) {
    case Qt::Key_Left:
        --next.column;
        break;
    case Qt::Key_Right:
        ++next.column;
        break;
    case Qt::Key_Up:
        --next.row;
        break;
    case Qt::Key_Down:
        ++next.row;
        break;
    case Qt::Key_Home:
        next = {event->modifiers() & Qt::ControlModifier ? 0 : next.row, 0};
        break;
    case Qt::Key_End:
        next = {event->modifiers() & Qt::ControlModifier ? layers_.rows() - 1 : next.row, layers_.columns() - 1};
        break;
    case Qt::Key_Space:
        if (!event->isAutoRepeat())
            togglePainted(cursor_);
        return;
    case Qt::Key_Escape:
        if (painter_.isStroking()) {
            mouse_strokes_ = false;
            painter_.cancel();
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    const Cell from = cursor_;
    if (event->modifiers() & Qt::ShiftModifier) {
        if (!painter_.isStroking())
            painter_.begin(from, false);
        setKeyboardCursor(next);
        painter_.move(cursor_);
        return;
    }
    painter_.end();
    setKeyboardCursor(next);
}

void MaskGrid::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Shift && !mouse_strokes_)
        painter_.end();
    QWidget::keyReleaseEvent(event);
}

void MaskGrid::focusOutEvent(QFocusEvent* event) {
    mouse_strokes_ = false;
    painter_.end();
    QWidget::focusOutEvent(event);
}

} // namespace attnlab::ui
