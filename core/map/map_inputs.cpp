#include "core/map/map_inputs.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"
#include "core/flash/nonfinite_values.h"
#include "core/flash/panel_mask.h"
#include "core/flash/parallel.h"
#include "core/flash/unsupported_reasons.h"
#include "core/map/bin_totals.h"
#include "core/stages/mask.h"
#include "core/stages/mask_notes.h"
#include "core/stages/notes.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

namespace attnlab {
namespace {

/// A problem with the same weights that has values, which mechanisms require, and no statistics.
AttentionProblem with_weights_of(AttentionProblem problem) {
    problem.spec.statistics = false;
    if (const auto key = problem.tensors.find("key"); key != problem.tensors.end() && key->second.rank() > 0) {
        auto shape = key->second.shape();
        shape.back() = 0;
        problem.tensors["value"] = Tensor(shape);
    }
    return problem;
}

std::optional<Message> refused(const ResolvedProblem& problem) {
    if (auto why = flash::unsupported_choice(problem))
        return why->why;
    const auto form = flash::form_of(problem);
    // Given numbers are checked head by head: a file may hold many.
    if (form.query.weight)
        if (auto why = flash::refused_numbers(problem, form))
            return why;
    check_masks(problem);
    if (const double factor = flash::scales_of(problem, flash::shape_of(problem, form)).weights; factor < 0.0)
        return Message(ATTNLAB_TEXT("The scale after the softmax is %1; a map needs one that is not negative"),
                       {to_text(factor)});
    return std::nullopt;
}

/// Throws Error where no map is possible.
ResolvedProblem accepted(const AttentionProblem& given) {
    const auto problem = with_weights_of(given);
    if (auto why = flash::unsupported_choice(problem.spec)) // reported before errors of the arrays
        throw Error(std::move(why->why));
    auto resolved = resolve(problem);
    if (auto why = refused(resolved))
        throw Error(std::move(*why));
    return resolved;
}

} // namespace

namespace {

/// Numbers that kernels would take as 0 after multiplying them by `factor`, since float32 has no normal number for
/// them, get the least magnitude that they take as a number: times an infinite number, 0 would be NaN.
void raise_from_zero(std::span<float> numbers, double factor) {
    constexpr double least_normal = std::numeric_limits<float>::min();
    const double least = 2.0 * least_normal / std::abs(factor);
    if (!(least < std::numeric_limits<float>::max()))
        return; // a factor of 0 makes all scores 0 or NaN
    for (float& number : numbers)
        if (number != 0.0f && std::abs(static_cast<double>(number)) < least)
            number = std::copysign(static_cast<float>(least), number);
}

} // namespace

flash::Problem MapInputs::Data::head(std::int64_t b, std::int64_t h) const {
    flash::Problem one{
        .shape = {1, 1, 1, shape.L, shape.S, shape.E, 0}, .scale = scale, .output_scale = output_scale, .masks = masks};
    one.precision = precision;
    const auto move = [&](flash::CellArray& cells) {
        if (cells.values)
            cells.values += b * cells.batch_stride + h * cells.head_stride;
    };
    for (auto& band : one.masks.bands)
        band = band.of_batch(b);
    for (auto& valid : one.masks.valid_lengths)
        valid.lengths += b * valid.batch_stride;
    if (one.masks.key_padding)
        one.masks.key_padding.padded += b * one.masks.key_padding.batch_stride;
    for (auto& intervals : one.masks.intervals)
        intervals = intervals.of_batch(b);
    for (auto& mask : one.masks.booleans)
        move(mask.cells);
    move(one.masks.bias);
    return one;
}

std::int64_t MapInputs::Data::first_key_row(std::int64_t b, std::int64_t h) const {
    return (b * shape.Hkv + h / (shape.H / shape.Hkv)) * shape.S;
}

std::vector<float> MapInputs::Data::rows(std::string_view name, std::int64_t first, std::int64_t count,
                                         const RunControl& control) const {
    auto numbers = flash::nonzero_rows_in_float32(problem, name, first, count, control);
    raise_from_zero(numbers, name == "query" ? scale * flash::log2_e : 1.0);
    if (precision == flash::Precision::BFloat16)
        flash::round_to_bfloat16(numbers);
    return numbers;
}

std::vector<float> MapInputs::Data::query(std::int64_t b, std::int64_t h, const RunControl& control) const {
    const auto size = [&](const char* name, std::int64_t first_row, std::int64_t rows) {
        return flash::largest_size(problem.tensors.find(name)->second, first_row * shape.E, rows * shape.E);
    };
    if (auto why = flash::refused_sizes(problem.spec.scale, shape.E, shape.S,
                                        size("query", (b * shape.H + h) * shape.L, shape.L),
                                        size("key", first_key_row(b, h), shape.S), 0.0))
        throw Error(std::move(*why));
    return rows("query", (b * shape.H + h) * shape.L, shape.L, control);
}

std::vector<float> MapInputs::Data::key(std::int64_t b, std::int64_t h, const RunControl& control) const {
    return rows("key", first_key_row(b, h), shape.S, control);
}

std::optional<Message> MapInputs::why_not(const AttentionProblem& problem) {
    try {
        accepted(problem);
        return std::nullopt;
    } catch (const Error& error) {
        return error.message();
    }
}

MapInputs::MapInputs(const AttentionProblem& problem, const MapEngine* engine, flash::Precision precision,
                     const RunControl& control) {
    const auto given = accepted(problem);
    const auto form = flash::form_of(given);
    auto data = std::make_unique<Data>();
    data->shape = flash::shape_of(given, form);
    data->shape.Ev = 0;
    data->problem = plain_problem(given, form, false, control);
    const auto scales = flash::scales_of(data->problem, data->shape);
    data->scale = scales.scores;
    data->output_scale = scales.weights;
    data->problem.tensors.erase("value");
    data->masks = flash::masks_of(data->problem, data->shape);
    data->engine = engine;
    data->precision = precision;
    data_ = std::move(data);
}

MapInputs::~MapInputs() = default;

std::int64_t MapInputs::batches() const { return data_->shape.B; }
std::int64_t MapInputs::heads() const { return data_->shape.H; }
std::int64_t MapInputs::rows() const { return data_->shape.L; }
std::int64_t MapInputs::columns() const { return data_->shape.S; }

// What compute() warns of in queries, keys and masks, for the map of one head.

namespace {

bool all_finite(std::span<const float> numbers) {
    return std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); });
}

} // namespace

