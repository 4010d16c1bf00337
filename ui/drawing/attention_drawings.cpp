#include "ui/drawing/attention_drawings.h"

#include "core/message.h"
#include "ui/drawing/arcs.h"
#include "ui/drawing/text_drawing.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <QFontMetricsF>
#include <QPainter>
#include <vector>

namespace attnlab::ui {
namespace {

constexpr double least_drawn_weight = 0.02;
constexpr double beside_tokens = 4.0;
constexpr double narrowest_lines = 60.0;
constexpr double widest_token = 0.3; ///< of the width

struct DrawnLine {
    int query = 0, key = 0;
    double weight = 0.0;
};

/// The thinnest first; of one query, or of all.
std::vector<DrawnLine> drawnLines(const MatrixData& matrix, std::optional<int> query) {
    std::vector<DrawnLine> lines;
    const auto view = matrix.view();
    for (std::int64_t row = 0; row < view.rows; ++row)
        for (std::int64_t column = 0; column < view.columns; ++column)
            if (!query || *query == row)
                if (const auto weight = matrix.numberAt(row, column);
                    weight && std::abs(*weight) >= least_drawn_weight) // not NaN
                    lines.push_back({static_cast<int>(row), static_cast<int>(column), *weight});
    std::ranges::stable_sort(lines, {}, [](const DrawnLine& line) { return std::abs(line.weight); });
    return lines;
}

double widestLabel(const MatrixAxis& axis, const QFontMetricsF& metrics) {
    double widest = 0.0;
    for (std::int64_t i = 0; i < axis.count; ++i)
        widest = std::max(widest, metrics.horizontalAdvance(axis.label(i)));
    return std::ceil(widest);
}

} // namespace

// Lines.

struct LinesDrawing::Layout {
    double top = 0.0, row = 0.0; ///< of queries and keys
    double left = 0.0, right = 0.0;
    double names = 0.0; ///< most width of a name
    bool has_titles = false;

    double y(int index) const { return top + (index + 0.5) * row; }
};

LinesDrawing::Layout LinesDrawing::layoutIn(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(font);
    const auto axes = matrix.axes();
    Layout layout;
    layout.has_titles = !axes.rows.title.isEmpty() || !axes.columns.title.isEmpty();
    layout.top = area.top() + (layout.has_titles ? 1.4 * metrics.height() : 0.0);
    layout.names = widest_token * area.width();
    layout.left = area.left() + std::min(layout.names, widestLabel(axes.rows, metrics)) + beside_tokens;
    layout.right = area.right() - std::min(layout.names, widestLabel(axes.columns, metrics)) - beside_tokens;
    layout.row = (area.bottom() - layout.top) /
                 static_cast<double>(std::max<std::int64_t>(1, std::max(axes.rows.count, axes.columns.count)));
    return layout;
}

QSizeF LinesDrawing::smallest(const QFont& font, double width) const {
    const QFontMetricsF metrics(font);
    const auto axes = matrix.axes();
    const auto rows = static_cast<double>(std::max(axes.rows.count, axes.columns.count));
    const double names = std::min(widestLabel(axes.rows, metrics), widest_token * width) +
                         std::min(widestLabel(axes.columns, metrics), widest_token * width);
    return {std::min(width, names + 2.0 * beside_tokens + narrowest_lines), (1.4 + 1.25 * rows) * metrics.height()};
}

void LinesDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const auto layout = layoutIn(area, style.font);
    const auto axes = matrix.axes();
    const QFontMetricsF metrics(style.font);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const bool dimmed : {true, false})
        for (const auto& line : drawnLines(matrix, std::nullopt)) {
            if (dimmed != (query && line.query != *query))
                continue;
            const QPen pen = arcPen(line.weight, style.look, true);
            painter.setPen(dimmed ? fainterPen(pen, style.look) : pen);
            painter.drawPath(
                curveBetween({layout.left, layout.y(line.query)}, {layout.right, layout.y(line.key)}, Qt::Horizontal));
        }
    painter.setFont(style.font);
    const auto name = [&](const MatrixAxis& axis, int index, bool at_left) {
        const QString text = metrics.elidedText(axis.label(index), Qt::ElideRight, layout.names);
        const double width = metrics.horizontalAdvance(text);
        const double x = at_left ? layout.left - beside_tokens - width : layout.right + beside_tokens;
        drawText(painter, QPointF(x, layout.y(index) + (metrics.ascent() - metrics.descent()) / 2), text);
    };
    painter.setPen(style.look.text);
    for (int i = 0; i < axes.rows.count; ++i) {
        painter.setPen(query && i == *query ? chosenInk(style.look) : style.look.text);
        name(axes.rows, i, true);
    }
    painter.setPen(style.look.text);
    for (int i = 0; i < axes.columns.count; ++i)
        name(axes.columns, i, false);
    if (layout.has_titles) {
        painter.setPen(style.look.muted);
        drawText(painter, QPointF(area.left(), area.top() + metrics.ascent()), axes.rows.title);
        drawText(painter,
                 QPointF(area.right() - metrics.horizontalAdvance(axes.columns.title), area.top() + metrics.ascent()),
                 axes.columns.title);
    }
    painter.restore();
}

