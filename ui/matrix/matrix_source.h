// The data source of a HeatmapView: cells of a matrix of any size.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/drawing/heatmap_layout.h"
#include "ui/drawing/matrix_data.h"
#include "ui/widgets/theme.h"

#include <QObject>

#include <optional>
#include <vector>

class QPainter;

namespace attnlab::ui {

/// One number for each visible row and column, or for several neighbours together: their maximum or mean.
struct MatrixProfiles {
    std::vector<double> rows, columns;            ///< NaN where everything is masked
    std::int64_t first_row = 0, first_column = 0; ///< the first visible row and column of these numbers
    std::int64_t bin_rows = 1, bin_columns = 1;   ///< cells that share a number
    bool means = false;                           ///< of the cells together, not the largest of them

    /// Paints them as bars beside and below the visible cells.
    void paint(QPainter& painter, const HeatmapLayout& layout, const HeatmapFrame& visible, const Theme& look) const;
};

/// The visible part of a matrix, and how it is shown.
struct VisibleMatrix {
    HeatmapFrame frame;
    ColorScale scale;
    Theme look;
    double pixel_ratio = 1.0;      ///< device pixels for each pixel
    std::vector<Cell> framed = {}; ///< words among the cells stay away from them
};

/// All members are for the GUI thread and return at once. A source that has to compute the visible part paints what is
/// available, and emits changed() later.
class MatrixSource : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual MatrixAxes axes() const = 0;
    /// The number shown in a cell; nullopt where it is masked or still unknown.
    virtual std::optional<double> numberAt(Cell cell) const = 0;
    /// "row → column: number", the number with at most six digits; empty while nothing is known of the cell.
    virtual QString textOf(Cell cell) const = 0;

    /// Called when the visible part or the colours have changed, and after changed().
    virtual void setVisiblePart(const VisibleMatrix&) {}
    /// True when there is something to paint.
    virtual bool hasCells() const = 0;
    /// Paints colours and hatches of the visible cells.
    virtual void paint(QPainter& painter, const VisibleMatrix& sight) const = 0;
    /// Paints the whole matrix into an area of few pixels.
    virtual void paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix& sight) const = 0;
    /// Of the visible part; null if the source has none.
    virtual const MatrixProfiles* profiles() const { return nullptr; }

signals:
    /// More can be painted.
    void changed();
};

/// A matrix in memory.
class DenseSource : public MatrixSource {
    Q_OBJECT
public:
    using MatrixSource::MatrixSource;

    void setMatrix(MatrixData matrix);
    const MatrixData& matrix() const { return matrix_; }

    MatrixAxes axes() const override { return matrix_.axes(); }
    std::optional<double> numberAt(Cell cell) const override { return matrix_.numberAt(cell.row, cell.column); }
    QString textOf(Cell cell) const override;
    bool hasCells() const override { return !matrix_.view().empty(); }
    void paint(QPainter& painter, const VisibleMatrix& sight) const override;
    void paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix& sight) const override;

private:
    MatrixData matrix_;
};

} // namespace attnlab::ui
