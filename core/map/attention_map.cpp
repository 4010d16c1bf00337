// Pools the weights of a head to bins, in parallel, without storing them.
#include "core/map/attention_map.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"
#include "core/flash/matrix_unit.h"
#include "core/flash/parallel.h"
#include "core/map/bin_totals.h"
#include "core/map/map_engine.h"
#include "core/map/map_inputs.h"
#include "core/map/opening.h"
#include "core/map/score_tiles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace attnlab {
namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::int64_t bin_size(std::int64_t cells, std::int64_t bins) {
    return std::max<std::int64_t>(1, (cells + bins - 1) / bins);
}

} // namespace

CellRect BinGrid::bin(std::int64_t row, std::int64_t column) const {
    const auto first_row = cells.first_row + row * bin_rows, first_column = cells.first_column + column * bin_columns;
    return {first_row, std::min(first_row + bin_rows, cells.last_row), first_column,
            std::min(first_column + bin_columns, cells.last_column)};
}

BinGrid grid_of(const CellRect& cells, std::int64_t rows, std::int64_t columns) {
    if (rows < 1 || columns < 1)
        throw Error({ATTNLAB_TEXT("bins: there are %1 x %2, expected at least 1 x 1"),
                     {std::to_string(rows), std::to_string(columns)}});
    return {cells, bin_size(cells.rows(), std::min(rows, std::max<std::int64_t>(1, cells.rows()))),
            bin_size(cells.columns(), std::min(columns, std::max<std::int64_t>(1, cells.columns())))};
}

float MapBins::max(std::size_t bin) const { return std::exp2(log2_max[bin]); }

float MapBins::mean(std::size_t bin) const { return masked(bin) ? not_a_number : sum[bin] / kept[bin]; }

std::vector<float> MapBins::values(Pool pool) const {
    std::vector<float> all(kept.size());
    for (std::size_t bin = 0; bin < all.size(); ++bin)
        all[bin] = pool == Pool::Max ? max(bin) : mean(bin);
    return all;
}

MapBins bins_of(std::int64_t rows, std::int64_t columns, bool sums) {
    const auto count = static_cast<std::size_t>(rows * columns);
    return {rows, columns, Floats(count), Floats(sums ? count : 0), Floats(count)};
}

MapBins coarser(const MapBins& bins, std::int64_t rows, std::int64_t columns) {
    auto merged = bins_of((bins.rows + rows - 1) / rows, (bins.columns + columns - 1) / columns, !bins.sum.empty());
    std::vector<BinTotal> totals(merged.kept.size());
    for (std::int64_t row = 0; row < bins.rows; ++row)
        for (std::int64_t column = 0; column < bins.columns; ++column)
            totals[merged.index(row / rows, column / columns)].take(bins, bins.index(row, column));
    for (std::size_t bin = 0; bin < totals.size(); ++bin)
        totals[bin].put(merged, bin);
    return merged;
}

void require_equal_size(const CellRect& a, const CellRect& b) {
    if (a.rows() != b.rows() || a.columns() != b.columns())
        throw Error(
            {ATTNLAB_TEXT("Map B has %1 × %2 cells and map A %3 × %4: only maps of equal size can be compared."),
             {std::to_string(b.rows()), std::to_string(b.columns()), std::to_string(a.rows()),
              std::to_string(a.columns())}});
}

MapBins difference_of(const MapBins& a, const MapBins& b, const BinGrid& grid, Pool pool) {
    require_equal_size({0, a.rows, 0, a.columns}, {0, b.rows, 0, b.columns});
    auto difference = bins_of(b.rows, b.columns, true);
    std::fill(difference.log2_max.begin(), difference.log2_max.end(), not_a_number);
    const auto number = [pool](const MapBins& bins, std::size_t bin) {
        if (bins.masked(bin))
            return 0.0;
        return static_cast<double>(pool == Pool::Max ? bins.max(bin) : bins.sum[bin]);
    };
    for (std::int64_t row = 0; row < b.rows; ++row)
        for (std::int64_t column = 0; column < b.columns; ++column) {
            const auto bin = b.index(row, column);
            const auto cells = grid.bin(row, column);
            difference.kept[bin] = a.masked(bin) && b.masked(bin) ? 0.0f
                                   : pool == Pool::Max            ? 1.0f
                                                                  : static_cast<float>(cells.rows() * cells.columns());
            difference.sum[bin] = static_cast<float>(number(b, bin) - number(a, bin));
        }
    return difference;
}

