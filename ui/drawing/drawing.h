// A picture other than a heatmap: painted into any area, in a window or a file, with text for each position.
#pragma once

#include "ui/widgets/theme.h"

#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace attnlab::ui {

struct DrawingStyle {
    const Theme& look;
    QFont font;
    bool vectors = false; ///< for SVG or PDF
};

class Drawing {
public:
    virtual ~Drawing() = default;
    /// The smallest size at which its parts are distinguishable, for the given available width.
    virtual QSizeF smallest(const QFont& font, double width) const = 0;
    virtual void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const = 0;
    /// Exact text for a position when it is painted into `area`; empty if nothing is there.
    virtual QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const = 0;
};

} // namespace attnlab::ui
