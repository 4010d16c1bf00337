// A card with text that is a button.
#pragma once

#include <QPushButton>

class QBoxLayout;
class QLabel;

namespace attnlab::ui {

/// Uses the available width, and the height that the text in its layout requires.
class CardButton : public QPushButton {
    Q_OBJECT
public:
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    /// `content` is its layout.
    CardButton(QBoxLayout* content, QWidget* parent);
    /// Adds wrapping text in a colour of the palette.
    QLabel* addWords(QBoxLayout& to, QPalette::ColorRole color);
    /// `strong` with focus or a mark.
    void paintFrame(const QColor& edge, bool strong, bool filled);
};

} // namespace attnlab::ui
