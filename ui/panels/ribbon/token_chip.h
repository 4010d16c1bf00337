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

/// A token of any text in one line: line breaks and tabs as signs, and a sign for one of blanks alone.
QString shownToken(const QString& token);

int chipHeight(const QFontMetrics& metrics);
/// Long tokens are elided.
int chipWidth(const QFontMetrics& metrics, const QString& shown);
void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipLook& look);

} // namespace attnlab::ui
