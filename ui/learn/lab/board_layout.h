// Where the cards of a board lie and what is in them: the same in the window and on paper.
#pragma once

#include "ui/learn/lab/card_content.h"

#include <QRectF>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace attnlab::ui {

inline constexpr double card_margin = 9.0; ///< between the frame of a card and what is in it
inline constexpr double card_gap = 5.0;    ///< below each part of a card
inline constexpr double board_gap = 8.0;   ///< between cards

/// What a card holds from top to bottom, each with the gap below it.
struct CardHeights {
    double header = 0.0; ///< title, controls and words
    std::vector<double> above;
    double matrix = 0.0;
    std::vector<double> below;

    /// The larger of each.
    void include(const CardHeights& other);
    /// Of the whole card, margins included.
    double sum() const;
};

/// The least heights of a card that is `width` wide; the header is its owner's.
CardHeights heightsOf(const CardContent& content, double header, const QFont& font, double width);

/// The parts of a card in its own frame. There are as many above and below as there are heights, which is as many as
/// the card of the row with the most parts has.
struct CardPlaces {
    QRectF header;
    std::vector<QRectF> above;
    QRectF matrix;
    std::vector<QRectF> below;
};
CardPlaces placesIn(const QRectF& card, const CardHeights& heights);

/// Before the header of a card whose setting has a colour.
double dotWidth(const QFont& font);
/// The frame of a card; the dot in a colour of seriesColor(), if any, has its centre in the line at `middle`.
void paintCardFrame(QPainter& painter, const QRectF& card, std::optional<int> color, double middle,
                    const DrawingStyle& style);

/// Cards side by side in as few rows as they fit, from (0, 0). The parts of all cards of a row are at one height.
class BoardLayout {
public:
    using HeightsOf = std::function<CardHeights(std::size_t card, double width)>;

    BoardLayout() = default;
    BoardLayout(std::size_t cards, double width, const QFont& font, const HeightsOf& heights_of);

    int columns() const { return columns_; }
    double height() const;
    /// Shares what is left of `height` among the matrices, each of which becomes at most `most` high.
    void grow(double height, double most = std::numeric_limits<double>::infinity());
    double cardWidth() const { return card_width_; }
    QRectF card(std::size_t index) const;
    const CardHeights& heights(std::size_t index) const { return rows_[index / static_cast<std::size_t>(columns_)]; }

    /// The width that one card needs.
    static double narrowest(const QFont& font);

private:
    int columns_ = 1;
    double card_width_ = 1.0;
    std::vector<CardHeights> rows_;
};

} // namespace attnlab::ui
