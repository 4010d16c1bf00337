// A picture other than a heatmap: painted into any area, in a window or a file, with text for each position.
#pragma once

#include "ui/widgets/theme.h"

#include <functional>
#include <memory>
#include <optional>
#include <QFont>
#include <QRectF>
#include <QString>
#include <utility>

class QPainter;

namespace attnlab::ui {

struct DrawingStyle {
    const Theme& look;
    QFont font;
    bool vectors = false; ///< for SVG or PDF
};

/// The numbers of a drawing by row and column, for those who cannot see it: all of them, also where the picture has no
/// room. Rows and columns count from 0.
class DrawnTable {
public:
    virtual ~DrawnTable() = default;
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual QString rowName(int row) const = 0;
    virtual QString columnName(int column) const = 0;
    /// All of a cell, with what it belongs to.
    virtual QString cellWords(int row, int column) const = 0;
    /// Where it is painted into `area`; empty where it is not.
    virtual QRectF cellPlace(int row, int column, const QRectF& area, const QFont& font) const = 0;
    /// The marked one: row and column.
    virtual std::optional<std::pair<int, int>> markedCell() const { return std::nullopt; }
};

class Drawing {
public:
    virtual ~Drawing() = default;
    /// The smallest size at which its parts are distinguishable, for the given available width.
    virtual QSizeF smallest(const QFont& font, double width) const = 0;
    virtual void paint(QPainter& painter, const QRectF& area, const DrawingStyle& style) const = 0;
    /// Exact text for a position when it is painted into `area`; empty if nothing is there.
    virtual QString textAt(const QPointF& position, const QRectF& area, const QFont& font) const = 0;
    /// null: its description says everything.
    virtual const DrawnTable* drawnTable() const { return nullptr; }
};

/// Drawings that are played in the window or written as an animation.
struct DrawingSequence {
    int count = 0;
    /// Drawing 0 .. count - 1. May be called from any thread, but not concurrently.
    std::function<std::shared_ptr<const Drawing>(int index)> at;
};

} // namespace attnlab::ui