QString LinesDrawing::textAt(const QPointF&, const QRectF&, const QFont&) const { return {}; }

// Arcs.

bool ArcsDrawing::hasOneLine() const {
    const auto view = matrix.view();
    return view.rows == view.columns && matrix.row_labels == matrix.column_labels;
}

struct ArcsDrawing::Layout {
    QRectF area;             ///< of tokens and arcs
    double step = 0.0;       ///< from token to token
    std::vector<double> own; ///< middles of tokens that have their own widths; empty: all have `step`
    bool upright = false;
    double names = 0.0;           ///< height of the tokens
    double above = 0.0, at = 0.0; ///< where arcs end: above the keys, and below the queries of two lines
    double numbers = 0.0;         ///< height of the line of weights
    QRectF answer;                ///< the chip

    double x(int index, std::int64_t count) const {
        return own.empty() ? area.center().x() + (index + 0.5 - static_cast<double>(count) / 2) * step
                           : own[static_cast<std::size_t>(index)];
    }
};

namespace {

constexpr double arrow_room = 18.0, chip_padding = 6.0;
constexpr double most_of_answer = 0.3; ///< of the width, if the ends have room in it

QFont answerFont(QFont font) {
    font.setBold(true);
    return font;
}

/// Of the arrow and the chip; 0: there is no answer.
double roomOfAnswer(const QString& answer, const QFont& font, double width) {
    if (answer.isEmpty())
        return 0.0;
    const QFontMetricsF metrics(answerFont(font));
    const double words = metrics.horizontalAdvance(answer);
    // A shortened answer keeps its ends, of equal widths: a word of doubt, and the probability.
    const double ends =
        2.0 * metrics.horizontalAdvance(QStringLiteral("unsure: 0")) + metrics.horizontalAdvance(QStringLiteral("…"));
    return arrow_room + std::min(words, std::max(ends, most_of_answer * width)) + 2.0 * chip_padding;
}

constexpr double least_number = 0.005; ///< that is written below a key

/// Below a key; empty: its weight is too small, or there is none.
QString numberBelow(const std::optional<double>& weight) {
    return weight && std::abs(*weight) >= least_number
               ? QString::number(*weight, 'f', 2).replace(QLatin1Char('-'), QStringLiteral("−"))
               : QString();
}

/// The middles of tokens in one line, each as wide as its text and the number of `query`; empty: they do not fit.
std::vector<double> ownPlaces(const MatrixData& matrix, const QFontMetricsF& metrics, const QRectF& area,
                              std::optional<int> query) {
    constexpr double gap = 6.0;
    const auto axis = matrix.axes().columns;
    std::vector<double> widths;
    double all = 0.0;
    for (std::int64_t i = 0; i < axis.count; ++i) {
        const QString number = query ? numberBelow(matrix.numberAt(*query, i)) : QString();
        widths.push_back(std::max(metrics.horizontalAdvance(number), metrics.horizontalAdvance(axis.label(i))) + gap);
        all += widths.back();
    }
    if (all > area.width())
        return {};
    const double more = (area.width() - all) / static_cast<double>(std::max<std::int64_t>(1, axis.count));
    double left = area.left();
    for (double& width : widths) {
        const double whole = width + more;
        width = left + whole / 2;
        left += whole;
    }
    return widths;
}

} // namespace

