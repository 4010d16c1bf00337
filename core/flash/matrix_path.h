// How a forward or a map uses the matrix unit: keys and values packed once, and the tiles that it can take. The others
// are left to vectors, whose state of a panel is the same.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/layout_kernel.h"
#include "core/flash/matrix_kernel.h"
#include "core/flash/tile_kernel.h"

#include <memory>
#include <optional>

namespace attnlab::flash {

struct PackedDeleter {
    void operator()(std::uint16_t* memory) const { ::operator delete[](memory, std::align_val_t(64)); }
};
using PackedNumbers = std::unique_ptr<std::uint16_t[], PackedDeleter>;

/// While it exists, its thread can use the unit. Does nothing without a kernel.
class MatrixUnitScope {
public:
    explicit MatrixUnitScope(const MatrixKernel* kernel) : kernel_(kernel) {
        if (kernel_)
            kernel_->begin();
    }
    ~MatrixUnitScope() {
        if (kernel_)
            kernel_->end();
    }
    MatrixUnitScope(const MatrixUnitScope&) = delete;
    MatrixUnitScope& operator=(const MatrixUnitScope&) = delete;

private:
    const MatrixKernel* kernel_;
};

/// Immutable, hence thread-safe.
class MatrixPath {
public:
    /// Null where there is no unit, or it is not chosen for this problem (see matrix_choice.h). Throws Cancelled.
    static std::unique_ptr<const MatrixPath> of(const Problem& problem, const RunControl& control, int threads);
    /// Packs the keys of the problem, and the values if it has any.
    MatrixPath(const Problem& problem, const MatrixKernel& kernel, const RunControl& control, int threads);

    const MatrixKernel& kernel() const { return kernel_; }

    /// The packed queries of a panel.
    class Panel {
    public:
        explicit Panel(const MatrixPath& path);

    private:
        friend class MatrixPath;
        PackedNumbers queries_;
        AlignedFloats plain_; ///< unscaled queries, for bfloat16
        bool fits_ = false;
    };

    /// The scratch memory of a thread.
    struct Scratch {
        explicit Scratch(const MatrixPath& path);
        PackedNumbers weights;
        AlignedFloats scores, sums;
    };

    /// The size of Tile::output in rows.
    static std::int64_t rows_of_output(std::int64_t Ev) {
        return PackedSizes::matrices(Ev, rows_of_a_matrix) * rows_of_a_matrix;
    }

    /// Packs `count` rows (count, E), whose scaled and transposed numbers are `panel`.
    void start(const float* rows, int count, const float* panel, Panel& packed) const;

    /// True when the unit can take these queries and the keys of the block. `head` is a key head of all batches.
    bool takes(const Panel& panel, std::int64_t head, std::int64_t block) const {
        return panel.fits_ && fits_[static_cast<std::size_t>(head * blocks_ + block)] != 0;
    }

    /// As in MatrixKernel, for a tile that this takes, from key `first` of the head on. score() returns the scores of
    /// the first key of the tile.
    void attend(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head, std::int64_t first) const;
    const float* score(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                       std::int64_t first) const;

private:
    MatrixTile whole(const Tile& tile, const Panel& panel, Scratch& scratch, std::int64_t head,
                     std::int64_t first) const;
    void pack(const Problem& problem, std::int64_t block);

    const MatrixKernel& kernel_;
    const Shape shape_;
    const LayoutKernel layout_;
    const int parts_;
    const float score_factor_;
    const std::int64_t blocks_; ///< of a head
    PackedNumbers keys_, values_;
    std::unique_ptr<char[]> fits_;
};

} // namespace attnlab::flash
