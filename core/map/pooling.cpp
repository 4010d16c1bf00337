// AttentionMap::pool: processes blocks of rows in parallel, each with its own totals, and merges them in a fixed order.
#include "core/flash/far_rows.h"
#include "core/flash/parallel.h"
#include "core/map/bin_totals.h"
#include "core/map/map_engine.h"
#include "core/map/map_inputs.h"
#include "core/map/score_tiles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace attnlab {
namespace {

constexpr float blocked_score = -std::numeric_limits<float>::infinity();
constexpr std::int64_t least_rows_of_a_task = 32, most_rows_of_a_task = 512;
constexpr std::int64_t pooling_tasks = 16;       // enough for threads to finish at about the same time
constexpr std::int64_t most_parts_of_bins = 256; // each with its own totals until the end
constexpr std::int64_t most_totals = 1 << 17;    // of a task: a few MB

/// Rows for one thread: whole rows of bins, or a part of one.
struct PoolingTask {
    std::int64_t first_row = 0, rows = 0, first_bin = 0, bins = 1;
    bool part = false;
};

/// One cell at a time, for rows with NaN, which vector maxima lose.
void pool_one_by_one(const flash::ScoreTile& tile, int width, const flash::BinRows& bins) {
    for (int r = 0; r < bins.count; ++r) {
        const auto& row = bins.rows[r];
        for (std::int64_t j = 0; j < tile.count; ++j) {
            const auto column = (bins.first_in_bin + j) / bins.bin_columns;
            const bool special = tile.special_first <= j && j < tile.special_last;
            for (int q = row.first_lane; q < row.last_lane; ++q) {
                const float cell = special ? tile.cells[(j - tile.special_first) * width + q] : 0.0f;
                if (!(cell > blocked_score))
                    continue;
                const float above_base = tile.scores[j * width + q] + cell - tile.base[q];
                row.log2_max[column] = larger(row.log2_max[column], above_base - tile.log2_sum[q]);
                if (row.sum)
                    row.sum[column] += static_cast<double>(std::exp2(above_base) * tile.factor[q]);
                ++row.kept[column];
            }
        }
    }
}

class Pooling {
public:
    Pooling(const flash::Problem& head, const RowScales& scales, const BinGrid& grid, BinSpan rows, bool sums,
            const RunControl& control)
        : head_(head), scales_(scales), grid_(grid), rows_(rows), sums_(sums), control_(control),
          kernel_(flash::pool_kernel()), bins_(bins_of(rows.size(), grid.columns(), sums)) {}

    MapBins run(int threads) {
        plan(flash::tile_kernel().width);
        struct Worker {
            Worker(const flash::Problem& head, const RowScales& scales) : tiles(head, scales) {}
            ScoreTiles tiles;
            BinTotals totals;
        };
        std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(threads));
        flash::parallel_for(threads, static_cast<std::int64_t>(tasks_.size()), [&](int number, std::int64_t at) {
            auto& worker = workers[static_cast<std::size_t>(number)];
            if (!worker)
                worker = std::make_unique<Worker>(head_, scales_);
            const auto& task = tasks_[static_cast<std::size_t>(at)];
            auto& totals = task.part ? parts_[static_cast<std::size_t>(at)] : worker->totals;
            totals.start(task.bins, grid_.columns(), sums_);
            take(task, worker->tiles, totals, number == 0);
            if (!task.part)
                put(task, totals);
        });
        put_parts();
        control_.report(1.0);
        return std::move(bins_);
    }

private:
    void plan(int width) {
        const auto rows = grid_.cells.rows();
        const auto most = std::clamp(rows / pooling_tasks, least_rows_of_a_task, most_rows_of_a_task);
        if (grid_.bin_rows <= most)
            plan_whole_bins(most, width);
        else
            plan_parts(std::max(most, rows / most_parts_of_bins));
        std::erase_if(tasks_, [&](const PoolingTask& task) {
            return task.first_bin >= rows_.last || task.first_bin + task.bins <= rows_.first;
        });
        for (const auto& task : tasks_)
            rows_in_all_ += task.rows;
        parts_.resize(grid_.bin_rows <= most ? 0 : tasks_.size());
    }

