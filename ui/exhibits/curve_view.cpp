#include "ui/exhibits/curve_view.h"

#include "ui/exhibits/drawing_canvas.h"
#include "ui/text.h"

#include <algorithm>
#include <cmath>

namespace attnlab::ui {

CurveView::CurveView(QWidget* parent) : ExhibitPage(parent) { refresh(); }

void CurveView::setTrace(ComputedPtr computed) {
    computed_ = std::move(computed);
    refresh();
}

void CurveView::refresh() {
    canvas()->setDrawing(nullptr);
    const auto marked = drawing_.marked;
    drawing_ = {};
    setTitle({});
    if (const auto* curve = computed_ ? exhibitOf<Curve>(computed_->trace) : nullptr) {
        setTitle(translated(curve->title));
        drawing_.x_title = translated(curve->x_title);
        drawing_.y_title = translated(curve->y_title);
        drawing_.logarithmic_x = curve->logarithmic_x;
        drawing_.logarithmic_y = curve->logarithmic_y;
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
        if (marked && *marked < drawing_.points.size())
            drawing_.marked = marked;
        if (hasExhibit())
            canvas()->setDrawing(&drawing_);
    }
    refreshWords();
}

void CurveView::refreshWords() {
    if (drawing_.marked)
        setWords(drawing_.pointText(drawing_.points[*drawing_.marked]));
    else if (drawing_.present && hasExhibit())
        // The curve may be a mean of several draws: the ring is the one on show.
        setWords(tr("The ring marks the present setting: %1 %2 gives %3.", "x axis, number, number")
                     .arg(drawing_.x_title, exactText(drawing_.present->x()), numberText(drawing_.present->y())));
    else
        setWords({});
    canvas()->refresh();
}

void CurveView::mark(std::optional<std::size_t> point) {
    if (drawing_.marked == point)
        return;
    drawing_.marked = point;
    refreshWords();
}

bool CurveView::pressKey(int key) {
    if (!hasExhibit())
        return false;
    const auto last = drawing_.points.size() - 1;
    switch (key) {
    case Qt::Key_Right:
        mark(drawing_.marked ? std::min(*drawing_.marked + 1, last) : 0);
        return true;
    case Qt::Key_Left:
        mark(!drawing_.marked ? last : *drawing_.marked == 0 ? 0 : *drawing_.marked - 1);
        return true;
    case Qt::Key_Home:
        mark(0);
        return true;
    case Qt::Key_End:
        mark(last);
        return true;
    case Qt::Key_Escape:
        mark(std::nullopt);
        return true;
    default:
        return false;
    }
}

void CurveView::point(std::optional<QPointF> position) {
    if (hasExhibit())
        mark(position ? drawing_.pointAt(*position, canvas()->area(), canvas()->font()) : std::nullopt);
}

std::shared_ptr<const Drawing> CurveView::picture() const {
    return hasExhibit() ? std::make_shared<CurveDrawing>(drawing_) : nullptr;
}

} // namespace attnlab::ui
