#include "ui/learn/lab/board_picture.h"

#include "ui/drawing/heatmap_painter.h"
#include "ui/learn/lab/color_legend.h"
#include "ui/widgets/rich_text.h"

#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr double caption_lines = 1.4;
constexpr double curve_title_lines = 1.2;
constexpr double curve_lines = 11.0;

QFont bold(QFont font) {
    font.setBold(true);
    return font;
}

/// Titles and texts are not cut: long ones wrap.
double wrappedHeight(const QString& text, const QFont& font, double width) {
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e6), Qt::AlignLeft | Qt::TextWordWrap, text).height();
}

/// At which the rows of a small matrix hold their numbers.
double readableHeight(const CardContent& content, const QFont& font) {
    constexpr std::int64_t most_rows = 12;
    constexpr double lines_a_row = 1.5, lines_around = 3.0;
    if (!content.matrix || content.matrix->view().rows > most_rows)
        return 0.0;
    return (lines_a_row * static_cast<double>(content.matrix->view().rows) + lines_around) *
           QFontMetricsF(font).height();
}

double titleHeight(const BoardPicture::Card& card, const QFont& font, double width) {
    return wrappedHeight(card.content.title, bold(font), card.colored ? width - dotWidth(font) : width);
}

} // namespace

double BoardPicture::captionHeight(const QFont& font) const {
    return caption.isEmpty() && !scale ? 0.0 : caption_lines * QFontMetricsF(font).height();
}

/// The minimum height, including the gap to the cards.
double BoardPicture::curveHeight(const QFont& font) const {
    return curve ? board_gap + curve_lines * QFontMetricsF(font).height() : 0.0;
}

BoardLayout BoardPicture::layout(const QFont& font, double width) const {
    constexpr int columns_on_paper = 2;
    const int most_columns = on_paper ? columns_on_paper : static_cast<int>(cards.size());
    const auto heights_of = [&](std::size_t k, double card_width) {
        const double inside = card_width - 2 * card_margin;
        double header = titleHeight(cards[k], font, inside) + card_gap;
        if (!cards[k].words.isEmpty())
            header += wrappedHeight(plainText(cards[k].words), labelFont(font), inside) + card_gap;
        auto heights = heightsOf(cards[k].content, header, font, card_width);
        if (on_paper)
            heights.matrix = std::max(heights.matrix, readableHeight(cards[k].content, font));
        return heights;
    };
    return {cards.size(), width, font, heights_of, most_columns};
}

QSizeF BoardPicture::smallest(const QFont& font, double width) const {
    const double least = BoardLayout::narrowest(font);
    return {least, captionHeight(font) + layout(font, std::max(width, least)).height() + curveHeight(font)};
}

void BoardPicture::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const double line = QFontMetricsF(style.font).height();
    BoardLayout at = layout(style.font, area.width());
    const QRectF top(area.left(), area.top(), area.width(), captionHeight(style.font));
    // Matrices get the remaining height until they are as high as wide, then curves do.
    at.grow(area.height() - top.height() - curveHeight(style.font), at.cardWidth());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!caption.isEmpty())
        paintHeading(painter, top, caption, style);
    if (scale)
        paintColorLegend(painter, top, *scale, scale_name, style);
    for (std::size_t k = 0; k < cards.size(); ++k)
        paintCard(painter, cards[k], at.card(k).translated(top.bottomLeft()), at.heights(k), style);
    if (curve) {
        const double y = top.bottom() + at.height() + board_gap;
        const double height = std::min(area.bottom() - y, 2 * curve_lines * line);
        const QRectF heading(area.left(), y, area.width(), curve_title_lines * line);
        paintHeading(painter, heading, curve_title, style);
        curve->paint(painter, QRectF(area.left(), heading.bottom(), area.width(), height - heading.height()), style);
    }
    painter.restore();
}

void BoardPicture::paintCard(QPainter& painter, const Card& card, const QRectF& area, const CardHeights& heights,
                             const DrawingStyle& style) const {
    const double line = QFontMetricsF(style.font).height();
    const CardPlaces places = placesIn(area, heights);
    paintCardFrame(painter, area, card.colored ? std::optional(card.content.color) : std::nullopt,
                   places.header.top() + line / 2, style);
    painter.setBrush(Qt::NoBrush); // otherwise frames of colour bars would be filled
    painter.setFont(bold(style.font));
    painter.setPen(style.look.text);
    painter.drawText(places.header.adjusted(card.colored ? dotWidth(style.font) : 0.0, 0, 0, 0),
                     Qt::AlignLeft | Qt::TextWordWrap, card.content.title);
    painter.setFont(labelFont(style.font));
    painter.setPen(style.look.muted);
    if (!card.words.isEmpty())
        painter.drawText(
            places.header.adjusted(0, titleHeight(card, style.font, places.header.width()) + card_gap / 2, 0, card_gap),
            Qt::AlignLeft | Qt::TextWordWrap, plainText(card.words));
    for (std::size_t k = 0; k < card.content.above.size(); ++k)
        card.content.above[k]->paint(painter, places.above[k], style);
    if (card.content.matrix) {
        const bool bar = !scale || card.content.id.isEmpty();
        HeatmapMarks marks;
        marks.pinned = card.pinned;
        marks.highlighted = card.highlighted;
        paintHeatmap(painter, places.matrix, *card.content.matrix, card.content.scale, style, bar, marks);
    } else {
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        painter.drawText(places.matrix, Qt::AlignCenter | Qt::TextWordWrap, card.content.error);
    }
    for (std::size_t k = 0; k < card.content.below.size(); ++k)
        card.content.below[k]->paint(painter, places.below[k], style);
}

QString BoardPicture::textAt(const QPointF&, const QRectF&, const QFont&) const { return {}; }

} // namespace attnlab::ui