    /// Chooses the number of rows of bins in a task that leaves the fewest lanes of its last panel idle.
    void plan_whole_bins(std::int64_t most_rows, int width) {
        const auto totals_allow =
            std::max(most_totals / std::max<std::int64_t>(1, grid_.columns()), least_rows_of_a_task / grid_.bin_rows);
        const auto most_bins =
            std::clamp<std::int64_t>(most_rows / grid_.bin_rows, 1, std::max<std::int64_t>(1, totals_allow));
        std::int64_t bins = 1;
        double best = 0.0;
        for (std::int64_t n = 1; n <= most_bins; ++n) {
            const auto rows = n * grid_.bin_rows;
            const auto tiled = (rows + width - 1) / width * width;
            const double busy = static_cast<double>(rows) / static_cast<double>(tiled);
            if (busy > best || (busy == best && rows <= ScoreTiles::most_rows)) {
                best = busy;
                bins = n;
            }
        }
        for (std::int64_t first = 0; first < grid_.rows(); first += bins) {
            const auto count = std::min(bins, grid_.rows() - first);
            const auto row = first * grid_.bin_rows;
            tasks_.push_back({row, std::min(count * grid_.bin_rows, grid_.cells.rows() - row), first, count});
        }
    }

    void plan_parts(std::int64_t rows_of_a_part) {
        const auto step = (rows_of_a_part + ScoreTiles::most_rows - 1) / ScoreTiles::most_rows * ScoreTiles::most_rows;
        for (std::int64_t bin = 0; bin < grid_.rows(); ++bin) {
            const auto last = std::min((bin + 1) * grid_.bin_rows, grid_.cells.rows());
            for (auto first = bin * grid_.bin_rows; first < last; first += step)
                tasks_.push_back({first, std::min(step, last - first), bin, 1, true});
        }
    }

    void take(const PoolingTask& task, ScoreTiles& tiles, BinTotals& totals, bool reports) {
        for (std::int64_t row = 0; row < task.rows; row += ScoreTiles::most_rows) {
            const auto rows = std::min(ScoreTiles::most_rows, task.rows - row);
            tiles.walk(grid_.cells.first_row + task.first_row + row, rows,
                       {grid_.cells.first_column, grid_.cells.last_column}, control_,
                       [&](const PanelTile& tile) { take_tile(task, tile, tiles.width(), totals); });
            const auto done = rows_done_ += rows;
            if (reports)
                control_.report(static_cast<double>(done) / static_cast<double>(rows_in_all_));
        }
    }

    void take_tile(const PoolingTask& task, const PanelTile& tile, int width, BinTotals& totals) const {
        const auto first_key = tile.keys.first - grid_.cells.first_column;
        const auto first_row = tile.first_row - grid_.cells.first_row;
        const auto column = first_key / grid_.bin_columns;
        std::array<flash::BinRow, flash::widest_panel> rows;
        const auto count =
            totals.rows_of_bins(first_row - task.first_bin * grid_.bin_rows, tile.rows, grid_.bin_rows, column, rows);
        const flash::BinRows bins{rows.data(), count, grid_.bin_columns, first_key % grid_.bin_columns};
        if (tile.has_nan)
            pool_one_by_one(tile.scores, width, bins);
        else
            kernel_.pool(tile.scores, bins);
    }

    void put(const PoolingTask& task, const BinTotals& totals) {
        const auto first = std::max(task.first_bin, rows_.first),
                   last = std::min(task.first_bin + task.bins, rows_.last);
        for (auto row = first; row < last; ++row)
            for (std::int64_t column = 0; column < grid_.columns(); ++column)
                totals.bin(row - task.first_bin, column).put(bins_, bins_.index(row - rows_.first, column));
    }

