#include "ui/learn/presentation.h"

#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/keyboard.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QShortcut>
#include <QStatusBar>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int screen_look_milliseconds = 100;
constexpr int cursor_hide_delay_milliseconds = 2500;

constexpr double zoom_step = 1.1;
constexpr int smallest_zoom = -4, largest_zoom = 8; ///< steps

/// Readable from the last row.
double typeFactor(int screen_height, const QFont& font, double zoom) {
    constexpr double letters_on_screen = 32.7; ///< pixel sizes of a letter
    return std::max(1.0, zoom * screen_height / letters_on_screen / QFontInfo(font).pixelSize());
}

} // namespace

void CursorHider::hide(bool hidden) {
    if (hidden == is_hidden_)
        return;
    is_hidden_ = hidden;
    if (hidden)
        QGuiApplication::setOverrideCursor(Qt::BlankCursor);
    else
        QGuiApplication::restoreOverrideCursor();
}

Presentation::Presentation(QMainWindow& window, QWidget& page) : QObject(&window), window_(window), page_(page) {
    const auto key = [this](const QKeySequence& keys, auto&& run) {
        auto* shortcut = new QShortcut(keys, &page_);
        shortcut->setEnabled(false);
        connect(shortcut, &QShortcut::activated, this, run);
        shortcuts_.push_back(shortcut);
    };
    key(Qt::Key_Escape, [this] { leave(); });
    key(Qt::CTRL | Qt::Key_Plus, [this] { zoom(1); });
    key(Qt::CTRL | Qt::Key_Equal, [this] { zoom(1); });
    key(Qt::CTRL | Qt::Key_Minus, [this] { zoom(-1); });
    key(Qt::CTRL | Qt::Key_0, [this] { zoomToUsual(); });
    window_.installEventFilter(this);
    mouse_timer_.setInterval(screen_look_milliseconds);
    connect(&mouse_timer_, &QTimer::timeout, this, &Presentation::checkMouseIdle);
}

void Presentation::enter() {
    if (usual_)
        return;
    entering_ = true;
    resume({window_.windowState(), window_.saveGeometry(), window_.minimumSize()});
    window_.showFullScreen();
    entering_ = false;
}

void Presentation::resume(const Usual& usual) {
    usual_ = usual;
    window_.menuBar()->hide();
    window_.statusBar()->hide();
    window_.setMinimumSize(0, 0); // the screen may be smaller than that
    enlarge();
    for (auto* shortcut : shortcuts_)
        shortcut->setEnabled(true);
    mouse_ = QCursor::pos();
    mouse_idle_milliseconds_ = 0;
    mouse_timer_.start();
    emit changed(true);
}

void Presentation::leave() {
    if (!usual_)
        return;
    const Usual usual = *std::exchange(usual_, std::nullopt);
    mouse_timer_.stop();
    cursor_.hide(false);
    for (auto* shortcut : shortcuts_)
        shortcut->setEnabled(false);
    page_.setFont(QFont());
    window_.menuBar()->show();
    window_.statusBar()->show();
    window_.setMinimumSize(usual.minimum);
    if (window_.isFullScreen() && !usual.state.testFlag(Qt::WindowFullScreen))
        window_.setWindowState(usual.state);
    if (!usual.state.testFlag(Qt::WindowFullScreen))
        window_.restoreGeometry(usual.geometry);
    emit changed(false);
}

QByteArray Presentation::usualGeometry() const { return usual_ ? usual_->geometry : window_.saveGeometry(); }

QFont Presentation::presentationFont(int screen_height, const QFont& usual, double zoom) {
    QFont large; // sets only the size: the family continues to follow the language
    const double factor = typeFactor(screen_height, usual, zoom);
    if (usual.pointSizeF() > 0)
        large.setPointSizeF(usual.pointSizeF() * factor);
    else
        large.setPixelSize(static_cast<int>(usual.pixelSize() * factor));
    return large;
}

void Presentation::enlarge() {
    page_.setFont(
        presentationFont(window_.screen()->size().height(), QApplication::font(), std::pow(zoom_step, zoom_steps_)));
}

void Presentation::zoom(int steps) {
    if (!usual_)
        return;
    zoom_steps_ = std::clamp(zoom_steps_ + steps, smallest_zoom, largest_zoom);
    enlarge();
    emit changed(true);
}

void Presentation::zoomToUsual() { zoom(-zoom_steps_); }

void Presentation::checkMouseIdle() {
    const QPoint here = QCursor::pos();
    mouse_idle_milliseconds_ = here == mouse_ ? mouse_idle_milliseconds_ + screen_look_milliseconds : 0;
    mouse_ = here;
    cursor_.hide(mouse_idle_milliseconds_ >= cursor_hide_delay_milliseconds && !QApplication::activePopupWidget() &&
                 !QApplication::activeModalWidget());
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
    // Left by the window manager, or F11.
    if (watched == &window_ && event->type() == QEvent::WindowStateChange && usual_ && !entering_ &&
        !window_.isFullScreen() && !window_.isMinimized())
        leave();
    return QObject::eventFilter(watched, event);
}

namespace {

constexpr int frame_milliseconds = 16;
constexpr qint64 trail_milliseconds = 260;
/// Red on every background, in both themes, like real pointers.
const QColor beam(255, 32, 32);

} // namespace

