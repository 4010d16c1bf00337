// The buttons of the row below the menu.
#pragma once

#include "ui/widgets/control.h"

#include <QPushButton>

namespace attnlab::ui {

/// A button as Style paints it, in which a subclass can place text of its own.
class RowButton : public QPushButton {
    Q_OBJECT
public:
    enum class Style { Normal, Accent };
    explicit RowButton(QWidget* parent = nullptr, Style style = Style::Normal);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    ControlLook look() const;
    void paintFrame(QPainter& painter) const;
    void paintArrow(QPainter& painter) const;
    /// Of text and arrow.
    QColor textColor() const;
    QRect contentRect() const;
    int arrowWidth() const;

private:
    Style style_;
};

} // namespace attnlab::ui
