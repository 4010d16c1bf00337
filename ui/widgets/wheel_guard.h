// The wheel scrolls, and changes only what has the focus.
#pragma once

#include <QObject>

namespace attnlab::ui {

/// A filter for the whole program. Number fields, pickers, tabs and sliders take the wheel while they have the focus;
/// elsewhere it goes on to what scrolls below them, so that scrolling over a panel changes no setting.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    /// Once for the application.
    static void install();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
};

} // namespace attnlab::ui
