#include "core/map/opening.h"

#include "core/flash/far_rows.h"
#include "core/flash/parallel.h"
#include "core/flash/work_division.h"
#include "core/map/bin_totals.h"
#include "core/map/score_tiles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <deque>
#include <mutex>

namespace attnlab {
namespace {

constexpr float no_score = -std::numeric_limits<float>::infinity();
constexpr std::int64_t least_rows = 512;    // with fewer, threads share the keys of a row
constexpr std::int64_t opening_tasks = 64;  // enough for threads to finish at about the same time
constexpr std::int64_t least_cells = 16;    // of a bin: storing smaller ones costs more than another pass
constexpr std::int64_t most_columns = 8192; // of bins: a few MB for each thread

/// Rows for one thread, all in one strip.
struct OpeningTask {
    std::int64_t strip = 0, first_row = 0, rows = 0;
};

/// Rows of bins that are passed on together.
struct Strip {
    std::mutex mutex;
    BinTotals totals;
    bool started = false, is_number = true;
    std::int64_t rows_left = 0;
};

class Opening {
public:
    Opening(const flash::Problem& head, const FirstBins& bins, const RowNumbers& rows, const RunControl& control)
        : head_(head), L_(head.shape.L), S_(head.shape.S), bins_(bins), rows_(rows), control_(control),
          columns_((S_ + bins.bin_columns - 1) / bins.bin_columns),
          rows_of_a_strip_(bins.bin_rows * bins.rows_at_a_time), width_(flash::tile_kernel().width),
          kernel_(flash::pool_kernel()) {
        const auto rows_of_a_task = std::clamp(L_ / opening_tasks / flash::widest_panel * flash::widest_panel,
                                               static_cast<std::int64_t>(flash::widest_panel), ScoreTiles::most_rows);
        for (std::int64_t first = 0; first < L_; first += rows_of_a_strip_) {
            auto& strip = strips_.emplace_back();
            const auto rows_of_strip = std::min(rows_of_a_strip_, L_ - first);
            for (std::int64_t row = 0; row < rows_of_strip; row += rows_of_a_task) {
                const OpeningTask task{std::ssize(strips_) - 1, first + row,
                                       std::min(rows_of_a_task, rows_of_strip - row)};
                if (!head.rows.meets(task.first_row, task.first_row + task.rows))
                    continue;
                strip.rows_left += task.rows;
                rows_in_all_ += task.rows;
                tasks_.push_back(task);
            }
        }
    }

    std::vector<std::int64_t> run(int threads) {
        std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(threads));
        flash::parallel_for(threads, std::ssize(tasks_), [&](int number, std::int64_t at) {
            auto& worker = workers[static_cast<std::size_t>(number)];
            if (!worker)
                worker = std::make_unique<Worker>(head_, columns_, width_);
            const auto& task = tasks_[static_cast<std::size_t>(at)];
            sweep(task, *worker);
            settle(task, *worker);
            const auto done = rows_done_ += task.rows;
            if (number == 0)
                control_.report(static_cast<double>(done) / static_cast<double>(rows_in_all_));
        });
        std::sort(left_.begin(), left_.end());
        return std::move(left_);
    }

private:
    struct Panel {
        Panel(std::int64_t columns, int width)
            : size(static_cast<std::size_t>(columns * width)), score_max(flash::aligned_floats(columns * width)),
              kept(flash::aligned_floats(columns * width)), open(static_cast<std::size_t>(columns)),
              row_max(flash::aligned_floats(width)), row_sum(flash::aligned_floats(width)),
              base(flash::aligned_floats(width)), log2_sum(flash::aligned_floats(width)) {}

        std::size_t size;
        flash::AlignedFloats score_max, kept;
        std::vector<std::int64_t> open;
        flash::AlignedFloats row_max, row_sum, base, log2_sum;
        flash::FirstPass pass;
    };

    struct Worker {
        Worker(const flash::Problem& head, std::int64_t columns, int width) : tiles(head, {}) {
            for (std::int64_t row = 0; row < ScoreTiles::most_rows; row += width)
                panels.emplace_back(columns, width);
        }
        ScoreTiles tiles;
        std::vector<Panel> panels;
    };

    void start(Panel& panel) const {
        std::fill_n(panel.score_max.get(), panel.size, no_score);
        std::fill_n(panel.row_max.get(), width_, no_score);
        std::fill_n(panel.row_sum.get(), width_, 0.0f);
        std::fill(panel.open.begin(), panel.open.end(), 0);
        panel.pass = {.row_max = panel.row_max.get(),
                      .row_sum = panel.row_sum.get(),
                      .columns = columns_,
                      .bin_columns = bins_.bin_columns,
                      .score_max = panel.score_max.get(),
                      .open = panel.open.data(),
                      .kept = panel.kept.get()};
    }

    void sweep(const OpeningTask& task, Worker& worker) const {
        for (std::int64_t row = 0; row < task.rows; row += width_)
            start(worker.panels[static_cast<std::size_t>(row / width_)]);
        worker.tiles.walk(task.first_row, task.rows, {0, S_}, control_, [&](const PanelTile& tile) {
            auto& panel = worker.panels[static_cast<std::size_t>((tile.first_row - task.first_row) / width_)];
            if (tile.scores.special_first < tile.scores.special_last && !panel.pass.has_special) {
                std::fill_n(panel.kept.get(), panel.size, 0.0f);
                panel.pass.has_special = true;
            }
            kernel_.take_first(tile.scores, tile.keys.first, panel.pass);
        });
    }

