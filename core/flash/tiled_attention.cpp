#include "core/flash/tiled_attention.h"

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"
#include "core/flash/nonfinite_values.h"
#include "core/flash/parallel.h"
#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/notes.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

Tensor from_float32(attnlab::Shape shape, const std::vector<float>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()), DType::Float32);
}

struct Numbers {
    std::vector<float> output;         ///< (B,H,L,Ev)
    std::vector<double> lse;           ///< (B,H,L)
    std::vector<bool> careful;         ///< (B,H,L): rows that SmallNumbers affect; empty: none
    std::atomic<std::int64_t> lost{0}; ///< outputs other than 0 that became 0

    float rounded(double exact) {
        const auto number = static_cast<float>(exact);
        lost += number == 0.0f && exact != 0.0;
        return number;
    }
};

Trace trace_of(const ResolvedProblem& problem, const Shape& shape, const Numbers& numbers) {
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, shape.L, shape.S, 0);
    trace.stages.push_back({"lse",
                            Tensor({shape.B, shape.H, shape.L}, numbers.lse),
                            {Axis::Batch, Axis::Head, Axis::Query},
                            StageRole::Summary,
                            {"log Σ exp"},
                            "lse_i = log Σ_j exp(m_ij)"});
    trace.stages.push_back({"output",
                            from_float32({shape.B, shape.H, shape.L, shape.Ev}, numbers.output),
                            {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                            StageRole::Step,
                            {"× V"},
                            "o_i = Σ_j a_ij v_j"});
    return trace;
}

/// The rows of a head that are outside the precision or the range of float32; corrects the lse of the others.
std::vector<std::int64_t> far_rows(Numbers& numbers, const Masks& masks, const Shape& shape, std::int64_t head) {
    std::vector<std::int64_t> far;
    for (std::int64_t i = 0; i < shape.L; ++i) {
        const auto row = static_cast<std::size_t>(head * shape.L + i);
        double& of_row = numbers.lse[row];
        if ((!numbers.careful.empty() && numbers.careful[row]) ||
            is_far(masks, shape, head / shape.H, head % shape.H, i, of_row))
            far.push_back(i);
        else
            of_row = lse_of_near_row(masks, of_row);
    }
    return far;
}

void redo(const std::vector<std::int64_t>& far, std::int64_t head, Numbers& numbers, const ResolvedProblem& plain,
          const Shape& shape, const Masks& masks, const RunControl& control) {
    const auto scales = scales_of(plain, shape);
    const auto E = static_cast<std::size_t>(shape.E), Ev = static_cast<std::size_t>(shape.Ev);
    const auto b = head / shape.H, h = head % shape.H;
    const auto first_key = (b * shape.Hkv + h / (shape.H / shape.Hkv)) * shape.S;
    const auto query = nonzero_rows_in_float32(plain, "query", head * shape.L, shape.L, control);
    const auto key = nonzero_rows_in_float32(plain, "key", first_key, shape.S, control);
    std::vector<double> value(static_cast<std::size_t>(shape.S) * Ev);
    plain.tensors.find("value")->second.read(first_key * shape.Ev, std::span(value));
    const double largest_key = size_bound(key);
    std::atomic<std::int64_t> done{0};
    parallel_for(thread_count(), std::ssize(far), [&](int worker, std::int64_t k) {
        control.checkpoint();
        const auto i = far[static_cast<std::size_t>(k)];
        const auto row = static_cast<std::size_t>(head * shape.L + i);
        const ExactRow exact(MaskedRow(masks, shape, b, h, i), scales,
                             std::span(query).subspan(static_cast<std::size_t>(i) * E, E), key.data(), largest_key);
        numbers.lse[row] = exact.lse();
        std::vector<double> output(Ev);
        exact.mix(value.data(), std::span(output));
        std::transform(output.begin(), output.end(), numbers.output.begin() + static_cast<std::ptrdiff_t>(row * Ev),
                       [&](double number) { return numbers.rounded(number); });
        ++done;
        if (worker == 0)
            control.report(static_cast<double>(done) / static_cast<double>(far.size()));
    });
}

/// Recomputes the rows that are outside the precision or the range of float32, one head at a time.
void redo_far_rows(Numbers& numbers, const ResolvedProblem& plain, const Shape& shape, const Masks& masks,
                   const RunControl& control) {
    const auto heads = shape.B * shape.H;
    const auto share = 1.0 / static_cast<double>(std::max<std::int64_t>(1, heads));
    for (std::int64_t head = 0; head < heads; ++head) {
        const auto done = static_cast<double>(head) * share;
        if (const auto far = far_rows(numbers, masks, shape, head); !far.empty())
            redo(far, head, numbers, plain, shape, masks, control.part(done, done + share));
    }
}

/// Marks the rows that `small` affects, and takes the scale of values back from the output.
void leave_scale(Numbers& numbers, const SmallNumbers& small, const Shape& shape) {
    const auto Ev = static_cast<std::size_t>(shape.Ev);
    if (small.any())
        for (std::size_t row = 0; row < numbers.lse.size(); ++row)
            numbers.careful.push_back(small.affect(static_cast<std::int64_t>(row),
                                                   std::span<const float>(numbers.output).subspan(row * Ev, Ev)));
    if (small.value_exponent() != 0)
        for (float& number : numbers.output)
            number = numbers.rounded(std::ldexp(static_cast<double>(number), -small.value_exponent()));
}

