#include "ui/matrix/heatmap_view.h"

#include "ui/drawing/color_bar.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"
#include "ui/widgets/popups.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QApplication>
#include <QGestureEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QToolTip>
#include <QVariantAnimation>

namespace attnlab::ui {
namespace {

constexpr double key_step = 1.5;           ///< per key press or button click
constexpr double recognizable_cell = 28.0; ///< pixels
constexpr int fade_milliseconds = 120;

} // namespace

HeatmapView::HeatmapView(QWidget* parent)
    : QWidget(parent), dense_(new DenseSource(this)), source_(dense_), fade_(new QVariantAnimation(this)) {
    setAccessibleRole(*this, QAccessible::Chart);
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing below it is painted for each move of the mouse
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    grabGesture(Qt::PinchGesture);
    scale_.map = &colormap({});
    fade_->setStartValue(1.0);
    fade_->setEndValue(0.0);
    fade_->setDuration(fade_milliseconds);
    connect(fade_, &QVariantAnimation::valueChanged, this, [this] {
        if (!before_.isNull())
            update();
    });
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
        fit_.forgetNames();
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
    const bool is_fast = fade_->state() == QAbstractAnimation::Running; // by held keys, for example
    fade_->stop();
    before_ = QPixmap();
    if (reducedMotion() || !isVisible() || picture_.isNull())
        return;
    if (!is_fast)
        before_ = picture_;
    fade_->start(); // without a picture it measures the time in which the next one would be fast
}

void HeatmapView::setMessage(const QString& text, PictureState::Look look) {
    message_ = {look, text};
    showMessage();
}

void HeatmapView::showMessage() {
    const bool shown = !source_->hasCells() && !message_.what.isEmpty();
    if (shown && !message_box_)
        message_box_ = new StateBox(this, StateBox::Place::Middle);
    if (message_box_)
        message_box_->setState(shown ? message_ : PictureState());
    describe();
}

void HeatmapView::setCrosshair(std::optional<Cell> cell) {
    if (cell == marks_.crosshair)
        return;
    marks_.crosshair = cell;
    update();
}

void HeatmapView::setPinned(std::optional<Cell> cell) {
    if (cell != marks_.pinned)
        picture_ = QPixmap(); // its words stay away from frames
    marks_.pinned = cell;
    describeCell();
    update();
}

void HeatmapView::setHighlighted(std::vector<Cell> cells) {
    if (cells != marks_.highlighted)
        picture_ = QPixmap();
    marks_.highlighted = std::move(cells);
    update();
}

void HeatmapView::setPainting(bool on) {
    painting_ = on;
    updateMouseShape();
}

void HeatmapView::setColorBarTip(const QString& tip) { color_bar_tip_ = tip; }

bool HeatmapView::isOnMinimap(const QPointF& position) const {
    return source_->hasCells() && minimap().contains(position);
}

void HeatmapView::setCorner(QWidget* corner) {
    corner_ = corner;
    corner->installEventFilter(this);
    placeCorner();
}

bool HeatmapView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == corner_ && event->type() == QEvent::Show)
        placeCorner(); // it may have another text
    return QWidget::eventFilter(watched, event);
}

void HeatmapView::setUpright(std::optional<bool> upright) {
    if (fixed_upright_ == upright)
        return;
    fixed_upright_ = upright;
    relayout();
}

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
    if (axes_.empty() || isOnMinimap(position))
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

QString HeatmapView::tableCellText(int row, int column) const {
    const QString text = source_->hasCells() ? cellText({row, column}) : QString();
    return text.isEmpty() ? tr("%1 → %2: not computed yet").arg(tableRowName(row), tableColumnName(column)) : text;
}

QRect HeatmapView::tableCellRect(int row, int column) const {
    return cellRect({row, column}).toAlignedRect().intersected(rect());
}

std::optional<std::pair<int, int>> HeatmapView::tableCursor() const {
    const auto cell = describedCell();
    return cell ? std::optional(std::pair(cell->row, cell->column)) : std::nullopt;
}

