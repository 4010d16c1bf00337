// A picture that is no heatmap: painted into any area, in the window or in a file, and asked what lies where.
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
    bool vectors = false; ///< on its way to SVG or PDF
};

class Drawing {
public:
    virtual ~Drawing() = default;
    /// The least room in which its parts can be told apart, where `width` is there to be used.
    virtual QSizeF smallest(const QFont& font, double width) const = 0;
    virtual void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const = 0;
    /// Exact words about what lies at a position when it is painted into `area`; empty where there is nothing.
    virtual QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const = 0;
};

} // namespace attnlab::ui
