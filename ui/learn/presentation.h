// A page for the lecture room: full screen, without menus and status bar, in larger type.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QPoint>
#include <QTimer>

class QMainWindow;
class QShortcut;
class QWidget;

namespace attnlab::ui {

class Presentation : public QObject {
    Q_OBJECT
public:
    /// `page` is a part of `window`; its type grows, and that of everything in it.
    Presentation(QMainWindow& window, QWidget& page);
    ~Presentation() override;

    /// On the screen where the window is.
    void enter();
    /// The window is as it was.
    void leave();
    bool isOn() const { return on_; }
    /// The geometry of the window when it is not presenting, as QWidget::saveGeometry() gives it.
    QByteArray usualGeometry() const;
    /// The mouse has rested for a while: its arrow is hidden.
    bool isArrowHidden() const { return arrow_hidden_; }

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void enlarge();
    void watchMouse();
    void hideArrow(bool hide);

    QMainWindow& window_;
    QWidget& page_;
    QShortcut* escape_;
    bool on_ = false;
    bool entering_ = false;
    Qt::WindowStates usual_state_;
    QByteArray usual_geometry_;
    QSize usual_minimum_;
    QTimer mouse_timer_;
    QPoint mouse_;
    int rested_ = 0; ///< milliseconds
    bool arrow_hidden_ = false;
};

} // namespace attnlab::ui
