// Maps of attention weights that never store L x S. Given the lse of a row, any weight is exp(s_ij - lse_i): any
// rectangle is computed exactly on demand, and an overview pools bins of cells in one pass over queries and keys.
#pragma once

#include "core/attention.h"
#include "core/flash/flash_forward.h"
#include "core/floats.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace attnlab {

namespace flash {
class ExactRow;
class MatrixPath;
struct Problem;
} // namespace flash
class MapEngine;
class MapHead;
struct NotedRows;
struct RowScales;

/// Cells of one head: rows are queries, columns are keys. `last` is one beyond.
struct CellRect {
    std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;

    std::int64_t rows() const { return last_row - first_row; }
    std::int64_t columns() const { return last_column - first_column; }
    bool operator==(const CellRect&) const = default;
};

/// A rectangle divided into bins of bin_rows x bin_columns cells from its first cell on; the last bins may be smaller.
struct BinGrid {
    CellRect cells;
    std::int64_t bin_rows = 1, bin_columns = 1;

    std::int64_t rows() const { return (cells.rows() + bin_rows - 1) / bin_rows; }
    std::int64_t columns() const { return (cells.columns() + bin_columns - 1) / bin_columns; }
    /// The cells of one bin.
    CellRect bin(std::int64_t row, std::int64_t column) const;
    bool operator==(const BinGrid&) const = default;
};

/// Bins of ceil(size / count) cells: at most `rows` x `columns` of them, none empty. If more bins than cells are
/// requested, a bin is one cell. Throws Error for counts below 1.
BinGrid grid_of(const CellRect& cells, std::int64_t rows, std::int64_t columns);

/// Rows of bins of a grid from `first` up to `last`.
struct BinSpan {
    std::int64_t first = 0, last = 0;

    std::int64_t size() const { return last - first; }
    bool operator==(const BinSpan&) const = default;
};

/// How a bin summarizes its kept cells.
enum class Pool { Max, Mean };

/// Pooled weights, row-major. A bin without a kept cell is masked: NaN, which differs from 0 and from underflow.
struct MapBins {
    std::int64_t rows = 0, columns = 0;
    /// Base-2 logarithm of the largest weight: finite where the weight itself is too small for float32, -inf for 0.
    Floats log2_max;
    Floats sum;  ///< of the weights; empty if only maxima were requested
    Floats kept; ///< number of kept cells: an integer, exact up to 2^24

    std::size_t index(std::int64_t row, std::int64_t column) const {
        return static_cast<std::size_t>(row * columns + column);
    }
    bool masked(std::size_t bin) const { return kept[bin] == 0.0f; }
    float max(std::size_t bin) const;
    float mean(std::size_t bin) const;
    /// max() or mean() of every bin.
    std::vector<float> values(Pool pool) const;
    std::size_t bytes() const { return (log2_max.size() + sum.size() + kept.size()) * sizeof(float); }
};

/// Merges `rows` x `columns` bins into one; the last ones may have fewer.
MapBins coarser(const MapBins& bins, std::int64_t rows, std::int64_t columns);

/// Bins merged along the columns (one bin a row) or along the rows: the profiles beside a map.
MapBins row_profile(const MapBins& bins);
MapBins column_profile(const MapBins& bins);

/// B − A, bin by bin, from bins with sums. Pool::Mean: the mean of B − A over all cells of a bin, where a blocked cell
/// weighs 0; it is exact, since sums are subtracted. Pool::Max: the largest weight of B less that of A, which need not
/// be of the same cell. The number is mean() of a bin; log2_max is NaN. A bin is masked where neither keeps a cell.
/// Throws Error for heads of different sizes.
MapBins difference_of(const MapBins& a, const MapBins& b, const BinGrid& grid, Pool pool);
/// Throws Error, with both sizes, for heads that cannot be compared cell by cell.
void require_equal_size(const CellRect& a, const CellRect& b);

/// Queries, keys, scale and masks of a problem, shared by the maps of its heads. Immutable, hence thread-safe. Needs no
/// value; the arrays stay where they are.
class MapInputs {
public:
    /// Why the weights of a problem cannot be computed tile by tile in float32; nullopt when they can, unless the
    /// numbers of a head are too large.
    static std::optional<Message> why_not(const AttentionProblem& problem);
    /// Maps are computed by `engine` if given and if it accepts the head, and otherwise, or when it fails, on the CPU:
    /// see AttentionMap::notes(). `engine` must outlive the maps. `precision` applies to the CPU. Projections are
    /// computed here. Throws Error where why_not() has a reason, Cancelled.
    explicit MapInputs(const AttentionProblem& problem, const MapEngine* engine = nullptr,
                       flash::Precision precision = flash::Precision::Float32, const RunControl& control = {});
    ~MapInputs();
    MapInputs(const MapInputs&) = delete;
    MapInputs& operator=(const MapInputs&) = delete;

    std::int64_t batches() const;
    std::int64_t heads() const;
    std::int64_t rows() const;    ///< L
    std::int64_t columns() const; ///< S

    struct Data;
    const Data& data() const { return *data_; }

private:
    std::unique_ptr<const Data> data_;
};

/// Receives the maxima over all cells of a head while the map is opened.
struct FirstBins {
    std::int64_t bin_rows = 1, bin_columns = 1;
    std::int64_t rows_at_a_time = 256; ///< in bins; the last strip may have fewer
    /// Called once for each strip, from any thread but never concurrently, in any order. `first_row` is in bins. Where
    /// only some rows are computed, bins of the others are undefined.
    std::function<void(std::int64_t first_row, MapBins bins)> take;
};

