#include "ui/learn/cards/board_layout.h"

#include "ui/drawing/color_bar.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/heatmap_painter.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/rich_text.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <QPainter>
#include <utility>

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

CardHeights heightsOf(const CardContent& content, double header, const QFont& font, double width, double scarcity) {
    const auto each = [&](const std::vector<PartPtr>& parts) {
        const double inside = width - 2 * card_margin;
        std::vector<double> heights;
        for (const auto& part : parts) {
            double height = part->smallest(font, inside).height();
            if (scarcity > 0.0)
                height -= scarcity * (height - part->leastHeight(font, inside));
            heights.push_back(std::ceil(height) + card_gap);
        }
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
                         int most_columns, double least_width) {
    const int count = std::max(1, static_cast<int>(cards));
    const double least = least_width > 0.0 ? least_width : narrowest(font);
    const int most =
        std::clamp(static_cast<int>((width + board_gap) / (least + board_gap)), 1, std::clamp(most_columns, 1, count));
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

/// Such a matrix shows its numbers on paper.
bool isSmall(const CardContent& content) {
    constexpr std::int64_t most = 12;
    return content.matrix && content.matrix->view().rows <= most && content.matrix->view().columns <= most;
}

/// Its labels and the names of its numbers are not cut in a narrow card.
bool fitsNarrow(const CardContent& content, const QFont& font, double width) {
    constexpr double longest_label = 2.6; // lines
    const QFontMetricsF metrics(labelFont(font));
    if (content.matrix && longestLabel(content.matrix->axes().rows, labelFont(font)) > longest_label * metrics.height())
        return false;
    if (content.part<RowsPart>() || content.part<MatrixPart>())
        return false;
    const auto* numbers = content.part<NumbersPart>();
    return !numbers || std::ranges::all_of(numbers->entries, [&](const NumbersPart::Entry& entry) {
        return metrics.horizontalAdvance(entry.name) <= width;
    });
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

bool BoardPicture::hasBar(const Card& card) const {
    return (!scale || card.content.id.isEmpty()) && !isWhollyHidden(*card.content.matrix);
}

/// Of a cell of the card's matrix.
double BoardPicture::cellWidth(const Card& card, const QFont& font, double card_width) const {
    constexpr double usual_lines = 12.0;
    const auto& content = card.content;
    const double sides = matrixSidesWidth(*content.matrix, content.scale, font, hasBar(card),
                                          usual_lines * QFontMetricsF(font).height());
    return (card_width - 2 * card_margin - sides) /
           static_cast<double>(std::max<std::int64_t>(1, content.matrix->view().columns));
}

/// On paper: as many cards in a row as leave the numbers of small matrices room.
int BoardPicture::columnsOnPaper(const QFont& font, double width, Density density) const {
    const bool roomy = density == Density::Roomy;
    const double least_cell = (roomy ? 1.12 : 0.5) * QFontMetricsF(font).height();
    const int fewest = roomy ? 2 : 3;
    int columns = fewest + 1;
    const auto fits = [&](const Card& card) {
        const double card_width = (width - (columns - 1) * board_gap) / columns;
        if (!roomy && !fitsNarrow(card.content, font, card_width - 2 * card_margin))
            return false;
        return !isSmall(card.content) || cellWidth(card, font, card_width) >= least_cell;
    };
    while (columns > fewest && !std::ranges::all_of(cards, fits))
        --columns;
    return columns;
}

/// The height at which each row and column of a matrix with few names has its name; 0 without names.
double heightForNames(const MatrixData& matrix, const QFont& font) {
    constexpr std::int64_t few = 16;
    constexpr double between = 1.05, margins = 3.0; // lines
    const auto& axes = matrix.axes();
    if ((axes.rows.labels.isEmpty() && axes.columns.labels.isEmpty()) ||
        std::max(axes.rows.count, axes.columns.count) > few)
        return 0.0;
    const QFont small = labelFont(font);
    const double line = QFontMetricsF(small).height();
    return static_cast<double>(axes.rows.count) * between * line + longestLabel(axes.columns, small) + margins * line;
}

/// On paper: the height that gives the cells a pleasant size, or for a dense board just room for their numbers and
/// names.
double BoardPicture::matrixHeight(const Card& card, const QFont& font, double card_width, Density density) const {
    if (!card.content.matrix)
        return 0.0;
    const bool roomy = density == Density::Roomy;
    const double line = QFontMetricsF(font).height();
    const double cell = std::min(cellWidth(card, font, card_width), (roomy ? 2.3 : 1.3) * line);
    return std::max(std::min(leastMatrixHeight(*card.content.matrix, font, cell), (roomy ? 16.0 : 12.0) * line),
                    heightForNames(*card.content.matrix, font));
}

BoardLayout BoardPicture::layout(const QFont& font, double width, Density density) const {
    const int most_columns = for_print ? columnsOnPaper(font, width, density) : static_cast<int>(cards.size());
    const auto heights_of = [&](std::size_t k, double card_width) {
        const double inside = card_width - 2 * card_margin;
        double header = titleHeight(cards[k], font, inside) + card_gap;
        if (!cards[k].words.isEmpty())
            header += wrappedHeight(plainText(cards[k].words), labelFont(font), inside) + card_gap;
        auto heights = heightsOf(cards[k].content, header, font, card_width);
        if (for_print)
            heights.matrix = std::max(heights.matrix, std::floor(matrixHeight(cards[k], font, card_width, density)));
        return heights;
    };
    constexpr double narrowest_on_paper = 10.0; // lines
    return {cards.size(), width,        font,
            heights_of,   most_columns, for_print ? narrowest_on_paper * QFontMetricsF(font).height() : 0.0};
}

double BoardPicture::heightOf(const BoardLayout& layout, const QFont& font) const {
    return captionHeight(font) + layout.height() + curveHeight(font);
}

QSizeF BoardPicture::smallest(const QFont& font, double width) const {
    const double least = BoardLayout::narrowest(font);
    return {least, heightOf(layout(font, std::max(width, least), Density::Dense), font)};
}

double BoardPicture::roomyHeight(const QFont& font, double width) const {
    return heightOf(layout(font, std::max(width, BoardLayout::narrowest(font)), Density::Roomy), font);
}

void BoardPicture::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const double line = QFontMetricsF(style.font).height();
    BoardLayout at = layout(style.font, area.width(), Density::Roomy);
    if (heightOf(at, style.font) > area.height() + 0.5)
        at = layout(style.font, area.width(), Density::Dense);
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
    painter.setPen(card.content.role ? roleColor(*card.content.role, style.look) : style.look.text);
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
        HeatmapMarks marks;
        marks.pinned = card.pinned;
        marks.highlighted = card.highlighted;
        paintHeatmap(painter, places.matrix, *card.content.matrix, card.content.scale, style, hasBar(card), marks);
    } else {
        painter.setFont(style.font);
        painter.setPen(style.look.muted);
        painter.drawText(places.matrix, Qt::AlignCenter | Qt::TextWordWrap, card.content.error);
    }
    for (std::size_t k = 0; k < card.content.below.size(); ++k)
        card.content.below[k]->paint(painter, places.below[k], style);
}

QString BoardPicture::textAt(const QPointF&, const QRectF&, const QFont&) const { return {}; }

namespace {

constexpr double bar_lines = 7.0;       ///< length of the bar in text lines
constexpr double usual_bar_lines = 5.0; ///< of it in the window
constexpr double least_bar_lines = 3.0; ///< of it, where room is scarce
constexpr double legend_gap = 6.0;

} // namespace

void paintColorLegend(QPainter& painter, const QRectF& area, const ColorScale& scale, const QString& name,
                      const DrawingStyle& style) {
    painter.save();
    painter.setFont(labelFont(style.font));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height();
    const QString low = numberText(scale.low, 3), high = numberText(scale.high, 3);
    const double words = metrics.horizontalAdvance(low + high + name) + 3 + 3 * legend_gap;
    const double length = std::clamp(area.width() - words, least_bar_lines * line, bar_lines * line);
    double right = area.right();
    painter.setPen(style.look.muted);
    const auto write = [&](const QString& text) {
        const double width = metrics.horizontalAdvance(text) + 1;
        painter.drawText(QRectF(right - width, area.top(), width, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                         text);
        right -= width + legend_gap;
    };
    write(high);
    const QRectF bar(right - length, area.center().y() - 0.3 * line, length, 0.6 * line);
    paintColors(painter, bar, scale, Qt::Horizontal, style.look);
    right = bar.left() - legend_gap;
    write(low);
    write(name);
    painter.restore();
}

ColorLegend::ColorLegend(QWidget* parent) : QWidget(parent) { setAccessibleRole(*this, QAccessible::Graphic); }

void ColorLegend::setScale(std::optional<ColorScale> scale, const QString& name) {
    scale_ = std::move(scale);
    name_ = name;
    setVisible(scale_.has_value());
    if (scale_)
        setAccessibleName(
            tr("Colours of %1, from %2 to %3").arg(name, numberText(scale_->low, 3), numberText(scale_->high, 3)));
    setToolTip(accessibleName());
    updateGeometry();
    update();
}

QSize ColorLegend::sizeHint() const { return sizeWith(usual_bar_lines); }

QSize ColorLegend::minimumSizeHint() const { return sizeWith(least_bar_lines); }

/// As paintColorLegend() needs.
QSize ColorLegend::sizeWith(double lines) const {
    const QFontMetrics metrics(labelFont(font()));
    const QString words = scale_ ? numberText(scale_->low, 3) + numberText(scale_->high, 3) + name_ : name_;
    return QSize(static_cast<int>(std::ceil(lines * metrics.height() + 3 * legend_gap)) + 6 +
                     metrics.horizontalAdvance(words),
                 static_cast<int>(1.2 * metrics.height()));
}

void ColorLegend::paintEvent(QPaintEvent*) {
    if (!scale_)
        return;
    QPainter painter(this);
    paintColorLegend(painter, rect(), *scale_, name_, {theme(), font()});
}

} // namespace attnlab::ui
