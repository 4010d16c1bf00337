// Implements the mistakes of attempts.h about heads, keys and axes.
#include "core/recognition/layout.h"
#include "core/stages/softmax.h"
#include "core/verify/array_comparison.h"
#include "core/verify/attempts.h"
#include "core/verify/mistakes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace attnlab::verify {
namespace {

/// The stage of the exact trace with its numbers in another order.
template <class Change>
Attempts of_stage(const Case& c, Change change) {
    return {{{}, [&c, change](std::string_view name) -> std::optional<Tensor> {
                 const auto* stage = c.exact.find(name);
                 return stage ? change(*stage) : std::nullopt;
             }}};
}

/// The numbers in the order that exchanged axes `a` and `b` would have, under an unchanged shape.
Tensor exchanged(const Tensor& tensor, std::size_t a, std::size_t b) {
    std::vector<int> order(tensor.shape().size());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[a], order[b]);
    return permuted(tensor, order).reshaped(tensor.shape());
}

std::optional<std::size_t> place_of(const Stage& stage, Axis axis) {
    const auto found = std::ranges::find(stage.axes, axis);
    return found == stage.axes.end() ? std::nullopt : std::optional<std::size_t>(found - stage.axes.begin());
}

Attempts heads_and_tokens(const Case& c, const Tensor&) {
    return of_stage(c, [](const Stage& stage) -> std::optional<Tensor> {
        const auto head = place_of(stage, Axis::Head), query = place_of(stage, Axis::Query);
        if (!head || !query || stage.value.dim(static_cast<int>(*head)) == 1)
            return std::nullopt;
        return exchanged(stage.value, *head, *query);
    });
}

Attempts transposed(const Case& c, const Tensor&) {
    return of_stage(c, [](const Stage& stage) -> std::optional<Tensor> {
        const auto rank = stage.axes.size();
        if (rank < 2 || stage.axes[rank - 2] != Axis::Query)
            return std::nullopt;
        return exchanged(stage.value, rank - 2, rank - 1);
    });
}

/// The sum of squared differences of two heads, over cells that are finite in both.
double apart(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k)
        if (const double difference = a[k] - b[k]; std::isfinite(difference))
            sum += difference * difference;
    return sum;
}

/// For each given head the nearest head of the exact stage, in the first batch entry.
std::vector<std::size_t> nearest_heads(const Tensor& exact, const Tensor& given, std::size_t heads, std::size_t cells) {
    std::vector<std::size_t> nearest(heads);
    for (std::size_t head = 0; head < heads; ++head) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t other = 0; other < heads; ++other) {
            const double distance =
                apart(given.values().subspan(head * cells, cells), exact.values().subspan(other * cells, cells));
            if (distance < least) {
                least = distance;
                nearest[head] = other;
            }
        }
    }
    return nearest;
}

/// Heads count from 0, as in the arrays: "0 is 1, 1 is 0".
Message exchanges_in(const std::vector<std::size_t>& heads) {
    std::vector<Message> exchanged;
    for (std::size_t head = 0; head < heads.size(); ++head)
        if (heads[head] != head)
            exchanged.push_back({ATTNLAB_TEXT("%1 is %2"), {std::to_string(head), std::to_string(heads[head])}});
    return joined(exchanged, "%1, %2");
}

/// The order of heads in the given array, if it is a permutation other than the identity.
Attempts heads_exchanged(const Case& c, const Tensor& given) {
    constexpr std::size_t most_heads = 64;
    const auto& exact = *c.exact.find(c.stage);
    const auto& shape = exact.value.shape();
    if (place_of(exact, Axis::Head) != 1U || exact.value.size() == 0)
        return {};
    const auto heads = static_cast<std::size_t>(shape[1]);
    const auto cells = static_cast<std::size_t>(exact.value.size() / (shape[0] * shape[1]));
    if (heads < 2 || heads > most_heads)
        return {};
    const auto nearest = nearest_heads(exact.value, given, heads, cells);
    if (std::set<std::size_t>(nearest.begin(), nearest.end()).size() < heads || exchanges_in(nearest).empty())
        return {};
    return {{exchanges_in(nearest),
             [value = exact.value, nearest, heads, cells](std::string_view) -> std::optional<Tensor> {
                 Tensor result(value.shape());
                 auto into = result.mutable_values();
                 for (std::size_t row = 0; row < into.size() / cells; ++row)
                     std::ranges::copy(
                         value.values().subspan((row / heads * heads + nearest[row % heads]) * cells, cells),
                         into.subspan(row * cells, cells).begin());
                 return result;
             }}};
}

