// Maps of attention weights that never store L x S. With the lse of a row known, any weight is exp(s_ij - lse_i): any
// rectangle is exact on demand, and an overview pools bins of cells in one pass over queries and keys.
#pragma once

#include "core/attention.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace attnlab {

namespace flash {
class ExactRow;
struct Problem;
} // namespace flash
class MapEngine;
class MapHead;
struct RowScales;

/// Cells of one head: rows are queries, columns are keys. `last` is one beyond.
struct CellRect {
    std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;

    std::int64_t rows() const { return last_row - first_row; }
    std::int64_t columns() const { return last_column - first_column; }
    bool operator==(const CellRect&) const = default;
};

/// A rectangle cut into bins of bin_rows x bin_columns cells from its first cell on; the last bins may be short.
struct BinGrid {
    CellRect cells;
    std::int64_t bin_rows = 1, bin_columns = 1;

    std::int64_t rows() const { return (cells.rows() + bin_rows - 1) / bin_rows; }
    std::int64_t columns() const { return (cells.columns() + bin_columns - 1) / bin_columns; }
    /// The cells of one bin.
    CellRect bin(std::int64_t row, std::int64_t column) const;
    bool operator==(const BinGrid&) const = default;
};

/// Bins of ceil(size / count) cells: at most `rows` x `columns` of them, none without a cell. Where more bins are asked
/// for than there are cells, a bin is one cell. Throws Error for counts below 1.
BinGrid grid_of(const CellRect& cells, std::int64_t rows, std::int64_t columns);

/// What a bin shows of the cells in it that the masks keep.
enum class Pool { Max, Mean };

/// Pooled weights, row-major. A bin without a kept cell is masked: NaN, which is neither 0 nor too small for float32.
struct MapBins {
    std::int64_t rows = 0, columns = 0;
    /// Base-2 logarithm of the largest weight: finite where the weight itself is too small for float32, -inf for 0.
    std::vector<float> log2_max;
    std::vector<float> sum;  ///< of the weights; empty where only maxima were asked for
    std::vector<float> kept; ///< how many cells the masks keep: whole, exact up to 2^24

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

/// Bins of so many of these, along each axis; the last ones may be of fewer.
MapBins coarser(const MapBins& bins, std::int64_t rows, std::int64_t columns);

/// Bins merged along the columns (one bin a row) or along the rows: the profiles beside a map.
MapBins row_profile(const MapBins& bins);
MapBins column_profile(const MapBins& bins);

/// Queries, keys, scale and masks of a problem: what maps of its heads share. Immutable, so it may be used from many
/// threads. Needs no value; the arrays stay where they are.
class MapInputs {
public:
    /// Why the weights of a problem cannot be had tile by tile in float32; nothing when they can, unless the numbers of
    /// a head are too large for it.
    static std::optional<Message> why_not(const AttentionProblem& problem);
    /// Maps are computed by `engine` where there is one that takes a head, which outlives them, and on the cores
    /// otherwise or where it fails: see AttentionMap::notes(). Throws Error where why_not() has a reason.
    explicit MapInputs(const AttentionProblem& problem, const MapEngine* engine = nullptr);
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

/// Maxima over all cells of a head, which a map hands over while it opens.
struct FirstBins {
    std::int64_t bin_rows = 1, bin_columns = 1;
    std::int64_t rows_at_a_time = 256; ///< of bins; the last strip may have fewer
    /// Gets each strip once, from any thread but one at a time, in no order. `first_row` is one of bins.
    std::function<void(std::int64_t first_row, MapBins bins)> take;
};

/// The weights of one head, whose queries and keys it holds in float32. Immutable once made, so all of it may be called
/// from many threads at a time. Results are the same at every run and for every number of threads. `threads` 0 takes
/// one for each core.
class AttentionMap {
public:
    /// Computes the lse of every row, one pass over queries and keys, and reads nothing of other heads. Throws Error
    /// for a batch or head that is not there or numbers beyond float32; Cancelled.
    AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                 const RunControl& control = {}, int threads = 0);
    /// The same, with a first look at the weights: where it can, in the same pass. Throws Error for an empty bin size
    /// too, and what take() throws.
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
    /// For the status bar: the title of the engine that computes, or of the cores.
    std::string backend() const;
    /// Why the cores compute what the device was asked for, once it has failed.
    std::vector<Message> notes() const;

    enum class Form { Weight, Log2 };
    /// Every weight of a rectangle (or its base-2 logarithm) into `out`, row-major, rows() x columns() of the
    /// rectangle. NaN where masked. Throws Error for cells that are not there; Cancelled.
    void weights(const CellRect& cells, float* out, Form form = Form::Weight, const RunControl& control = {},
                 int threads = 0) const;

    /// One pass over the grid. Pool::Max leaves out the sums and with them an exp for every cell. Throws Error for
    /// cells that are not there or an empty bin size; Cancelled.
    MapBins pool(const BinGrid& grid, Pool pool, const RunControl& control = {}, int threads = 0) const;

private:
    AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head, const FirstBins* bins,
                 const RunControl& control, int threads);
    void require(const CellRect& cells) const;
    void pool_strips(const FirstBins& bins, const std::vector<std::int64_t>& strips, const RunControl& control,
                     int threads) const;
    flash::Problem problem() const;
    bool is_number(const CellRect& rows) const;
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
    void pool_far_rows(MapBins& bins, const BinGrid& grid, const RunControl& control, int threads) const;
    MapBins single_cells(const CellRect& cells, Pool pool, const RunControl& control, int threads) const;

    std::shared_ptr<const MapInputs> inputs_;
    std::int64_t batch_, head_;
    std::vector<float> query_, key_;
    std::unique_ptr<const MapHead> device_; ///< null: the cores compute
    mutable std::mutex failing_;
    mutable std::optional<Message> failure_; ///< of the device, which is not asked again
    std::vector<double> lse_;
    std::vector<std::int64_t> far_; ///< rows that float32 cannot do, in order: see far_rows.h
    std::vector<float> base_;       ///< subtracted from scores in base 2
    std::vector<float> log2_sum_;   ///< then this: what remains is the logarithm of the weight
    std::vector<float> factor_;     ///< or 2^ of the first difference times this: the weight
};

struct PooledHead {
    MapBins bins;
    std::vector<Message> notes; ///< of the map that made them
};

/// What pool() gives of a head that is not open yet and need not stay so: maxima of all of it take one pass where
/// AttentionMap can. Throws as these do.
PooledHead pool_of_head(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                        const BinGrid& grid, Pool pool, const RunControl& control = {}, int threads = 0);

} // namespace attnlab