MapBins row_profile(const MapBins& bins) {
    auto profile = bins_of(bins.rows, 1, !bins.sum.empty());
    for (std::int64_t row = 0; row < bins.rows; ++row) {
        BinTotal total;
        for (std::int64_t column = 0; column < bins.columns; ++column)
            total.take(bins, bins.index(row, column));
        total.put(profile, static_cast<std::size_t>(row));
    }
    return profile;
}

MapBins column_profile(const MapBins& bins) {
    auto profile = bins_of(1, bins.columns, !bins.sum.empty());
    std::vector<BinTotal> totals(static_cast<std::size_t>(bins.columns));
    for (std::int64_t row = 0; row < bins.rows; ++row)
        for (std::int64_t column = 0; column < bins.columns; ++column)
            totals[static_cast<std::size_t>(column)].take(bins, bins.index(row, column));
    for (std::size_t column = 0; column < totals.size(); ++column)
        totals[column].put(profile, column);
    return profile;
}

namespace {

void require_index(const char* text, std::int64_t index, std::int64_t count) {
    if (index < 0 || index >= count)
        throw Error({text, {std::to_string(index), std::to_string(count)}});
}

} // namespace

void require_bins(std::int64_t bin_rows, std::int64_t bin_columns) {
    if (bin_rows < 1 || bin_columns < 1)
        throw Error({ATTNLAB_TEXT("bins: one has %1 x %2 cells, expected at least 1 x 1"),
                     {std::to_string(bin_rows), std::to_string(bin_columns)}});
}

AttentionMap::AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                           const RunControl& control, int threads)
    : AttentionMap(std::move(inputs), batch, head, nullptr, std::nullopt, control, threads) {}

AttentionMap::AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                           const FirstBins& bins, const RunControl& control, int threads)
    : AttentionMap(std::move(inputs), batch, head, &bins, std::nullopt, control, threads) {}

AttentionMap::AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                           const FirstBins* bins, std::optional<CellRect> part, const RunControl& control, int threads)
    : inputs_(std::move(inputs)), batch_(batch), head_(head), computed_(part.value_or(all())) {
    require_index(ATTNLAB_TEXT("batch: has %1, expected 0 or more and less than B = %2"), batch, inputs_->batches());
    require_index(ATTNLAB_TEXT("head: has %1, expected 0 or more and less than H = %2"), head, inputs_->heads());
    query_ = inputs_->data().query(batch, head, control);
    key_ = inputs_->data().key(batch, head, control);
    lse_.resize(static_cast<std::size_t>(rows()));
    for (auto* values : {&base_, &log2_sum_, &factor_})
        values->resize(static_cast<std::size_t>(rows()));
    if (const auto* engine = part ? nullptr : inputs_->data().engine) {
        try {
            device_ = engine->open(problem());
        } catch (const Error& error) {
            note_failure(error);
        }
    }
    const auto summing = bins ? control.part(0.0, 0.5) : control;
    const bool summed = on_device([&](const MapHead& device) { sum_on_device(device, summing); });
    if (!summed)
        matrices_ = flash::MatrixPath::of(problem(), control, threads > 0 ? threads : flash::thread_count());
    if (!bins) {
        if (!summed)
            sum_on_cores(control, threads);
        find_far_rows(control, threads);
        return;
    }
    require_bins(bins->bin_rows, bins->bin_columns);
    std::vector<std::int64_t> left;
    double done = 0.5;
    if (const auto whole = problem(); !summed && can_pool_in_opening_pass(whole, bins->bin_rows, bins->bin_columns)) {
        left = open_in_one_pass(whole, *bins, {lse_.data(), base_.data(), log2_sum_.data(), factor_.data()}, control,
                                threads > 0 ? threads : flash::thread_count());
        done = 1.0;
    } else {
        if (!summed)
            sum_on_cores(summing, threads);
        const auto rows_of_a_strip = bins->rows_at_a_time * bins->bin_rows;
        for (auto row = computed_.first_row / rows_of_a_strip * rows_of_a_strip; row < computed_.last_row;
             row += rows_of_a_strip)
            left.push_back(row / bins->bin_rows);
    }
    find_far_rows(control, threads);
    pool_strips(*bins, left, control.part(done, 1.0), threads);
    control.report(1.0);
}