/// A table says its cells instead of its children, so the message is part of its name.
void HeatmapView::describe() {
    const bool says_why = !source_->hasCells() && !message_.what.isEmpty();
    const QString size = says_why ? message_.what
                         : axes_.empty()
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

// What the mouse, the keyboard and fingers do to a HeatmapView.

namespace {

constexpr double wheel_step = 1.25;   ///< per notch
constexpr double cursor_pixels = 4.0; ///< minimum movement of the cursor

} // namespace

void HeatmapView::declareGestures() {
    declareShortcuts(*this, {tr("Matrix"),
                             {{tr("Arrow keys, Page Up, Page Down, Home, End"), tr("Move the cursor over the cells")},
                              {tr("Enter"), tr("Pin the cell under the cursor, or paint it")},
                              {tr("Delete"), tr("Erase the cell under the cursor, while painting")},
                              {tr("Ctrl + arrow keys"), tr("Move the enlarged picture")},
                              {tr("Space and drag"), tr("Move the picture while painting")},
                              {QStringLiteral("+  −  0"), tr("Enlarge, reduce, fit to the room")},
                              {tr("Escape"), tr("Remove the cursor, then the pin")}}});
}

/// By one cell where cells are distinguishable, otherwise by some pixels. False for other keys.
bool HeatmapView::moveCursor(const QKeyEvent& event) {
    const auto least = [](double cell) { return std::max(1, static_cast<int>(std::lround(cursor_pixels / cell))); };
    const QRect seen = visibleCells();
    const int down = least(viewport_.cellHeight()), across = least(viewport_.cellWidth());
    Cell step;
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        step.column = event.key() == Qt::Key_Left ? -across : across;
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        step.row = event.key() == Qt::Key_Up ? -down : down;
        break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        step.row = event.key() == Qt::Key_PageUp ? -seen.height() : seen.height();
        break;
    case Qt::Key_Home:
    case Qt::Key_End:
        step.column = event.key() == Qt::Key_Home ? -tableColumns() : tableColumns();
        break;
    default:
        return false;
    }
    if (axes_.empty() || !source_->hasCells())
        return true;
    if (event.modifiers() & Qt::ControlModifier) {
        const QSizeF page = frame().body.size() / 4.0;
        viewport_.pan({step.column < 0   ? page.width()
                       : step.column > 0 ? -page.width()
                                         : 0.0,
                       step.row < 0   ? page.height()
                       : step.row > 0 ? -page.height()
                                      : 0.0});
        moved();
        return true;
    }
    const Cell from = marks_.cursor.value_or(pinned().value_or(Cell{seen.top(), seen.left()}));
    const auto moved_by = [&](std::int64_t at, int by, int count) {
        return static_cast<int>(std::clamp<std::int64_t>(marks_.cursor ? at + by : at, 0, count - 1));
    };
    setCursorCell(Cell{moved_by(from.row, step.row, tableRows()), moved_by(from.column, step.column, tableColumns())});
    return true;
}

void HeatmapView::click(Cell cell, bool erase) {
    if (painting_) {
        emit strokeBegan(cell, erase);
        emit strokeEnded();
    } else if (!erase) {
        emit cellClicked(cell);
    }
}

void HeatmapView::keyPressEvent(QKeyEvent* event) {
    const bool panning = event->modifiers() == Qt::ControlModifier && !isFitted();
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) && !panning) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (moveCursor(*event))
        return;
    switch (panning ? Qt::Key_unknown : event->key()) {
    case Qt::Key_0:
        return zoomToFit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (marks_.cursor)
            click(*marks_.cursor, false);
        return;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (!painting_)
            break;
        if (marks_.cursor)
            click(*marks_.cursor, true);
        return;
    case Qt::Key_Space:
        space_held_ = true;
        return updateMouseShape();
    case Qt::Key_Escape:
        if (marks_.cursor)
            return setCursorCell(std::nullopt);
        if (!pinned())
            break;
        emit unpinned();
        return;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void HeatmapView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        space_held_ = false;
        updateMouseShape();
    }
    QWidget::keyReleaseEvent(event);
}

void HeatmapView::focusInEvent(QFocusEvent* event) {
    focus_shown_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
}

void HeatmapView::focusOutEvent(QFocusEvent* event) {
    space_held_ = false;
    focus_shown_ = false;
    if (event->reason() != Qt::PopupFocusReason && marks_.cursor)
        setCursorCell(std::nullopt);
    updateMouseShape();
    QWidget::focusOutEvent(event);
}

