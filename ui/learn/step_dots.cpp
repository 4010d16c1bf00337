#include "ui/learn/step_dots.h"

#include "ui/widgets/accessible.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/tip.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {

StepDots::StepDots(QWidget* parent) : QWidget(parent) {
    setAccessibleRole(*this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void StepDots::setSteps(std::vector<bool> seen, int current, const QStringList& titles) {
    seen_ = std::move(seen);
    current_ = current;
    titles_ = titles;
    updateGeometry();
    update();
}

/// Distance of dots: smaller with little room.
double StepDots::pitch() const {
    const double usual = fontMetrics().height() * 1.05;
    return seen_.empty() ? usual : std::min(usual, width() / static_cast<double>(seen_.size()));
}

QRectF StepDots::dotRect(int step) const {
    const double size = std::min(fontMetrics().height() * 0.62, pitch() * 0.75);
    const double left = (width() - pitch() * static_cast<double>(seen_.size())) / 2.0;
    const QPointF centre(left + (step + 0.5) * pitch(), height() / 2.0);
    return {centre.x() - size / 2.0, centre.y() - size / 2.0, size, size};
}

int StepDots::stepAt(const QPointF& position) const {
    for (int step = 0; step < static_cast<int>(seen_.size()); ++step) {
        const QRectF dot = dotRect(step);
        if (position.x() >= dot.center().x() - pitch() / 2.0 && position.x() < dot.center().x() + pitch() / 2.0)
            return step;
    }
    return -1;
}

QSize StepDots::sizeHint() const {
    const int height = fontMetrics().height();
    return {static_cast<int>(height * 1.05 * static_cast<double>(seen_.size())), height + 6};
}

QSize StepDots::minimumSizeHint() const {
    const int height = fontMetrics().height();
    return {static_cast<int>(height * 0.5 * static_cast<double>(seen_.size())), height + 6};
}

bool StepDots::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const int step = stepAt(tipPosition(*event));
        showTip(*event, step < 0 ? QString() : titles_.value(step), *this, step < 0 ? QRect() : dotRect(step).toRect());
        return true;
    }
    return QWidget::event(event);
}

void StepDots::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int step = 0; step < static_cast<int>(seen_.size()); ++step) {
        const bool here = step == current_;
        const QColor color = here ? theme().accent : theme().muted;
        painter.setPen(QPen(color, 1.4));
        painter.setBrush(here || seen_[static_cast<std::size_t>(step)] ? QBrush(color) : QBrush(Qt::NoBrush));
        const double inset = here ? 0.0 : 1.0;
        painter.drawEllipse(dotRect(step).adjusted(inset, inset, -inset, -inset));
    }
}

void StepDots::mousePressEvent(QMouseEvent* event) {
    const int step = stepAt(event->position());
    if (event->button() == Qt::LeftButton && step >= 0)
        emit stepChosen(step);
}

} // namespace attnlab::ui