    void put_parts() {
        for (std::size_t first = 0; first < parts_.size();) {
            std::vector<BinTotal> totals(static_cast<std::size_t>(grid_.columns()));
            const auto bin = tasks_[first].first_bin;
            for (; first < parts_.size() && tasks_[first].first_bin == bin; ++first)
                for (std::size_t k = 0; k < totals.size(); ++k)
                    totals[k].take(parts_[first].bin(0, static_cast<std::int64_t>(k)));
            for (std::size_t k = 0; k < totals.size(); ++k)
                totals[k].put(bins_, bins_.index(bin - rows_.first, static_cast<std::int64_t>(k)));
        }
    }

    const flash::Problem& head_;
    const RowScales scales_;
    const BinGrid grid_;
    const BinSpan rows_;
    const bool sums_;
    const RunControl& control_;
    const flash::PoolKernel kernel_;
    std::vector<PoolingTask> tasks_;
    std::vector<BinTotals> parts_;
    std::atomic<std::int64_t> rows_done_{0};
    std::int64_t rows_in_all_ = 0;
    MapBins bins_;
};

} // namespace

/// Their weights are NaN, as those of masked cells are.
void AttentionMap::keep_cells_of_nan_rows(MapBins& bins, const CellRect& cells) const {
    std::optional<flash::Problem> head;
    for (auto row = cells.first_row; row < cells.last_row; ++row) {
        if (!std::isnan(factor_[static_cast<std::size_t>(row)]))
            continue;
        if (!head)
            head = problem();
        const flash::MaskedRow masked(head->masks, head->shape, 0, 0, row);
        for (auto j = cells.first_column; j < cells.last_column; ++j)
            if (masked.keeps(j)) {
                const auto bin = bins.index(row - cells.first_row, j - cells.first_column);
                bins.kept[bin] = 1.0f;
                if (!bins.sum.empty())
                    bins.sum[bin] = std::numeric_limits<float>::quiet_NaN();
            }
    }
}

/// Bins of one cell need no pooling.
MapBins AttentionMap::single_cells(const CellRect& cells, Pool pool, const RunControl& control, int threads) const {
    auto bins = bins_of(cells.rows(), cells.columns(), pool == Pool::Mean);
    weights(cells, bins.log2_max.data(), Form::Log2, control, threads);
    std::transform(bins.log2_max.begin(), bins.log2_max.end(), bins.kept.begin(),
                   [](float log2_weight) { return std::isnan(log2_weight) ? 0.0f : 1.0f; });
    std::transform(bins.log2_max.begin(), bins.log2_max.begin() + static_cast<std::ptrdiff_t>(bins.sum.size()),
                   bins.sum.begin(),
                   [](float log2_weight) { return std::isnan(log2_weight) ? 0.0f : std::exp2(log2_weight); });
    keep_cells_of_nan_rows(bins, cells);
    control.report(1.0);
    return bins;
}

MapBins AttentionMap::pool(const BinGrid& grid, Pool pool, const RunControl& control, int threads) const {
    require_bins(grid.bin_rows, grid.bin_columns);
    return pool_rows(grid, {0, grid.rows()}, pool, control, threads);
}

MapBins AttentionMap::pool_rows(const BinGrid& grid, BinSpan rows, Pool pool, const RunControl& control,
                                int threads) const {
    require(grid.cells);
    require_bins(grid.bin_rows, grid.bin_columns);
    control.checkpoint();
    control.require_memory("map", {rows.size(), grid.columns()}, pool == Pool::Mean ? 1.5 : 1.0);
    if (grid.bin_rows == 1 && grid.bin_columns == 1) {
        const auto first = grid.cells.first_row + rows.first;
        return single_cells({first, first + rows.size(), grid.cells.first_column, grid.cells.last_column}, pool,
                            control, threads);
    }
    threads = threads > 0 ? threads : flash::thread_count();
    const RowScales scales{base_.data(), log2_sum_.data(), factor_.data()};
    MapBins bins;
    if (!on_device([&](const MapHead& device) { bins = device.pool(grid, scales, pool == Pool::Mean, control); })) {
        const auto head = problem();
        bins = Pooling(head, scales, grid, rows, pool == Pool::Mean, control).run(threads);
    }
    pool_far_rows(bins, grid, rows, control, threads);
    return bins;
}

} // namespace attnlab
