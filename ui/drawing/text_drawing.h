// Text of drawings, with the weight that it has at the size of the device.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

class QColor;
class QPainter;

namespace attnlab::ui {

struct Theme;

/// For the name of a chosen token or cell: Theme::pin, darker where text on a card needs it.
QColor chosenInk(const Theme& look);

/// As QPainter::drawText(), in the painter's font. On a device of many pixels a point, letters are made for those
/// pixels: outlines of small ones, which FreeType darkens (Chinese, Japanese and Korean fonts), would be enlarged.
void drawText(QPainter& painter, const QPointF& baseline, const QString& text);
void drawText(QPainter& painter, const QRectF& area, int flags, const QString& text);

} // namespace attnlab::ui
