// Implements the mistakes of attempts.h about rounding.
#include "core/against/attempts.h"
#include "core/rounding.h"

#include <limits>

namespace attnlab::against {
namespace {

constexpr DType formats[] = {DType::BFloat16, DType::Float16};

Attempts inputs(const Case& c, const Tensor&) {
    if (!c.form)
        return {};
    Attempts attempts;
    for (const auto type : formats) {
        auto problem = c.problem;
        for (const auto* name : {"query", "key", "value"})
            problem.tensors.insert_or_assign(name, rounded(c.problem.tensors.at(name), type));
        attempts.push_back({std::string(name_of(type)), std::move(problem)});
    }
    return attempts;
}

Attempts scores(const Case& c, const Tensor&) {
    Attempts attempts;
    if (const auto* masked = c.find("masked"))
        for (const auto type : formats)
            attempts.push_back({std::string(name_of(type)), [&c, masked, type](std::string_view stage) {
                                    return c.stage_of(c.from_masked(rounded(*masked, type)), stage);
                                }});
    return attempts;
}

Attempts weights(const Case& c, const Tensor&) {
    Attempts attempts;
    if (const auto* exact = c.find("weights"))
        for (const auto type : formats)
            attempts.push_back({std::string(name_of(type)), [&c, exact, type](std::string_view stage) {
                                    return c.stage_of(c.from_weights(rounded(*exact, type)), stage);
                                }});
    return attempts;
}

/// Weights times values, key by key, with every partial sum rounded.
Tensor narrow_sums(const Tensor& weights, const Tensor& value, DType type) {
    const auto B = weights.dim(0), H = weights.dim(1), L = weights.dim(2), S = weights.dim(3), Ev = value.dim(3);
    const auto group = H / value.dim(1);
    Tensor output({B, H, L, Ev});
    auto sums = output.mutable_values();
    for (std::int64_t matrix = 0; matrix < B * H; ++matrix) {
        const auto a = matrix_at(weights, matrix);
        const auto v = matrix_at(value, matrix / H * value.dim(1) + matrix % H / group);
        for (std::int64_t i = 0; i < L; ++i)
            for (std::int64_t j = 0; j < S; ++j)
                for (std::int64_t c = 0; c < Ev; ++c) {
                    double& sum = sums[static_cast<std::size_t>((matrix * L + i) * Ev + c)];
                    sum = rounded(sum + a(i, j) * v(j, c), type);
                }
    }
    return output;
}

Attempts sums(const Case& c, const Tensor&) {
    const auto *weights = c.find("weights"), *value = c.find("value");
    if (!weights || !value || value->size() == 0)
        return {};
    Attempts attempts;
    for (const auto type : formats)
        attempts.push_back({std::string(name_of(type)), [&c, weights, value, type](std::string_view stage) {
                                Trace trace;
                                trace.stages.emplace_back().name = "output";
                                trace.stages.back().value = narrow_sums(*weights, *value, type);
                                return c.stage_of(trace, stage);
                            }});
    return attempts;
}

const MistakeRow rounding_rows[] = {
    {{"inputs_rounded", ATTNLAB_TEXT("queries, keys and values are rounded to %1")}, inputs},
    {{"scores_rounded", ATTNLAB_TEXT("scores are rounded to %1 before the softmax")}, scores},
    {{"weights_rounded", ATTNLAB_TEXT("weights are rounded to %1 before they meet the values")}, weights},
    {{"sums_rounded", ATTNLAB_TEXT("the sums over values are kept in %1")}, sums},
};

} // namespace

std::span<const MistakeRow> rounding_mistakes() { return rounding_rows; }

} // namespace attnlab::against
