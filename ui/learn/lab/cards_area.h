// The cards of a board side by side, in as many rows as needed; scrolls if they need more room.
#pragma once

#include "ui/document/view_state.h"
#include "ui/learn/lab/card_view.h"

#include <QScrollArea>

#include <vector>

namespace attnlab::ui {

/// All cards share one crosshair, one pan and zoom, and one pin, which is the model's.
class CardsArea : public QScrollArea {
    Q_OBJECT
public:
    explicit CardsArea(QWidget* parent = nullptr);

    /// One card for each content; existing cards keep their zoom. For `colored` see CardView.
    void setContents(std::vector<CardContent> contents, bool colored, bool color_bars);
    const std::vector<CardView*>& cards() const { return cards_; }
    /// With smaller letters rather than a scroll bar.
    void setFitting(bool on);
    bool scrolls() const;
    void setMarks(std::optional<Cell> pinned, const std::vector<Cell>& highlighted);

    /// The height at which matrices fill the width of their cards.
    int preferredHeight(int width) const;
    QSize minimumSizeHint() const override;

signals:
    void cellClicked(attnlab::ui::Cell cell);
    void rowClicked(int row);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    CardView* makeCard();
    void hover(std::optional<Cell> cell);
    void layOutLater();
    void layOut();
    void fitLetters(const QSize& room);
    BoardLayout layoutFor(int width) const;

    QWidget* inside_;
    std::vector<CardView*> cards_;
    bool waiting_ = false;
    bool fitting_ = false;
    double letters_ = 1.0; ///< share of the usual size
};

} // namespace attnlab::ui
