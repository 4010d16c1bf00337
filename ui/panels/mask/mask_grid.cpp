#include "ui/panels/mask/mask_grid.h"

#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/state_box.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace attnlab::ui {

MaskGrid::MaskGrid(MaskPainter& painter, QWidget* parent)
    : QWidget(parent), painter_(painter), hint_(new StateBox(this, StateBox::Place::Middle)) {
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
    declareShortcuts(*this, {tr("Mask"),
                             {{tr("Arrow keys, Home, End"), tr("Move the cursor over the cells")},
                              {tr("Space"), tr("Paint the cell, or erase it")},
                              {tr("Shift + arrow keys"), tr("Paint along the way")},
                              {tr("Escape"), tr("Take back the stroke")}}});
    setAccessibleName(tr("Mask: rows are queries, columns are keys"));
    announceCursor();
}

void MaskGrid::updateLayers() {
    const MaskContext context = painter_.context().value_or(MaskContext{0, 0, 0, 0});
    const bool same_sizes = context == layers_.context();
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
    hint_->setState({PictureState::Look::Empty,
                     layers_.isTooLarge()
                         ? tr("%L1 × %L2 cells are too many to draw here.").arg(layers_.rows()).arg(layers_.columns())
                     : layers_.isEmpty() ? tr("The mask shows here once there are scores.")
                                         : QString()});
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

// Draws the grid of a mask.

namespace {

constexpr int narrowest_cell = 3;  ///< pixels between the lines of a cell
constexpr int narrowest_lines = 6; ///< pixels between lines of a box of several cells

/// 1, 2, 5, 10, ...: lines between that many cells, so that also a mask of many that blocks nothing is seen to be one.
int cellsBetweenLines(double cell) {
    if (cell >= narrowest_cell)
        return 1;
    constexpr int most = 1'000'000;
    for (int ten = 1; ten < most; ten *= 10)
        for (const int step : {ten, 2 * ten, 5 * ten})
            if (step * cell >= narrowest_lines)
                return step;
    return most;
}

} // namespace

int MaskGrid::cellEdge(int start, int length, int index, int count) {
    return start + static_cast<int>(std::lround(static_cast<double>(length) * index / count));
}

MaskGrid::CellState MaskGrid::stateOf(const QRect& cells) const {
    const int batch = painter_.view().batch();
    const int head = painter_.view().head();
    double blocked = 0.0;
    for (int row = cells.top(); row <= cells.bottom(); ++row)
        for (int column = cells.left(); column <= cells.right(); ++column) {
            if (layers_.paintedShare(batch, head, {row, column}) > 0.0)
                return CellState::Painted;
            blocked += layers_.blockedShare(batch, head, {row, column});
        }
    const double share = blocked / (cells.width() * cells.height());
    return share >= 1.0 ? CellState::Blocked : share > 0.0 ? CellState::Partly : CellState::Kept;
}

void MaskGrid::paintCells(QPainter& painter, const QRect& area) const {
    const Theme& look = theme();
    Theme painted = look;
    painted.hatch_back = look.accent_soft;
    painted.hatch_line = look.accent;
    Theme partly = look;
    partly.hatch_back = look.card;
    const int down = std::min(layers_.rows(), area.height());
    const int across = std::min(layers_.columns(), area.width());
    for (int y = 0; y < down; ++y) {
        const int first_row = cellEdge(0, layers_.rows(), y, down);
        const int last_row = std::max(first_row + 1, cellEdge(0, layers_.rows(), y + 1, down));
        const auto state_at = [&](int x) {
            const int first = cellEdge(0, layers_.columns(), x, across);
            const int last = std::max(first + 1, cellEdge(0, layers_.columns(), x + 1, across));
            return stateOf(QRect(first, first_row, last - first, last_row - first_row));
        };
        const int top = cellEdge(area.y(), area.height(), y, down);
        const int bottom = cellEdge(area.y(), area.height(), y + 1, down);
        for (int x = 0; x < across;) {
            const CellState here = state_at(x);
            const int start = x;
            while (++x < across && state_at(x) == here) {
            }
            if (here == CellState::Kept)
                continue;
            const int left = cellEdge(area.x(), area.width(), start, across);
            const int right = cellEdge(area.x(), area.width(), x, across);
            paintHatch(painter, QRectF(left, top, right - left, bottom - top),
                       here == CellState::Painted   ? painted
                       : here == CellState::Blocked ? look
                                                    : partly);
        }
    }
}

QSize MaskGrid::cellsInBox() const {
    const QRect area = matrixRect();
    if (area.isEmpty())
        return {1, 1};
    return {cellsBetweenLines(static_cast<double>(area.width()) / layers_.columns()),
            cellsBetweenLines(static_cast<double>(area.height()) / layers_.rows())};
}

void MaskGrid::paintGridLines(QPainter& painter, const QRect& area) const {
    painter.setPen(theme().outline);
    const QSize box = cellsInBox();
    for (int row = box.height(); row < layers_.rows(); row += box.height()) {
        const int y = cellEdge(area.y(), area.height(), row, layers_.rows());
        painter.drawLine(area.left(), y, area.right(), y);
    }
    for (int column = box.width(); column < layers_.columns(); column += box.width()) {
        const int x = cellEdge(area.x(), area.width(), column, layers_.columns());
        painter.drawLine(x, area.top(), x, area.bottom());
    }
    painter.drawRect(area);
}

void MaskGrid::paintOutlines(QPainter& painter) const {
    const auto outline = [&](Cell cell, const QColor& color, double width) {
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cellRect(cell).adjusted(0.5, 0.5, 0.5, 0.5));
    };
    if (const auto hovered = painter_.view().hovered(); hovered && painter_.contains(*hovered))
        outline(*hovered, theme().muted, 1.0);
    if (hasFocus())
        outline(cursor_, theme().accent, 2.0);
}

void MaskGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect area = matrixRect();
    if (area.isEmpty())
        return;
    // Hovering repaints often without changing cells.
    if (const QSize pixels = size() * devicePixelRatioF(); picture_.size() != pixels) {
        picture_ = QPixmap(pixels);
        picture_.setDevicePixelRatio(devicePixelRatioF());
        picture_.fill(Qt::transparent);
        QPainter cells(&picture_);
        cells.fillRect(area, theme().card);
        paintCells(cells, area);
        paintGridLines(cells, area);
        paintNames(cells, area);
    }
    painter.drawPixmap(0, 0, picture_);
    paintOutlines(painter);
}

// The place of the cells of a mask, and their labels.

namespace {

constexpr int grid_largest_cell = 30;  ///< logical pixels: a small matrix has a small picture
constexpr double longest_aspect = 3.0; ///< of a matrix of square cells, else of a cell
constexpr int grid_margin = 2;         ///< for the focus frame
constexpr int most_named = 64;         ///< rows or columns
constexpr double widest_label = 0.25;  ///< of the widget
constexpr double beside_cells = 5.0;   ///< between labels and cells

QSizeF cellIn(const QSizeF& room, int rows, int columns) {
    double cell_x = std::min<double>(room.width() / columns, grid_largest_cell);
    double cell_y = std::min<double>(room.height() / rows, grid_largest_cell);
    // Square cells, unless the matrix is so long that they would be too thin.
    const bool elongated = std::max(rows, columns) > longest_aspect * std::min(rows, columns);
    const double stretch = elongated ? longest_aspect : 1.0;
    cell_x = std::min(cell_x, cell_y * stretch);
    cell_y = std::min(cell_y, cell_x * stretch);
    // Whole pixels where that costs little room, for even cells.
    if (cell_x >= 4.0 && cell_y >= 4.0) {
        cell_x = std::floor(cell_x);
        cell_y = std::floor(cell_y);
    }
    return {cell_x, cell_y};
}

} // namespace

void MaskGrid::nameAxes() {
    MatrixAxes next;
    if (!layers_.isEmpty() && std::max(layers_.rows(), layers_.columns()) <= most_named) {
        next.rows.count = layers_.rows();
        next.columns.count = layers_.columns();
        next.rows.title = tr("query");
        next.columns.title = tr("key");
        for (int row = 0; row < layers_.rows(); ++row)
            next.rows.labels << rowLabel(row);
        for (int column = 0; column < layers_.columns(); ++column)
            next.columns.labels << columnLabel(column);
    }
    const bool same = next.rows.labels == axes_.rows.labels && next.columns.labels == axes_.columns.labels;
    axes_ = std::move(next);
    if (!same)
        redraw();
}

QSizeF MaskGrid::labelRoom() const {
    if (axes_.empty())
        return {0, 0};
    const QFont font = labelFont(this->font());
    const double line = QFontMetricsF(font).height();
    const double beside = std::min(longestLabel(axes_.rows, font), width() * widest_label) + line + 2 * beside_cells;
    const auto cell = [&](double above) {
        return cellIn({width() - 2 * grid_margin - beside, height() - 2 * grid_margin - above}, layers_.rows(),
                      layers_.columns());
    };
    double above = line + beside_cells;
    if (!columnLabelsFitFlat(axes_.columns, font, cell(above).width()))
        above = std::min(longestLabel(axes_.columns, font), width() * widest_label) + beside_cells;
    const QSizeF left = cell(above);
    return rowLabelsFit(axes_.rows, font, left.height()) && left.width() >= line ? QSizeF(beside, above) : QSizeF(0, 0);
}

QRect MaskGrid::matrixRect() const {
    const int rows = layers_.rows();
    const int columns = layers_.columns();
    if (layers_.isEmpty() || layers_.isTooLarge())
        return {};
    const QSize labels = labelRoom().toSize();
    const QSize room(width() - labels.width(), height() - labels.height());
    const QSizeF cell = cellIn(room - QSize(2 * grid_margin, 2 * grid_margin), rows, columns);
    const QSize size(std::max(1, static_cast<int>(cell.width() * columns)),
                     std::max(1, static_cast<int>(cell.height() * rows)));
    return QRect(QPoint(labels.width() + (room.width() - size.width()) / 2,
                        labels.height() + (room.height() - size.height()) / 2),
                 size);
}

void MaskGrid::paintNames(QPainter& painter, const QRect& area) const {
    const QSizeF room = labelRoom();
    if (room.isEmpty())
        return;
    const QFont font = labelFont(this->font());
    HeatmapLayout layout;
    layout.area = rect();
    layout.body = area;
    layout.row_labels = QRectF(area.left() - room.width() + grid_margin, area.top(),
                               room.width() - grid_margin - beside_cells, area.height());
    layout.column_labels =
        QRectF(area.left(), area.top() - room.height(), area.width(), room.height() - beside_cells + 1);
    layout.upright = layout.title_beside = true;
    const HeatmapFrame frame = wholeFrame(area, axes_);
    paintLabels(painter, layout, placeLabels(layout, frame, axes_, font, std::nullopt), axes_, font, theme());
}

} // namespace attnlab::ui
