// The steps of a TileWalk for one batch and head: which tile is read when, and what every row holds by then.
#pragma once

#include "ui/document/computation.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attnlab::ui {

/// Which queries and keys a tile is of: numbers of tiles, not of tokens.
struct TileIndex {
    std::int64_t query = 0;
    std::int64_t key = 0;
    bool operator==(const TileIndex&) const = default;
};

/// From the first token to the last, both included.
struct TokenSpan {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return last - first + 1; }
};

enum class TileState {
    Done,
    Reading,
    ToCome,
    Skipped, ///< every cell is blocked: no step reads it
};

/// A step reads one tile; key tiles pass by for one query tile after the other.
class TileSteps {
public:
    TileSteps() = default;
    /// No steps at all where the stages that the walk speaks of are missing or do not fit it.
    TileSteps(ComputedPtr computed, const TileWalk& walk, int batch, int head);

    bool empty() const { return read_.empty(); }
    int count() const { return static_cast<int>(read_.size()); }
    TileIndex tile(int step) const { return read_[static_cast<std::size_t>(step)]; }
    /// The step that reads a tile.
    std::optional<int> stepOf(TileIndex tile) const;
    /// Tiles passed over between a step and the one before it.
    int skippedBefore(int step) const;
    int skippedCount() const;

    std::int64_t queries() const { return queries_; }
    std::int64_t keys() const { return keys_; }
    std::int64_t queryTiles() const { return walk_.query_tiles; }
    std::int64_t keyTiles() const { return walk_.key_tiles; }
    std::int64_t features() const { return features_; } ///< of an output row; 0: the trace does not tell outputs
    TokenSpan querySpan(std::int64_t query_tile) const;
    TokenSpan keySpan(std::int64_t key_tile) const;
    TileState state(TileIndex tile, int step) const;

    /// How many rows, from the first, have been reached by a step.
    std::int64_t rowsReached(int step) const;
    /// The running maximum m and sum l of a row that has been reached, after the step; -inf and 0 before.
    double rowMax(std::int64_t row, int step) const;
    double rowSum(std::int64_t row, int step) const;
    /// The same before the step.
    double rowMaxBefore(std::int64_t row, int step) const;
    /// exp(m_old - m_new): what the step multiplies the sums of a row of its tile by. 1 where m stays.
    double rescale(std::int64_t row, int step) const;
    /// The output of a row so far, not divided by l.
    std::span<const double> output(std::int64_t row, int step) const;

private:
    /// The key tile whose numbers a row has after a step; -1: none yet.
    std::int64_t keyTileOf(std::int64_t row, int step) const;
    /// Where row `row` of a (tiles,B,H,L) stage lies.
    std::size_t indexOf(std::int64_t key_tile, std::int64_t row) const;
    bool isSkipped(TileIndex tile) const;

    ComputedPtr computed_;
    TileWalk walk_;
    const Stage* max_ = nullptr;
    const Stage* sum_ = nullptr;
    const Stage* output_ = nullptr;
    std::vector<TileIndex> read_;
    std::int64_t queries_ = 0;
    std::int64_t keys_ = 0;
    std::int64_t features_ = 0;
    std::int64_t matrix_ = 0;   ///< which of the B * H matrices
    std::int64_t matrices_ = 1; ///< B * H
};

} // namespace attnlab::ui
