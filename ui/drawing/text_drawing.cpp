#include "ui/drawing/text_drawing.h"

#include "ui/widgets/theme.h"

#include <algorithm>
#include <cmath>
#include <QColor>
#include <QPaintEngine>
#include <QPainter>

namespace attnlab::ui {

QColor chosenInk(const Theme& look) {
    constexpr double least_contrast = 4.5;
    constexpr int darker = 106, most_steps = 40;
    QColor ink = look.pin;
    for (int step = 0; step < most_steps && !look.dark && contrastOf(ink, look.card) < least_contrast; ++step)
        ink = ink.darker(darker);
    return ink;
}

namespace {

/// How many times larger the letters are made: 1 on vector devices, which have no pixels.
int enlargementOn(const QPainter& painter) {
    if (painter.font().pixelSize() <= 0 || !painter.paintEngine() ||
        painter.paintEngine()->type() != QPaintEngine::Raster)
        return 1;
    constexpr double most = 64.0, rounding = 0.01;
    const double pixels = std::sqrt(std::abs(painter.deviceTransform().determinant()));
    return std::isfinite(pixels) ? static_cast<int>(std::clamp(std::ceil(pixels - rounding), 1.0, most)) : 1;
}

/// Calls `draw` with coordinates that are `enlargement` times larger than at `origin`.
template <class Draw>
void enlarged(QPainter& painter, const QPointF& origin, int enlargement, const Draw& draw) {
    QFont font = painter.font();
    const QFont before = font;
    const QTransform transform = painter.worldTransform();
    font.setPixelSize(font.pixelSize() * enlargement);
    painter.setFont(font);
    painter.translate(origin);
    painter.scale(1.0 / enlargement, 1.0 / enlargement);
    draw();
    painter.setWorldTransform(transform);
    painter.setFont(before);
}

} // namespace

void drawText(QPainter& painter, const QPointF& baseline, const QString& text) {
    const int enlargement = enlargementOn(painter);
    if (enlargement == 1)
        painter.drawText(baseline, text);
    else
        enlarged(painter, baseline, enlargement, [&] { painter.drawText(QPointF(), text); });
}

void drawText(QPainter& painter, const QRectF& area, int flags, const QString& text) {
    const int enlargement = enlargementOn(painter);
    if (enlargement == 1)
        painter.drawText(area, flags, text);
    else
        enlarged(painter, area.topLeft(), enlargement,
                 [&] { painter.drawText(QRectF(QPointF(), area.size() * enlargement), flags, text); });
}

} // namespace attnlab::ui
