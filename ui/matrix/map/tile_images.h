// A map's tiles in colours, and the profiles of what is in sight, made off the GUI thread.
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

/// What is to be seen of a map.
struct MapSight {
    std::shared_ptr<MapPyramid> pyramid; ///< null: nothing but the parts
    MapParts parts;                      ///< to be shown until there are tiles
    Pool pool = Pool::Max;
    ColorScale scale;
    QRgb not_a_number = 0; ///< the colour of bins that are
    int level = 0;
    CellRect cells;
};

/// Colours the tiles in sight that are in the pyramid, or the nearest coarser ones that are. One round of work at a
/// time, all of whose tiles arrive together; what was in sight meanwhile is the next. All members are for the GUI
/// thread.
class TileImages : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_kept = 96; ///< beside those in sight; of 256 x 256 pixels: 24 MB

    explicit TileImages(QObject* parent = nullptr);
    /// Waits for the round that is going on: some milliseconds.
    ~TileImages() override;

    /// To be called again when tiles have arrived. Pictures of another pyramid are forgotten, those in other colours
    /// stay until there are new ones.
    void want(const MapSight& sight);
    /// The picture of `tile` or of the nearest coarser tile that has one; a null image where there is none.
    std::pair<MapTile, QImage> covering(MapTile tile) const;
    /// The parts in sight that have a picture.
    struct PartImage {
        std::shared_ptr<const MapPart> part;
        QImage image;
        int colors = 0;
    };
    const std::vector<PartImage>& parts() const { return parts_; }
    const MatrixProfiles& profiles() const { return profiles_; }
    /// Everything in sight is as good as its pyramid allows.
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
    std::list<MapTile> used_; ///< in sight most recently first
    std::size_t in_sight_ = 0;
    std::vector<PartImage> parts_;
    MatrixProfiles profiles_;
    std::vector<TileBins> profiled_; ///< what the profiles were taken of
    CellRect profiled_cells_;
    bool working_ = false;
    QThreadPool pool_;
};

} // namespace attnlab::ui
