#include "ui/learn/presentation.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QMenuBar>
#include <QScreen>
#include <QShortcut>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace attnlab::ui {
namespace {

constexpr int screen_look_milliseconds = 100;
constexpr int screen_patience_milliseconds = 2500;

/// Readable from the last row.
double typeFactor(int screen_height, const QFont& font) {
    constexpr double lines_on_screen = 42.0;
    return std::clamp(screen_height / lines_on_screen / QFontMetricsF(font).height(), 1.25, 2.2);
}

} // namespace

Presentation::Presentation(QMainWindow& window, QWidget& page)
    : QObject(&window), window_(window), page_(page), escape_(new QShortcut(QKeySequence(Qt::Key_Escape), &page)) {
    escape_->setEnabled(false);
    connect(escape_, &QShortcut::activated, this, &Presentation::leave);
    window_.installEventFilter(this);
    mouse_timer_.setInterval(screen_look_milliseconds);
    connect(&mouse_timer_, &QTimer::timeout, this, &Presentation::watchMouse);
}

Presentation::~Presentation() { hideArrow(false); }

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
    escape_->setEnabled(true);
    mouse_ = QCursor::pos();
    rested_ = 0;
    mouse_timer_.start();
    emit changed(true);
}

void Presentation::leave() {
    if (!usual_)
        return;
    const Usual usual = *std::exchange(usual_, std::nullopt);
    mouse_timer_.stop();
    hideArrow(false);
    escape_->setEnabled(false);
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

QFont Presentation::lettersFor(int screen_height, const QFont& usual) {
    QFont large; // sets only the size: the family continues to follow the language
    const double factor = typeFactor(screen_height, usual);
    if (usual.pointSizeF() > 0)
        large.setPointSizeF(usual.pointSizeF() * factor);
    else
        large.setPixelSize(static_cast<int>(usual.pixelSize() * factor));
    return large;
}

void Presentation::enlarge() { page_.setFont(lettersFor(window_.screen()->size().height(), QApplication::font())); }

void Presentation::watchMouse() {
    const QPoint here = QCursor::pos();
    rested_ = here == mouse_ ? rested_ + screen_look_milliseconds : 0;
    mouse_ = here;
    hideArrow(rested_ >= screen_patience_milliseconds && !QApplication::activePopupWidget() &&
              !QApplication::activeModalWidget());
}

void Presentation::hideArrow(bool hide) {
    if (hide == arrow_hidden_)
        return;
    arrow_hidden_ = hide;
    if (hide)
        QGuiApplication::setOverrideCursor(Qt::BlankCursor);
    else
        QGuiApplication::restoreOverrideCursor();
}

bool Presentation::eventFilter(QObject* watched, QEvent* event) {
    // Left by the window manager, or F11.
    if (watched == &window_ && event->type() == QEvent::WindowStateChange && usual_ && !entering_ &&
        !window_.isFullScreen() && !window_.isMinimized())
        leave();
    return QObject::eventFilter(watched, event);
}

} // namespace attnlab::ui
