// A board of cards as one drawing, for exports and handouts.
#pragma once

#include "ui/lab/card_content.h"
#include "ui/plot/line_chart_drawing.h"
#include "ui/view_state.h"

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
    std::optional<ColorScale> scale; ///< of all cards; none: each has its own
    QString scale_name;
    std::vector<Card> cards;
    std::optional<LineChartDrawing> curve;
    QString curve_title;

    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    /// Where the parts of all cards lie, by columns and rows of cards.
    struct Heights {
        double title = 0.0, words = 0.0, matrix = 0.0;
        std::vector<double> above, below; ///< of each part
        double sum() const;
    };
    struct Layout {
        int columns = 1;
        double card_width = 0.0;
        double top = 0.0; ///< caption and legend
        std::vector<Heights> rows;
        double curve = 0.0;
        double sum() const;
    };
    Layout layout(const QFont& font, double width, double height) const;
    Heights heightsOf(const Card& card, const QFont& font, double width) const;
    void paintCard(QPainter& painter, const Card& card, const QRectF& area, const Heights& heights,
                   const DrawingStyle& style) const;
};

} // namespace attnlab::ui