void HeatmapView::updateMouseShape() {
    if (gesture_ == Gesture::Pan)
        setCursor(Qt::ClosedHandCursor);
    else if (space_held_)
        setCursor(Qt::OpenHandCursor);
    else if (on_color_bar_)
        setCursor(Qt::PointingHandCursor);
    else if (painting_)
        setCursor(Qt::CrossCursor);
    else
        unsetCursor();
}

void HeatmapView::dragMinimap(const QPointF& position) {
    viewport_.centreOn(minimap().cellAt(position));
    moved();
}

void HeatmapView::beginPan(const QPointF& position) {
    gesture_ = Gesture::Pan;
    last_at_ = position;
    updateMouseShape();
}

void HeatmapView::mousePressEvent(QMouseEvent* event) {
    if (gesture_ != Gesture::None)
        return;
    const auto cell = cellAt(event->position());
    const bool left = event->button() == Qt::LeftButton;
    pressed_at_ = event->position();
    if (left && isOnMinimap(event->position())) {
        gesture_ = Gesture::Minimap;
        dragMinimap(event->position());
    } else if (left && isOnColorBar(event->position())) {
        gesture_ = Gesture::ColorBar;
    } else if (event->button() == Qt::MiddleButton || (left && space_held_)) {
        beginPan(event->position());
    } else if (painting_ && cell && (left || event->button() == Qt::RightButton)) {
        gesture_ = Gesture::Stroke;
        stroke_cell_ = cell;
        QToolTip::hideText();
        emit strokeBegan(*cell, !left);
    } else if (!painting_ && left) {
        gesture_ = Gesture::Click;
        pressed_cell_ = cell;
    }
}

void HeatmapView::strokeTo(Cell cell) {
    // A fast mouse skips cells: the stroke fills them in.
    const Cell from = *stroke_cell_;
    const int steps = std::max(std::abs(cell.row - from.row), std::abs(cell.column - from.column));
    for (int i = 1; i <= steps; ++i) {
        const double part = static_cast<double>(i) / steps;
        emit strokeMoved({static_cast<int>(std::lround(from.row + part * (cell.row - from.row))),
                          static_cast<int>(std::lround(from.column + part * (cell.column - from.column)))});
    }
    stroke_cell_ = cell;
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event) {
    if (gesture_ == Gesture::Minimap) {
        dragMinimap(event->position());
        return;
    }
    const auto cell = cellAt(event->position());
    const double way = (event->position() - pressed_at_).manhattanLength();
    if (gesture_ == Gesture::Click && way >= QApplication::startDragDistance())
        beginPan(pressed_at_);
    if (gesture_ == Gesture::Pan) {
        viewport_.pan(event->position() - last_at_);
        last_at_ = event->position();
        moved();
    } else if (gesture_ == Gesture::Stroke && cell) {
        strokeTo(*cell);
    }
    on_color_bar_ = gesture_ == Gesture::None && isOnColorBar(event->position());
    updateMouseShape();
    if (cell == crosshair())
        return;
    marks_.cursor.reset();
    hover(cell);
    if (QToolTip::isVisible() && cell && gesture_ != Gesture::Stroke)
        QToolTip::showText(event->globalPosition().toPoint(), tip_ = cellText(*cell), this);
}

/// Of a cell of which more is known now.
void HeatmapView::renewTip() {
    if (crosshair() && QToolTip::isVisible() && QToolTip::text() == tip_ && tip_ != cellText(*crosshair()))
        QToolTip::showText(QCursor::pos(), tip_ = cellText(*crosshair()), this);
}

void HeatmapView::mouseReleaseEvent(QMouseEvent* event) {
    const Gesture ended = gesture_;
    if (ended == Gesture::None || event->buttons() & (Qt::LeftButton | Qt::MiddleButton | Qt::RightButton))
        return;
    gesture_ = Gesture::None;
    updateMouseShape();
    if (ended == Gesture::ColorBar && isOnColorBar(event->position()))
        emit colorBarClicked(placed().color_bar.toAlignedRect());
    else if (ended == Gesture::Stroke)
        emit strokeEnded();
    else if (ended == Gesture::Click && pressed_cell_ && cellAt(event->position()) == pressed_cell_)
        emit cellClicked(*pressed_cell_);
}

void HeatmapView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (painting_)
        mousePressEvent(event);
    else if (event->button() == Qt::LeftButton)
        zoomToFit();
}

void HeatmapView::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches != 0.0)
        zoom(std::pow(wheel_step, notches), event->position());
    hover(cellAt(event->position()));
    event->accept();
}