/// Pools those of the first bins that the first pass could not.
void AttentionMap::pool_strips(const FirstBins& bins, const std::vector<std::int64_t>& strips,
                               const RunControl& control, int threads) const {
    for (std::size_t k = 0; k < strips.size(); ++k) {
        const auto first = strips[k] * bins.bin_rows;
        const auto last = std::min(first + bins.rows_at_a_time * bins.bin_rows, rows());
        const CellRect cells{std::max(first, computed_.first_row), std::min(last, computed_.last_row), 0, columns()};
        const double share = 1.0 / static_cast<double>(strips.size());
        bins.take(cells.first_row / bins.bin_rows,
                  pool({cells, bins.bin_rows, bins.bin_columns}, Pool::Max,
                       control.part(share * static_cast<double>(k), share * static_cast<double>(k + 1)), threads));
    }
}

AttentionMap::~AttentionMap() = default;

std::string AttentionMap::backend() const {
    if (!device_ || has_failed())
        return flash::cpu_title(inputs_->data().precision);
    const auto kernel = device_->kernel();
    return inputs_->data().engine->title() + (kernel.empty() ? "" : " · " + kernel);
}

std::vector<Message> AttentionMap::notes() const {
    std::vector<Message> notes;
    if (const std::lock_guard lock(failing_); failure_)
        notes.push_back(*failure_);
    if (!device_ || !notes.empty())
        if (auto note = flash::note_without_matrix_unit(inputs_->data().precision, flash::MatrixUse::Map))
            notes.push_back(std::move(*note));
    return notes;
}

bool AttentionMap::has_failed() const {
    const std::lock_guard lock(failing_);
    return failure_.has_value();
}

void AttentionMap::note_failure(const Error& error) const {
    const std::lock_guard lock(failing_);
    failure_ = Message(ATTNLAB_TEXT("The cpu backend computed this instead of cuda: %1"), {error.what()});
}

/// True when the device has computed it.
bool AttentionMap::on_device(const std::function<void(const MapHead&)>& call) const {
    if (!device_ || has_failed())
        return false;
    try {
        call(*device_);
        return true;
    } catch (const Error& error) {
        note_failure(error);
        return false;
    }
}

void AttentionMap::sum_on_device(const MapHead& device, const RunControl& control) {
    const auto found = device.lse(control);
    lse_.assign(found.begin(), found.end());
    const double scale = inputs_->data().output_scale;
    for (std::size_t row = 0; row < lse_.size(); ++row) {
        const double lse = lse_[row];
        const bool number = lse < std::numeric_limits<double>::infinity(); // false for NaN
        if (!number || lse == -std::numeric_limits<double>::infinity()) {
            base_[row] = 0.0f;
            log2_sum_[row] = factor_[row] = number ? 0.0f : std::numeric_limits<float>::quiet_NaN();
        } else {
            base_[row] = static_cast<float>(lse * flash::log2_e);
            log2_sum_[row] = static_cast<float>(-std::log2(scale));
            factor_[row] = static_cast<float>(scale);
        }
    }
}