/// Key head h % Hkv for query head h, where h / (H / Hkv) is right.
Attempts interleaved_groups(const Case& c, const Tensor&) {
    if (!c.form)
        return {};
    const auto shared = c.problem.tensors.at("key").dim(1);
    if (shared == 1 || shared == c.H)
        return {};
    auto problem = c.problem;
    for (const auto* name : {"key", "value"}) {
        const auto own = c.problem.tensors.at(name);
        Tensor spread({c.B, c.H, own.dim(2), own.dim(3)});
        const auto cells = static_cast<std::size_t>(own.dim(2) * own.dim(3));
        auto into = spread.mutable_values();
        for (std::int64_t b = 0; b < c.B; ++b)
            for (std::int64_t h = 0; h < c.H; ++h)
                std::ranges::copy(
                    own.values().subspan(static_cast<std::size_t>(b * shared + h % shared) * cells, cells),
                    into.subspan(static_cast<std::size_t>(b * c.H + h) * cells, cells).begin());
        problem.tensors.insert_or_assign(name, std::move(spread));
    }
    return {{{}, std::move(problem)}};
}

/// Without the keys that the mechanism appends.
Attempts appended_ignored(const Case& c, const Tensor&) {
    Attempts attempts;
    const auto& values = c.problem.spec.parameters;
    const auto on = [&](const char* name) {
        const auto* value = values.find(name);
        return value && std::get_if<bool>(value) && std::get<bool>(*value);
    };
    auto without_all = c.problem;
    int kinds = 0;
    if (c.problem.tensors.contains("bias_k") || on("add_bias_kv")) {
        auto problem = c.problem;
        for (auto* part : {&problem, &without_all}) {
            part->tensors.erase("bias_k");
            part->tensors.erase("bias_v");
            part->spec.parameters.set("add_bias_kv", false);
        }
        attempts.push_back({"bias_k", std::move(problem)});
        ++kinds;
    }
    if (on("add_zero_attn")) {
        auto problem = c.problem;
        for (auto* part : {&problem, &without_all})
            part->spec.parameters.set("add_zero_attn", false);
        attempts.push_back({"add_zero_attn", std::move(problem)});
        ++kinds;
    }
    if (kinds == 2)
        attempts.push_back({"bias_k, add_zero_attn", std::move(without_all)});
    return attempts;
}

/// Softmax along an axis of (B,H,L,S) other than the last one.
Tensor softmax_along(const Tensor& masked, std::size_t axis) {
    std::vector<int> order{0, 1, 2, 3};
    std::swap(order[axis], order[3]);
    return permuted(softmax_rows(permuted(masked, order)).weights, order);
}

Attempts other_axis(const Case& c, const Tensor&) {
    const auto* masked = c.find("masked");
    if (!masked)
        return {};
    Attempts attempts;
    for (const auto& [axis, words] : {std::pair{1U, "heads"}, std::pair{2U, "queries"}})
        if (masked->shape()[axis] > 1)
            attempts.push_back({words, [&c, masked, along = axis](std::string_view stage) {
                                    return c.stage_of(c.from_weights(softmax_along(*masked, along)), stage);
                                }});
    return attempts;
}

const MistakeRow axis_rows[] = {
    {{"heads_exchanged", ATTNLAB_TEXT("heads are exchanged: %1")}, heads_exchanged},
    {{"groups_interleaved",
      ATTNLAB_TEXT("key and value heads are given to query heads in turn instead of group by group")},
     interleaved_groups},
    {{"appended_keys_ignored", ATTNLAB_TEXT("the appended keys are ignored: %1")}, appended_ignored},
    {{"softmax_axis", ATTNLAB_TEXT("the softmax runs over the %1 instead of the keys")}, other_axis},
    {{"heads_and_tokens", ATTNLAB_TEXT("heads and queries are exchanged in memory")}, heads_and_tokens},
    {{"transposed", ATTNLAB_TEXT("the matrices are transposed")}, transposed},
};

} // namespace

std::span<const MistakeRow> axis_mistakes() { return axis_rows; }

// An array that is right in another order of its axes is no mistake of the kernel.

void blame_layout(Diagnosis& diagnosis, const Trace& exact, const Stage& stage, const Tensor& array,
                  std::string_view axes) {
    const double tolerance = default_tolerance(narrowest_type(array), exact);
    const auto as = [&](std::string_view order) { return compare_array(stage, fitted(array, stage, "", order)); };
    const auto fits = [&](const ArrayComparison& read) { return cells_beyond(read, stage, tolerance) == 0; };
    if (diagnosis.exact_distance == 0.0 || fits(as(axes)))
        return;
    std::vector<LikelyMistake> found;
    for (const auto& order : orders_for(array.shape(), stage)) {
        if (order == axes || !is_usual_order(order))
            continue;
        if (const auto read = as(order); fits(read))
            found.push_back({"layout",
                             {ATTNLAB_TEXT("the array lies in the layout %1 and is read in the layout %2"),
                              {order, axes.empty() ? axes_of(stage) : std::string(axes)}},
                             read.relative});
    }
    if (!found.empty())
        diagnosis.likely = std::move(found);
}

} // namespace attnlab::verify
