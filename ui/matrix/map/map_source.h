// The weights of one head of a large problem as a matrix source: coarse tiles until fine ones are available, and exact
// single cells.
#pragma once

#include "ui/matrix/map/map_session.h"
#include "ui/matrix/map/tile_images.h"
#include "ui/matrix/matrix_source.h"

#include <QStringList>

namespace attnlab::ui {

class MapSource : public MatrixSource {
    Q_OBJECT
public:
    explicit MapSource(MapSession& session, QObject* parent = nullptr);

    /// The size of the session's maps, and its token labels.
    void setShape(std::int64_t rows, std::int64_t columns, const QStringList& row_labels,
                  const QStringList& column_labels);
    /// The session has another map, or none.
    void renew();

    /// The level of the visible tiles, and whether all of them are available.
    int level() const;
    bool isComplete() const;

    MatrixAxes axes() const override { return axes_; }
    std::optional<double> valueAt(Cell cell) const override;
    bool isMasked(Cell cell) const override;
    std::optional<double> numberAt(Cell cell) const override;
    QString textOf(Cell cell) const override;
    void setSight(const MatrixSight& sight) override;
    bool hasCells() const override;
    void paint(QPainter& painter, const MatrixSight& sight) const override;
    void paintWhole(QPainter& painter, const QRectF& area, const MatrixSight& sight) const override;
    const MatrixProfiles* profiles() const override { return &images_.profiles(); }

private:
    CellRect cellsInSight() const;
    bool hasTiles() const;
    std::optional<MapBins> binOf(Cell cell) const;

    MapSession& session_;
    TileImages images_;
    MatrixAxes axes_;
    MatrixSight sight_;
};

} // namespace attnlab::ui
