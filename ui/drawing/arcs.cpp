#include "ui/drawing/arcs.h"

#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

QColor blended(const QColor& a, const QColor& b, double share_of_b) {
    const auto between = [share_of_b](float from, float to) {
        return from + (to - from) * static_cast<float>(share_of_b);
    };
    return QColor::fromRgbF(between(a.redF(), b.redF()), between(a.greenF(), b.greenF()),
                            between(a.blueF(), b.blueF()));
}

} // namespace

QPainterPath curveBetween(const QPointF& from, const QPointF& to, Qt::Orientation along) {
    const QPointF way = (to - from) / 2.0;
    const QPointF bend = along == Qt::Horizontal ? QPointF(way.x(), 0.0) : QPointF(0.0, way.y());
    QPainterPath path(from);
    path.cubicTo(from + bend, to - bend, to);
    return path;
}

double arcWidth(double share) {
    constexpr double thinnest = 1.4, thickest = 8.0;
    return thinnest + (thickest - thinnest) * std::min(1.0, std::abs(share));
}

QPen arcPen(double share, const Theme& look, bool crowded) {
    const double part = std::min(1.0, std::abs(share));
    const double faintest =
        crowded && !look.high_contrast ? 0.25 : 0.85; // 0.85: a contrast of 3 in every theme, on thin lines, too
    const double strength = faintest + (1.0 - faintest) * (crowded ? part : std::sqrt(part));
    // Alone, arcs cross hardly anything, and opaque ones take half the time.
    QColor color = crowded ? look.accent : blended(look.card, look.accent, strength);
    if (crowded)
        color.setAlphaF(static_cast<float>(strength));
    return QPen(color, arcWidth(share), share < 0.0 ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
}

QPen fainterPen(QPen pen, const Theme& look) {
    constexpr double share = 0.42; // of the muted colour
    pen.setColor(blended(look.card, look.muted, share));
    return pen;
}

} // namespace attnlab::ui
