#include "core/lab/in_float32.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/exact.h"
#include "core/stages/notes.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::lab {
namespace {

float single(double value) { return static_cast<float>(value); }

Tensor rounded(const Tensor& tensor) {
    Tensor result = tensor.with_dtype(DType::Float32);
    for (double& value : result.mutable_values())
        value = single(value);
    return result;
}

/// Recomputes the masked scores in float32. `masked` - `scaled` is the added term.
Tensor masked_again(const Tensor& scaled, const Tensor& masked, const Stage* blocked, MaskFill::Mode mode) {
    Tensor result(masked.shape(), 0.0, DType::Float32);
    const auto out = result.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k) {
        const double before = scaled.values()[k], after = masked.values()[k];
        const bool replaced = mode == MaskFill::Mode::Replace && blocked && blocked->value.values()[k] != 0.0;
        const bool added = !replaced && std::isfinite(before) && std::isfinite(after);
        out[k] = added ? single(before) + single(after - before) : single(after);
    }
    return result;
}

struct Row32 {
    std::vector<float> weights;
    float lse = -std::numeric_limits<float>::infinity();
};

/// As softmax_row, in float32 throughout.
Row32 softmax_again(std::span<const double> masked) {
    Row32 row;
    row.weights.resize(masked.size());
    float most = -std::numeric_limits<float>::infinity();
    for (const double value : masked)
        most = single(value) > most || std::isnan(value) ? single(value) : most;
    if (most == -std::numeric_limits<float>::infinity())
        return row;
    float sum = 0.0f;
    for (std::size_t j = 0; j < masked.size(); ++j)
        sum += row.weights[j] = std::exp(single(masked[j]) - most);
    for (float& weight : row.weights)
        weight /= sum;
    row.lse = most + std::log(sum);
    return row;
}

SoftmaxResult softmax_again(const Tensor& masked) {
    auto row_shape = masked.shape();
    const auto columns = static_cast<std::size_t>(row_shape.back());
    row_shape.pop_back();
    SoftmaxResult result{Tensor(masked.shape(), 0.0, DType::Float32), Tensor(row_shape, 0.0, DType::Float32)};
    const auto weights = result.weights.mutable_values();
    const auto lse = result.lse.mutable_values();
    for (std::size_t i = 0; i < lse.size(); ++i) {
        const auto row = softmax_again(masked.values().subspan(i * columns, columns));
        std::ranges::copy(row.weights, weights.begin() + static_cast<std::ptrdiff_t>(i * columns));
        lse[i] = row.lse;
    }
    return result;
}

/// As mix_values, with each product and each sum rounded.
Tensor mixed_again(const Tensor& weights, const Tensor& value, const Tensor& masked) {
    const auto H = weights.dim(1), L = weights.dim(2), Ev = value.dim(3);
    const auto group = H / value.dim(1);
    Tensor output({weights.dim(0), H, L, Ev}, 0.0, DType::Float32);
    const auto out = output.mutable_values();
    for (std::int64_t head = 0; head < matrix_count(weights); ++head) {
        const auto a = matrix_at(weights, head), m = matrix_at(masked, head);
        const auto v = matrix_at(value, head / H * value.dim(1) + head % H / group);
        for (std::int64_t i = 0; i < L; ++i)
            for (std::int64_t c = 0; c < Ev; ++c) {
                float sum = 0.0f;
                for (std::int64_t j = 0; j < a.columns; ++j)
                    if (m(i, j) != -std::numeric_limits<double>::infinity())
                        sum += single(a(i, j)) * single(v(j, c));
                out[static_cast<std::size_t>((head * L + i) * Ev + c)] = sum;
            }
    }
    return output;
}

bool equal_within(const Tensor& a, const Tensor& b, double tolerance) {
    const auto alike = [&](double x, double y) {
        return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= tolerance * (1.0 + std::abs(y));
    };
    return a.shape() == b.shape() && std::ranges::equal(a.values(), b.values(), alike);
}

