#include "ui/learn/laser_pointer.h"

#include "ui/matrix/heatmap_view.h"

#include <QApplication>
#include <QCursor>
#include <QPainter>

#include <algorithm>

namespace attnlab::ui {
namespace {

constexpr int frame_milliseconds = 16;
constexpr qint64 trail_milliseconds = 260;
/// Red on every background, in both themes, like real pointers.
const QColor beam(255, 32, 32);

} // namespace

LaserPointer::LaserPointer(QWidget& area) : QWidget(&area), area_(area) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
    area_.installEventFilter(this);
    timer_.setInterval(frame_milliseconds);
    connect(&timer_, &QTimer::timeout, this, &LaserPointer::follow);
}

LaserPointer::~LaserPointer() { hideArrow(false); }

void LaserPointer::setOn(bool on) {
    if (on == isOn())
        return;
    trail_.clear();
    position_.reset();
    cell_ = {};
    if (!on) {
        timer_.stop();
        hideArrow(false);
        hide();
        return;
    }
    clock_.start();
    setGeometry(area_.rect());
    raise();
    show();
    timer_.start();
    follow();
}

void LaserPointer::hideArrow(bool hide) {
    if (hide == arrow_hidden_)
        return;
    arrow_hidden_ = hide;
    if (hide)
        QGuiApplication::setOverrideCursor(Qt::BlankCursor);
    else
        QGuiApplication::restoreOverrideCursor();
}

void LaserPointer::follow() {
    const QPointF here = area_.mapFromGlobal(QCursor::pos());
    // A menu or a dialog above needs the mouse cursor.
    const bool above = QApplication::activePopupWidget() || QApplication::activeModalWidget();
    const bool inside = area_.isVisible() && area_.rect().contains(here.toPoint()) && !above;
    const auto before = position_;
    position_ = inside ? std::optional(here) : std::nullopt;
    hideArrow(inside);
    const qint64 now = clock_.elapsed();
    if (position_ && position_ != before)
        trail_.push_back({here, now});
    const auto count = trail_.size();
    while (!trail_.empty() && (!inside || now - trail_.front().time > trail_milliseconds))
        trail_.pop_front();
    const QRectF cell = position_ ? cellBelow(*position_) : QRectF();
    if (position_ != before || cell != cell_ || !trail_.empty() || count != trail_.size()) {
        cell_ = cell;
        raise();
        update();
    }
}

QRectF LaserPointer::cellBelow(const QPointF& position) const {
    for (QWidget* below = area_.childAt(position.toPoint()); below && below != &area_; below = below->parentWidget()) {
        const auto* heatmap = qobject_cast<const HeatmapView*>(below);
        if (!heatmap)
            continue;
        const auto cell = heatmap->cellAt(heatmap->mapFrom(&area_, position));
        return cell ? heatmap->cellRect(*cell).translated(heatmap->mapTo(&area_, QPointF())) : QRectF();
    }
    return {};
}

bool LaserPointer::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        setGeometry(area_.rect());
    if (event->type() == QEvent::Hide)
        hideArrow(false);
    return QWidget::eventFilter(watched, event);
}

void LaserPointer::paintEvent(QPaintEvent*) {
    if (!position_)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!cell_.isEmpty()) {
        painter.setPen(QPen(beam, 3.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(cell_);
    }
    const double radius = std::max(5.0, fontMetrics().height() * 0.36);
    painter.setPen(Qt::NoPen);
    const qint64 now = clock_.elapsed();
    for (const auto& spot : trail_) {
        const double age = static_cast<double>(now - spot.time) / static_cast<double>(trail_milliseconds);
        QColor fading = beam;
        fading.setAlphaF(static_cast<float>(0.35 * std::clamp(1.0 - age, 0.0, 1.0)));
        painter.setBrush(fading);
        painter.drawEllipse(spot.position, radius * (1.0 - 0.5 * age), radius * (1.0 - 0.5 * age));
    }
    QRadialGradient glow(*position_, radius * 2.2);
    QColor halo = beam;
    halo.setAlphaF(0.45F);
    glow.setColorAt(0.0, halo);
    halo.setAlphaF(0.0F);
    glow.setColorAt(1.0, halo);
    painter.setBrush(glow);
    painter.drawEllipse(*position_, radius * 2.2, radius * 2.2);
    painter.setBrush(beam);
    painter.drawEllipse(*position_, radius, radius);
}

} // namespace attnlab::ui
