// The weights of one head of a large problem as a matrix source: coarse tiles until fine ones are available.
#pragma once

#include "ui/document/computation.h"
#include "ui/matrix/map/map_session.h"
#include "ui/matrix/map/tile_images.h"
#include "ui/matrix/matrix_source.h"

#include <QStringList>

namespace attnlab::ui {

/// Computes nothing: what it says of a cell is from the tiles of the session, and from the row that was read last.
class MapSource : public MatrixSource {
    Q_OBJECT
public:
    explicit MapSource(MapSession& session, QObject* parent = nullptr);

    /// The size of the session's maps, and its token labels.
    void setShape(std::int64_t rows, std::int64_t columns, const QStringList& row_labels,
                  const QStringList& column_labels);
    /// The session has another map, or none.
    void renew();
    /// A row of the head on show in every stage, made by RowProblems; null: none.
    void setRow(ComputedPtr computed, const AttentionProblem& problem, int row);

    /// The level of the visible tiles, and whether all of them are available.
    int level() const;
    bool isComplete() const;

    MatrixAxes axes() const override { return axes_; }
    std::optional<double> numberAt(Cell cell) const override;
    /// Where a bin of the finest tile there is has several cells: "row → column: at most number".
    QString textOf(Cell cell) const override;
    void setSight(const MatrixSight& sight) override;
    bool hasCells() const override;
    void paint(QPainter& painter, const MatrixSight& sight) const override;
    void paintWhole(QPainter& painter, const QRectF& area, const MatrixSight& sight) const override;
    const MatrixProfiles* profiles() const override { return &images_.profiles(); }

private:
    CellRect cellsInSight() const;
    bool hasTiles() const;
    /// What is known of a weight.
    struct Known {
        double weight = 0.0; ///< NaN where masked is not set: the weight is NaN
        bool masked = false;
        bool exact = true; ///< otherwise the largest weight of a bin that has the cell
    };
    std::optional<Known> known(Cell cell) const;
    std::optional<Known> knownFromRow(Cell cell) const;
    std::optional<Known> knownFromTiles(Cell cell) const;

    MapSession& session_;
    TileImages images_;
    MatrixAxes axes_;
    MatrixSight sight_;
    ComputedPtr row_; ///< the row that was read last; may be null
    std::vector<bool> row_masked_;
    int row_number_ = -1;
};

} // namespace attnlab::ui
