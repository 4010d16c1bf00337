#include "ui/learn/lab/board_layout.h"

#include "ui/drawing/line_chart_drawing.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr double narrowest_lines = 12.0;   ///< minimum width of a card in text lines
constexpr double least_matrix_lines = 7.5; ///< minimum height of a matrix in text lines
constexpr double dot_lines = 0.55;

double sumOf(const std::vector<double>& heights) { return std::accumulate(heights.begin(), heights.end(), 0.0); }

void takeLarger(std::vector<double>& own, const std::vector<double>& others) {
    own.resize(std::max(own.size(), others.size()));
    for (std::size_t k = 0; k < others.size(); ++k)
        own[k] = std::max(own[k], others[k]);
}

} // namespace

void CardHeights::include(const CardHeights& other) {
    header = std::max(header, other.header);
    takeLarger(above, other.above);
    matrix = std::max(matrix, other.matrix);
    takeLarger(below, other.below);
}

double CardHeights::sum() const { return header + sumOf(above) + matrix + sumOf(below) + 2 * card_margin; }

CardHeights heightsOf(const CardContent& content, double header, const QFont& font, double width) {
    const auto each = [&](const std::vector<PartPtr>& parts) {
        std::vector<double> heights;
        for (const auto& part : parts)
            heights.push_back(std::ceil(part->smallest(font, width - 2 * card_margin).height()) + card_gap);
        return heights;
    };
    const double least = least_matrix_lines * QFontMetricsF(font).height();
    const double matrix = content.matrix ? std::max(least, leastMatrixHeight(*content.matrix, font)) : least;
    return {std::ceil(header), each(content.above), std::floor(matrix), each(content.below)};
}

CardPlaces placesIn(const QRectF& card, const CardHeights& heights) {
    const QRectF inside = card.adjusted(card_margin, card_margin, -card_margin, -card_margin);
    double y = inside.top();
    const auto take = [&](double height) {
        const QRectF place(inside.left(), y, inside.width(), std::max(1.0, height - card_gap));
        y += height;
        return place;
    };
    const auto each = [&](const std::vector<double>& parts) {
        std::vector<QRectF> places;
        for (const double height : parts)
            places.push_back(take(height));
        return places;
    };
    CardPlaces places;
    places.header = take(heights.header);
    places.above = each(heights.above);
    places.matrix = take(heights.matrix);
    places.below = each(heights.below);
    return places;
}

double dotWidth(const QFont& font) { return std::floor(0.9 * QFontMetricsF(font).height()); }

void paintCardFrame(QPainter& painter, const QRectF& card, std::optional<int> color, double middle,
                    const DrawingStyle& style) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(style.look.border);
    painter.setBrush(style.look.card);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (color) {
        const double size = dot_lines * QFontMetricsF(style.font).height();
        painter.setPen(Qt::NoPen);
        painter.setBrush(seriesColor(*color, style.look));
        painter.drawEllipse(QRectF(card.left() + card_margin, middle - size / 2, size, size));
    }
    painter.restore();
}

BoardLayout::BoardLayout(std::size_t cards, double width, const QFont& font, const HeightsOf& heights_of,
                         int most_columns) {
    const int count = std::max(1, static_cast<int>(cards));
    const int most = std::clamp(static_cast<int>((width + board_gap) / (narrowest(font) + board_gap)), 1,
                                std::clamp(most_columns, 1, count));
    const int rows = (count + most - 1) / most;
    columns_ = (count + rows - 1) / rows;
    card_width_ = std::max(1.0, std::floor((width - (columns_ - 1) * board_gap) / columns_));
    rows_.resize(static_cast<std::size_t>(rows));
    for (std::size_t k = 0; k < cards; ++k)
        rows_[k / static_cast<std::size_t>(columns_)].include(heights_of(k, card_width_));
}

double BoardLayout::narrowest(const QFont& font) { return std::floor(narrowest_lines * QFontMetricsF(font).height()); }

double BoardLayout::height() const {
    double height = -board_gap;
    for (const auto& row : rows_)
        height += row.sum() + board_gap;
    return std::max(0.0, height);
}

void BoardLayout::grow(double height, double most) {
    const double share = std::floor(std::max(0.0, height - this->height()) / static_cast<double>(rows_.size()));
    for (auto& row : rows_)
        row.matrix += std::clamp(most - row.matrix, 0.0, share);
}

QRectF BoardLayout::card(std::size_t index) const {
    const auto columns = static_cast<std::size_t>(columns_);
    const std::size_t row = index / columns;
    double y = 0.0;
    for (std::size_t k = 0; k < row; ++k)
        y += rows_[k].sum() + board_gap;
    return {static_cast<double>(index % columns) * (card_width_ + board_gap), y, card_width_, rows_[row].sum()};
}

} // namespace attnlab::ui