/// Outputs that have fewer digits than others, or none.
void note_small_outputs(std::vector<Note>& notes, const Numbers& numbers) {
    const auto lost = numbers.lost + std::ranges::count_if(numbers.output, [](float number) {
                          return number != 0.0f && std::abs(number) < std::numeric_limits<float>::min();
                      });
    if (lost > 0)
        notes.push_back({Note::Severity::Warning,
                         {ATTNLAB_TEXT("%1 outputs are below the range of float32, 1.2e-38: they are rounded to "
                                       "multiples of 1.4e-45, or to 0"),
                          {std::to_string(lost)}}});
}

/// The notes of the reference that depend on the numbers. `are_finite`: queries and keys, and so scores, are finite.
std::vector<Note> notes_on(const ResolvedProblem& problem, const Shape& shape, const Numbers& numbers,
                           bool are_finite) {
    std::vector<Note> notes;
    if (shape.S == 0 && shape.L > 0) {
        notes.push_back(
            {Note::Severity::Warning, {ATTNLAB_TEXT("There are no keys: the output is 0 and lse is -inf")}});
        return notes;
    }
    RowsWithoutNumbers rows;
    const auto Ev = static_cast<std::size_t>(shape.Ev);
    for (std::size_t row = 0; row < numbers.lse.size(); ++row) {
        const auto take = [&](NotedRows& noted) {
            const auto at = static_cast<std::int64_t>(row);
            noted.take(problem.query_tokens, at % shape.L, at / shape.L);
        };
        const auto output = std::span(numbers.output).subspan(row * Ev, Ev);
        if (std::isnan(numbers.lse[row]))
            take(rows.nan);
        else if (numbers.lse[row] == -std::numeric_limits<double>::infinity())
            take(are_finite ? rows.blocked : rows.without_key);
        else if (std::any_of(output.begin(), output.end(), [](float value) { return !std::isfinite(value); }))
            take(rows.odd_output);
    }
    note_rows_without_numbers(notes, rows, {shape.B, shape.H});
    return notes;
}

Trace computed(ResolvedProblem plain, const Shape& shape, const TileForward& forward, const RunControl& control) {
    const auto range_in = [&](const char* name) { return range_of(plain.tensors.find(name)->second, control); };
    const auto query = range_in("query"), key = range_in("key"), value = range_in("value");
    const bool is_finite = query.odd.count + key.odd.count == 0;
    const auto masks = masks_of(plain, shape);
    const SmallNumbers small(plain, shape, query, key, value, control);
    const bool may_be_redone = can_be_far(masks) || small.any();
    const auto tiles = may_be_redone ? control.part(0.0, 0.9) : control;
    std::vector<Note> notes;
    for (const auto& [name, range] : {std::pair{"query", query}, {"key", key}, {"value", value}})
        note_nonfinite_values(notes, name, plain.tensors.find(name)->second.shape(), range.odd);

    Numbers numbers;
    const auto take = [&](TileResult result) {
        numbers.output = std::move(result.output);
        numbers.lse.assign(result.lse.begin(), result.lse.end());
        leave_scale(numbers, small, shape);
    };
    auto given = plain; // shares the numbers
    if (value.odd.count == 0 && small.value_exponent() == 0) {
        if (!may_be_redone) // releases them
            for (const auto* name : {"query", "key", "value"})
                plain.tensors.erase(name);
        take(forward(given, shape, is_finite, tiles));
    } else {
        const NonfiniteValues odd(plain, shape, control);
        given.tensors.insert_or_assign("value", odd.without(small.value_exponent()));
        take(forward(given, shape, is_finite, tiles));
        odd.add_to(numbers.output, numbers.lse, masks, scales_of(plain, shape), is_finite, control);
    }
    redo_far_rows(numbers, plain, shape, masks, control.part(0.9, 1.0));
    auto trace = trace_of(plain, shape, numbers);
    trace.notes = std::move(notes);
    for (auto& note : notes_on(plain, shape, numbers, is_finite))
        trace.notes.push_back(std::move(note));
    note_small_outputs(trace.notes, numbers);
    return trace;
}

} // namespace

Trace tiled_attention(const ResolvedProblem& problem, const RunControl& control, const TileForward& forward) {
    const auto form = form_of(problem);
    const auto shape = shape_of(problem, form);
    control.require_memory("output", {shape.B, shape.H, shape.L, shape.Ev}, 1.0);
    auto plain = plain_problem(problem, form, true, control);
    check_masks(plain);
    auto trace = computed(std::move(plain), shape, forward, control);
    if (form.concatenates) {
        trace.stages.back().name = "head_output";
        trace.stages.push_back(concatenated(form, trace.stages.back().value, control));
    }
    trace.notes.insert(trace.notes.end(), form.notes.begin(), form.notes.end());
    return trace;
}

} // namespace attnlab::flash
