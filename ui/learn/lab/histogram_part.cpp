#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/lab/part.h"
#include "ui/widgets/text.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double lines_high = 3.6; ///< of the plot

/// The share of a standard normal below x.
double normalBelow(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double expected(const lab::Histogram& histogram, double variance, double low, double high) {
    const double deviation = std::sqrt(variance);
    return static_cast<double>(histogram.finite) * (normalBelow(high / deviation) - normalBelow(low / deviation));
}

} // namespace

double HistogramPart::expectedIn(std::size_t bin) const {
    if (!theory || *theory <= 0.0)
        return 0.0;
    const double low = histogram.low + static_cast<double>(bin) * histogram.bin_width();
    return expected(histogram, *theory, low, low + histogram.bin_width());
}

QString HistogramPart::words() const {
    if (histogram.finite == 0)
        return tr("no finite scores");
    const auto most = std::ranges::max_element(histogram.counts);
    const double low = histogram.low + static_cast<double>(most - histogram.counts.begin()) * histogram.bin_width();
    return tr("%1 scores between %2 and %3, most of them (%4) between %5 and %6")
        .arg(histogram.finite)
        .arg(numberText(histogram.low, 3), numberText(histogram.high, 3))
        .arg(*most)
        .arg(numberText(low, 3), numberText(low + histogram.bin_width(), 3));
}

QSizeF HistogramPart::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    return QSizeF(std::max(width, 6 * line), (lines_high + 1.1) * line);
}

QRectF HistogramPart::plotIn(const QRectF& area, const QFont& font) const {
    return area.adjusted(0, 2, 0, -1.1 * QFontMetricsF(labelFont(font)).height());
}

void HistogramPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const QRectF plot = plotIn(area, style.font);
    const auto bins = histogram.counts.size();
    if (bins == 0 || plot.height() <= 0.0)
        return;
    double top = 1.0;
    for (std::size_t k = 0; k < bins; ++k)
        top = std::max({top, static_cast<double>(histogram.counts[k]), expectedIn(k)});
    const double width = plot.width() / static_cast<double>(bins);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    QColor bar = seriesColor(color, style.look);
    bar.setAlphaF(0.75F);
    painter.setBrush(bar);
    for (std::size_t k = 0; k < bins; ++k) {
        const double height = plot.height() * static_cast<double>(histogram.counts[k]) / top;
        painter.drawRect(QRectF(plot.left() + static_cast<double>(k) * width, plot.bottom() - height,
                                std::max(1.0, width - 1.0), height));
    }
    painter.setPen(QPen(style.look.border, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (theory && *theory > 0.0) {
        QPainterPath curve;
        const auto points = static_cast<int>(4 * bins);
        for (int k = 0; k <= points; ++k) {
            const double share = static_cast<double>(k) / points;
            const double middle = histogram.low + share * (histogram.high - histogram.low);
            const double half = histogram.bin_width() / 2.0;
            const double height = plot.height() * expected(histogram, *theory, middle - half, middle + half) / top;
            const QPointF point(plot.left() + share * plot.width(), plot.bottom() - height);
            k == 0 ? curve.moveTo(point) : curve.lineTo(point);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.look.text, 1.3));
        painter.drawPath(curve);
    }
    const QFont small = labelFont(style.font);
    painter.setFont(small);
    painter.setPen(style.look.muted);
    const QRectF ends(area.left(), plot.bottom() + 1, area.width(), area.bottom() - plot.bottom() - 1);
    painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, numberText(histogram.low, 3));
    painter.drawText(ends, Qt::AlignHCenter | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, numberText(histogram.high, 3));
    painter.restore();
}

QString HistogramPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const QRectF plot = plotIn(area, font);
    const auto bins = static_cast<int>(histogram.counts.size());
    if (bins == 0 || !plot.contains(position))
        return {};
    const int bin = std::clamp(static_cast<int>((position.x() - plot.left()) / plot.width() * bins), 0, bins - 1);
    const auto index = static_cast<std::size_t>(bin);
    const double low = histogram.low + bin * histogram.bin_width();
    const QString range = tr("%1 to %2").arg(numberText(low, 3), numberText(low + histogram.bin_width(), 3));
    const QString count = tr("%n scores", nullptr, static_cast<int>(histogram.counts[index]));
    if (!theory)
        return tr("%1: %2", "range of scores, how many").arg(range, count);
    return tr("%1: %2; theory expects %3", "range of scores, how many, how many expected")
        .arg(range, count, numberText(expectedIn(index), 3));
}

} // namespace attnlab::ui
