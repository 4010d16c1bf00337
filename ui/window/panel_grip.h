// The slim handle above a panel: drag to move the panel, double click to float it, right click for both and closing.
// Above a floating panel it is a stop of the Tab key, and arrow keys do what dragging does.
#pragma once

#include <QWidget>

class QDockWidget;

namespace attnlab::ui {

/// A title bar for a dock whose panel has its own heading.
class PanelGrip : public QWidget {
    Q_OBJECT
public:
    explicit PanelGrip(QDockWidget& dock);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void openMenu(const QPoint& at);

    QDockWidget& dock_;
};

} // namespace attnlab::ui