/// Rows with every key blocked by a finite fill, whose lse does not tell them.
NotedRows AttentionMap::rows_blocked(const RunControl& control) const {
    NotedRows rows;
    const auto head = problem();
    if (!std::isfinite(head.masks.fill) || columns() == 0)
        return rows;
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        control.checkpoint();
        const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
        std::int64_t key = 0;
        while (key < columns() && masked.blocks(key))
            ++key;
        if (key == columns())
            rows.take(inputs_->data().problem.query_tokens, row, 0);
    }
    return rows;
}

std::vector<Note> AttentionMap::notes_on_data(const RunControl& control) const {
    std::vector<Note> notes;
    const auto& problem = inputs_->data().problem;
    const bool finite_queries = all_finite(query_), finite_keys = all_finite(key_);
    // A file may hold many heads: the others are read only where this one has such values.
    for (const auto& [name, finite] : {std::pair{"query", finite_queries}, {"key", finite_keys}})
        if (const auto& tensor = problem.tensors.find(name)->second; !finite)
            note_nonfinite_values(notes, name, tensor.shape(), flash::count_odd(tensor, control));
    RowsWithoutNumbers found;
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        const double lse = lse_[static_cast<std::size_t>(row)];
        if (std::isnan(lse))
            found.nan.take(problem.query_tokens, row, 0);
        else if (lse == -infinity)
            (finite_queries && finite_keys ? found.blocked : found.without_key).take(problem.query_tokens, row, 0);
    }
    if (columns() > 0)
        note_rows_without_numbers(notes, found, {});
    note_rows_blocked(notes, rows_blocked(control), problem.spec, {});
    std::ranges::move(notes_on_masks(problem, {}, control), std::back_inserter(notes));
    return notes;
}

