// Curves between connected items, and arcs whose width and opacity show a weight.
#pragma once

#include <QPainterPath>
#include <QPen>
#include <QPointF>

namespace attnlab::ui {

struct Theme;

/// A curve that leaves `from` and reaches `to` in the direction `along`.
QPainterPath curveBetween(const QPointF& from, const QPointF& to, Qt::Orientation along);

/// Width in pixels of an arc with this share of the weights (-1 to 1); at least 0.8.
double arcWidth(double share);

/// The pen of an arc: wide and opaque for a large share, dashed for a negative one. `crowded`: with many other arcs in
/// the same picture, where small ones must be fainter.
QPen arcPen(double share, const Theme& look, bool crowded = false);

/// Of arcs that stand back behind others: the pen in one opaque grey, with a contrast of 1.7 to a card, so that those
/// that cross are not darker.
QPen fainterPen(QPen pen, const Theme& look);

} // namespace attnlab::ui
