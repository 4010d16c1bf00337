#include "ui/panels/ribbon/token_chip.h"

#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int beside_token = 9, above_token = 3;
constexpr int narrowest_token = 10, widest_token = 120;

} // namespace

int chipHeight(const QFontMetrics& metrics) { return metrics.height() + 2 * above_token; }

int chipWidth(const QFontMetrics& metrics, const QString& shown) {
    return std::clamp(metrics.horizontalAdvance(shown), narrowest_token, widest_token) + 2 * beside_token;
}

void paintChip(QPainter& painter, const QRectF& box, const QString& shown, const ChipLook& look) {
    const double inset = look.border.widthF() / 2.0;
    painter.setPen(look.border);
    painter.setBrush(look.fill);
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 5, 5);
    painter.setPen(look.text);
    const QRectF room = box.adjusted(beside_token - 1, 0, 1 - beside_token, 0);
    painter.drawText(room, Qt::AlignCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(shown, Qt::ElideRight, static_cast<int>(room.width()) + 1));
}

} // namespace attnlab::ui
