// The Tab key through a window with panels, and keys that move its dividers.
#pragma once

#include <QList>
#include <QMainWindow>
#include <QObject>
#include <QPointer>
#include <vector>

class QMainWindow;
class QWidget;

namespace attnlab::ui {

/// Tool bars, panels on the left, the centre, panels below it and on the right, and the status bar, wherever the user
/// has moved them and whenever their widgets were made; within each, the order of Qt.
QList<QWidget*> tabStops(const QMainWindow& window);

/// The stop after or before `from`, which may be no stop; null if there is none.
QWidget* tabStopFrom(const QMainWindow& window, const QWidget* from, bool next);

} // namespace attnlab::ui

// The dividers of a window for the keyboard: those beside and between its panels, which Qt moves by the mouse alone,
// and those inside its pages.

class QDockWidget;

namespace attnlab::ui {

class PanelDivider;

class PanelDividers : public QObject {
    Q_OBJECT
public:
    explicit PanelDividers(QMainWindow& window);

    /// Gives the focus to the next divider in sight, after the last one to the first. False where there is none.
    bool focusNext();

private:
    struct Edge {
        QDockWidget* dock;
        Qt::Orientation moves;
    };
    std::vector<Edge> edges() const;
    void giveBack();

    QMainWindow& window_;
    QPointer<QWidget> before_;     ///< had the focus before the first divider
    QPointer<PanelDivider> shown_; ///< of a panel
};

/// Lies over the divider of a panel while it has the focus.
class PanelDivider : public QWidget {
    Q_OBJECT
public:
    /// The divider that changes the panel's width (Horizontal) or height.
    PanelDivider(QMainWindow& window, QDockWidget& dock, Qt::Orientation moves);

    const QDockWidget& dock() const { return dock_; }
    Qt::Orientation moves() const { return moves_; }
    /// Whether the panel lies after the divider: at the right or the bottom.
    bool isBefore() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int place() const;
    void moveTo(int place);
    QDockWidget* neighbour() const;
    void settle();
    void remove();

    QMainWindow& window_;
    QDockWidget& dock_;
    Qt::Orientation moves_;
};

} // namespace attnlab::ui