/// The stages of a pass that can be recomputed, or none.
struct Pass {
    Stage* scaled = nullptr;
    Stage* masked = nullptr;
    Stage* weights = nullptr;
    Stage* output = nullptr;
    const Stage* query = nullptr;
    const Stage* value = nullptr;

    explicit Pass(Trace& trace) {
        const auto named = [&](const char* name) -> Stage* {
            auto* found = lookup(trace.stages, name, &Stage::name);
            return found && found->value.rank() == 4 ? found : nullptr;
        };
        scaled = named("scaled");
        masked = named("masked");
        weights = named("weights");
        output = named("output");
        query = named("query");
        value = named("value");
    }
    bool whole() const { return scaled && masked && weights && output && query && value; }
};

Tensor scaled_after(Tensor weights, const Pass& pass, const AttentionSpec& spec) {
    if (!spec.scale_after_softmax)
        return weights;
    return apply_scale(weights, effective_scale(spec), {pass.query->value.dim(3), weights.dim(3)});
}

/// After dropout, if any.
Tensor mixed_weights(const Tensor& weights, const AttentionSpec& spec) {
    const auto dropout = dropout_of(complete_spec(spec).parameters);
    return dropout.on() ? dropped(weights, dropout) : weights;
}

/// An approximation may have stages of these names that are not each other's softmax and product.
bool can_be_done_again(const Trace& trace, const Pass& pass, const AttentionSpec& spec) {
    if (!pass.whole() || !trace.exhibits.empty() || !trace.measures.empty() || trace.find("grad_weights"))
        return false;
    constexpr double tolerance = 1e-9;
    const auto weights = scaled_after(softmax_rows(pass.masked->value).weights, pass, spec);
    return equal_within(pass.weights->value, weights, tolerance) &&
           equal_within(pass.output->value,
                        mix_values(mixed_weights(weights, spec), pass.value->value, {}, &pass.masked->value),
                        tolerance);
}

void replace(Trace& trace, std::string_view name, const Tensor& value) {
    if (auto* found = lookup(trace.stages, name, &Stage::name))
        found->value = rounded(value);
}

/// Replaces the notes on rows: those of the float64 pass may not hold in float32.
void renew_notes(Trace& trace, const std::vector<Note>& before, const AttentionSpec& spec) {
    const auto same = [](const Note& a) { return [&a](const Note& b) { return a.message == b.message; }; };
    std::erase_if(trace.notes, [&](const Note& note) { return std::ranges::any_of(before, same(note)); });
    std::ranges::move(notes_on(trace, spec), std::back_inserter(trace.notes));
}

} // namespace

Trace in_float32(Trace trace, const AttentionSpec& spec) {
    const Pass pass(trace);
    if (!can_be_done_again(trace, pass, spec))
        throw Error({ATTNLAB_TEXT("%1: cannot be computed in float32, expected a mechanism of one pass from scores to "
                                  "the output"),
                     {spec.variant}});
    const auto before = notes_on(trace, spec);
    auto masked = masked_again(pass.scaled->value, pass.masked->value, trace.find("blocked"), spec.mask_fill.mode);
    auto [weights, lse] = softmax_again(masked);
    weights = rounded(scaled_after(std::move(weights), pass, spec));
    pass.scaled->value = rounded(pass.scaled->value);
    pass.masked->value = std::move(masked);
    pass.weights->value = weights;
    const auto mixed = rounded(mixed_weights(weights, spec));
    pass.output->value = mixed_again(mixed, pass.value->value, pass.masked->value);
    replace(trace, "weights_dropped", mixed);
    replace(trace, "lse", lse);
    replace(trace, "weights_mean", mean_over_heads(weights));
    Trace statistics;
    add_statistics(statistics, weights, {}, nullptr, spec.scale_after_softmax);
    for (const auto& stage : statistics.stages)
        replace(trace, stage.name, stage.value);
    renew_notes(trace, before, spec);
    return trace;
}

} // namespace attnlab::lab
