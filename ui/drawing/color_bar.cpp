#include "ui/drawing/color_bar.h"

#include "ui/drawing/text_drawing.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QLinearGradient>
#include <QLineF>
#include <QPainter>
#include <QPolygonF>
#include <QRegularExpression>
#include <QStringList>

namespace attnlab::ui {

double roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1.0 - 1e-9))
            return factor * power;
    return 10.0 * power;
}

std::int64_t integerRoundStep(double least) { return std::llround(roundStep(std::clamp(least, 1.0, 1e9))); }

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

QString tidied(QString text) {
    static const QRegularExpression leading_zeros(QStringLiteral("e(-?)0+(?=\\d)"));
    text.replace(QLatin1String("e+"), QLatin1String("e")).replace(leading_zeros, QStringLiteral("e\\1"));
    return text.replace(QLatin1Char('-'), QStringLiteral("−"));
}

/// One way of writing all numbers of an axis.
struct AxisDigits {
    int decimals = 0; ///< of the mantissa where scientific
    bool scientific = false;

    QString text(double value) const {
        if (scientific && value == 0.0)
            return QStringLiteral("0");
        const QString text = QString::number(value, scientific ? 'e' : 'f', decimals);
        return tidied(!scientific && text.toDouble() == 0.0 && text.startsWith(QLatin1Char('-')) ? text.mid(1) : text);
    }
};

/// Decimals of the step, and up to two more until the ends, if they are to be written too, are true to a two-hundredth
/// of the range; scientific where fixed numbers would be long or all equal.
AxisDigits digitsOf(const ColorScale& scale, double step, bool with_ends) {
    constexpr int most = 9, more = 2;
    const double largest = std::max(std::abs(scale.low), std::abs(scale.high));
    AxisDigits digits;
    digits.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    digits.scientific = largest >= 1e6 || largest < 1e-3 || digits.decimals > 6;
    if (digits.scientific)
        digits.decimals = std::min(most, 1 + static_cast<int>(std::max(0.0, std::floor(std::log10(largest / step)))));
    const double tolerance = (scale.high / 2.0 - scale.low / 2.0) * 0.01;
    const auto is_true = [&](double end) {
        QString text = digits.text(end);
        return std::abs(text.replace(QStringLiteral("−"), QStringLiteral("-")).toDouble() - end) <= tolerance;
    };
    for (int i = 0; with_ends && i < more && !(is_true(scale.low) && is_true(scale.high)); ++i)
        ++digits.decimals;
    return digits;
}

double stepOf(const ColorScale& scale, int most) {
    return roundStep(2.0 * ((scale.high / 2.0 - scale.low / 2.0) / (most - 1)));
}