ArcsDrawing::Layout ArcsDrawing::layoutIn(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(font);
    const auto axes = matrix.axes();
    const double widest = std::max(widestLabel(axes.rows, metrics), widestLabel(axes.columns, metrics));
    const double answer_room = roomOfAnswer(answer, font, area.width());
    Layout layout;
    layout.area = area.adjusted(0.0, 0.0, -answer_room, 0.0);
    const double step = layout.area.width() /
                        static_cast<double>(std::max<std::int64_t>(1, std::max(axes.rows.count, axes.columns.count)));
    layout.upright = widest + beside_tokens > step;
    if (layout.upright && hasOneLine())
        layout.own = ownPlaces(matrix, metrics, layout.area, query);
    layout.upright = layout.upright && layout.own.empty();
    layout.step = layout.upright || !layout.own.empty() ? step : std::min(step, 2.5 * (widest + beside_tokens));
    layout.names = layout.upright ? std::min(widest, 0.35 * area.width()) + 2.0 : metrics.height();
    layout.numbers = query ? metrics.height() : 0.0;
    layout.at = area.top() + (hasOneLine() ? 0.0 : layout.names + 2.0);
    layout.above = area.bottom() - layout.names - layout.numbers - 2.0;
    if (answer_room > 0.0) {
        const double top = hasOneLine() ? layout.above + 2.0 : area.top();
        const double last = layout.x(static_cast<int>(axes.rows.count) - 1, axes.rows.count);
        const double left = layout.upright ? last + metrics.height() / 2
                                           : last + metrics.horizontalAdvance(axes.rows.label(axes.rows.count - 1)) / 2;
        layout.answer = QRectF(std::min(left, layout.area.right()) + arrow_room,
                               top + (layout.names - metrics.height()) / 2, answer_room - arrow_room, metrics.height());
    }
    return layout;
}

QSizeF ArcsDrawing::smallest(const QFont& font, double width) const {
    const QFontMetricsF metrics(font);
    const auto axes = matrix.axes();
    const auto count = static_cast<double>(std::max(axes.rows.count, axes.columns.count));
    const auto layout = layoutIn(QRectF(0, 0, width, 1000.0), font);
    const double lines = hasOneLine() ? 1.0 : 2.0;
    const double answer_room = roomOfAnswer(answer, font, width);
    return {std::min(width, count * metrics.height() + answer_room),
            lines * layout.names + layout.numbers + 0.28 * width};
}

namespace {

/// As the chip of the answer on the page of a model.
void paintAnswer(QPainter& painter, const QRectF& chip, const QString& answer, const DrawingStyle& style) {
    const Theme& look = style.look;
    const QFont font = answerFont(style.font);
    painter.setFont(style.font);
    painter.setPen(look.muted);
    drawText(painter, QRectF(chip.left() - arrow_room, chip.top(), arrow_room, chip.height()),
             Qt::AlignCenter | Qt::TextDontClip, QStringLiteral("→"));
    constexpr double corner = 3.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.pin);
    painter.drawRoundedRect(chip, corner, corner);
    painter.setBrush(Qt::NoBrush);
    painter.setFont(font);
    painter.setPen(contrastOf(look.card, look.pin) > contrastOf(look.text, look.pin) ? look.card : look.text);
    drawText(painter, chip, Qt::AlignCenter | Qt::TextDontClip,
             QFontMetricsF(font).elidedText(answer, Qt::ElideMiddle, chip.width() - chip_padding));
}

} // namespace

void ArcsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const auto layout = layoutIn(area, style.font);
    const auto axes = matrix.axes();
    const QFontMetricsF metrics(style.font);
    const bool one_line = hasOneLine();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const double room = layout.above - layout.at - 4.0;
    for (const auto& line : drawnLines(matrix, query)) {
        painter.setPen(arcPen(line.weight, style.look, !query));
        const double from = layout.x(line.query, axes.rows.count), to = layout.x(line.key, axes.columns.count);
        if (!one_line) {
            painter.drawPath(curveBetween({from, layout.at}, {to, layout.above}, Qt::Vertical));
        } else if (line.query == line.key) {
            // What a token reads of itself: a loop.
            const double wide = 0.3 * layout.step, high = std::min(room, 0.9 * layout.step);
            QPainterPath loop(QPointF(from - wide / 2, layout.above));
            loop.cubicTo(QPointF(from - wide, layout.above - high), QPointF(from + wide, layout.above - high),
                         QPointF(from + wide / 2, layout.above));
            painter.drawPath(loop);
        } else {
            // A cubic curve reaches three quarters of the height of its control points.
            const double longest =
                std::max(layout.step, layout.x(static_cast<int>(axes.columns.count) - 1, axes.columns.count) -
                                          layout.x(0, axes.columns.count));
            const double high = room * std::sqrt(std::abs(to - from) / longest) / 0.75;
            QPainterPath arc(QPointF(from, layout.above));
            arc.cubicTo(QPointF(from + 0.1 * (to - from), layout.above - high),
                        QPointF(to - 0.1 * (to - from), layout.above - high), QPointF(to, layout.above));
            painter.drawPath(arc);
        }
    }
    painter.setFont(style.font);
    const auto name = [&](const QString& label, double x, double top, const QColor& color) {
        painter.setPen(color);
        const double most = layout.upright ? layout.names : layout.own.empty() ? layout.step : layout.area.width();
        const QString text = metrics.elidedText(label, Qt::ElideRight, most);
        const double width = metrics.horizontalAdvance(text);
        painter.save();
        if (layout.upright) {
            painter.translate(x + (metrics.ascent() - metrics.descent()) / 2, top + width + 1.0);
            painter.rotate(-90.0);
        } else {
            painter.translate(x - width / 2, top + metrics.ascent());
        }
        drawText(painter, QPointF(0, 0), text);
        painter.restore();
    };
    for (int i = 0; i < axes.columns.count; ++i) {
        const double x = layout.x(i, axes.columns.count);
        const bool chosen = one_line && query && i == *query;
        name(axes.columns.label(i), x, layout.above + 2.0, chosen ? chosenInk(style.look) : style.look.text);
        const QString number = query ? numberBelow(matrix.numberAt(*query, i)) : QString();
        const bool has_room = !layout.own.empty() || metrics.horizontalAdvance(number) <= layout.step - 1.0;
        if (number.isEmpty() || !has_room)
            continue;
        painter.setPen(style.look.muted);
        drawText(painter, QPointF(x - metrics.horizontalAdvance(number) / 2, area.bottom() - metrics.descent()),
                 number);
    }
    for (int i = 0; !one_line && i < axes.rows.count; ++i)
        name(axes.rows.label(i), layout.x(i, axes.rows.count), area.top(),
             query && i == *query ? chosenInk(style.look) : style.look.text);
    if (!answer.isEmpty())
        paintAnswer(painter, layout.answer, answer, style);
    painter.restore();
}

QString ArcsDrawing::textAt(const QPointF&, const QRectF&, const QFont&) const { return {}; }

// Bars.

