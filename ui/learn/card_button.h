// A card with words that is a button.
#pragma once

#include <QPushButton>

class QBoxLayout;
class QLabel;

namespace attnlab::ui {

/// As wide as there is room, as high as the words in its layout need.
class CardButton : public QPushButton {
    Q_OBJECT
public:
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    /// `content` is its layout.
    CardButton(QBoxLayout* content, QWidget* parent);
    /// Words that wrap, in a colour of the palette.
    QLabel* addWords(QBoxLayout& to, QPalette::ColorRole color);
    /// `strong` where it says something of itself: it has the keyboard, or a mark.
    void paintFrame(const QColor& edge, bool strong, bool filled);
};

} // namespace attnlab::ui
