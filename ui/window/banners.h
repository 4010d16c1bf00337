// Messages over the status bar, so that nothing moves and nothing is covered that can be clicked.
#pragma once

#include <QWidget>

namespace attnlab::ui {

class MessageBar;

/// Overlays message bars on the lower left of a window, over its status bar. One of several lines grows upwards.
/// Hidden without a message.
class Banners : public QWidget {
    Q_OBJECT
public:
    /// The bars from top to bottom; `area`, the window, must outlive this, which becomes its child.
    Banners(std::initializer_list<MessageBar*> bars, QWidget& area);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget& area_;
    QList<MessageBar*> bars_;
};

} // namespace attnlab::ui
