// Room that scrolls what does not fit it.
#pragma once

#include <QScrollArea>

namespace attnlab::ui {

/// A scroll area whose bars follow from its own size and from what the content needs, and never from which bars there
/// are: words that wrap otherwise beside a bar could take it away again, and then bring it back, without end. The
/// content fills the room and is never laid out in less than its minimum.
class ScrollRoom : public QScrollArea {
    Q_OBJECT
public:
    /// Down: the content gets the width that there is, less that of the bar, which is kept free where there is none.
    /// Both: it gets its least width at least, and bars come as they are needed.
    enum class Scrolls { Down, Both };

    ScrollRoom(QWidget* content, Scrolls scrolls, QWidget* parent = nullptr);

    /// Lays the content out now; it does so by itself in the next turn after the content asked for other room.
    void fit();

    /// Of the content: what a layout gives to a room whose size policy has height for width, up to maximumHeight().
    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QSize roomWith(bool bar_below, bool bar_beside) const;

    Scrolls scrolls_;
};

} // namespace attnlab::ui
