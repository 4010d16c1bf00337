// Paints chips and lines.
#include "ui/model/head_arcs.h"
#include "ui/panels/ribbon/token_chip.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

bool HeadArcs::touches(const Line& line, const Spot& spot) const {
    return (spot.side == Side::Queries ? line.query : line.key) == spot.token;
}

void HeadArcs::paintLine(QPainter& painter, const Line& line, bool dimmed) const {
    const double faint = theme().high_contrast ? 0.2 : 0.08, faintest = theme().high_contrast ? 0.75 : 0.25;
    const double part = std::min(1.0, std::abs(line.weight));
    QColor color = dimmed ? theme().muted : theme().accent;
    color.setAlphaF(static_cast<float>(dimmed ? faint : faintest + (1.0 - faintest) * part));
    const QPointF start(chip_width_ + 1.0, chipRect({Side::Queries, line.query}).center().y());
    const QPointF end(width() - chip_width_ - 1.0, chipRect({Side::Keys, line.key}).center().y());
    const QPointF bend((end.x() - start.x()) / 2.0, 0.0);
    QPainterPath path(start);
    path.cubicTo(start + bend, end - bend, end);
    painter.setPen(
        QPen(color, lineWidth(line.query, line.key), line.weight < 0.0 ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(path);
}

void HeadArcs::paintLines(QPainter& painter, const QRectF& exposed) const {
    painter.setBrush(Qt::NoBrush);
    const auto marked = spot();
    const auto is_in_sight = [&](const Line& line) {
        const auto [low, high] = std::minmax(line.query, line.key);
        return (high + 1) * rowHeight() >= exposed.top() && low * rowHeight() <= exposed.bottom();
    };
    for (const bool dimmed : {true, false})
        for (const auto& line : lines_)
            if (is_in_sight(line) && dimmed == (marked && !touches(line, *marked)))
                paintLine(painter, line, dimmed);
}

void HeadArcs::paintChips(QPainter& painter, Side side, const QRectF& exposed) const {
    const int first = std::max(0, static_cast<int>(exposed.top()) / rowHeight());
    const int last = std::min(tokens_.count(side) - 1, static_cast<int>(exposed.bottom()) / rowHeight());
    for (int token = first; token <= last; ++token) {
        const Spot spot{side, token};
        ChipLook look{Qt::NoPen, theme().accent_soft, theme().text};
        if (theme().high_contrast) // in which the soft background is not seen
            look.border = QPen(theme().outline, 1.0);
        if (spot == hovered_)
            look.border = QPen(theme().accent, 1.2);
        if (spot == chosen_)
            look = {QPen(theme().pin, 2.0), theme().card, theme().text};
        const QRectF box = chipRect(spot);
        paintChip(painter, box, tokens_.shown(side, token), look);
        if (hasFocus() && spot == chosen_.value_or(Spot{})) {
            painter.setPen(QPen(theme().accent, 1.4));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), 6, 6);
        }
    }
}

void HeadArcs::paintEvent(QPaintEvent* event) {
    if (!computed_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLines(painter, event->rect());
    paintChips(painter, Side::Queries, event->rect());
    paintChips(painter, Side::Keys, event->rect());
}

} // namespace attnlab::ui