// How an AttentionMap handles rows outside the precision of float32: in tiles they have weight 0, and their weights are
// added afterwards.

/// Sets the lse of these rows, and scales that give them weight 0 in tiles. The other rows already have theirs.
void AttentionMap::find_far_rows(const RunControl& control, int threads) {
    const auto head = problem();
    for (auto row = computed_.first_row; row < computed_.last_row; ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (!flash::is_far(head.masks, head.shape, 0, 0, row, lse_[at])) {
            lse_[at] = flash::lse_of_near_row(head.masks, lse_[at]);
            continue;
        }
        far_.push_back(row);
        base_[at] = std::numeric_limits<float>::max();
        log2_sum_[at] = std::numeric_limits<float>::infinity();
        factor_[at] = 0.0f;
    }
    if (far_.empty())
        return;
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads > 0 ? threads : flash::thread_count(), std::ssize(far_), [&](int, std::int64_t k) {
        control.checkpoint();
        const auto row = far_[static_cast<std::size_t>(k)];
        lse_[static_cast<std::size_t>(row)] = exact_row(head, row, largest_key).lse();
    });
}

std::span<const std::int64_t> AttentionMap::far_rows(const CellRect& cells) const {
    return {std::lower_bound(far_.begin(), far_.end(), cells.first_row),
            std::lower_bound(far_.begin(), far_.end(), cells.last_row)};
}

flash::ExactRow AttentionMap::exact_row(const flash::Problem& head, std::int64_t row, double largest_key) const {
    const auto E = static_cast<std::size_t>(head.shape.E);
    return {flash::MaskedRow(head.masks, head.shape, 0, 0, row),
            {head.scale, head.output_scale},
            std::span(query_).subspan(static_cast<std::size_t>(row) * E, E),
            key_.data(),
            largest_key};
}

void AttentionMap::weigh_far_rows(const CellRect& cells, float* out, Form form, const RunControl& control,
                                  int threads) const {
    const auto far = far_rows(cells);
    if (far.empty())
        return;
    const auto head = problem();
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads, std::ssize(far), [&](int, std::int64_t k) {
        control.checkpoint();
        const auto row = far[static_cast<std::size_t>(k)];
        const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
        const auto exact = exact_row(head, row, largest_key);
        float* to = out + (row - cells.first_row) * cells.columns();
        for (auto j = cells.first_column; j < cells.last_column; ++j)
            if (masked.keeps(j)) // the others are NaN
                *(to + (j - cells.first_column)) =
                    static_cast<float>(form == Form::Log2 ? exact.log2_weight(j) : exact.weight(j));
    });
}

/// The bins already include the number of cells of these rows.
void AttentionMap::pool_far_rows(MapBins& bins, const BinGrid& grid, BinSpan rows, const RunControl& control,
                                 int threads) const {
    if (far_rows(grid.cells).empty())
        return;
    const auto head = problem();
    const double largest_key = flash::size_bound(key_);
    flash::parallel_for(threads, rows.size(), [&](int, std::int64_t at) {
        control.checkpoint();
        const auto bin_row = rows.first + at;
        std::vector<BinTotal> totals(static_cast<std::size_t>(grid.columns()));
        for (const auto row : far_rows(grid.bin(bin_row, 0))) {
            const flash::MaskedRow masked(head.masks, head.shape, 0, 0, row);
            const auto exact = exact_row(head, row, largest_key);
            for (auto j = grid.cells.first_column; j < grid.cells.last_column; ++j)
                if (masked.keeps(j))
                    totals[static_cast<std::size_t>((j - grid.cells.first_column) / grid.bin_columns)].take(
                        {static_cast<float>(exact.log2_weight(j)), exact.weight(j), 0.0});
        }
        for (std::int64_t column = 0; column < grid.columns(); ++column) {
            const auto bin = bins.index(at, column);
            auto& total = totals[static_cast<std::size_t>(column)];
            total.take(bins, bin);
            total.put(bins, bin);
        }
    });
}

} // namespace attnlab
