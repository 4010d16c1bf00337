// Implements problem_of of core/capture/capture.h.
#include "core/capture/capture.h"
#include "core/stages/query_offset.h"
#include "core/stages/sliding_window.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnlab {
namespace {

constexpr const char* sink_label = "sink";

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); }

Selection selected(const char* id, const char* name, ParameterValue value) {
    Selection selection{id, {}};
    selection.parameters.set(name, std::move(value));
    return selection;
}

struct Sizes {
    std::int64_t B, H, L, S, E;
};

/// A band around a diagonal: the keys that query `row` may read.
struct Band {
    const CapturedPass& pass;

    bool keeps(std::int64_t row, std::int64_t key) const {
        const auto at = row + pass.offset;
        return (!pass.causal || key <= at) && (pass.window == 0 || (at - key < pass.window && key - at < pass.window));
    }
};

/// The masks of the table and the query offset that say the band.
struct NamedBand {
    std::vector<Selection> masks = {};
    std::optional<std::int64_t> offset = std::nullopt;
};

/// nullopt where the masks cannot say the band.
std::optional<NamedBand> named_band(const CapturedPass& pass, const Sizes& sizes) {
    if (pass.window == 0 && !pass.causal)
        return NamedBand{};
    const bool is_square = sizes.L == sizes.S;
    if (pass.window == 0 && pass.offset == sizes.S - sizes.L && !is_square)
        return NamedBand{{selected("causal", "alignment", std::string("bottom_right"))}};
    constexpr double farthest_window = 5e8;
    if (std::abs(static_cast<double>(pass.offset)) > farthest_query_offset ||
        static_cast<double>(pass.window) > farthest_window)
        return std::nullopt;
    NamedBand band;
    if (pass.offset != 0 || !is_square) // otherwise no corner is in doubt
        band.offset = pass.offset;
    if (!pass.causal)
        band.masks = {selected("window", "w", 2 * pass.window - 2)};
    else
        band.masks = pass.window > 0 ? sliding_window(pass.window) : std::vector<Selection>{{"causal", {}}};
    return band;
}

void require_room(const char* name, const Shape& shape, std::int64_t limit) {
    RunControl{.memory_limit = limit}.require_memory(name, shape, 1.0);
}

/// What `mask`, (B|1,H|1,L|1,S) or null, and the band keep, with a column that is kept for a sink. The band counts
/// where `band` is given.
Tensor kept_cells(const Tensor* mask, const Band* band, const Sizes& sizes, std::int64_t columns, std::int64_t limit) {
    Shape shape = mask ? mask->shape() : Shape{1, 1, 1, sizes.S};
    const bool repeats = shape[2] == 1;
    if (band)
        shape[2] = sizes.L;
    shape[3] = columns;
    require_room("attn_mask", shape, limit);
    Tensor kept(shape, 1.0, DType::Bool);
    const auto values = kept.mutable_values();
    for (std::int64_t outer = 0, at = 0; outer < shape[0] * shape[1]; ++outer)
        for (std::int64_t row = 0; row < shape[2]; ++row, at += columns)
            for (std::int64_t key = 0; key < sizes.S; ++key) {
                const auto source = (repeats ? outer : outer * shape[2] + row) * sizes.S + key;
                const bool blocked = (mask && mask->data()[source] == 0.0) || (band && !band->keeps(row, key));
                values[static_cast<std::size_t>(at + key)] = blocked ? 0.0 : 1.0;
            }
    return kept;
}

/// A row of zeros behind each head.
Tensor with_sink_row(const Tensor& heads, std::int64_t limit) {
    auto shape = heads.shape();
    const auto numbers = shape[2] * shape[3];
    ++shape[2];
    require_room("key", shape, limit);
    Tensor longer(shape, 0.0, heads.dtype());
    const auto values = longer.mutable_values();
    const auto width = shape[3];
    for (std::int64_t head = 0; head < shape[0] * shape[1]; ++head)
        heads.read(head * numbers, values.subspan(static_cast<std::size_t>(head * (numbers + width)),
                                                  static_cast<std::size_t>(numbers)));
    return longer;
}

/// Returns what queries are multiplied by.
double set_scale(AttentionSpec& spec, const CapturedPass& pass, std::int64_t width) {
    const double usual = 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, width)));
    if (pass.soft_cap > 0.0) {
        spec.scale = selected("softcap", "c", pass.soft_cap);
        return is_near(pass.scale, usual) ? 1.0 : pass.scale / usual;
    }
    if (is_near(pass.scale, usual))
        spec.scale = {"sqrt_dk", {}};
    else if (pass.scale == 1.0)
        spec.scale = {"none", {}};
    else
        spec.scale = selected("custom", "c", pass.scale);
    return 1.0;
}

