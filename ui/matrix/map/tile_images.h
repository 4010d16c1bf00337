// Colours a map's tiles and computes the profiles of the visible part in a worker thread.
#pragma once

#include "ui/drawing/colormap.h"
#include "ui/matrix/map/map_part.h"
#include "ui/matrix/map/map_profiles.h"

#include <QImage>
#include <QObject>
#include <QThreadPool>

#include <list>
#include <map>
#include <memory>

namespace attnlab::ui {

/// The visible part of a map.
struct MapSight {
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
    void want(const MapSight& sight);
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
    MapParts lackingParts() const;
    void work();
    bool begin(Round& round);
    void take(const Round& round);
    void drop();

    MapSight sight_;
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

} // namespace attnlab::ui
