// Implements the part of style.h about scroll bars and sliders.
#include "ui/widgets/control.h"
#include "ui/widgets/style.h"
#include "ui/widgets/style_parts.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>
#include <cmath>

namespace attnlab::ui {
namespace {

void paintRounded(QPainter& painter, const QRectF& rect, const QColor& color) {
    const double radius = std::min(rect.width(), rect.height()) / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(rect, radius, radius);
}

/// `rect` with this thickness, in its middle.
QRectF thinned(const QRectF& rect, Qt::Orientation orientation, double thickness) {
    const double inset =
        std::max(0.0, ((orientation == Qt::Horizontal ? rect.height() : rect.width()) - thickness) / 2);
    return orientation == Qt::Horizontal ? rect.adjusted(0, inset, 0, -inset) : rect.adjusted(inset, 0, -inset, 0);
}

} // namespace

QRect partOfScrollBar(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest_thumb) {
    const bool across = bar.orientation == Qt::Horizontal;
    const int room = across ? bar.rect.width() : bar.rect.height();
    const double range = double{static_cast<double>(bar.maximum)} - bar.minimum;
    int length = room;
    if (range > 0.0) {
        const double share = bar.pageStep / (range + bar.pageStep);
        length = std::clamp(static_cast<int>(std::lround(room * share)), std::min(shortest_thumb, room), room);
    }
    const int start =
        QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition, room - length, bar.upsideDown);
    const auto piece = [&](int from, int size) {
        const QRect place = across ? QRect(bar.rect.left() + from, bar.rect.top(), size, bar.rect.height())
                                   : QRect(bar.rect.left(), bar.rect.top() + from, bar.rect.width(), size);
        return QStyle::visualRect(bar.direction, bar.rect, place);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSubPage:
        return piece(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return piece(start + length, room - start - length);
    case QStyle::SC_ScrollBarSlider:
        return piece(start, length);
    case QStyle::SC_ScrollBarGroove:
        return bar.rect;
    default:
        return {};
    }
}

void Style::paintScrollBar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const {
    if (bar.maximum <= bar.minimum)
        return;
    const auto look = ControlLook::of(bar);
    const bool held = look.pressed && (bar.activeSubControls & SC_ScrollBarSlider);
    const QRectF thumb = subControlRect(CC_ScrollBar, &bar, SC_ScrollBarSlider, widget);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const int thickness = look.hovered || held ? metrics::scroll_extent : metrics::scroll_thumb;
    paintRounded(painter, thinned(thumb, bar.orientation, thickness),
                 held           ? theme().text
                 : look.hovered ? theme().muted
                                : theme().outline);
    painter.restore();
}

void Style::paintSlider(const QStyleOptionSlider& slider, QPainter& painter, const QWidget* widget) const {
    const bool across = slider.orientation == Qt::Horizontal;
    const auto look = ControlLook::of(slider);
    const QRectF handle = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget);
    constexpr double groove_thickness = 4.0, handle_inset = 1.0;
    const QRectF groove =
        thinned(across ? QRectF(slider.rect.left(), handle.top(), slider.rect.width(), handle.height())
                       : QRectF(handle.left(), slider.rect.top(), handle.width(), slider.rect.height()),
                slider.orientation, groove_thickness);
    if (slider.subControls & SC_SliderTickmarks) {
        QStyleOptionSlider ticks = slider;
        ticks.subControls = SC_SliderTickmarks;
        QProxyStyle::drawComplexControl(CC_Slider, &ticks, &painter, widget);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintRounded(painter, groove, look.enabled ? theme().outline : theme().border);
    QRectF done = groove;
    if (across)
        slider.upsideDown ? done.setLeft(handle.center().x()) : done.setRight(handle.center().x());
    else
        slider.upsideDown ? done.setTop(handle.center().y()) : done.setBottom(handle.center().y());
    if (look.enabled)
        paintRounded(painter, done, theme().accent);
    const double size = std::min(handle.width(), handle.height()) - 2 * handle_inset;
    const QRectF knob(handle.center() - QPointF(size, size) / 2, QSizeF(size, size));
    painter.setPen(QPen(look.enabled ? theme().accent : theme().outline, metrics::focus_ring));
    painter.setBrush(look.focused || look.hovered ? theme().accent : theme().card);
    painter.drawEllipse(knob.adjusted(1, 1, -1, -1));
    if (look.focused) {
        painter.setPen(QPen(theme().text, metrics::border));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(knob);
    }
    painter.restore();
}

} // namespace attnlab::ui