Tensor multiplied(const Tensor& tensor, double factor) {
    Tensor product = tensor;
    for (double& value : product.mutable_values())
        value *= factor;
    return product.with_dtype(DType::Float64);
}

/// The mask and the band as masks of the problem.
void set_masks(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
               std::int64_t columns, std::int64_t limit) {
    const bool blocks_sink = columns > sizes.S && (pass.causal || pass.window > 0);
    auto named = blocks_sink ? std::nullopt : named_band(pass, sizes);
    const Tensor* mask = pass.mask.empty() ? nullptr : capture.tensor(pass.mask);
    if (named) {
        problem.spec.masks = std::move(named->masks);
        problem.spec.query_offset = named->offset;
    }
    if (!mask && named)
        return;
    const Band band{pass};
    problem.spec.masks.push_back({"attn_mask", {}});
    problem.spec.mask_true = MaskTrue::Keeps;
    const bool is_whole = named && columns == sizes.S;
    problem.tensors["attn_mask"] = is_whole ? *mask : kept_cells(mask, named ? nullptr : &band, sizes, columns, limit);
}

void set_bias(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
              std::int64_t columns, std::int64_t limit) {
    const Tensor* bias = pass.bias.empty() ? nullptr : capture.tensor(pass.bias);
    const Tensor* sinks = capture.tensor(pass.array("sinks"));
    if (!bias && !sinks)
        return;
    problem.spec.masks.push_back({"attn_bias", {}});
    if (!sinks) {
        problem.tensors["attn_bias"] = *bias;
        return;
    }
    Shape shape = bias ? bias->shape() : Shape{1, 1, 1, sizes.S};
    const Shape from = shape;
    shape[1] = sizes.H;
    shape[3] = columns;
    require_room("attn_bias", shape, limit);
    Tensor made(shape, 0.0, DType::Float32);
    const auto values = made.mutable_values();
    std::size_t at = 0;
    for (std::int64_t b = 0; b < shape[0]; ++b)
        for (std::int64_t h = 0; h < shape[1]; ++h)
            for (std::int64_t row = 0; row < shape[2]; ++row)
                for (std::int64_t key = 0; key < columns; ++key) {
                    const auto source = ((b * from[1] + (from[1] == 1 ? 0 : h)) * shape[2] + row) * sizes.S + key;
                    values[at++] = key == sizes.S ? sinks->value(h) : bias ? bias->value(source) : 0.0;
                }
    problem.tensors["attn_bias"] = std::move(made);
}

/// Without a window that reaches every key.
CapturedPass with_needed_window(CapturedPass pass, const Sizes& sizes) {
    if (pass.window >= std::max(sizes.L, sizes.S) + std::abs(pass.offset))
        pass.window = 0;
    return pass;
}

void set_labels(AttentionProblem& problem, const Capture& capture, const CapturedPass& pass, const Sizes& sizes,
                bool has_sink) {
    problem.query_tokens = capture.labels(pass.query_tokens, sizes.B);
    if (pass.key_tokens != pass.query_tokens || has_sink)
        problem.key_tokens = capture.labels(pass.key_tokens, sizes.B);
    if (has_sink && !problem.key_tokens.empty())
        problem.key_tokens.push_back(sink_label);
}

} // namespace

AttentionProblem problem_of(const Capture& capture, const CapturedPass& recorded, std::int64_t memory_limit) {
    AttentionProblem problem;
    const auto* query = capture.tensor(recorded.array("query"));
    if (!query) {
        const auto& weights = *capture.tensor(recorded.array("weights"));
        problem.spec.variant = "given_weights";
        problem.tensors["weights"] = weights;
        const Sizes sizes{weights.dim(0), weights.dim(1), weights.dim(2), weights.dim(3), 0};
        set_labels(problem, capture, recorded, sizes, false);
        return problem;
    }
    const auto& key = *capture.tensor(recorded.array("key"));
    const Sizes sizes{query->dim(0), query->dim(1), query->dim(2), key.dim(2), query->dim(3)};
    const auto pass = with_needed_window(recorded, sizes);
    const bool has_sink = capture.tensor(pass.array("sinks")) != nullptr;
    const auto columns = sizes.S + (has_sink ? 1 : 0);
    problem.spec.variant = "scaled_dot_product";
    const double factor = set_scale(problem.spec, pass, sizes.E);
    problem.tensors["query"] = factor == 1.0 ? *query : multiplied(*query, factor);
    problem.tensors["key"] = has_sink ? with_sink_row(key, memory_limit) : key;
    if (const auto* value = capture.tensor(pass.array("value")))
        problem.tensors["value"] = has_sink ? with_sink_row(*value, memory_limit) : *value;
    set_masks(problem, capture, pass, sizes, columns, memory_limit);
    set_bias(problem, capture, pass, sizes, columns, memory_limit);
    set_labels(problem, capture, pass, sizes, has_sink);
    return problem;
}

} // namespace attnlab
