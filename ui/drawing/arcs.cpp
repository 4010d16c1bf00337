#include "ui/drawing/arcs.h"

#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

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
    QColor color = look.accent;
    color.setAlphaF(static_cast<float>(faintest + (1.0 - faintest) * (crowded ? part : std::sqrt(part))));
    return QPen(color, arcWidth(share), share < 0.0 ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap);
}

QPen fainterPen(QPen pen, const Theme& look) {
    constexpr double share = 0.42; // of the muted colour
    const auto between = [](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * share)); };
    pen.setColor({between(look.card.red(), look.muted.red()), between(look.card.green(), look.muted.green()),
                  between(look.card.blue(), look.muted.blue())});
    return pen;
}

} // namespace attnlab::ui
