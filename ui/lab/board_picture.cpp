#include "ui/lab/board_picture.h"

#include "ui/lab/color_legend.h"
#include "ui/plot/heatmap_painter.h"
#include "ui/rich_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab::ui {
namespace {

constexpr double board_gap = 8.0;
constexpr double board_margin = 8.0;
constexpr double board_narrowest_lines = 11.0; ///< a card
constexpr double board_least_lines = 8.0;      ///< a matrix
constexpr double curve_lines = 11.0;

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

QRectF wordsRect(const QString& words, const QFont& font, double width) {
    return QFontMetricsF(labelFont(font))
        .boundingRect(QRectF(0, 0, width, 1e6), Qt::AlignLeft | Qt::TextWordWrap, words);
}

std::vector<double> heightsOf(const std::vector<PartPtr>& parts, const QFont& font, double width) {
    std::vector<double> heights;
    for (const auto& part : parts)
        heights.push_back(part->smallest(font, width).height() + board_gap / 2);
    return heights;
}

/// Before the title of a coloured card.
double dotRoom(const QFont& font) { return 0.9 * QFontMetricsF(font).height(); }

/// Titles are read whole: those that are long go on below.
double titleHeight(const QString& title, const QFont& font, double width) {
    const QFontMetricsF metrics(bold(font));
    return std::max(metrics.height(),
                    metrics.boundingRect(QRectF(0, 0, width, 1e6), Qt::AlignLeft | Qt::TextWordWrap, title).height());
}

double sumOf(const std::vector<double>& heights) { return std::accumulate(heights.begin(), heights.end(), 0.0); }

void takeLarger(std::vector<double>& own, const std::vector<double>& theirs) {
    own.resize(std::max(own.size(), theirs.size()));
    for (std::size_t k = 0; k < theirs.size(); ++k)
        own[k] = std::max(own[k], theirs[k]);
}

} // namespace

double BoardPicture::Heights::sum() const { return title + words + sumOf(above) + matrix + sumOf(below); }

double BoardPicture::Layout::sum() const {
    double height = top + curve;
    for (const auto& row : rows)
        height += row.sum() + 2 * board_margin + board_gap;
    return height;
}

BoardPicture::Heights BoardPicture::heightsOf(const Card& card, const QFont& font, double width) const {
    const double line = QFontMetricsF(font).height();
    Heights heights;
    heights.title = titleHeight(card.content.title, font, card.colored ? width - dotRoom(font) : width);
    heights.words = 0.3 * line;
    if (!card.words.isEmpty())
        heights.words += wordsRect(plainText(card.words), font, width).height() + board_gap / 2;
    heights.above = ui::heightsOf(card.content.above, font, width);
    heights.matrix = card.content.matrix
                         ? std::max(board_least_lines * line, leastMatrixHeight(*card.content.matrix, font))
                         : board_least_lines * line;
    heights.below = ui::heightsOf(card.content.below, font, width);
    return heights;
}

BoardPicture::Layout BoardPicture::layout(const QFont& font, double width, double height) const {
    const double line = QFontMetricsF(font).height();
    Layout result;
    const auto count = std::max(1, static_cast<int>(cards.size()));
    const int most =
        std::clamp(static_cast<int>((width + board_gap) / (board_narrowest_lines * line + board_gap)), 1, count);
    const int rows = (count + most - 1) / most;
    result.columns = (count + rows - 1) / rows;
    result.card_width = (width - (result.columns - 1) * board_gap) / result.columns;
    result.top = caption.isEmpty() && !scale ? 0.0 : 1.4 * line;
    result.curve = curve ? curve_lines * line : 0.0;
    for (int row = 0; row < rows; ++row) {
        Heights largest;
        for (int k = row * result.columns;
             k < std::min<int>(static_cast<int>(cards.size()), (row + 1) * result.columns); ++k) {
            const auto one = heightsOf(cards[static_cast<std::size_t>(k)], font, result.card_width - 2 * board_margin);
            largest.title = std::max(largest.title, one.title);
            largest.words = std::max(largest.words, one.words);
            takeLarger(largest.above, one.above);
            largest.matrix = std::max(largest.matrix, one.matrix);
            takeLarger(largest.below, one.below);
        }
        result.rows.push_back(largest);
    }
    // What is left over goes to the matrices until they are as high as wide, then to the curves.
    double extra = std::max(0.0, height - result.sum());
    for (auto& row : result.rows) {
        const double wanted = std::max(0.0, result.card_width - row.matrix);
        const double given = std::min(wanted, extra / static_cast<double>(result.rows.size()));
        row.matrix += given;
    }
    extra = std::max(0.0, height - result.sum());
    if (curve)
        result.curve += std::min(extra, curve_lines * line);
    return result;
}

