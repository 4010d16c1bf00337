#include "ui/pages/exhibits/curve_view.h"

#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

CurveView::CurveView(QWidget* parent) : MarkingPage(Qt::Key_Right, Qt::Key_Left, parent) { renew(); }

std::int64_t CurveView::read() {
    const auto marked = drawing_.marked;
    drawing_ = {};
    setTitle({});
    const auto* curve = computed_ ? exhibitOf<Curve>(computed_->trace) : nullptr;
    if (!curve)
        return 0;
    setTitle(translated(curve->title));
    drawing_.x_title = translated(curve->x_title);
    drawing_.y_title = translated(curve->y_title);
    drawing_.logarithmic_x = curve->logarithmic_x;
    drawing_.logarithmic_y = curve->logarithmic_y;
    drawing_.marked = marked;
    // What has no logarithm (an error of exactly 0) has no place on such an axis.
    const auto drawable = [&](const Curve::Point& point) {
        return std::isfinite(point.x) && std::isfinite(point.y) && (!curve->logarithmic_x || point.x > 0.0) &&
               (!curve->logarithmic_y || point.y > 0.0);
    };
    for (const auto& point : curve->points)
        if (drawable(point))
            drawing_.points.emplace_back(point.x, point.y);
    if (drawable(curve->present))
        drawing_.present = QPointF(curve->present.x, curve->present.y);
    return static_cast<std::int64_t>(drawing_.points.size());
}

QString CurveView::wordsNow() const {
    if (drawing_.marked)
        return drawing_.pointText(drawing_.points[*drawing_.marked]);
    if (!drawing_.present)
        return {};
    const QString ring =
        tr("The ring marks the present setting: %1 %2 gives %3.", "x axis, number, number")
            .arg(drawing_.x_title, exactText(drawing_.present->x()), numberText(drawing_.present->y()));
    return ringIsOnCurve()
               ? ring
               : ring + QLatin1Char(' ') +
                     tr("It need not lie on the line, which shows: %1.", "title of the y axis").arg(drawing_.y_title);
}

/// False where the curve is a mean of several draws: the ring is the one on show.
bool CurveView::ringIsOnCurve() const {
    const auto& ring = *drawing_.present;
    const auto right = std::ranges::find_if(drawing_.points, [&](const QPointF& p) { return p.x() >= ring.x(); });
    if (right == drawing_.points.end())
        return drawing_.points.empty();
    const auto left = right == drawing_.points.begin() ? right : right - 1;
    const auto [low, high] = std::minmax({left->y(), right->y()});
    const double room = 1e-6 * std::max(std::abs(low), std::abs(high));
    return right->x() == ring.x() ? std::abs(right->y() - ring.y()) <= room
                                  : ring.y() >= low - room && ring.y() <= high + room;
}

std::optional<std::size_t> CurveView::markAt(const QPointF& position) const {
    return drawing_.pointAt(position, canvas()->area(), canvas()->font());
}

} // namespace attnlab::ui
