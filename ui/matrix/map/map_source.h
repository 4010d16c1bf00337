// The weights of one head of a large problem as a matrix source; tiles are coloured in a worker thread.
#pragma once

#include "ui/document/computation.h"
#include "ui/drawing/colormap.h"
#include "ui/matrix/map/map_session.h"
#include "ui/matrix/map/screen_bins.h"
#include "ui/matrix/matrix_source.h"

#include <list>
#include <map>
#include <memory>
#include <QImage>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

namespace attnlab::ui {

/// The visible part of a map.
struct VisibleMap {
    std::shared_ptr<MapPyramid> pyramid; ///< null: only parts exist
    MapParts parts;                      ///< shown until there are tiles
    Pool pool = Pool::Max;
    ColorScale scale;
    QRgb not_a_number = 0; ///< the colour of bins that are NaN
    int level = 0;
    CellRect cells;
};

/// Colours the visible tiles that the pyramid has, or else the nearest coarser ones. Works in rounds whose tiles arrive
/// together; the next round is for the latest visible part. All members are for the GUI thread.
class TileImages : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_kept = 96; ///< besides visible ones; of 256 x 256 pixels: 24 MB

    explicit TileImages(QObject* parent = nullptr);
    /// Waits for the current round: some milliseconds.
    ~TileImages() override;

    /// Call again when tiles have arrived. Images of another pyramid are dropped; those in other colours stay until
    /// they are replaced.
    void want(const VisibleMap& sight);
    /// The image of `tile` or of the nearest coarser tile that has one; a null image if there is none.
    std::pair<MapTile, QImage> covering(MapTile tile) const;
    /// A visible part with an image.
    struct PartImage {
        std::shared_ptr<const MapPart> part;
        QImage image;
        int colors = 0;
    };
    const std::vector<PartImage>& parts() const { return parts_; }
    const MatrixProfiles& profiles() const { return profiles_; }
    /// Everything visible is as detailed as the pyramid allows.
    bool isSettled() const { return !working_; }

signals:
    void changed();

private:
    struct Picture {
        QImage image;
        int colors = 0;
        std::list<MapTile>::iterator used;
    };
    struct Round;

    std::vector<TileBins> lacking();
    MapParts missingParts() const;
    void work();
    bool begin(Round& round);
    void take(const Round& round);
    void drop();

    VisibleMap sight_;
    int colors_ = 0; ///< counts changes of the scale
    std::map<MapTile, Picture> pictures_;
    std::list<MapTile> used_; ///< most recently visible first
    std::size_t in_sight_ = 0;
    std::vector<PartImage> parts_;
    MatrixProfiles profiles_;
    std::vector<TileBins> profiled_; ///< the tiles of the current profiles
    CellRect profiled_cells_;
    bool working_ = false;
    QThreadPool pool_;
};

/// The weights of one head of a large problem as a matrix source: coarse tiles until fine ones are available.
/// Computes nothing: facts about a cell come from the tiles of the session and from the row that was read last.
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
    void setVisiblePart(const VisibleMatrix& sight) override;
    bool hasCells() const override;
    void paint(QPainter& painter, const VisibleMatrix& sight) const override;
    void paintWhole(QPainter& painter, const QRectF& area, const VisibleMatrix& sight) const override;
    /// None of B − A, whose rows sum to 0.
    const MatrixProfiles* profiles() const override;

private:
    CellRect visibleCellRange() const;
    bool hasTiles() const;
    bool isDifference() const;
    /// What is known of a weight.
    struct Known {
        double weight = 0.0; ///< NaN where masked is not set: the weight is NaN
        bool masked = false;
        bool exact = true; ///< otherwise the largest weight of a bin that has the cell
    };
    std::optional<Known> known(Cell cell) const;
    std::optional<Known> lookUpInRow(Cell cell) const;
    std::optional<Known> lookUpInTiles(Cell cell) const;

    MapSession& session_;
    TileImages images_;
    MatrixAxes axes_;
    VisibleMatrix sight_;
    ComputedPtr row_; ///< the row that was read last; may be null
    std::vector<bool> row_masked_;
    int row_number_ = -1;
};

} // namespace attnlab::ui
