#include "core/map/attention_map.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"
#include "core/flash/matrix_path.h"
#include "core/flash/parallel.h"
#include "core/map/bin_total.h"
#include "core/map/map_engine.h"
#include "core/map/map_inputs.h"
#include "core/map/opening.h"
#include "core/map/score_tiles.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace attnlab {
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
    if (const auto whole = problem(); !summed && opens_in_one_pass(whole, bins->bin_rows, bins->bin_columns)) {
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
        if (const CellRect all{0, inputs->rows(), 0, inputs->columns()}; pool == Pool::Max && grid.cells == all)
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

} // namespace attnlab
