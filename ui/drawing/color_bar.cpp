#include "ui/drawing/color_bar.h"

#include "ui/drawing/round_step.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QFontMetricsF>
#include <QImage>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double bar_width = 14.0;
constexpr double tick_gap = 6.0;

/// "1e−5" rather than "1.00e-05".
QString powerText(double value) {
    if (value >= 0.001 && value < 10000.0)
        return QString::number(value, 'g', 6);
    const int exponent = static_cast<int>(std::floor(std::log10(value) + 1e-9));
    const int digit = static_cast<int>(std::lround(value / std::pow(10.0, exponent)));
    return QStringLiteral("%1e%2%3")
        .arg(digit)
        .arg(exponent < 0 ? QStringLiteral("−") : QString())
        .arg(std::abs(exponent));
}

std::vector<Tick> linearTicks(const ColorScale& scale, int most) {
    const double span = scale.high / 2.0 - scale.low / 2.0;
    const double step = roundStep(2.0 * (span / (most - 1)));
    if (!std::isfinite(step) || step <= 0.0)
        return {};
    const double largest = std::max(std::abs(scale.low), std::abs(scale.high));
    // Decimals of the step, or scientific where fixed numbers would be long or all equal.
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    const bool scientific = largest >= 1e6 || largest < 1e-3 || decimals > 6;
    const int significant = 2 + static_cast<int>(std::max(0.0, std::floor(std::log10(largest / step))));
    std::vector<Tick> ticks;
    const double first = std::ceil(scale.low / step - 1e-9);
    const double last = std::floor(scale.high / step + 1e-9);
    for (double i = first; i <= last && static_cast<int>(ticks.size()) <= most; i += 1.0) {
        const double value = i == 0.0 ? 0.0 : i * step;
        QString text = scientific && value != 0.0 ? QString::number(value, 'e', std::min(significant, 8) - 1)
                                                  : QString::number(value, 'f', scientific ? 0 : decimals);
        text.replace(QLatin1Char('-'), QStringLiteral("−"));
        text.replace(QLatin1String("e+"), QLatin1String("e"));
        ticks.push_back({value, text});
    }
    return ticks;
}

std::vector<Tick> logarithmicTicks(const ColorScale& scale, int most) {
    const double first = std::floor(std::log10(scale.low));
    const double last = std::ceil(std::log10(scale.high));
    const auto collect = [&](std::initializer_list<double> factors, double stride) {
        std::vector<Tick> ticks;
        for (double exponent = std::ceil(first / stride) * stride; exponent <= last; exponent += stride)
            for (const double factor : factors) {
                const double value = factor * std::pow(10.0, exponent);
                if (value >= scale.low * (1.0 - 1e-9) && value <= scale.high * (1.0 + 1e-9))
                    ticks.push_back({value, powerText(value)});
            }
        return ticks;
    };
    const auto limit = static_cast<std::size_t>(most);
    auto ticks = collect({1.0, 2.0, 5.0}, 1.0);
    // Less than a decade.
    if (ticks.size() < 3)
        if (auto more = collect({1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}, 1.0); more.size() <= limit)
            ticks = std::move(more);
    if (ticks.size() > limit)
        ticks = collect({1.0}, 1.0);
    for (double stride = 2.0; ticks.size() > limit; stride += 1.0)
        ticks = collect({1.0}, stride);
    return ticks;
}

int ticksFitting(const QFontMetricsF& metrics, double height) {
    return std::clamp(static_cast<int>(height / (metrics.height() * 2.2)), 2, 6);
}

/// A tick for an end of the scale, in three digits or four before the point: "0.853", "−2.5", "1e−5", "1023".
Tick endTick(double value) {
    QString text = QString::number(value, 'g', std::abs(value) >= 999.5 ? 4 : 3);
    text.replace(QLatin1String("e+0"), QLatin1String("e")).replace(QLatin1String("e+"), QLatin1String("e"));
    text.replace(QLatin1String("e-0"), QLatin1String("e-")).replace(QLatin1Char('-'), QStringLiteral("−"));
    return {value, text};
}

/// Round numbers, and both ends of the scale.
std::vector<Tick> barTicks(const ColorScale& scale, const QFontMetricsF& metrics, double height) {
    auto ticks = ticksOf(scale, ticksFitting(metrics, height));
    const double apart = height > 0.0 ? 1.1 * metrics.height() / height : 1.0;
    for (const double end : {scale.low, scale.high}) {
        const double at = scale.position(end);
        const auto same = [&](const Tick& tick) { return std::abs(scale.position(tick.value) - at) < 1e-6; };
        if (std::ranges::any_of(ticks, same))
            continue;
        std::erase_if(ticks, [&](const Tick& tick) { return std::abs(scale.position(tick.value) - at) < apart; });
        ticks.insert(end == scale.low ? ticks.begin() : ticks.end(), endTick(end));
    }
    return ticks;
}

} // namespace

std::vector<Tick> ticksOf(const ColorScale& scale, int most) {
    most = std::max(2, most);
    auto ticks = scale.logarithmic ? logarithmicTicks(scale, most) : linearTicks(scale, most);
    // Without two round numbers: the ends.
    if (ticks.size() < 2)
        ticks = {{scale.low, numberText(scale.low, 4)}, {scale.high, numberText(scale.high, 4)}};
    return ticks;
}

double colorBarWidth(const ColorScale& scale, const QFont& font, double height) {
    const QFontMetricsF metrics(font);
    double widest = 0.0;
    for (const auto& tick : barTicks(scale, metrics, height))
        widest = std::max(widest, metrics.horizontalAdvance(tick.text));
    return bar_width + tick_gap + std::ceil(widest) + 1.0;
}

void paintColorBar(QPainter& painter, const QRectF& area, const ColorScale& scale, const QFont& font,
                   const Theme& look) {
    painter.save();
    const QRectF bar(area.left(), area.top(), bar_width, area.height());
    // A gradient of many stops stays smooth in SVG and PDF, where a stretched picture would blur or show steps.
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    constexpr int stops = 64;
    const auto& colors = shownOn(look, scale).map->colors;
    for (int i = 0; i <= stops; ++i)
        gradient.setColorAt(i / double{stops}, QColor(colors[static_cast<std::size_t>(i * 255 / stops)]));
    painter.fillRect(bar, gradient);
    painter.setPen(QPen(look.outline, 1));
    painter.drawRect(bar);

    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const auto& tick : barTicks(scale, metrics, area.height())) {
        const double y = bar.bottom() - scale.position(tick.value) * bar.height();
        painter.setPen(QPen(look.muted, 1));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        const QRectF line(bar.right() + tick_gap, y - metrics.height() / 2, area.width(), metrics.height());
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tick.text);
    }
    painter.restore();
}

} // namespace attnlab::ui