QSizeF BoardPicture::smallest(const QFont& font, double width) const {
    const double least = board_narrowest_lines * QFontMetricsF(font).height();
    return QSizeF(least, layout(font, std::max(width, least), 0.0).sum());
}

void BoardPicture::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const Layout at = layout(style.font, area.width(), area.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF top(area.left(), area.top(), area.width(), at.top);
    if (!caption.isEmpty())
        paintHeading(painter, top, caption, style);
    if (scale)
        paintColorLegend(painter, top, *scale, scale_name, style);
    double y = area.top() + at.top;
    for (std::size_t row = 0; row < at.rows.size(); ++row) {
        const double height = at.rows[row].sum() + 2 * board_margin;
        for (int column = 0; column < at.columns; ++column) {
            const auto k = row * static_cast<std::size_t>(at.columns) + static_cast<std::size_t>(column);
            if (k < cards.size())
                paintCard(painter, cards[k],
                          QRectF(area.left() + column * (at.card_width + board_gap), y, at.card_width, height),
                          at.rows[row], style);
        }
        y += height + board_gap;
    }
    if (curve) {
        const double line = QFontMetricsF(style.font).height();
        paintHeading(painter, QRectF(area.left(), y, area.width(), 1.2 * line), curve_title, style);
        curve->paint(painter, QRectF(area.left(), y + 1.2 * line, area.width(), at.curve - 1.2 * line), style);
    }
    painter.restore();
}

void BoardPicture::paintCard(QPainter& painter, const Card& card, const QRectF& area, const Heights& heights,
                             const DrawingStyle& style) const {
    painter.setPen(QPen(style.look.border, 1));
    painter.setBrush(style.look.card);
    painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setBrush(Qt::NoBrush); // frames of colour bars would be filled
    const QRectF inside = area.adjusted(board_margin, board_margin, -board_margin, -board_margin);
    const double line = QFontMetricsF(style.font).height();
    double left = inside.left();
    if (card.colored) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(seriesColor(card.content.color, style.look));
        painter.drawEllipse(QRectF(left, inside.top() + 0.25 * line, 0.55 * line, 0.55 * line));
        painter.setBrush(Qt::NoBrush);
        left += dotRoom(style.font);
    }
    painter.setFont(bold(style.font));
    painter.setPen(style.look.text);
    painter.drawText(QRectF(left, inside.top(), inside.right() - left, heights.title), Qt::AlignLeft | Qt::TextWordWrap,
                     card.content.title);
    painter.setFont(labelFont(style.font));
    painter.setPen(style.look.muted);
    if (!card.words.isEmpty())
        painter.drawText(
            QRectF(inside.left(), inside.top() + heights.title + 0.2 * line, inside.width(), heights.words),
            Qt::AlignLeft | Qt::TextWordWrap, plainText(card.words));
    const auto stack = [&](const std::vector<PartPtr>& parts, const std::vector<double>& room, double y) {
        for (std::size_t k = 0; k < parts.size(); ++k) {
            parts[k]->paint(painter, QRectF(inside.left(), y, inside.width(), room[k] - board_gap / 2), style);
            y += room[k];
        }
    };
    const double header = heights.title + heights.words;
    stack(card.content.above, heights.above, inside.top() + header);
    const QRectF body(inside.left(), inside.top() + header + sumOf(heights.above), inside.width(),
                      heights.matrix - board_gap / 2);
    if (card.content.matrix) {
        const bool bar = !scale || card.content.id.isEmpty();
        HeatmapMarks marks;
        marks.pinned = card.pinned;
        marks.highlighted = card.highlighted;
        paintHeatmap(painter, body, *card.content.matrix, card.content.scale, style, bar, marks);
    } else {
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        painter.drawText(body, Qt::AlignCenter | Qt::TextWordWrap, card.content.error);
    }
    stack(card.content.below, heights.below, body.bottom() + board_gap / 2);
}

QString BoardPicture::textAt(const QPointF&, const QRectF&, const QFont&) const { return {}; }

} // namespace attnlab::ui
