// Messages over the page instead of above it, so that the content below does not move.
#pragma once

#include <QWidget>

namespace attnlab::ui {

class MessageBar;

/// Overlays message bars on the lower edge of a widget. Hidden without a message.
class Banners : public QWidget {
    Q_OBJECT
public:
    /// The bars from top to bottom; `area` must outlive this, which becomes its child.
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