/// The weights of one head, whose queries and keys it holds in float32. Immutable, hence thread-safe. Results do not
/// depend on the run or the number of threads. `threads` = 0 means one for each core.
class AttentionMap {
public:
    /// Computes the lse of every row in one pass over queries and keys of this head. Throws Error for a batch or head
    /// out of range or numbers beyond float32; Cancelled.
    AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                 const RunControl& control = {}, int threads = 0);
    /// The same, and computes `first` bins, in the same pass if possible. Throws Error also for an empty bin size, and
    /// exceptions of take().
    AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head, const FirstBins& bins,
                 const RunControl& control = {}, int threads = 0);

    ~AttentionMap();
    AttentionMap(const AttentionMap&) = delete;
    AttentionMap& operator=(const AttentionMap&) = delete;

    std::int64_t rows() const { return inputs_->rows(); }
    std::int64_t columns() const { return inputs_->columns(); }
    CellRect all() const { return {0, rows(), 0, columns()}; }
    /// Natural logarithm, one for each row; -inf for a row that reads nothing.
    std::span<const double> lse() const { return lse_; }
    /// For the status bar: the title of the engine, or of the CPU.
    std::string backend() const;
    /// Why the CPU computes instead of the device, after the device has failed, and why it computes in another
    /// precision than asked for.
    std::vector<Message> notes() const;
    /// What compute() warns of in the data, for this head and the rows that are computed. Throws Cancelled.
    std::vector<Note> notes_on_data(const RunControl& control = {}) const;

    /// The keys that a mask or a bias of -inf blocks for a row: S flags, from the masks alone. Throws Error for a row
    /// out of range.
    std::vector<bool> blocked_keys(std::int64_t row) const;

    enum class Form { Weight, Log2 };
    /// Every weight of a rectangle (or its base-2 logarithm) into `out`, row-major, rows() x columns() of the
    /// rectangle. NaN where masked. Throws Error for cells out of range; Cancelled.
    void weights(const CellRect& cells, float* out, Form form = Form::Weight, const RunControl& control = {},
                 int threads = 0) const;

    /// One pass over the grid. Pool::Max omits the sums, and with them an exp for every cell. Throws Error for cells
    /// out of range or an empty bin size; Cancelled.
    MapBins pool(const BinGrid& grid, Pool pool, const RunControl& control = {}, int threads = 0) const;

private:
    friend struct PartOfHead;
    AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head, const FirstBins* bins,
                 std::optional<CellRect> part, const RunControl& control, int threads);
    void require(const CellRect& cells) const;
    MapBins pool_rows(const BinGrid& grid, BinSpan rows, Pool pool, const RunControl& control, int threads) const;
    void pool_strips(const FirstBins& bins, const std::vector<std::int64_t>& strips, const RunControl& control,
                     int threads) const;
    flash::Problem problem() const;
    bool has_failed() const;
    bool on_device(const std::function<void(const MapHead&)>& call) const;
    void note_failure(const Error& error) const;
    void sum_on_device(const MapHead& device, const RunControl& control);
    void sum_on_cores(const RunControl& control, int threads);
    void weigh_on_cores(const CellRect& cells, const RowScales& scales, float* out, Form form,
                        const RunControl& control, int threads) const;
    void find_far_rows(const RunControl& control, int threads);
    std::span<const std::int64_t> far_rows(const CellRect& cells) const;
    flash::ExactRow exact_row(const flash::Problem& head, std::int64_t row, double largest_key) const;
    void weigh_far_rows(const CellRect& cells, float* out, Form form, const RunControl& control, int threads) const;
    void pool_far_rows(MapBins& bins, const BinGrid& grid, BinSpan rows, const RunControl& control, int threads) const;
    void keep_cells_of_nan_rows(MapBins& bins, const CellRect& cells) const;
    NotedRows rows_blocked(const RunControl& control) const;
    MapBins single_cells(const CellRect& cells, Pool pool, const RunControl& control, int threads) const;

    std::shared_ptr<const MapInputs> inputs_;
    std::int64_t batch_, head_;
    CellRect computed_; ///< the rows that have an lse
    std::vector<float> query_, key_;
    std::unique_ptr<const flash::MatrixPath> matrices_; ///< null: computes with vectors on the CPU
    std::unique_ptr<const MapHead> device_;             ///< null: computes on the CPU
    mutable std::mutex failing_;
    mutable std::optional<Message> failure_; ///< of the device, which is then not used again
    std::vector<double> lse_;
    std::vector<std::int64_t> far_; ///< rows outside the precision of float32, sorted: see far_rows.h
    std::vector<float> base_;       ///< subtracted from scores in base 2
    std::vector<float> log2_sum_;   ///< then this: the result is the logarithm of the weight
    std::vector<float> factor_;     ///< or 2^ of the first difference times this: the weight
};

struct PooledHead {
    MapBins bins;
    std::vector<Message> notes;     ///< of the map that made them, as on_data
    std::vector<Note> on_data = {}; ///< see AttentionMap::notes_on_data()
};

/// The result of pool() for a head that need not stay open: maxima of all cells take one pass where AttentionMap
/// supports it. Throws as these do.
PooledHead pool_of_head(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                        const BinGrid& grid, Pool pool, const RunControl& control = {}, int threads = 0);

/// Only some rows of these bins, without reading other rows: bit for bit those that pool_of_head() computes without a
/// device. Throws Error also for `rows` that the grid does not have.
PooledHead part_of_head(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                        const BinGrid& grid, BinSpan rows, Pool pool, const RunControl& control = {}, int threads = 0);

} // namespace attnlab