std::shared_ptr<const BarsDrawing> AttentionBars::ofQuery(const MatrixData& matrix, int query, int most) {
    auto bars = std::make_shared<BarsDrawing>();
    const auto axes = matrix.axes();
    std::vector<int> keys;
    for (int key = 0; key < axes.columns.count; ++key)
        if (const auto number = matrix.numberAt(query, key); number && !std::isnan(*number))
            keys.push_back(key);
    std::ranges::stable_sort(keys, std::ranges::greater{}, [&](int key) { return *matrix.numberAt(query, key); });
    for (const int key : keys) {
        if (static_cast<int>(bars->rows.size()) == most)
            break;
        const double value = *matrix.numberAt(query, key);
        bars->rows.push_back({axes.columns.label(key), value, {shareText(value, 4)}});
    }
    const int left_out = static_cast<int>(keys.size() - bars->rows.size());
    if (left_out > 0)
        bars->rest = tr("%n smaller ones are left out", nullptr, left_out);
    bars->heading = tr("What “%1” reads").arg(axes.rows.label(query));
    bars->fitRange();
    return bars;
}

std::shared_ptr<const BarsDrawing> AttentionBars::ofKeys(const MatrixData& matrix) {
    auto bars = std::make_shared<BarsDrawing>();
    const auto axes = matrix.axes();
    for (int key = 0; key < axes.columns.count; ++key) {
        double sum = 0.0;
        int readers = 0;
        for (int row = 0; row < axes.rows.count; ++row)
            if (const auto number = matrix.numberAt(row, key); number && !std::isnan(*number)) {
                sum += *number;
                ++readers;
            }
        BarsDrawing::Row bar{axes.columns.label(key)};
        bar.value = readers > 0 ? sum / readers : 0.0;
        bar.blocked = readers == 0;
        bar.numbers = {readers > 0 ? shareText(bar.value, 4) : QString()};
        bars->rows.push_back(bar);
    }
    bars->heading = tr("Mean over the queries that may read it");
    bars->fitRange();
    return bars;
}

// The table.

namespace {

using Query = HeadDrawing::Query;

const std::array head_drawings{
    HeadDrawing{
        "lines", ATTNLAB_TEXT("Lines from queries to keys"), Query::Optional,
        [](const MatrixData& matrix, std::optional<int> query, const QString&) -> std::shared_ptr<const Drawing> {
            auto drawing = std::make_shared<LinesDrawing>();
            drawing->matrix = matrix;
            drawing->query = query;
            return drawing;
        }},
    HeadDrawing{"arcs", ATTNLAB_TEXT("Arcs over the sentence"), Query::Optional,
                [](const MatrixData& matrix, std::optional<int> query,
                   const QString& answer) -> std::shared_ptr<const Drawing> {
                    auto drawing = std::make_shared<ArcsDrawing>();
                    drawing->matrix = matrix;
                    drawing->query = query;
                    drawing->answer = answer;
                    return drawing;
                }},
    HeadDrawing{"bars", ATTNLAB_TEXT("What a query reads, as bars"), Query::Needed,
                [](const MatrixData& matrix, std::optional<int> query, const QString&)
                    -> std::shared_ptr<const Drawing> { return AttentionBars::ofQuery(matrix, query.value_or(0)); }},
    HeadDrawing{"profile", ATTNLAB_TEXT("How much each key is read, as bars"), Query::None,
                [](const MatrixData& matrix, std::optional<int>, const QString&) -> std::shared_ptr<const Drawing> {
                    return AttentionBars::ofKeys(matrix);
                }},
};

} // namespace

std::span<const HeadDrawing> headDrawings() { return head_drawings; }

const HeadDrawing* findHeadDrawing(const QString& id) {
    const auto found =
        std::ranges::find_if(head_drawings, [&](const auto& row) { return id == QLatin1String(row.id); });
    return found == head_drawings.end() ? nullptr : &*found;
}

} // namespace attnlab::ui
