// A popup with controls, such as the options of a button.
#pragma once

#include <QFrame>

namespace attnlab::ui {

/// Closes on a click outside and on Escape.
class Popup : public QFrame {
    Q_OBJECT
public:
    explicit Popup(QWidget* parent);

    /// Opens below `anchor`, a rectangle in global coordinates, or above it where the screen ends; focuses the first
    /// control.
    void openAt(const QRect& anchor);
    void openBelow(const QWidget& anchor);
};

} // namespace attnlab::ui