void AttentionMap::sum_on_cores(const RunControl& control, int threads) {
    const auto head_problem = problem();
    std::vector<float> lse(lse_.size());
    flash::forward(head_problem, {.lse = lse.data(), .row_max = base_.data(), .row_sum = factor_.data()}, control,
                   threads);
    const RowNumbers numbers{lse_.data(), base_.data(), log2_sum_.data(), factor_.data()};
    for (auto row = computed_.first_row; row < computed_.last_row; ++row)
        numbers.set(row, base_[static_cast<std::size_t>(row)], factor_[static_cast<std::size_t>(row)],
                    head_problem.output_scale);
}

flash::Problem AttentionMap::problem() const {
    auto head = inputs_->data().head(batch_, head_);
    head.query = query_.data();
    head.key = key_.data();
    head.rows = {computed_.first_row, computed_.last_row};
    head.matrices = matrices_.get();
    return head;
}

void AttentionMap::require(const CellRect& cells) const {
    const auto check = [](const char* text, std::int64_t first, std::int64_t last, std::int64_t count) {
        if (first < 0 || last < first || last > count)
            throw Error({text, {std::to_string(first), std::to_string(last), std::to_string(count)}});
    };
    check(ATTNLAB_TEXT("rows: %1 to %2 are asked for, expected a range within 0 to %3"), cells.first_row,
          cells.last_row, rows());
    check(ATTNLAB_TEXT("columns: %1 to %2 are asked for, expected a range within 0 to %3"), cells.first_column,
          cells.last_column, columns());
}

std::vector<bool> AttentionMap::blocked_keys(std::int64_t row) const {
    require({row, row + 1, 0, columns()});
    const auto head = problem();
    const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
    std::vector<bool> blocked(static_cast<std::size_t>(columns()));
    for (std::int64_t j = 0; j < columns(); ++j)
        blocked[static_cast<std::size_t>(j)] = !masked.keeps(j);
    return blocked;
}

void AttentionMap::weights(const CellRect& cells, float* out, Form form, const RunControl& control, int threads) const {
    require(cells);
    control.checkpoint();
    threads = threads > 0 ? threads : flash::thread_count();
    const RowScales scales{base_.data(), log2_sum_.data(), factor_.data()};
    if (!on_device([&](const MapHead& device) { device.weights(cells, scales, out, form == Form::Log2, control); }))
        weigh_on_cores(cells, scales, out, form, control, threads);
    weigh_far_rows(cells, out, form, control, threads);
}

void AttentionMap::weigh_on_cores(const CellRect& cells, const RowScales& scales, float* out, Form form,
                                  const RunControl& control, int threads) const {
    constexpr std::int64_t rows_of_a_task = 32; // a viewport is small: this gives enough tasks for the threads
    const auto head = problem();
    const auto kernel = flash::pool_kernel();
    const auto tasks = (cells.rows() + rows_of_a_task - 1) / rows_of_a_task;
    std::vector<std::unique_ptr<ScoreTiles>> workers(static_cast<std::size_t>(threads));
    std::atomic<std::int64_t> done{0};
    flash::parallel_for(threads, tasks, [&](int number, std::int64_t task) {
        auto& worker = workers[static_cast<std::size_t>(number)];
        if (!worker)
            worker = std::make_unique<ScoreTiles>(head, scales);
        const auto first = task * rows_of_a_task, count = std::min(rows_of_a_task, cells.rows() - first);
        std::fill_n(out + first * cells.columns(), count * cells.columns(), std::numeric_limits<float>::quiet_NaN());
        worker->walk(cells.first_row + first, count, {cells.first_column, cells.last_column}, control,
                     [&](const PanelTile& tile) {
                         kernel.weigh(tile.scores, form == Form::Log2, tile.rows,
                                      out + (tile.first_row - cells.first_row) * cells.columns() +
                                          (tile.keys.first - cells.first_column),
                                      cells.columns());
                     });
        ++done;
        if (number == 0)
            control.report(static_cast<double>(done) / static_cast<double>(tasks));
    });
}

