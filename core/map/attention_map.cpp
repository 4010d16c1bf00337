#include "core/map/attention_map.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/parallel.h"
#include "core/map/map_engine.h"
#include "core/map/map_inputs.h"
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

AttentionMap::AttentionMap(std::shared_ptr<const MapInputs> inputs, std::int64_t batch, std::int64_t head,
                           const RunControl& control, int threads)
    : inputs_(std::move(inputs)), batch_(batch), head_(head) {
    require_index(ATTNLAB_TEXT("batch: has %1, expected 0 or more and less than B = %2"), batch, inputs_->batches());
    require_index(ATTNLAB_TEXT("head: has %1, expected 0 or more and less than H = %2"), head, inputs_->heads());
    query_ = inputs_->data().query(batch, head, control);
    key_ = inputs_->data().key(batch, head, control);
    for (auto* values : {&lse_, &base_, &log2_sum_, &factor_})
        values->resize(static_cast<std::size_t>(rows()));
    if (const auto* engine = inputs_->data().engine) {
        try {
            device_ = engine->open(problem());
        } catch (const Error& error) {
            note_failure(error);
        }
    }
    if (!on_device([&](const MapHead& device) { sum_on_device(device, control); }))
        sum_on_cores(control, threads);
}

AttentionMap::~AttentionMap() = default;

std::string AttentionMap::backend() const {
    return device_ && notes().empty() ? inputs_->data().engine->title() : cpu_backend().title();
}

std::vector<Message> AttentionMap::notes() const {
    const std::lock_guard lock(failing_);
    return failure_ ? std::vector{*failure_} : std::vector<Message>{};
}

void AttentionMap::note_failure(const Error& error) const {
    const std::lock_guard lock(failing_);
    failure_ = Message(ATTNLAB_TEXT("The cpu backend computed this instead of cuda: %1"), {error.what()});
}

/// Whether the device did it.
bool AttentionMap::on_device(const std::function<void(const MapHead&)>& call) const {
    if (!device_ || !notes().empty())
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
    lse_ = device.lse(control);
    const double scale = inputs_->data().output_scale;
    for (std::size_t row = 0; row < lse_.size(); ++row) {
        const double lse = lse_[row];
        const bool number = lse < std::numeric_limits<double>::infinity(); // NaN is none
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
    flash::forward(head_problem, {.lse = lse_.data(), .row_max = base_.data(), .row_sum = factor_.data()}, control,
                   threads);
    for (std::size_t row = 0; row < lse_.size(); ++row) {
        const double max = base_[row], sum = factor_[row];
        const bool number = !std::isnan(sum) && max < std::numeric_limits<double>::infinity();
        if (!number || sum == 0.0) { // nothing to subtract, and NaN or nothing comes out
            base_[row] = 0.0f;
            log2_sum_[row] = factor_[row] = number ? 0.0f : std::numeric_limits<float>::quiet_NaN();
        } else {
            log2_sum_[row] = static_cast<float>(std::log2(sum) - std::log2(head_problem.output_scale));
            factor_[row] = static_cast<float>(head_problem.output_scale / sum);
        }
    }
}

flash::Problem AttentionMap::problem() const {
    auto head = inputs_->data().head(batch_, head_);
    head.query = query_.data();
    head.key = key_.data();
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

void AttentionMap::weights(const CellRect& cells, float* out, Form form, const RunControl& control, int threads) const {
    require(cells);
    control.checkpoint();
    const RowScales scales{base_.data(), log2_sum_.data(), factor_.data()};
    if (on_device([&](const MapHead& device) { device.weights(cells, scales, out, form == Form::Log2, control); }))
        return;
    constexpr std::int64_t rows_of_a_task = 32; // a viewport is small: enough tasks for the threads
    const auto head = problem();
    const auto kernel = flash::pool_kernel();
    const auto tasks = (cells.rows() + rows_of_a_task - 1) / rows_of_a_task;
    threads = threads > 0 ? threads : flash::thread_count();
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

} // namespace attnlab
