// Iterates over rows and keys of one head in tiles: their scores and masks give weights and pooled maps.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/panel_mask.h"
#include "core/flash/tile_kernel.h"
#include "core/map/map_engine.h"
#include "core/map/pool_kernel.h"

#include <functional>

namespace attnlab {

/// A panel of query rows against some keys.
struct PanelTile {
    std::int64_t first_row = 0;
    int rows = 0;
    flash::Keys keys;
    flash::ScoreTile scores;
    bool has_nan = false; ///< a row of the panel has NaN weights
};

/// The state of one thread's walk. Only needs to distinguish kept cells from blocked ones: the fill of the masks does
/// not affect the weight of a kept cell, given the row's scales.
class ScoreTiles {
public:
    static constexpr std::int64_t most_rows = 128; ///< keys are read once for this many rows

    /// `head` has one batch entry and one head, and must outlive this. Without scales, provides only scores and cells.
    /// Uses head.matrices if given.
    ScoreTiles(const flash::Problem& head, const RowScales& scales);

    int width() const { return kernel_.width; }

    /// Visits the tiles of at most most_rows rows that contain a kept cell, keys in ascending order for each panel.
    /// Throws Cancelled.
    void walk(std::int64_t first_row, std::int64_t rows, flash::Keys keys, const RunControl& control,
              const std::function<void(const PanelTile&)>& visit);

private:
    struct Panel {
        flash::AlignedFloats queries, base, log2_sum, factor;
        std::optional<flash::MatrixPath::Panel> packed;
        std::int64_t first_row = 0;
        int rows = 0;
        bool has_nan = false;
    };

    void start(Panel& panel, std::int64_t first_row, int rows) const;
    const float* scores_of(const Panel& panel, flash::Keys keys, flash::PrefetchRange ahead);
    void visit_tile(std::size_t panel, const flash::PanelMask& mask, flash::Keys keys,
                    const std::function<void(const PanelTile&)>& visit);

    const flash::Problem& head_;
    const RowScales scales_;
    flash::Masks masks_;
    const flash::TileKernel kernel_;
    std::vector<Panel> panels_;
    flash::AlignedFloats scores_, cells_;
    const flash::MatrixPath* const matrices_;
    std::optional<flash::MatrixPath::Scratch> scratch_;
};

} // namespace attnlab
