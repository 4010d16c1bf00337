// Implements the mistakes of attempts.h about scale, cap and position.
#include "core/against/attempts.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnlab::against {
namespace {

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
    return c.problem.spec.scale.id == "softcap" ? with_scale(c, {"sqrt_dk", {}}) : Attempts{};
}

Attempts norm_ignored(const Case& c, const Tensor&) {
    return scale_mode(c.problem.spec.scale.id).row_norm != RowNorm::None ? with_scale(c, {"sqrt_dk", {}}) : Attempts{};
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

const MistakeRow scale_rows[] = {
    {{"scale_missing", ATTNLAB_TEXT("the scale is missing")}, missing},
    {{"scale_twice", ATTNLAB_TEXT("the scale is applied twice: squared")}, twice},
    {{"scale_inverted", ATTNLAB_TEXT("scores are multiplied by what they should be divided by")}, multiplied},
    {{"scale_after_softmax", ATTNLAB_TEXT("the scale is applied after the softmax")}, after},
    {{"softcap_ignored", ATTNLAB_TEXT("the soft cap is ignored")}, cap_ignored},
    {{"norm_ignored", ATTNLAB_TEXT("queries and keys are not normalised")}, norm_ignored},
    {{"position_ignored", ATTNLAB_TEXT("the position %1 is ignored")}, position_ignored},
    {{"lse_base_2", ATTNLAB_TEXT("the lse is in base 2")}, base_2},
    {{"lse_without_maximum", ATTNLAB_TEXT("the lse lacks the maximum of its row")}, without_maximum},
};

} // namespace

std::span<const MistakeRow> scale_mistakes() { return scale_rows; }

} // namespace attnlab::against