/// The bins of some rows of a grid, from a map of no more rows.
struct PartOfHead {
    std::shared_ptr<const MapInputs> inputs;
    std::int64_t batch, head;
    BinGrid grid;
    BinSpan rows;
    std::optional<CellRect> part; ///< the cells of these rows, where others are not to be read
    const RunControl& control;
    int threads;

    PooledHead pooled(Pool pool) const {
        if (const CellRect all{0, inputs->rows(), 0, inputs->columns()};
            pool == Pool::Max && grid.cells == all &&
            can_pool_in_opening_pass(inputs->data().head(batch, head), grid.bin_rows, grid.bin_columns))
            return in_one_pass();
        const AttentionMap map(inputs, batch, head, nullptr, part, control.part(0.0, 0.5), threads);
        auto bins = map.pool_rows(grid, rows, pool, control.part(0.5, 1.0), threads);
        return {std::move(bins), map.notes(), map.notes_on_data(control)};
    }

private:
    PooledHead in_one_pass() const {
        control.require_memory("map", {rows.size(), grid.columns()}, 1.0);
        auto bins = bins_of(rows.size(), grid.columns(), false);
        FirstBins strips;
        strips.bin_rows = grid.bin_rows;
        strips.bin_columns = grid.bin_columns;
        strips.take = [&](std::int64_t first_row, const MapBins& strip) { put(strip, first_row, bins); };
        const AttentionMap map(inputs, batch, head, &strips, part, control, threads);
        return {std::move(bins), map.notes(), map.notes_on_data(control)};
    }

    void put(const MapBins& strip, std::int64_t first_row, MapBins& bins) const {
        const auto first = std::max(first_row, rows.first), last = std::min(first_row + strip.rows, rows.last);
        if (first >= last)
            return;
        const auto from = static_cast<std::ptrdiff_t>(strip.index(first - first_row, 0)),
                   to = static_cast<std::ptrdiff_t>(bins.index(first - rows.first, 0)),
                   count = static_cast<std::ptrdiff_t>((last - first) * bins.columns);
        std::copy_n(strip.log2_max.begin() + from, count, bins.log2_max.begin() + to);
        std::copy_n(strip.kept.begin() + from, count, bins.kept.begin() + to);
    }
};

PooledHead pool_of_head(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                        const BinGrid& grid, Pool pool, const RunControl& control, int threads) {
    return PartOfHead{std::move(inputs), batch, head, grid, {0, grid.rows()}, std::nullopt, control, threads}.pooled(
        pool);
}

PooledHead part_of_head(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                        const BinGrid& grid, BinSpan rows, Pool pool, const RunControl& control, int threads) {
    if (rows.first < 0 || rows.first >= rows.last || rows.last > grid.rows())
        throw Error({ATTNLAB_TEXT("rows of bins: %1 to %2 are asked for, expected a range within 0 to %3"),
                     {std::to_string(rows.first), std::to_string(rows.last), std::to_string(grid.rows())}});
    CellRect part = grid.cells;
    part.first_row += rows.first * grid.bin_rows;
    part.last_row = std::min(grid.cells.last_row, grid.cells.first_row + rows.last * grid.bin_rows);
    return PartOfHead{std::move(inputs), batch, head, grid, rows, part, control, threads}.pooled(pool);
}

// AttentionMap::pool: processes blocks of rows in parallel, each with its own totals, and merges them in a fixed order.

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
    if (!bins.sum.empty())
        weights(cells, bins.sum.data(), Form::Weight, control, threads);
    flash::parallel_for(threads > 0 ? threads : flash::thread_count(), cells.rows(), [&](int, std::int64_t row) {
        const auto first = bins.index(row, 0), last = first + static_cast<std::size_t>(bins.columns);
        for (auto bin = first; bin < last; ++bin)
            bins.kept[bin] = std::isnan(bins.log2_max[bin]) ? 0.0f : 1.0f;
        if (!bins.sum.empty())
            for (auto bin = first; bin < last; ++bin)
                bins.sum[bin] = bins.kept[bin] == 0.0f ? 0.0f : bins.sum[bin];
    });
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