void HeatmapView::leaveEvent(QEvent* event) {
    if (!marks_.cursor)
        hover(std::nullopt);
    QWidget::leaveEvent(event);
}

bool HeatmapView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto cell = cellAt(tipPosition(*event));
        const QString hidden = hiddenWords(scale_);
        const QString bar_tip = hidden.isEmpty() ? color_bar_tip_ : color_bar_tip_ + QLatin1Char('\n') + hidden;
        const QString usual = isOnColorBar(tipPosition(*event)) ? bar_tip : QString();
        tip_ = cell && gesture_ != Gesture::Stroke ? cellText(*cell) : usual;
        showTip(*event, tip_, *this);
        return true;
    }
    if (event->type() == QEvent::LayoutRequest)
        placeCorner();                            // its text is another one
    if (event->type() == QEvent::NativeGesture) { // on a touchpad
        const auto* pinch = static_cast<QNativeGestureEvent*>(event);
        if (pinch->gestureType() == Qt::ZoomNativeGesture) {
            zoom(1.0 + pinch->value(), pinch->position());
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

/// On a touch screen: the cells between the fingers stay there.
void HeatmapView::pinched(const QPinchGesture& pinch) {
    if (gesture_ == Gesture::Stroke)
        emit strokeEnded();
    gesture_ = Gesture::None; // started by the first finger
    const QPointF centre = mapFromGlobal(pinch.centerPoint());
    viewport_.pan(centre - mapFromGlobal(pinch.lastCenterPoint()));
    zoom(pinch.scaleFactor(), centre);
}

// Layout and painting of the parts of a HeatmapView.

namespace {

QStringList textsOf(const std::vector<PlacedLabel>& labels) {
    QStringList texts;
    for (const auto& label : labels)
        texts << label.text;
    return texts;
}

} // namespace

void HeatmapView::relayout() {
    const HeatmapFit::Wishes wishes{.font = font(),
                                    .pixel = 1.0 / devicePixelRatioF(),
                                    .row_labels = row_labels_,
                                    .color_bar = color_bar_,
                                    .profiles = source_->profiles() != nullptr,
                                    .keeps_bar = corner_ != nullptr, // the range can be held here
                                    .label_size = fixed_label_size_,
                                    .upright = fixed_upright_};
    fit_.fit(QRectF(rect()), axes_, scale_, wishes);
    placeCells();
}

void HeatmapView::placeCells() {
    // Views side by side get rooms of equal width, regardless of fractional label widths.
    QRectF room = fit_.layout().room;
    room.setSize(QSizeF(std::max(1.0, std::floor(room.width())), std::max(1.0, std::floor(room.height()))));
    const QSizeF body = fit_.layout().body.size();
    const double less =
        body.isEmpty() ? 1.0 : std::min({1.0, room.width() / body.width(), room.height() / body.height()});
    const QSizeF cell = axes_.empty() ? QSizeF(1, 1)
                                      : QSizeF(less * body.width() / static_cast<double>(axes_.columns.count),
                                               less * body.height() / static_cast<double>(axes_.rows.count));
    viewport_.setRoom(room, cell, 1.0 / devicePixelRatioF());
    placeCorner();
    refresh();
}

void HeatmapView::placeCorner() {
    if (!corner_)
        return;
    constexpr int margin = 4;
    const QSize wish = corner_->sizeHint();
    const QRectF cells = fit_.layout().body;
    const double room = width() - (cells.isEmpty() ? 0.0 : cells.right()) - 2.0 * margin;
    const int wide = std::max(0, std::min(wish.width(), static_cast<int>(room)));
    corner_->setGeometry(width() - margin - wide, 0, wide, wish.height()); // above the point of the bar
}

/// The visible part or the colours have changed.
void HeatmapView::refresh() {
    numbers_.reset();
    picture_ = QPixmap();
    source_->setVisiblePart(sight());
    describeCell();
    renewTip();
    showMessage();
    update();
}

VisibleMatrix HeatmapView::sight() const {
    std::vector<Cell> framed = marks_.highlighted;
    if (marks_.pinned)
        framed.push_back(*marks_.pinned);
    return {frame(), scale_, theme(), devicePixelRatioF(), std::move(framed)};
}

HeatmapLayout HeatmapView::placed() const {
    HeatmapLayout at = fit_.layout();
    at.setBody(frame().body);
    if (corner_ && !at.color_bar.isEmpty()) // its uppermost number is below the button, shown or not
        at.color_bar.setTop(std::max(at.color_bar.top(), corner_->sizeHint().height() +
                                                             QFontMetricsF(fit_.labelsFont()).height() / 2.0 + 2.0));
    if (showsMinimap() && !at.color_bar.isEmpty())
        at.color_bar.setBottom(minimap().endOfColorBar());
    return at;
}

const CellNumbers& HeatmapView::numbers() const {
    if (!numbers_)
        numbers_ = axes_.empty() || frame().body.isEmpty() || !isLegible(frame().cellWidth())
                       ? CellNumbers()
                       : numbersFitting(
                             frame(), [this](Cell cell) { return source_->numberAt(cell); }, font(), cell_digits);
    return *numbers_;
}

HeatmapLabels HeatmapView::labels() const {
    return placeLabels(placed(), frame(), axes_, fit_.labelsFont(), marks_.crosshair ? marks_.crosshair : marks_.cursor,
                       marks_.pinned);
}

QString HeatmapView::textInCell(Cell cell) const { return numbers().text(source_->numberAt(cell)); }
QStringList HeatmapView::visibleRowLabels() const { return textsOf(labels().rows); }
QStringList HeatmapView::visibleColumnLabels() const { return textsOf(labels().columns); }

void HeatmapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().card);
    if (!source_->hasCells())
        return;
    if (picture_.isNull() || picture_.devicePixelRatioF() != devicePixelRatioF())
        renderPicture();
    painter.drawPixmap(0, 0, picture_);
    if (!before_.isNull())
        paintFading(painter);
    if (!fit_.layout().body.isEmpty()) {
        const HeatmapLabels shown = labels();
        paintLabels(painter, placed(), shown, withSteps(axes_, shown), fit_.labelsFont(), theme());
        painter.save();
        if (showsMinimap())
            painter.setClipRegion(QRegion(rect()) - QRegion(minimap().place().adjusted(-2, -2, 2, 2).toAlignedRect()));
        paintEdge(painter);
        paintMarks(painter, frame(), marks_, theme());
        painter.restore();
    }
    if (focus_shown_ && showsFocus(*this)) {
        painter.setPen(QPen(theme().accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// In high contrast a matrix whose cells are as dark as the card has an outline.
void HeatmapView::paintEdge(QPainter& painter) const {
    if (!theme().high_contrast)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme().outline, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(frame().body.adjusted(-1, -1, 0, 0));
}

/// Only in the same size: cells at other places would confuse.
void HeatmapView::paintFading(QPainter& painter) const {
    if (before_.size() != picture_.size())
        return;
    painter.save();
    painter.setOpacity(fade_->currentValue().toDouble());
    painter.drawPixmap(0, 0, before_);
    painter.restore();
}

void HeatmapView::renderPicture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(theme().card);
    if (fit_.layout().body.isEmpty())
        return;
    QPainter painter(&picture_);
    painter.setFont(font());
    const VisibleMatrix seen = sight();
    const HeatmapLayout at = placed();
    source_->paint(painter, seen);
    paintNumbers(
        painter, seen.frame, [this](Cell cell) { return source_->numberAt(cell); }, scale_, seen.look, numbers());
    if (source_->profiles())
        paintProfiles(painter, at);
    if (color_bar_)
        paintColorBar(painter, at.color_bar, scale_, fit_.labelsFont(), seen.look);
    if (showsMinimap())
        minimap().paint(painter, *source_, seen);
}

void HeatmapView::paintProfiles(QPainter& painter, const HeatmapLayout& at) const {
    const MatrixProfiles& profiles = *source_->profiles();
    profiles.paint(painter, at, frame(), theme());
    painter.save();
    painter.setFont(fit_.labelsFont());
    painter.setPen(theme().muted);
    const QRectF corner(at.row_profile.left(), at.column_profile.top(), at.color_bar.right() - at.row_profile.left(),
                        at.column_profile.height());
    painter.drawText(corner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     profiles.means ? tr("mean of each row and column") : tr("largest of each row and column"));
    painter.restore();
}

Minimap HeatmapView::minimap() const { return {viewport_, fit_.layout()}; }

bool HeatmapView::showsMinimap() const { return source_->hasCells() && minimap().isNeeded(); }

} // namespace attnlab::ui