    /// Computes the scales of the rows and merges the maxima of their panels into the strip.
    void settle(const OpeningTask& task, Worker& worker) {
        bool is_number = true;
        for (std::int64_t row = 0; row < task.rows; ++row) {
            auto& panel = worker.panels[static_cast<std::size_t>(row / width_)];
            const auto lane = static_cast<std::size_t>(row % width_),
                       at = static_cast<std::size_t>(task.first_row + row);
            rows_.set(task.first_row + row, panel.row_max[lane], panel.row_sum[lane], head_.output_scale);
            panel.base[lane] = rows_.base[at];
            panel.log2_sum[lane] = rows_.log2_sum[at];
            is_number = is_number && !std::isnan(rows_.factor[at]) &&
                        !flash::is_far(head_.masks, head_.shape, 0, 0, task.first_row + row, rows_.lse[at]);
        }
        auto& strip = strips_[static_cast<std::size_t>(task.strip)];
        const std::lock_guard lock(strip.mutex);
        strip.is_number = strip.is_number && is_number;
        if (strip.is_number)
            put(task, worker, strip);
        strip.rows_left -= task.rows;
        if (strip.rows_left == 0)
            finish(task.strip, strip);
    }

    void put(const OpeningTask& task, const Worker& worker, Strip& strip) const {
        if (!strip.started)
            strip.totals.start(bin_rows_of(task.strip), columns_, false);
        strip.started = true;
        for (std::int64_t row = 0; row < task.rows; row += width_) {
            const auto& panel = worker.panels[static_cast<std::size_t>(row / width_)];
            std::array<flash::BinRow, flash::widest_panel> rows;
            const auto count = strip.totals.rows_of_bins(
                task.first_row + row - task.strip * rows_of_a_strip_,
                static_cast<int>(std::min<std::int64_t>(width_, task.rows - row)), bins_.bin_rows, 0, rows);
            kernel_.settle(panel.pass, panel.base.get(), panel.log2_sum.get(),
                           {rows.data(), count, bins_.bin_columns, 0});
        }
    }

    std::int64_t bin_rows_of(std::int64_t strip) const {
        const auto rows = std::min(rows_of_a_strip_, L_ - strip * rows_of_a_strip_);
        return (rows + bins_.bin_rows - 1) / bins_.bin_rows;
    }

    void finish(std::int64_t number, Strip& strip) {
        if (strip.is_number) {
            auto bins = bins_of(bin_rows_of(number), columns_, false);
            for (std::int64_t row = 0; row < bins.rows; ++row)
                for (std::int64_t column = 0; column < columns_; ++column)
                    strip.totals.bin(row, column).put(bins, bins.index(row, column));
            const std::lock_guard lock(taking_);
            bins_.take(number * bins_.rows_at_a_time, std::move(bins));
        } else {
            const std::lock_guard lock(taking_);
            left_.push_back(number * bins_.rows_at_a_time);
        }
        strip.totals = {};
    }

    const flash::Problem& head_;
    const std::int64_t L_, S_;
    const FirstBins& bins_;
    const RowNumbers rows_;
    const RunControl& control_;
    const std::int64_t columns_, rows_of_a_strip_;
    const int width_;
    const flash::PoolKernel kernel_;
    std::deque<Strip> strips_;
    std::vector<OpeningTask> tasks_;
    std::atomic<std::int64_t> rows_done_{0};
    std::int64_t rows_in_all_ = 0;
    std::mutex taking_;
    std::vector<std::int64_t> left_;
};

} // namespace

void RowNumbers::set(std::int64_t row, double max, double sum, double output_scale) const {
    lse[row] = flash::lse_of(static_cast<float>(max), static_cast<float>(sum));
    const bool number = !std::isnan(sum) && max < std::numeric_limits<double>::infinity();
    if (!number || sum == 0.0) { // subtracts nothing; the result is NaN or 0
        base[row] = 0.0f;
        log2_sum[row] = factor[row] = number ? 0.0f : std::numeric_limits<float>::quiet_NaN();
    } else {
        base[row] = static_cast<float>(max);
        log2_sum[row] = static_cast<float>(std::log2(sum) - std::log2(output_scale));
        factor[row] = static_cast<float>(output_scale / sum);
    }
}

bool can_pool_in_opening_pass(const flash::Problem& head, std::int64_t bin_rows, std::int64_t bin_columns) {
    // With a finite fill, blocked cells count in the sum of a row, but never in its bins.
    const bool blocked_is_nothing = head.masks.empty() || head.masks.fill == -std::numeric_limits<double>::infinity();
    const bool few_bins = bin_rows * bin_columns >= least_cells && (head.shape.S - 1) / bin_columns < most_columns;
    return blocked_is_nothing && few_bins && head.shape.L >= least_rows;
}

std::vector<std::int64_t> open_in_one_pass(const flash::Problem& head, const FirstBins& bins, const RowNumbers& rows,
                                           const RunControl& control, int threads) {
    control.checkpoint();
    return Opening(head, bins, rows, control).run(threads);
}

} // namespace attnlab
