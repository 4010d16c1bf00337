// Evaluates the masks of a problem for one panel of query rows, key tile by key tile.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/layout_kernel.h"

#include <array>

namespace attnlab::flash {

/// Scores are in base 2, so that exp is exp2.
inline constexpr double log2_e = 1.44269504088896340736;

/// The largest number of query rows of a panel.
inline constexpr int widest_panel = 32;

struct Keys {
    std::int64_t first = 0, last = 0; ///< first <= j < last

    bool empty() const { return first >= last; }
    std::int64_t count() const { return last - first; }
};

/// The keys of row i of batch b that bands and lengths keep.
Keys kept_keys(const Masks& masks, std::int64_t key_count, std::int64_t b, std::int64_t i);

/// Query rows that read the same keys: `count` rows from row `first` of `head`. Row L of a head is row 0 of the next
/// one, with which it shares a key head.
struct PanelRows {
    std::int64_t batch = 0, head = 0, first = 0;
    int count = 0;
};

/// The index of the value for the panel's row q and key j in a cell buffer, relative to the first special key: (j -
/// first key) * width + q with width >= rows, or q * width + (j - first key) with width >= keys.
enum class CellOrder { ByKey, ByRow };

/// Which cells prevent skipping a tile: those that are not blocked, or only those of them that can have a weight. A row
/// whose only cells were moved out of reach by a bias is a far row: see far_rows.h.
enum class Counted { NotBlocked, InReach };

class PanelMask {
public:
    PanelMask(const Masks& masks, const Shape& shape, const PanelRows& rows, int width,
              CellOrder order = CellOrder::ByKey, Counted counted = Counted::NotBlocked);

    /// Keys outside are blocked for every row and need not be read.
    Keys reach() const { return reach_; }

    /// Either no cell of the tile counts and none need be read; or only the cells of the keys `special` differ from
    /// "kept with nothing added", as given by `cells`.
    struct Cover {
        bool skip = false;
        Keys special;
    };
    /// For keys within reach(). `cells` gets, for the special keys, the number added to a score in base 2, -inf where
    /// the key is not read, or NaN where the fill replaces the score.
    Cover cover(Keys tile, float* cells) const;

private:
    bool reads_arrays(Keys tile) const;
    bool fill_cells(Keys keys, float* cells) const;
    const double* ahead_of(const double* row, Keys keys) const;
    void fill_row(int q, Keys keys, float* row) const;
    void block_row(int q, Keys keys, float* row) const;
    void add_fill(int q, Keys keys, float* row) const;
    const double* row_of(const CellArray& cells, int q) const;

    const Masks& masks_;
    std::int64_t query_count_, key_count_;
    PanelRows rows_;
    int width_;
    CellOrder order_;
    LayoutKernel layout_;
    float floor_;                         ///< cells above it count
    bool skips_;                          ///< a blocked cell has weight 0 regardless of the scores
    std::array<Keys, widest_panel> kept_; ///< by bands and lengths, a range for each row
    Keys kept_by_all_, reach_;
};

} // namespace attnlab::flash
