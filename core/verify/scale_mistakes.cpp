// Implements the mistakes of attempts.h about scale, cap and lse.
#include "core/rounding.h"
#include "core/stages/scale.h"
#include "core/tensor.h"
#include "core/verify/attempts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace attnlab::verify {
namespace {

/// What is left of a scale whose peculiarity is left out.
const Selection usual_scale{"sqrt_dk", {}};

/// The single factor of the scores before the softmax, where the scale is nothing else.
std::optional<double> factor_of(const Case& c) {
    const auto& scale = c.problem.spec.scale;
    const auto& mode = scale_mode(scale.id);
    const auto* query = c.find("query");
    if (!mode.factor || mode.row_norm != RowNorm::None || !query || c.problem.spec.scale_after_softmax)
        return std::nullopt;
    return mode.factor({query->dim(-1), c.find("scores")->dim(-1)}, scale.parameters);
}

Attempts with_scale(const Case& c, Selection scale) {
    auto problem = c.problem;
    problem.spec.scale = std::move(scale);
    return {{{}, std::move(problem)}};
}

Attempts with_factor(const Case& c, double factor) {
    ParameterValues values;
    values.set("c", factor);
    return with_scale(c, {"custom", values});
}

Attempts missing(const Case& c, const Tensor&) {
    const auto factor = factor_of(c);
    return factor && *factor != 1.0 ? with_factor(c, 1.0) : Attempts{};
}

Attempts twice(const Case& c, const Tensor&) {
    const auto factor = factor_of(c);
    return factor && *factor != 1.0 ? with_factor(c, *factor * *factor) : Attempts{};
}

Attempts multiplied(const Case& c, const Tensor&) {
    const auto factor = factor_of(c);
    return factor && *factor != 1.0 && *factor != 0.0 ? with_factor(c, 1.0 / *factor) : Attempts{};
}

Attempts after(const Case& c, const Tensor&) {
    const auto factor = factor_of(c);
    if (!factor || *factor == 1.0)
        return {};
    auto problem = c.problem;
    problem.spec.scale_after_softmax = true;
    return {{{}, std::move(problem)}};
}

Attempts cap_ignored(const Case& c, const Tensor&) {
    return scale_mode(c.problem.spec.scale.id).cap ? with_scale(c, usual_scale) : Attempts{};
}

/// The divisor is the width of all heads together. Other powers of the width than its root are not tried.
Attempts by_model_width(const Case& c, const Tensor&) {
    const auto factor = factor_of(c);
    if (!factor || c.H < 2)
        return {};
    const auto& scale = c.problem.spec.scale;
    const auto* query = c.find("query");
    const double of_wider = scale_mode(scale.id).factor({4 * query->dim(-1), c.S}, scale.parameters);
    if (of_wider != *factor / 2.0)
        return {};
    return with_factor(c, *factor / std::sqrt(static_cast<double>(c.H)));
}

/// The soft cap of the scores, where it is one.
std::optional<SoftCap> cap_of(const Case& c) {
    const auto& scale = c.problem.spec.scale;
    const auto& mode = scale_mode(scale.id);
    if (!c.form || !mode.cap || c.problem.spec.scale_after_softmax || !c.find("scores"))
        return std::nullopt;
    return mode.cap({c.find("query")->dim(-1), c.find("scores")->dim(-1)}, scale.parameters);
}

double capped(double score, double cap) { return cap * std::tanh(score / cap); }

/// Blocked scores become -cap, and biases are capped too.
Attempts cap_after_mask(const Case& c, const Tensor&) {
    const auto soft = cap_of(c);
    if (!soft || !c.find("masked"))
        return {};
    return {{{}, [&c, soft = *soft](std::string_view stage) {
                 auto numbers = *c.find("scores");
                 for (double& number : numbers.mutable_values())
                     number *= soft.factor;
                 const auto* bias = c.find("position_bias");
                 auto masked = c.from_scaled(numbers, bias ? *bias : Tensor()).find("masked")->value;
                 for (double& number : masked.mutable_values())
                     number = capped(number, soft.cap);
                 return c.stage_of(c.from_masked(masked), stage);
             }}};
}

Attempts cap_before_scale(const Case& c, const Tensor&) {
    const auto soft = cap_of(c);
    if (!soft)
        return {};
    return {{{}, [&c, soft = *soft](std::string_view stage) {
                 auto numbers = *c.find("scores");
                 for (double& number : numbers.mutable_values())
                     number = capped(number, soft.cap) * soft.factor;
                 const auto* bias = c.find("position_bias");
                 return c.stage_of(c.from_scaled(numbers, bias ? *bias : Tensor()), stage);
             }}};
}

Attempts norm_ignored(const Case& c, const Tensor&) {
    return scale_mode(c.problem.spec.scale.id).row_norm != RowNorm::None ? with_scale(c, usual_scale) : Attempts{};
}

Attempts position_ignored(const Case& c, const Tensor&) {
    if (c.problem.spec.position.id.empty())
        return {};
    auto problem = c.problem;
    problem.spec.position = {};
    return {{c.problem.spec.position.id, std::move(problem)}};
}

/// Changes only the stage lse, number by number.
template <class Change>
Attempts with_lse(const Case& c, Change change) {
    if (!c.find("lse"))
        return {};
    return {{{}, [&c, change](std::string_view stage) -> std::optional<Tensor> {
                 if (stage != "lse")
                     return std::nullopt;
                 auto lse = *c.find("lse");
                 auto numbers = lse.mutable_values();
                 for (std::size_t row = 0; row < numbers.size(); ++row)
                     numbers[row] = change(numbers[row], row);
                 return lse;
             }}};
}

Attempts base_2(const Case& c, const Tensor&) {
    return with_lse(c, [](double lse, std::size_t) { return lse / std::numbers::ln2; });
}

Attempts without_maximum(const Case& c, const Tensor&) {
    const auto* masked = c.find("masked");
    if (!masked || masked->dim(-1) == 0)
        return {};
    return with_lse(c, [masked](double lse, std::size_t row) {
        const auto width = static_cast<std::size_t>(masked->dim(-1));
        const auto scores = masked->values().subspan(row * width, width);
        return lse - *std::max_element(scores.begin(), scores.end());
    });
}

Attempts times_ln_2(const Case& c, const Tensor&) {
    return with_lse(c, [](double lse, std::size_t) { return lse * std::numbers::ln2; });
}

Attempts negative(const Case& c, const Tensor&) {
    return with_lse(c, [](double lse, std::size_t) { return -lse; });
}

Attempts maximum_alone(const Case& c, const Tensor&) {
    const auto* masked = c.find("masked");
    if (!masked || masked->dim(-1) == 0)
        return {};
    return with_lse(c, [masked](double, std::size_t row) {
        const auto width = static_cast<std::size_t>(masked->dim(-1));
        const auto scores = masked->values().subspan(row * width, width);
        return *std::max_element(scores.begin(), scores.end());
    });
}

Attempts infinite(const Case& c, const Tensor&) {
    return with_lse(c, [](double lse, std::size_t) { return lse == -infinity ? infinity : lse; });
}

const MistakeRow scale_rows[] = {
    {{"scale_missing", ATTNLAB_TEXT("the scale is missing")}, missing},
    {{"scale_twice", ATTNLAB_TEXT("the scale is applied twice: squared, such as 1/d instead of 1/√d")}, twice},
    {{"scale_inverted", ATTNLAB_TEXT("scores are multiplied by what they should be divided by")}, multiplied},
    {{"scale_after_softmax", ATTNLAB_TEXT("the scale is applied after the softmax")}, after},
    {{"softcap_ignored", ATTNLAB_TEXT("the soft cap is ignored")}, cap_ignored},
    {{"softcap_after_mask",
      ATTNLAB_TEXT("the soft cap is applied after masks and biases, so that blocked scores become −c")},
     cap_after_mask},
    {{"softcap_before_scale", ATTNLAB_TEXT("the soft cap is applied before the scale")}, cap_before_scale},
    {{"scale_by_model_width", ATTNLAB_TEXT("the scale is that of all heads together: 1/√(H d_k)")}, by_model_width},
    {{"norm_ignored", ATTNLAB_TEXT("queries and keys are not normalised")}, norm_ignored},
    {{"position_ignored", ATTNLAB_TEXT("the position %1 is ignored")}, position_ignored},
    {{"lse_base_2", ATTNLAB_TEXT("the lse is in base 2")}, base_2},
    {{"lse_times_ln_2", ATTNLAB_TEXT("the lse is multiplied by ln 2")}, times_ln_2},
    {{"lse_negative", ATTNLAB_TEXT("the sign of the lse is wrong")}, negative},
    {{"lse_is_maximum", ATTNLAB_TEXT("the lse is the maximum of its row alone")}, maximum_alone},
    {{"lse_infinite", ATTNLAB_TEXT("the lse of rows without a key is +∞ instead of −∞")}, infinite},
    {{"lse_without_maximum", ATTNLAB_TEXT("the lse lacks the maximum of its row")}, without_maximum},
};

} // namespace

std::span<const MistakeRow> scale_mistakes() { return scale_rows; }

// Implements the mistakes of attempts.h about rounding.

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

} // namespace attnlab::verify
