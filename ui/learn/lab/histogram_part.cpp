// Implements HistogramPart of part.h.
#include "ui/drawing/chart_plot.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/line_chart_drawing.h"
#include "ui/learn/lab/part.h"
#include "ui/widgets/text.h"

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
    const QString words = tr("%1 scores between %2 and %3, most of them (%4) between %5 and %6")
                              .arg(histogram.finite - histogram.beyond)
                              .arg(numberText(histogram.low, 3), numberText(histogram.high, 3))
                              .arg(*most)
                              .arg(numberText(low, 3), numberText(low + histogram.bin_width(), 3));
    return histogram.beyond > 0 ? words + QStringLiteral("; ") + beyondWords() : words;
}

QString HistogramPart::beyondWords() const {
    return tr("%n beyond", "scores outside the axis", static_cast<int>(histogram.beyond));
}

QSizeF HistogramPart::smallest(const QFont& font, double width) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    return QSizeF(std::max(width, 6 * line), (lines_high + 1.1) * line);
}

void HistogramPart::setAxes(ChartPlot& chart) const {
    ChartAxis across, up;
    across.scale.low = histogram.low;
    across.scale.high = histogram.high;
    across.ticks = {{histogram.low, numberText(histogram.low, 3)},
                    {0.0, QStringLiteral("0")},
                    {histogram.high, numberText(histogram.high, 3)}};
    across.has_line = true;
    up.scale.high = 1.0;
    for (std::size_t k = 0; k < histogram.counts.size(); ++k)
        up.scale.high = std::max({up.scale.high, static_cast<double>(histogram.counts[k]), expectedIn(k)});
    // The plot leaves out a label that is cut by a fraction of a pixel.
    const auto half = [metrics = QFontMetricsF(chart.font())](const Tick& tick) {
        return std::ceil(metrics.horizontalAdvance(tick.text) / 2.0) + 3.0;
    };
    chart.setAxes(across, up, {half(across.ticks.front()), 2.0, half(across.ticks.back()), 0.0});
}

void HistogramPart::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    const auto bins = histogram.counts.size();
    if (bins == 0)
        return;
    ChartPlot::paint(painter, area, style, [&](ChartPlot& chart) {
        setAxes(chart);
        const double width = histogram.bin_width();
        std::vector<QPointF> counts, curve;
        for (std::size_t k = 0; k < bins; ++k)
            counts.emplace_back(histogram.low + (static_cast<double>(k) + 0.5) * width,
                                static_cast<double>(histogram.counts[k]));
        QColor bar = seriesColor(color, style.look);
        bar.setAlphaF(0.75F);
        chart.addBars(counts, 0.9 * width, bar);
        if (histogram.beyond > 0)
            chart.addText(chart.body().topRight(), Qt::AlignRight | Qt::AlignTop, beyondWords(), style.look.muted);
        if (!theory || *theory <= 0.0)
            return;
        for (std::size_t k = 0; k <= 4 * bins; ++k) {
            const double middle = histogram.low + static_cast<double>(k) / 4.0 * width;
            curve.emplace_back(middle, expected(histogram, *theory, middle - width / 2.0, middle + width / 2.0));
        }
        chart.addLine(curve, QPen(style.look.text, 1.3));
    });
}

QString HistogramPart::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    const auto bins = static_cast<int>(histogram.counts.size());
    if (bins == 0)
        return {};
    ChartPlot chart(area, {theme(), font});
    setAxes(chart);
    if (!chart.body().contains(position))
        return {};
    const double along = (chart.pointAt(position).x() - histogram.low) / histogram.bin_width();
    const int bin = std::clamp(static_cast<int>(along), 0, bins - 1);
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