std::vector<Tick> linearTicks(const ColorScale& scale, int most) {
    const double step = stepOf(scale, most);
    if (!std::isfinite(step) || step <= 0.0)
        return {};
    const auto digits = digitsOf(scale, step, false);
    std::vector<Tick> ticks;
    const double first = std::ceil(scale.low / step - 1e-9);
    const double last = std::floor(scale.high / step + 1e-9);
    for (double i = first; i <= last && static_cast<int>(ticks.size()) <= most; i += 1.0) {
        const double value = i == 0.0 ? 0.0 : i * step;
        ticks.push_back({value, digits.text(value)});
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

/// What is written along the bar.
QString barTitle(const ColorScale& scale) {
    if (!scale.startsAboveZero())
        return scale.title;
    const QString warning = QCoreApplication::translate("ColorBar", "not from 0");
    return scale.title.isEmpty() ? warning : QStringLiteral("%1 · %2").arg(scale.title, warning);
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

namespace {

/// Round numbers and both ends, all with one number of digits; those too close to an end are left out. `apart` is a
/// part of the bar.
std::vector<Tick> ticksWithEnds(const ColorScale& scale, int most, double apart) {
    auto ticks = ticksOf(scale, most);
    for (const double end : {scale.low, scale.high}) {
        const double at = scale.position(end);
        const auto same = [&](const Tick& tick) { return std::abs(scale.position(tick.value) - at) < 1e-6; };
        if (std::ranges::any_of(ticks, same))
            continue;
        std::erase_if(ticks, [&](const Tick& tick) { return std::abs(scale.position(tick.value) - at) < apart; });
        ticks.insert(end == scale.low ? ticks.begin() : ticks.end(), {end, tidied(QString::number(end, 'g', 4))});
    }
    const double step = stepOf(scale, most);
    if (!scale.logarithmic && std::isfinite(step) && step > 0.0)
        for (auto& tick : ticks)
            tick.text = digitsOf(scale, step, true).text(tick.value);
    return ticks;
}

double widestOf(const std::vector<Tick>& ticks, const QFontMetricsF& metrics) {
    double widest = 0.0;
    for (const auto& tick : ticks)
        widest = std::max(widest, metrics.horizontalAdvance(tick.text));
    return widest;
}

/// The left end of a text below a bar of this width: the first and the last stay within it.
double levelLeft(double part, double text, double width) {
    return std::clamp(part * width - text / 2, 0.0, std::max(0.0, width - text));
}

/// As many as have room beside each other.
std::vector<Tick> levelTicks(const ColorScale& scale, const QFont& font, double width) {
    const QFontMetricsF metrics(font);
    const double between = 0.5 * metrics.height();
    const auto have_room = [&](const std::vector<Tick>& ticks) {
        double end = -between;
        for (const auto& tick : ticks) {
            const double text = metrics.horizontalAdvance(tick.text);
            const double left = levelLeft(scale.position(tick.value), text, width);
            if (left < end + between)
                return false;
            end = left + text;
        }
        return true;
    };
    std::vector<Tick> ticks;
    for (int most = 6; most >= 2; --most) {
        const double widest = widestOf(ticksWithEnds(scale, most, 0.0), metrics);
        // The text of an end is beside it, not around it.
        ticks = ticksWithEnds(scale, most, std::min(0.5, (1.5 * widest + between) / std::max(width, 1.0)));
        if (have_room(ticks))
            return ticks;
    }
    // The two ends alone, with fewer digits if they would touch.
    if (ticks.size() > 2)
        ticks.erase(ticks.begin() + 1, ticks.end() - 1);
    for (int digits = 3; digits >= 1 && !have_room(ticks); --digits)
        for (auto& tick : ticks)
            tick.text = numberText(tick.value, digits);
    return ticks;
}

} // namespace

std::vector<Tick> barTicks(const ColorScale& scale, const QFont& font, double height) {
    const QFontMetricsF metrics(font);
    return ticksWithEnds(scale, ticksFitting(metrics, height), height > 0.0 ? 1.1 * metrics.height() / height : 1.0);
}

double colorBarWidth(const ColorScale& scale, const QFont& font, double height) {
    const QFontMetricsF metrics(font);
    double widest = 0.0;
    for (const auto& tick : barTicks(scale, font, height))
        widest = std::max(widest, metrics.horizontalAdvance(tick.text));
    const double title = barTitle(scale).isEmpty() ? 0.0 : metrics.height();
    return bar_width + tick_gap + std::ceil(widest) + 1.0 + title;
}

namespace {

/// The triangle beyond the low or the high end.
void paintPoint(QPainter& painter, const QRectF& bar, Qt::Orientation along, bool at_high, QRgb color) {
    QPolygonF point;
    if (along == Qt::Vertical) {
        const double edge = at_high ? bar.top() : bar.bottom();
        point << QPointF(bar.left(), edge) << QPointF(bar.right(), edge)
              << QPointF(bar.center().x(), edge + (at_high ? -pointed_end : pointed_end));
    } else {
        const double edge = at_high ? bar.right() : bar.left();
        point << QPointF(edge, bar.top()) << QPointF(edge, bar.bottom())
              << QPointF(edge + (at_high ? pointed_end : -pointed_end), bar.center().y());
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(QColor(color));
    painter.drawPolygon(point);
    painter.restore();
}

} // namespace

void paintColors(QPainter& painter, const QRectF& bar, const ColorScale& scale, Qt::Orientation along,
                 const Theme& look) {
    const bool level = along == Qt::Horizontal;
    painter.save();
    // A gradient of many stops stays smooth in SVG and PDF, where a stretched picture would blur or show steps.
    QLinearGradient gradient(bar.bottomLeft(), level ? bar.bottomRight() : bar.topLeft());
    constexpr int stops = 64;
    const auto& colors = shownOn(look, scale).map->colors;
    for (int i = 0; i <= stops; ++i)
        gradient.setColorAt(i / double{stops}, QColor(colors[static_cast<std::size_t>(i * 255 / stops)]));
    painter.fillRect(bar, gradient);
    painter.setPen(QPen(look.outline, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    if (scale.hidesBelow())
        paintPoint(painter, bar, along, false, colors.front());
    if (scale.hidesAbove())
        paintPoint(painter, bar, along, true, colors.back());
    if (scale.startsAboveZero()) {
        // A break, as in an axis that leaves out what is below.
        painter.setPen(QPen(look.card, 2.0));
        for (const double from : {3.0, 7.0})
            painter.drawLine(level ? QLineF(bar.left() + from, bar.bottom(), bar.left() + from + 3, bar.top())
                                   : QLineF(bar.left(), bar.bottom() - from, bar.right(), bar.bottom() - from - 3));
    }
    painter.restore();
}

void paintColorBar(QPainter& painter, const QRectF& area, const ColorScale& scale, const QFont& font,
                   const Theme& look) {
    const QRectF bar(area.left(), area.top(), bar_width, area.height());
    paintColors(painter, bar, scale, Qt::Vertical, look);
    painter.save();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const auto& tick : barTicks(scale, font, area.height())) {
        const double y = bar.bottom() - scale.position(tick.value) * bar.height();
        painter.setPen(QPen(look.muted, 1));
        painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 3, y));
        const QRectF line(bar.right() + tick_gap, y - metrics.height() / 2, area.width(), metrics.height());
        drawText(painter, line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tick.text);
    }
    if (const QString title = barTitle(scale); !title.isEmpty()) {
        painter.setPen(scale.startsAboveZero() ? look.warning_text : look.muted);
        painter.translate(area.right(), bar.center().y());
        painter.rotate(-90);
        drawText(painter, QRectF(-bar.height() / 2, -metrics.height(), bar.height(), metrics.height()),
                 Qt::AlignCenter | Qt::TextDontClip, metrics.elidedText(title, Qt::ElideRight, bar.height()));
    }
    painter.restore();
}

namespace {

double slimBar(const QFontMetricsF& metrics) { return std::ceil(0.7 * metrics.height()); }
constexpr double slim_gap = 3.0;

} // namespace

double figureBarDepth(const ColorScale& scale, const QFont& font, double length, Qt::Orientation along) {
    const QFontMetricsF metrics(font);
    const double title = barTitle(scale).isEmpty() ? 0.0 : metrics.height();
    const double numbers =
        along == Qt::Vertical ? std::ceil(widestOf(barTicks(scale, font, length), metrics)) + 1.0 : metrics.height();
    return slimBar(metrics) + slim_gap + numbers + title;
}

void paintFigureBar(QPainter& painter, const QRectF& area, const ColorScale& scale, const QFont& font,
                    const Theme& look, Qt::Orientation along) {
    const QFontMetricsF metrics(font);
    const bool level = along == Qt::Horizontal;
    const double depth = slimBar(metrics), line = metrics.height();
    QRectF bar = level ? QRectF(area.left(), area.top(), area.width(), depth)
                       : QRectF(area.left(), area.top(), depth, area.height());
    const double below = scale.hidesBelow() ? pointed_end : 0.0, above = scale.hidesAbove() ? pointed_end : 0.0;
    bar = level ? bar.adjusted(below, 0, -above, 0) : bar.adjusted(0, above, 0, -below);
    paintColors(painter, bar, scale, along, look);
    painter.save();
    painter.setFont(font);
    const auto ticks = level ? levelTicks(scale, font, bar.width()) : barTicks(scale, font, bar.height());
    for (const auto& tick : ticks) {
        const double part = scale.position(tick.value);
        painter.setPen(QPen(look.muted, 0.75));
        if (level) {
            const double x = bar.left() + part * bar.width(), width = metrics.horizontalAdvance(tick.text);
            painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + 2));
            const double left = bar.left() + levelLeft(part, width, bar.width());
            drawText(painter, QRectF(left, bar.bottom() + slim_gap, width, line), Qt::AlignCenter | Qt::TextDontClip,
                     tick.text);
        } else {
            const double y = bar.bottom() - part * bar.height();
            painter.drawLine(QPointF(bar.right(), y), QPointF(bar.right() + 2, y));
            drawText(painter, QRectF(bar.right() + slim_gap, y - line / 2, area.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, tick.text);
        }
    }
    if (const QString title = barTitle(scale); !title.isEmpty()) {
        painter.setPen(scale.startsAboveZero() ? look.warning_text : look.muted);
        const double length = level ? area.width() : area.height();
        painter.translate(level ? QPointF(area.center().x(), area.bottom()) : QPointF(area.right(), area.center().y()));
        painter.rotate(level ? 0.0 : -90.0);
        drawText(painter, QRectF(-length / 2, -line, length, line), Qt::AlignCenter | Qt::TextDontClip,
                 metrics.elidedText(title, Qt::ElideRight, length));
    }
    painter.restore();
}

QString hiddenWords(const ColorScale& scale) {
    QStringList words;
    if (scale.hidesAbove())
        words << QCoreApplication::translate("ColorBar", "Numbers up to %1 have the colour of %2.")
                     .arg(numberText(scale.data_high), numberText(scale.high));
    if (scale.hidesBelow())
        words << QCoreApplication::translate("ColorBar", "Numbers down to %1 have the colour of %2.")
                     .arg(numberText(scale.data_low), numberText(scale.low));
    return words.join(QLatin1Char('\n'));
}

} // namespace attnlab::ui
