// Presentation mode: a page in full screen with larger fonts, a laser pointer, and a black screen.
#pragma once

#include <deque>
#include <optional>
#include <QByteArray>
#include <QElapsedTimer>
#include <QFont>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QPointF>
#include <QSize>
#include <QTimer>
#include <QWidget>
#include <vector>

class QMainWindow;
class QShortcut;
class QWidget;

namespace attnlab::ui {

/// Hides the mouse cursor everywhere in the program.
class CursorHider {
public:
    CursorHider() = default;
    ~CursorHider() { hide(false); }
    CursorHider(const CursorHider&) = delete;
    CursorHider& operator=(const CursorHider&) = delete;

    void hide(bool hidden);

private:
    bool is_hidden_ = false;
};

class Presentation : public QObject {
    Q_OBJECT
public:
    /// `page` is a part of `window`; its fonts are enlarged, including those of its children.
    Presentation(QMainWindow& window, QWidget& page);

    /// On the screen that contains the window.
    void enter();
    /// Restores the window.
    void leave();
    bool isOn() const { return usual_.has_value(); }
    /// The window outside the presentation.
    struct Usual {
        Qt::WindowStates state;
        QByteArray geometry;
        QSize minimum;
    };
    const std::optional<Usual>& usual() const { return usual_; }
    /// Continues the presentation of another object, in the same window.
    void resume(const Usual& usual);
    /// The letters for a screen of this height: a share of it, never smaller than usual. Labels in drawings, which are
    /// smaller, have at least 20 pixels on a screen 720 pixels high.
    static QFont presentationFont(int screen_height, const QFont& usual, double zoom = 1.0);
    /// Ctrl++ and Ctrl+- change the letters by `steps`; Ctrl+0 restores them.
    void zoom(int steps);
    void zoomToUsual();
    /// The geometry of the window outside presentations, as from QWidget::saveGeometry().
    QByteArray usualGeometry() const;

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void enlarge();
    void checkMouseIdle();

    QMainWindow& window_;
    QWidget& page_;
    std::vector<QShortcut*> shortcuts_; ///< enabled while it is on
    int zoom_steps_ = 0;
    std::optional<Usual> usual_; ///< while it is on
    bool entering_ = false;
    QTimer mouse_timer_;
    QPoint mouse_;
    int mouse_idle_milliseconds_ = 0; ///< milliseconds
    CursorHider cursor_;
};

/// A red dot that follows the mouse, for a projected presentation.
/// Covers a whole window, transparent for events. Marks the heatmap cell below it.
class LaserPointer : public QWidget {
    Q_OBJECT
public:
    /// Visible over `area`, a part of a window, while the mouse is in it.
    explicit LaserPointer(QWidget& area);

    void setOn(bool on);
    bool isOn() const { return timer_.isActive(); }
    /// Its position in the area; nullopt while the mouse is elsewhere.
    std::optional<QPointF> position() const { return position_; }
    /// The marked cell, in the area; empty if there is none.
    QRectF markedCell() const { return cell_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Spot {
        QPointF position;
        qint64 time;
    };
    void follow();
    QRectF cellBelow(const QPointF& position) const;

    QWidget& area_;
    QTimer timer_;
    QElapsedTimer clock_;
    std::optional<QPointF> position_;
    std::deque<Spot> trail_;
    QRectF cell_;
    CursorHider cursor_;
};

/// Black over a whole window, so that an audience looks at the speaker. Any key or click takes it away, and does
/// nothing else.
class BlankScreen : public QWidget {
    Q_OBJECT
public:
    explicit BlankScreen(QWidget& area);

    void setOn(bool on);
    bool isOn() const { return !isHidden(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& area_;
    QPointer<QWidget> focus_; ///< before
};

} // namespace attnlab::ui
