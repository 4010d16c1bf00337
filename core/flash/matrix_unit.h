// The processor's matrix unit (AMX): its kernel, if any, how tiles are computed by it, and where a measurement has
// shown that it is faster. It computes scores and outputs in bfloat16, the scores of maps in split numbers, and
// products with the weights of a model in bfloat16 or, from three parts of each number, in float32. Attention in
// float32 never depends on it.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/flash/layout_kernel.h"
#include "core/flash/matrix_kernel.h"
#include "core/flash/tile_kernel.h"
#include "core/message.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::flash {

/// The kernel of the unit, null without one. Before AMX is used for the first time, small problems are computed with it
/// and without: where the results differ, it is not used. ATTNLAB_AMX=0 in the environment switches it off; with
/// ATTNLAB_AMX=1 it computes everything in bfloat16 and split numbers, faster or not, for tests. Thread-safe.
const MatrixKernel* matrix_kernel();

/// Why there is none; nullopt where there is one.
std::optional<Message> matrix_unit_unavailable_reason();

/// Compares a kernel with the vector kernels on small problems in every precision that it computes; returns what
/// differs, or an empty text.
std::string wrong_results_of(const MatrixKernel& kernel);

/// Uses this kernel (or none) instead, until it is called with nullopt. For tests; not to be called while something is
/// computed.
void use_matrix_kernel(std::optional<const MatrixKernel*> kernel);

struct PackedDeleter {
    void operator()(std::uint16_t* memory) const { ::operator delete[](memory, std::align_val_t(64)); }
};
using PackedNumbers = std::unique_ptr<std::uint16_t[], PackedDeleter>;
inline PackedNumbers packed_numbers(std::int64_t count) {
    return PackedNumbers(new (std::align_val_t(64))
                             std::uint16_t[static_cast<std::size_t>(std::max<std::int64_t>(1, count))]);
}

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

/// How a forward or a map uses the unit: keys and values packed once, and the tiles that it can take. The others are
/// left to vectors, whose state of a panel is the same. Immutable, hence thread-safe.
class MatrixPath {
public:
    /// Null where there is no unit, or it is not chosen for this problem (chooses_matrices()). Throws Cancelled.
    static std::unique_ptr<const MatrixPath> of(const Problem& problem, const RunControl& control, int threads);
    /// Packs the keys of the problem, and the values if it has any. The unit must compute such problems.
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
        AlignedFloats scores;
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

// Where the matrix unit is used: only where a measurement on this machine has shown that it is faster than vectors.

/// A forward computes scores and outputs, a map scores alone. Weights: the linear layers of a model
/// (core/model/weight_products.h).
enum class MatrixUse { Forward, Map, Weights };

/// "forward", "map", "weights"
std::string_view name_of(MatrixUse use);

/// What the unit computes, and what is measured of it.
struct MatrixTask {
    Precision precision = Precision::BFloat16;
    MatrixUse use = MatrixUse::Forward;
};
/// Of attention.
inline constexpr MatrixTask matrix_tasks[] = {{Precision::Split, MatrixUse::Map},
                                              {Precision::BFloat16, MatrixUse::Forward},
                                              {Precision::BFloat16, MatrixUse::Map}};

/// What was measured of the unit in a precision and use.
struct MatrixChoice {
    Precision precision = Precision::BFloat16;
    MatrixUse use = MatrixUse::Forward;
    double gain = 0.0; ///< time of vectors / time of the unit, the least of the measured shapes; 0: unknown
    std::optional<Message> failure; ///< of the measurement

    static constexpr double least_gain = 1.1; ///< less is within what machines differ by from one hour to the next
    bool is_used() const { return gain >= least_gain; }
    /// Why it is not used.
    Message why_not(std::string_view unit) const;
};

/// Seconds that a shape took by vectors and by the unit, one after the other.
struct MatrixRound {
    double vectors = 0.0, matrices = 0.0;
};

/// The choice from the rounds of each shape: the unit is used if for every shape the median gain is at least
/// least_gain, and three of four rounds have a gain above 1. With few rounds, times that are not positive numbers, or
/// rounds that disagree, there is a failure and the unit is not used.
MatrixChoice judged(Precision precision, MatrixUse use, std::span<const std::vector<MatrixRound>> shapes);

/// Returns the seconds that `run` takes.
using Stopwatch = std::function<double(const std::function<void()>& run)>;

/// The same work by vectors and by the unit.
struct MatrixTrial {
    std::function<void()> by_vectors, by_unit;
};

/// Measures in about 0.03 s, and up to twice more where rounds disagree. An exception of the run becomes a failure.
MatrixChoice measured(Precision precision, MatrixUse use, const std::function<std::vector<MatrixTrial>()>& make_trials,
                      const Stopwatch& seconds_of);
/// A forward or a map.
MatrixChoice measured(const MatrixKernel& kernel, Precision precision, MatrixUse use, const Stopwatch& seconds_of);

/// Whether the unit is to compute this problem: never in float32. The first call for a precision and use may measure,
/// so this is for worker threads. The answer depends on sizes and masks, not on the rows of a part or the number of
/// threads. Small problems, and shapes unlike the measured ones, are left to vectors without a measurement.
/// Thread-safe.
bool chooses_matrices(const MatrixKernel& kernel, const Problem& problem);

/// The choice for a precision and use of matrix_tasks, measured if it is not known. Thread-safe.
MatrixChoice choice_of(const MatrixKernel& kernel, Precision precision, MatrixUse use);
/// The choice for products with weights in float32, measured by these trials if it is not known. Thread-safe.
MatrixChoice choice_for_weights(const std::function<std::vector<MatrixTrial>()>& make_trials);
/// The same if it is known already in this process: returns at once, for any thread.
std::optional<MatrixChoice> known_choice(Precision precision, MatrixUse use);

/// Keeps choices in a file, so that they are measured once for a machine and the same numbers come from every process.
/// `build` identifies the program; a choice of another build, processor or number of threads is not used. A file that
/// cannot be read or written only means that each process measures. To be called before anything is computed.
void keep_choices(std::filesystem::path file, std::string build);
/// Forgets what is known, in the file too; measures by `seconds_of`, or if empty by a clock.
void forget_choices(Stopwatch seconds_of = {});

} // namespace attnlab::flash
