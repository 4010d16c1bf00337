// The dividers of a window for the keyboard: those beside and between its panels, which Qt moves by the mouse alone,
// and those inside its pages.
#pragma once

#include <QMainWindow>
#include <QObject>
#include <QPointer>

#include <vector>

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
