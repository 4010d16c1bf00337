#include "ui/learn/lab/costs_drawing.h"

#include "ui/learn/lab/board_layout.h"
#include "ui/learn/lab/part.h"
#include "ui/panels/inspector/measures_card.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

constexpr double cost_name_lines = 1.2; ///< above a bar
constexpr double cost_bar_lines = 1.1;
constexpr double between_cost_bars = 0.7;
constexpr double most_cost_bar = 2.2;
constexpr double line_panel_lines = 12.0; ///< height in lines

} // namespace

QSizeF CostsDrawing::smallest(const QFont& font, double) const {
    const double line = QFontMetricsF(labelFont(font)).height();
    double height = 0.0;
    for (const auto& panel : panels)
        height += 2 * card_margin + board_gap + 1.4 * line +
                  (panel.bars.empty() ? line_panel_lines * line
                                      : static_cast<double>(panel.bars.size()) *
                                            (cost_name_lines + cost_bar_lines + between_cost_bars) * line);
    return QSizeF(22 * line, height);
}

/// One below the other.
QRectF CostsDrawing::placeOf(std::size_t panel, const QRectF& area, const QFont&) const {
    const auto count = static_cast<double>(panels.size());
    const double height = (area.height() - (count - 1.0) * board_gap) / count;
    return QRectF(area.left(), area.top() + static_cast<double>(panel) * (height + board_gap), area.width(), height);
}

QRectF CostsDrawing::bodyOf(const QRectF& panel, const QFont& font) {
    const double line = QFontMetricsF(labelFont(font)).height();
    return panel.adjusted(card_margin, card_margin + 1.4 * line, -card_margin, -card_margin);
}

void CostsDrawing::paintBars(QPainter& painter, const Panel& panel, const QRectF& area,
                             const DrawingStyle& style) const {
    painter.setFont(labelFont(style.font));
    const QFontMetricsF metrics(painter.font());
    const double line = metrics.height(), count = static_cast<double>(panel.bars.size());
    const double room = area.height() / count;
    const double bar =
        std::clamp(room - (cost_name_lines + between_cost_bars) * line, 0.4 * line, most_cost_bar * line);
    const double step = std::min(room, bar + (cost_name_lines + 2.0 * between_cost_bars) * line);
    double numbers = 0.0;
    for (const auto& each : panel.bars)
        numbers = std::max(numbers, metrics.horizontalAdvance(amountText(each.value, panel.unit)));
    const double whole = area.width() - numbers - line;
    for (std::size_t k = 0; k < panel.bars.size(); ++k) {
        const auto& each = panel.bars[k];
        const double top = area.top() + static_cast<double>(k) * step;
        painter.setPen(style.look.text);
        painter.drawText(QRectF(area.left(), top, area.width(), cost_name_lines * line),
                         Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(each.name, Qt::ElideRight, area.width()));
        const QRectF place(area.left(), top + cost_name_lines * line, whole, bar);
        painter.fillRect(place, style.look.border);
        const double share = std::clamp(each.value / panel.most, 0.0, 1.0);
        painter.fillRect(QRectF(place.topLeft(), QSizeF(std::max(1.0, share * whole), bar)),
                         seriesColor(each.color, style.look));
        painter.drawText(QRectF(place.right(), place.top(), numbers + line, bar), Qt::AlignRight | Qt::AlignVCenter,
                         amountText(each.value, panel.unit));
    }
}

void CostsDrawing::paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const {
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const QRectF place = placeOf(k, area, style.font), body = bodyOf(place, style.font);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        paintCardFrame(painter, place, std::nullopt, 0.0, style);
        paintHeading(
            painter,
            QRectF(body.left(), place.top() + card_margin, body.width(), body.top() - place.top() - card_margin),
            panels[k].title, style);
        if (panels[k].bars.empty())
            panels[k].lines.paint(painter, body, style);
        else
            paintBars(painter, panels[k], body, style);
        painter.restore();
    }
}

QString CostsDrawing::textOf(const Panel& panel) {
    QStringList all{panel.title};
    for (const auto& bar : panel.bars)
        all << tr("%1: %2", "name of a bar, its amount").arg(bar.name, amountText(bar.value, panel.unit));
    if (panel.bars.empty())
        all << panel.lines.textOf(panel.lines.marker.value_or(1.0));
    return all.join(QLatin1Char('\n'));
}

QString CostsDrawing::words() const {
    QStringList all;
    for (const auto& panel : panels)
        all << textOf(panel);
    return all.join(QLatin1Char('\n'));
}

QString CostsDrawing::textAt(const QPointF& position, const QRectF& area, const QFont& font) const {
    for (std::size_t k = 0; k < panels.size(); ++k)
        if (placeOf(k, area, font).contains(position))
            return panels[k].bars.empty() ? panels[k].lines.textAt(position, bodyOf(placeOf(k, area, font), font), font)
                                          : textOf(panels[k]);
    return {};
}

} // namespace attnlab::ui
