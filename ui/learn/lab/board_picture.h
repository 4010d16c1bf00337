// A board of cards as one drawing, for exports and handouts.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/lab/board_layout.h"

namespace attnlab::ui {

class BoardPicture : public Drawing {
public:
    struct Card {
        CardContent content;
        QString words; ///< Markdown
        bool colored = false;
        std::optional<Cell> pinned;
        std::vector<Cell> highlighted;
    };
    QString caption;
    std::optional<ColorScale> scale; ///< of all cards; nullopt: each has its own
    QString scale_name;
    std::vector<Card> cards;
    std::optional<LineChartDrawing> curve;
    QString curve_title;
    bool on_paper = false; ///< few columns and high matrices: nobody can zoom there

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    BoardLayout layout(const QFont& font, double width) const;
    double captionHeight(const QFont& font) const;
    double curveHeight(const QFont& font) const;
    void paintCard(QPainter& painter, const Card& card, const QRectF& area, const CardHeights& heights,
                   const DrawingStyle& style) const;
};

} // namespace attnlab::ui
