// A button as large as a card, which paints its own words.
#pragma once

#include <QPushButton>

namespace attnlab::ui {

/// As wide as there is room, as high as its words need.
class CardButton : public QPushButton {
    Q_OBJECT
public:
    explicit CardButton(QWidget* parent = nullptr);

    bool hasHeightForWidth() const override { return true; }

protected:
    /// `strong` where it says something of itself: it has the keyboard, or a mark.
    void paintFrame(QPainter& painter, const QColor& edge, bool strong, bool filled) const;
    void changeEvent(QEvent* event) override;
};

} // namespace attnlab::ui