LaserPointer::LaserPointer(QWidget& area) : QWidget(&area), area_(area) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
    area_.installEventFilter(this);
    timer_.setInterval(frame_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &LaserPointer::follow);
}

void LaserPointer::setOn(bool on) {
    if (on == isOn())
        return;
    trail_.clear();
    position_.reset();
    cell_ = {};
    if (!on) {
        timer_.stop();
        cursor_.hide(false);
        hide();
        return;
    }
    clock_.start();
    setGeometry(area_.rect());
    raise();
    show();
    timer_.start();
    follow();
}

void LaserPointer::follow() {
    const QPointF here = area_.mapFromGlobal(QCursor::pos());
    // A menu or a dialog above needs the mouse cursor.
    const bool above = QApplication::activePopupWidget() || QApplication::activeModalWidget();
    const bool inside = area_.isVisible() && area_.rect().contains(here.toPoint()) && !above;
    const auto before = position_;
    position_ = inside ? std::optional(here) : std::nullopt;
    cursor_.hide(inside);
    const qint64 now = clock_.elapsed();
    if (position_ && position_ != before)
        trail_.push_back({here, now});
    const auto count = trail_.size();
    while (!trail_.empty() && (!inside || now - trail_.front().time > trail_milliseconds))
        trail_.pop_front();
    const QRectF cell = position_ ? cellBelow(*position_) : QRectF();
    if (position_ != before || cell != cell_ || !trail_.empty() || count != trail_.size()) {
        cell_ = cell;
        raise();
        update();
    }
}

QRectF LaserPointer::cellBelow(const QPointF& position) const {
    for (QWidget* below = area_.childAt(position.toPoint()); below && below != &area_; below = below->parentWidget()) {
        const auto* heatmap = qobject_cast<const HeatmapView*>(below);
        if (!heatmap)
            continue;
        const auto cell = heatmap->cellAt(heatmap->mapFrom(&area_, position));
        return cell ? heatmap->cellRect(*cell).translated(heatmap->mapTo(&area_, QPointF())) : QRectF();
    }
    return {};
}

bool LaserPointer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(area_.rect());
    if (event->type() == QEvent::Hide)
        cursor_.hide(false);
    return QWidget::eventFilter(watched, event);
}

void LaserPointer::paintEvent(QPaintEvent*) {
    if (!position_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!cell_.isEmpty()) {
        painter.setPen(QPen(beam, 3.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell_);
    }
    const double radius = std::max(5.0, fontMetrics().height() * 0.36);
    painter.setPen(Qt::NoPen);
    const qint64 now = clock_.elapsed();
    for (const auto& spot : trail_) {
        const double age = static_cast<double>(now - spot.time) / static_cast<double>(trail_milliseconds);
        QColor fading = beam;
        fading.setAlphaF(static_cast<float>(0.35 * std::clamp(1.0 - age, 0.0, 1.0)));
        painter.setBrush(fading);
        painter.drawEllipse(spot.position, radius * (1.0 - 0.5 * age), radius * (1.0 - 0.5 * age));
    }
    QRadialGradient glow(*position_, radius * 2.2);
    QColor halo = beam;
    halo.setAlphaF(0.45F);
    glow.setColorAt(0.0, halo);
    halo.setAlphaF(0.0F);
    glow.setColorAt(1.0, halo);
    painter.setBrush(glow);
    painter.drawEllipse(*position_, radius * 2.2, radius * 2.2);
    painter.setBrush(beam);
    painter.drawEllipse(*position_, radius, radius);
}

namespace {

/// Keys that do nothing alone.
bool isModifier(int key) {
    constexpr Qt::Key modifiers[] = {Qt::Key_Shift, Qt::Key_Control,  Qt::Key_Alt,
                                     Qt::Key_Meta,  Qt::Key_CapsLock, Qt::Key_AltGr};
    return std::ranges::find(modifiers, key) != std::end(modifiers);
}

} // namespace

BlankScreen::BlankScreen(QWidget& area) : QWidget(&area), area_(area) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::BlankCursor);
    setAccessibleRole(*this, QAccessible::Graphic);
    setAccessibleName(tr("The screen is black. Any key shows it again."));
    declareShortcuts(*this, {tr("Black screen"), {{tr("Any key"), tr("Show the slide again")}}});
    hide();
    area_.installEventFilter(this);
}

void BlankScreen::setOn(bool on) {
    if (on == isOn())
        return;
    if (!on) {
        const bool had_focus = hasFocus();
        hide();
        if (had_focus && focus_)
            focus_->setFocus();
        return;
    }
    focus_ = area_.window()->focusWidget();
    setGeometry(area_.rect());
    raise();
    show();
    setFocus();
}

bool BlankScreen::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(area_.rect());
    return QWidget::eventFilter(watched, event);
}

bool BlankScreen::event(QEvent* event) {
    // Otherwise a key would be the shortcut of a command, and turn the slide that nobody sees.
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress) { // Tab, too
        keyPressEvent(static_cast<QKeyEvent*>(event));
        return true;
    }
    return QWidget::event(event);
}

void BlankScreen::keyPressEvent(QKeyEvent* event) {
    event->accept();
    if (!isModifier(event->key()) && !event->isAutoRepeat())
        setOn(false);
}

void BlankScreen::mousePressEvent(QMouseEvent*) { setOn(false); }

void BlankScreen::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), Qt::black); }

} // namespace attnlab::ui
