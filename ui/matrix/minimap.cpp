#include "ui/matrix/minimap.h"

#include <algorithm>
#include <QPainter>
#include <QPen>

namespace attnlab::ui {
namespace {

constexpr double minimap_size = 120.0, minimap_gap = 8.0;
constexpr std::int64_t minimap_from = 32; ///< rows or columns

bool isUseful(const Viewport& viewport) {
    const QSizeF body = viewport.frame().body.size();
    return !viewport.isFitted() && std::max(viewport.rows(), viewport.columns()) > minimap_from &&
           body.width() > 3 * minimap_size && body.height() > 2 * minimap_size;
}

} // namespace

Minimap::Minimap(const Viewport& viewport, const HeatmapLayout& layout)
    : cells_(static_cast<double>(viewport.columns()), static_cast<double>(viewport.rows())) {
    if (!isUseful(viewport))
        return;
    const QRectF body = viewport.frame().body;
    HeatmapLayout at = layout;
    at.setBody(body);
    const auto fitting = [&](double most) { return viewport.fittedSize().scaled(most, most, Qt::KeepAspectRatio); };
    if (at.color_bar.isEmpty()) {
        const QSizeF size = fitting(minimap_size);
        place_ = {body.topRight() + QPointF(-minimap_gap - size.width(), minimap_gap), size};
        return;
    }
    const double left = (at.row_profile.isEmpty() ? body.right() : at.row_profile.right()) + minimap_gap;
    const QSizeF size = fitting(std::min(minimap_size, at.color_bar.right() - left));
    place_ = {QPointF(left, body.bottom() - size.height()), size};
}

double Minimap::endOfColorBar() const { return place_.top() - 2 * minimap_gap; }

QPointF Minimap::cellAt(const QPointF& position) const {
    return {(position.x() - place_.left()) / place_.width() * cells_.width(),
            (position.y() - place_.top()) / place_.height() * cells_.height()};
}

void Minimap::paint(QPainter& painter, const MatrixSource& source, const VisibleMatrix& sight) const {
    painter.save();
    painter.fillRect(place_, sight.look.hatch_back);
    source.paintWhole(painter, place_, sight);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(sight.look.card, 3));
    painter.drawRect(place_);
    const QRectF& seen = sight.frame.range;
    const double x = place_.width() / cells_.width(), y = place_.height() / cells_.height();
    QRectF window(place_.left() + seen.left() * x, place_.top() + seen.top() * y, seen.width() * x, seen.height() * y);
    if (window.width() < 4 || window.height() < 4)
        window = QRectF(window.center() - QPointF(2, 2), QSizeF(4, 4));
    painter.setPen(QPen(sight.look.pin, 2));
    painter.drawRect(window);
    painter.restore();
}

} // namespace attnlab::ui
