// Computes the layout of the cards of a board and of their parts: the same in the window and on paper.
#pragma once

#include "ui/learn/lab/card_content.h"

#include <QRectF>

#include <functional>
#include <limits>
#include <optional>
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

/// The minimum heights of a card of width `width`; the header's is computed by its owner.
CardHeights heightsOf(const CardContent& content, double header, const QFont& font, double width);

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
    BoardLayout(std::size_t cards, double width, const QFont& font, const HeightsOf& heights_of,
                int most_columns = std::numeric_limits<int>::max());

    int columns() const { return columns_; }
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

} // namespace attnlab::ui
