// How a token looks as a chip.
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QPen>
#include <QString>

class QPainter;
class QRectF;

namespace attnlab::ui {

struct ChipLook {
    QPen border = Qt::NoPen;
    QColor fill;
    QColor text;
};

int chipHeight(const QFontMetrics& metrics);
/// Long tokens are elided.
int chipWidth(const QFontMetrics& metrics, const QString& shown);
void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipLook& look);

} // namespace attnlab::ui
