// Implements RowsPart of part.h.
#include "ui/drawing/heatmap_layout.h"
#include "ui/learn/lab/part.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double rows_gap = 7.0;
constexpr double line_share = 1.15; ///< of a row, in heights of the text

double lineOf(const QFont& font) { return line_share * QFontMetricsF(labelFont(font)).height(); }

QRectF wrapped(const QString& text, const QFont& font, double width) {
    return QFontMetricsF(labelFont(font))
        .boundingRect(QRectF(0, 0, width, 1e6), Qt::AlignLeft | Qt::TextWordWrap, text);
}

} // namespace

int RowsPart::shown() const { return std::min(static_cast<int>(rows.size()), most_rows); }

QString RowsPart::omission() const {
    const int more = static_cast<int>(rows.size()) - shown();
    return more > 0 ? tr("%n more rows", nullptr, more) : QString();
}

QString RowsPart::words() const {
    QStringList texts;
    for (int k = 0; k < shown(); ++k) {
        const Row& row = rows[static_cast<std::size_t>(k)];
        QStringList numbers;
        for (int n = 0; n < std::min(number_headings.size(), row.numbers.size()); ++n)
            numbers << QStringLiteral("%1 %2").arg(number_headings[n], row.numbers[n]);
        texts << QStringLiteral("%1: %2").arg(row.label, numbers.join(QStringLiteral(", ")));
    }
    if (!footer.isEmpty())
        texts << footer;
    return texts.join(QLatin1Char('\n'));
}

double RowsPart::top(const QFont& font) const { return lineOf(font); }

QSizeF RowsPart::smallest(const QFont& font, double width) const {
    const double lines = shown() + (omission().isEmpty() ? 0 : 1);
    const double words = footer.isEmpty() ? 0.0 : wrapped(footer, font, width).height() + rows_gap;
    return QSizeF(width, top(font) + lines * lineOf(font) + words + 2);
}

RowsPart::Columns RowsPart::columns(const QRectF& area, const QFont& font) const {
    const QFontMetricsF metrics(labelFont(font));
    Columns result;
    double label = 0.0;
    for (int k = 0; k < shown(); ++k)
        label = std::max(label, metrics.horizontalAdvance(rows[static_cast<std::size_t>(k)].label));
    result.label = area.left() + std::min(label + 1, area.width() * 0.3);
    double right = area.right();
    result.numbers.resize(static_cast<std::size_t>(number_headings.size()));
    for (auto n = number_headings.size(); n-- > 0;) {
        double width = metrics.horizontalAdvance(number_headings[n]);
        for (int k = 0; k < shown(); ++k)
            if (const auto& numbers = rows[static_cast<std::size_t>(k)].numbers; n < numbers.size())
                width = std::max(width, metrics.horizontalAdvance(numbers[n]));
        result.numbers[static_cast<std::size_t>(n)] = right;
        right -= std::min(width, area.width() * 0.35) + rows_gap;
    }
    result.bar_left = result.label + rows_gap;
    result.bar_right = std::max(result.bar_left, right);
    return result;
}

QRectF RowsPart::barRect(int row, const QRectF& area, const QFont& font) const {
    if (row < 0 || row >= shown())
        return {};
    const Columns at = columns(area, font);
    const Row& shown_row = rows[static_cast<std::size_t>(row)];
    const double share =
        std::isnan(shown_row.bar) || longest <= 0.0 ? 0.0 : std::clamp(shown_row.bar / longest, 0.0, 1.0);
    const double y = area.top() + top(font) + row * lineOf(font);
    return QRectF(at.bar_left, y + 2, share * (at.bar_right - at.bar_left), lineOf(font) - 4);
}

int RowsPart::rowAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const double row = std::floor((position.y() - area.top() - top(font)) / lineOf(font));
    return row >= 0 && row < shown() ? static_cast<int>(row) : -1;
}

void RowsPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const Columns at = columns(area, style.font);
    const double line = lineOf(style.font);
    const double number_left = at.numbers.empty() ? area.right() : at.bar_right;
    paintHeading(painter, QRectF(area.left(), area.top(), number_left - area.left(), line), heading, style);
    const QFontMetricsF metrics(painter.font());
    const auto right = [&](double end, double y, const QString& text) {
        painter.drawText(QRectF(end - 400, y, 400, line), Qt::AlignRight | Qt::AlignVCenter, text);
    };
    for (int n = 0; n < number_headings.size(); ++n)
        right(at.numbers[static_cast<std::size_t>(n)], area.top(), number_headings[n]);
    for (int k = 0; k < shown(); ++k) {
        const Row& row = rows[static_cast<std::size_t>(k)];
        const double y = area.top() + top(style.font) + k * line;
        painter.setPen(row.wrong ? style.look.error_text : k == marked ? style.look.accent : style.look.text);
        painter.drawText(QRectF(area.left(), y, at.label - area.left(), line), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(row.label, Qt::ElideRight, at.label - area.left()));
        const QRectF bar = barRect(k, area, style.font);
        painter.fillRect(QRectF(at.bar_left, bar.top(), 1, bar.height()), style.look.border);
        if (bar.width() > 0.0)
            painter.fillRect(bar, row.wrong ? style.look.error_text : style.look.accent);
        for (int n = 0; n < std::min(number_headings.size(), row.numbers.size()); ++n)
            right(at.numbers[static_cast<std::size_t>(n)], y, row.numbers[n]);
    }
    double y = area.top() + top(style.font) + shown() * line;
    painter.setPen(style.look.muted);
    if (!omission().isEmpty()) {
        painter.drawText(QRectF(at.bar_left, y, area.width(), line), Qt::AlignLeft | Qt::AlignVCenter, omission());
        y += line;
    }
    if (footer_is_wrong)
        painter.setPen(style.look.error_text);
    painter.drawText(QRectF(area.left(), y + rows_gap / 2, area.width(), area.bottom() - y),
                     Qt::AlignLeft | Qt::TextWordWrap, footer);
    painter.restore();
}

QString RowsPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const int row = rowAt(position, area, font);
    return row < 0 ? QString() : rows[static_cast<std::size_t>(row)].help;
}

} // namespace attnlab::ui
