#include "ui/map/map_view.h"

#include "ui/map/map_colors.h"
#include "ui/plot/heatmap_layout.h"
#include "ui/text.h"
#include "ui/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QGestureEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double step = 1.5;          ///< of a key or button
constexpr double telling_cell = 28.0; ///< pixels at which a cell can be told apart well

} // namespace

MapView::MapView(MapSession& session, QWidget* parent) : QWidget(parent), session_(session) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    grabGesture(Qt::PinchGesture);
    scale_ = mapScale({}, {});
    connect(&session_, &MapSession::tileReady, this, &MapView::refresh); // what is still missing is wanted again
    connect(&images_, &TileImages::changed, this, &MapView::repaintPicture);
}

void MapView::setMap(std::int64_t rows, std::int64_t columns, const QStringList& row_labels,
                     const QStringList& column_labels) {
    row_labels_ = row_labels;
    column_labels_ = column_labels;
    frame_.setMap(rows, columns);
    pinned_.reset();
    crosshair_.reset();
    layOut();
    refresh();
}

void MapView::setScale(const ColorScale& scale) {
    scale_ = scale;
    layOut(); // the numbers of the colour bar may be wider
    refresh();
}

void MapView::setPinned(std::optional<Cell> cell) {
    pinned_ = cell;
    update();
}

void MapView::setCrosshair(std::optional<Cell> cell) {
    if (cell == crosshair_)
        return;
    crosshair_ = cell;
    if (cell) {
        setAccessibleDescription(textOf(*cell));
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
    }
    update();
}

void MapView::setMessage(const QString& text) {
    message_ = text;
    update();
}

/// Its tiles are wanted, the nearest to the centre first.
void MapView::refresh() {
    const auto pyramid = session_.pyramid();
    if (pyramid) {
        std::vector<MapTile> missing;
        for (const auto& tile : pyramid->tiles_over(level(), frame_.visibleCells()))
            if (!pyramid->find(tile))
                missing.push_back(tile);
        session_.want(missing);
    }
    images_.want({pyramid, session_.parts(), session_.choice().pool, scale_, theme().warning_soft.rgb(), level(),
                  frame_.visibleCells()});
    repaintPicture();
}

void MapView::repaintPicture() {
    picture_ = QPixmap();
    update();
}

QSizeF MapView::cellsPerPixel() const {
    return {1.0 / (frame_.cellWidth() * devicePixelRatioF()), 1.0 / (frame_.cellHeight() * devicePixelRatioF())};
}

int MapView::level() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return 0;
    const QSizeF cells = cellsPerPixel();
    int level = pyramid->level_for(cells.height(), cells.width());
    // Were there more tiles in sight than may be kept, they would be made over and over.
    while (level < pyramid->top_level() &&
           pyramid->tiles_over(level, frame_.visibleCells()).size() > pyramid->most_tiles())
        ++level;
    return level;
}

bool MapView::isComplete() const {
    const auto pyramid = session_.pyramid();
    if (!pyramid)
        return false;
    const auto tiles = pyramid->tiles_over(level(), frame_.visibleCells());
    return images_.isSettled() &&
           std::all_of(tiles.begin(), tiles.end(), [&](const MapTile& tile) { return pyramid->find(tile) != nullptr; });
}

std::optional<MapBins> MapView::binOf(Cell cell) const {
    const auto pyramid = session_.pyramid();
    if (!pyramid || cell.row < 0 || cell.column < 0 || cell.row >= frame_.rows() || cell.column >= frame_.columns())
        return std::nullopt;
    const BinGrid one{{cell.row, cell.row + 1, cell.column, cell.column + 1}, 1, 1};
    return pyramid->map().pool(one, Pool::Max, {}, 1);
}

std::optional<double> MapView::weightAt(Cell cell) const {
    const auto bin = binOf(cell);
    return bin ? std::optional(binValue(*bin, 0, Pool::Max)) : std::nullopt;
}

QString MapView::labelOf(const QStringList& labels, std::int64_t index) const {
    return index < labels.size() && !labels[index].isEmpty() ? labels[index] : QString::number(index);
}

QString MapView::textOf(Cell cell) const {
    const auto bin = binOf(cell);
    if (!bin)
        return {};
    return tr("%1 → %2: %3", "query token → key token: weight")
        .arg(labelOf(row_labels_, cell.row), labelOf(column_labels_, cell.column),
             bin->masked(0) ? tr("masked") : numberText(binValue(*bin, 0, Pool::Max), 6));
}

void MapView::showCells(const QRectF& cells) {
    frame_.showCells(cells);
    refresh();
}

void MapView::showCell(Cell cell) {
    frame_.showCell(cell, telling_cell);
    refresh();
}

