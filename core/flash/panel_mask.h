// What the masks of a problem say about one panel of query rows, key tile by key tile.
#pragma once

#include "core/flash/forward.h"
#include "core/flash/layout_kernel.h"

#include <array>

namespace attnlab::flash {

/// Scores are kept in base 2, so that exp is exp2.
inline constexpr double log2_e = 1.44269504088896340736;

/// Most query rows that a panel has.
inline constexpr int widest_panel = 32;

struct Keys {
    std::int64_t first = 0, last = 0; ///< first <= j < last

    bool empty() const { return first >= last; }
    std::int64_t count() const { return last - first; }
};

/// Those that bands and lengths leave to row i of batch b.
Keys kept_keys(const Masks& masks, std::int64_t key_count, std::int64_t b, std::int64_t i);

/// Some query rows that read the same keys: `count` of them from row `first` of `head` on. Row L of a head is row 0 of
/// the next one, with which it shares a key head.
struct PanelRows {
    std::int64_t batch = 0, head = 0, first = 0;
    int count = 0;
};

/// Where the value for the panel's row q and key j lies in a cell buffer, the first key being the first special one:
/// at (j - first key) * width + q with width >= rows, or at q * width + (j - first key) with width >= keys.
enum class CellOrder { ByKey, ByRow };

/// Which cells count when a tile is passed over: those that are not blocked, or those of them that can have a weight.
/// Where a row has no cell but those that a bias has moved out of reach, it is a far row: see far_rows.h.
enum class Counted { NotBlocked, InReach };

class PanelMask {
public:
    PanelMask(const Masks& masks, const Shape& shape, const PanelRows& rows, int width,
              CellOrder order = CellOrder::ByKey, Counted counted = Counted::NotBlocked);

    /// Keys outside are blocked for every row, and need not be read.
    Keys reach() const { return reach_; }

    /// No cell of the tile counts, and none need be read; or only the cells of the keys `special` differ from
    /// "kept with nothing added", and `cells` says how.
    struct Cover {
        bool skip = false;
        Keys special;
    };
    /// For keys within reach(). `cells` gets, for the special keys, what is added to a score in base 2, -inf where
    /// the key is not read, or NaN where the fill stands in its place.
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
    bool skips_;                          ///< a blocked cell has weight 0 whatever the scores are
    std::array<Keys, widest_panel> kept_; ///< by bands and lengths, a range for each row
    Keys kept_by_all_, reach_;
};

} // namespace attnlab::flash
