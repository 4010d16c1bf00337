// The layout of a board's cards, the same in the window and on paper, and the board as one drawing.
#pragma once

#include "ui/document/view_state.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/drawing.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/cards/card_content.h"

#include <functional>
#include <limits>
#include <optional>
#include <QRectF>
#include <QWidget>
#include <vector>

namespace attnlab::ui {

inline constexpr double card_margin = 9.0; ///< between the frame of a card and its content
inline constexpr double card_gap = 5.0;    ///< below each part of a card
inline constexpr double board_gap = 8.0;   ///< between cards

/// The heights of a card's parts from top to bottom, each with the gap below it.
struct CardHeights {
    double header = 0.0; ///< title, controls and text
    std::vector<double> above;
    double matrix = 0.0;
    std::vector<double> below;

    /// Takes the maximum of each.
    void include(const CardHeights& other);
    /// Of the whole card, including margins.
    double sum() const;
};

/// The minimum heights of a card of width `width`; the header's is computed by its owner. `scarcity`, from 0 to 1: how
/// far parts are reduced to their least height.
CardHeights heightsOf(const CardContent& content, double header, const QFont& font, double width,
                      double scarcity = 0.0);

/// The parts of a card in its own frame. The numbers of parts above and below are the largest of any card in its row.
struct CardPlaces {
    QRectF header;
    std::vector<QRectF> above;
    QRectF matrix;
    std::vector<QRectF> below;
};
CardPlaces placesIn(const QRectF& card, const CardHeights& heights);

/// Width of the dot before the header of a card whose setting has a colour.
double dotWidth(const QFont& font);
/// Paints the frame of a card; the dot in a colour of seriesColor(), if any, is centred on the line at `middle`.
void paintCardFrame(QPainter& painter, const QRectF& card, std::optional<int> color, double middle,
                    const DrawingStyle& style);

/// Places cards side by side in as few rows as possible, from (0, 0). The parts of all cards of a row are aligned.
class BoardLayout {
public:
    using HeightsOf = std::function<CardHeights(std::size_t card, double width)>;

    BoardLayout() = default;
    /// `least_width`: of a card; 0: narrowest().
    BoardLayout(std::size_t cards, double width, const QFont& font, const HeightsOf& heights_of,
                int most_columns = std::numeric_limits<int>::max(), double least_width = 0.0);

    int columns() const { return columns_; }
    std::size_t rowCount() const { return rows_.size(); }
    double height() const;
    /// Distributes the rest of `height` among the matrices, up to a height of `most` each.
    void grow(double height, double most = std::numeric_limits<double>::infinity());
    double cardWidth() const { return card_width_; }
    QRectF card(std::size_t index) const;
    const CardHeights& heights(std::size_t index) const { return rows_[index / static_cast<std::size_t>(columns_)]; }

    /// The minimum width of a card.
    static double narrowest(const QFont& font);

private:
    int columns_ = 1;
    double card_width_ = 1.0;
    std::vector<CardHeights> rows_;
};

/// A board of cards as one drawing, for exports and handouts.
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
    bool for_print = false; ///< for a page, where nobody can zoom: as roomy as the height allows

    /// On paper, the height at which cells are as large as is pleasant to read; smallest() is that of a dense board.
    double roomyHeight(const QFont& font, double width) const;
    QSizeF smallest(const QFont& font, double width) const override;
    void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const override;
    QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const override;

private:
    enum class Density { Roomy, Dense }; ///< on paper
    BoardLayout layout(const QFont& font, double width, Density density) const;
    double heightOf(const BoardLayout& layout, const QFont& font) const;
    bool hasBar(const Card& card) const;
    double cellWidth(const Card& card, const QFont& font, double card_width) const;
    int columnsOnPaper(const QFont& font, double width, Density density) const;
    double matrixHeight(const Card& card, const QFont& font, double card_width, Density density) const;
    double captionHeight(const QFont& font) const;
    double curveHeight(const QFont& font) const;
    void paintCard(QPainter& painter, const Card& card, const QRectF& area, const CardHeights& heights,
                   const DrawingStyle& style) const;
};

// The common colour scale of all cards as a thin bar.

/// "weights 0 [colours] 0.93", at the right end of `area`.
void paintColorLegend(QPainter& painter, const QRectF& area, const ColorScale& scale, const QString& name,
                      const DrawingStyle& style);

class ColorLegend : public QWidget {
    Q_OBJECT
public:
    explicit ColorLegend(QWidget* parent = nullptr);

    /// nullopt: there is no common scale.
    void setScale(std::optional<ColorScale> scale, const QString& name);
    const std::optional<ColorScale>& scale() const { return scale_; }
    const QString& name() const { return name_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSize sizeWith(double lines) const;

    std::optional<ColorScale> scale_;
    QString name_;
};

} // namespace attnlab::ui