void MapView::zoomIn() {
    frame_.zoom(step, frame_.body().center());
    refresh();
}

void MapView::zoomOut() {
    frame_.zoom(1.0 / step, frame_.body().center());
    refresh();
}

void MapView::zoomToFit() {
    frame_.fit();
    refresh();
}

void MapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layOut();
    refresh();
}

void MapView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0.0) {
        frame_.zoom(std::pow(1.25, notches), event->position());
        refresh();
    }
    event->accept();
}

void MapView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    pressed_ = last_ = event->position();
    dragged_ = false;
    drag_ = dragMinimap(event->position()) ? Drag::Minimap : Drag::Pan;
}

void MapView::mouseMoveEvent(QMouseEvent* event) {
    if (drag_ == Drag::Minimap) {
        dragMinimap(event->position());
        return;
    }
    if (drag_ == Drag::Pan) {
        dragged_ = dragged_ || (event->position() - pressed_).manhattanLength() >= QApplication::startDragDistance();
        if (dragged_) {
            frame_.pan(event->position() - last_);
            last_ = event->position();
            refresh();
        }
        return;
    }
    const auto cell =
        showsMinimap() && minimapRect().contains(event->position()) ? std::nullopt : frame_.cellAt(event->position());
    setCrosshair(cell);
    emit cellHovered(cell);
}

void MapView::mouseReleaseEvent(QMouseEvent* event) {
    const bool click = drag_ == Drag::Pan && !dragged_ && event->button() == Qt::LeftButton;
    drag_ = Drag::None;
    if (const auto cell = click ? frame_.cellAt(event->position()) : std::nullopt)
        emit cellClicked(*cell);
}

void MapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        zoomToFit();
}

void MapView::leaveEvent(QEvent*) {
    setCrosshair(std::nullopt);
    emit cellHovered(std::nullopt);
}

/// On a touchpad.
bool MapView::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            frame_.zoom(1.0 + gesture->value(), gesture->position());
            refresh();
            return true;
        }
    }
    if (event->type() == QEvent::Gesture) {
        if (auto* pinch = static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture)) {
            pinched(*static_cast<QPinchGesture*>(pinch));
            return true;
        }
    }
    return QWidget::event(event);
}

/// On a screen: what lay between the fingers stays there.
void MapView::pinched(const QPinchGesture& pinch) {
    drag_ = Drag::None; // which the first finger began
    const QPointF centre = mapFromGlobal(pinch.centerPoint());
    frame_.pan(centre - mapFromGlobal(pinch.lastCenterPoint()));
    frame_.zoom(pinch.scaleFactor(), centre);
    refresh();
}

void MapView::keyPressEvent(QKeyEvent* event) {
    const bool pans = event->modifiers() & Qt::ControlModifier;
    const QSizeF page = frame_.body().size() / 4.0;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_0:
        return zoomToFit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (crosshair_)
            emit cellClicked(*crosshair_);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!pans)
            return moveCursor(event->key());
        frame_.pan({event->key() == Qt::Key_Left    ? page.width()
                    : event->key() == Qt::Key_Right ? -page.width()
                                                    : 0.0,
                    event->key() == Qt::Key_Up     ? page.height()
                    : event->key() == Qt::Key_Down ? -page.height()
                                                   : 0.0});
        return refresh();
    default:
        QWidget::keyPressEvent(event);
    }
}

/// By one cell where cells can be told apart, by one bin of the picture elsewhere.
void MapView::moveCursor(int key) {
    const CellRect seen = frame_.visibleCells();
    Cell cell = crosshair_.value_or(Cell{static_cast<int>((seen.first_row + seen.last_row) / 2),
                                         static_cast<int>((seen.first_column + seen.last_column) / 2)});
    const auto by = [](double cells_per_pixel) {
        return std::max(1, static_cast<int>(std::lround(cells_per_pixel * 4.0)));
    };
    if (crosshair_) {
        const int across = by(cellsPerPixel().width()), down = by(cellsPerPixel().height());
        cell.column += key == Qt::Key_Right ? across : key == Qt::Key_Left ? -across : 0;
        cell.row += key == Qt::Key_Down ? down : key == Qt::Key_Up ? -down : 0;
    }
    cell.row = std::clamp(cell.row, 0, static_cast<int>(frame_.rows()) - 1);
    cell.column = std::clamp(cell.column, 0, static_cast<int>(frame_.columns()) - 1);
    if (!frame_.visible().contains(QPointF(cell.column + 0.5, cell.row + 0.5))) {
        frame_.centreOn({cell.column + 0.5, cell.row + 0.5});
        refresh();
    }
    setCrosshair(cell);
    emit cellHovered(cell);
}

void MapView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        layOut();
        refresh();
    }
}

} // namespace attnlab::ui
