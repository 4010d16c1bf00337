// What a HeatmapView shows: cells of a matrix of any size.
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

/// One number for each row and column in sight, or for several neighbours together: the largest or the mean of them.
struct MatrixProfiles {
    std::vector<double> rows, columns;            ///< NaN where all is masked
    std::int64_t first_row = 0, first_column = 0; ///< which of these numbers is the first in sight
    std::int64_t bin_rows = 1, bin_columns = 1;   ///< cells that share a number
};

/// What of a matrix is on the screen, and how.
struct MatrixSight {
    HeatmapFrame frame;
    ColorScale scale;
    Theme look;
    double pixel_ratio = 1.0; ///< device pixels for each pixel
};

/// All members are for the GUI thread and return at once. A source that has to compute what is in sight paints what it
/// has, and says when there is more.
class MatrixSource : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual MatrixAxes axes() const = 0;
    /// The exact number of a cell, NaN where it is masked; nothing while it is not known.
    virtual std::optional<double> valueAt(Cell cell) const = 0;
    virtual bool isMasked(Cell cell) const = 0;
    /// What is written into a cell; nothing where it is masked or not known yet. For many cells: cheaper than valueAt.
    virtual std::optional<double> numberAt(Cell cell) const = 0;
    /// "row → column: exact number".
    virtual QString textOf(Cell cell) const = 0;

    /// Called for every change of what is in sight, of colours, and after changed().
    virtual void setSight(const MatrixSight&) {}
    /// There is something to paint.
    virtual bool hasCells() const = 0;
    /// Colours and hatches of the cells in sight.
    virtual void paint(QPainter& painter, const MatrixSight& sight) const = 0;
    /// The whole matrix in an area of few pixels.
    virtual void paintWhole(QPainter& painter, const QRectF& area, const MatrixSight& sight) const = 0;
    /// Of what is in sight; null: the source has none.
    virtual const MatrixProfiles* profiles() const { return nullptr; }

signals:
    /// There is more to paint.
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
    std::optional<double> valueAt(Cell cell) const override;
    bool isMasked(Cell cell) const override { return matrix_.isBlocked(cell.row, cell.column); }
    std::optional<double> numberAt(Cell cell) const override { return matrix_.numberAt(cell.row, cell.column); }
    QString textOf(Cell cell) const override;
    bool hasCells() const override { return !matrix_.view().empty(); }
    void paint(QPainter& painter, const MatrixSight& sight) const override;
    void paintWhole(QPainter& painter, const QRectF& area, const MatrixSight& sight) const override;

private:
    MatrixData matrix_;
};

} // namespace attnlab::ui
