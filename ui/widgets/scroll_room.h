// A scroll area whose bars do not oscillate.
#pragma once

#include <QScrollArea>

namespace attnlab::ui {

/// A scroll area whose bars depend only on its own size and the content's, never on which bars are visible: text that
/// wraps differently beside a bar could otherwise hide and show it without end. The content fills the area and is never
/// smaller than its minimum.
class ScrollRoom : public QScrollArea {
    Q_OBJECT
public:
    /// Down: the content gets the available width without that of the bar, which is always reserved. Both: it gets at
    /// least its minimum width, and bars appear as needed.
    enum class Scrolls { Down, Both };

    ScrollRoom(QWidget* content, Scrolls scrolls, QWidget* parent = nullptr);

    /// Lays out the content now; otherwise this happens in the event loop after the content's size hint has changed.
    void fit();

    /// Of the content: layouts use it with a size policy of height for width, up to maximumHeight().
    int heightForWidth(int width) const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    QSize roomWith(bool bar_below, bool bar_beside) const;

    Scrolls scrolls_;
    int least_width_ = 0; ///< as last told
};

} // namespace attnlab::ui
