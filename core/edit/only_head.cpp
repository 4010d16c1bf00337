#include "core/edit/only_head.h"

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/message.h"
#include "core/resolved_problem.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab {
namespace {

/// One entry of an axis, which keeps its place with the size 1.
Tensor entry_of(const Tensor& tensor, int axis, std::int64_t index) {
    Shape shape = tensor.shape();
    std::int64_t before = 1, after = 1;
    for (int i = 0; i < tensor.rank(); ++i)
        if (i != axis)
            (i < axis ? before : after) *= tensor.dim(i);
    const auto count = tensor.dim(axis);
    shape[static_cast<std::size_t>(axis)] = 1;
    Tensor part(shape, 0.0, tensor.dtype());
    auto numbers = part.mutable_values();
    for (std::int64_t i = 0; i < before; ++i)
        std::copy_n(tensor.data() + (i * count + index) * after, after, numbers.begin() + i * after);
    return part;
}

/// True where a head may be computed alone: nothing depends on its number.
bool has_equal_heads(const AttentionSpec& spec) {
    const auto& parameters = spec.parameters;
    const bool projects = parameters.find("num_heads") != nullptr;
    const auto* dropout = parameters.find("dropout");
    const bool drops = dropout && parameters.real("dropout") > 0.0;
    const bool by_position = !spec.position.id.empty() && spec.position.id != "rope" && spec.position.id != "none";
    return !projects && !drops && !by_position && spec.score_mod.empty() && spec.decay.id.empty() &&
           std::ranges::none_of(spec.masks, [](const Selection& mask) { return mask.id == "expression"; });
}

} // namespace

std::optional<AttentionProblem> only_head(const AttentionProblem& problem, std::int64_t batch, std::int64_t head,
                                          std::int64_t most) {
    AttentionProblem part = problem;
    part.compared_with.reset();
    part.tensors.clear();
    std::vector<Input> inputs;
    Bindings sizes;
    try {
        const auto spec = complete_spec(problem.spec);
        if (!has_equal_heads(spec))
            return std::nullopt;
        inputs = inputs_of(spec);
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        return std::nullopt;
    }
    const auto size = [&](std::string_view symbol) {
        const auto found = sizes.find(symbol);
        return found == sizes.end() ? std::int64_t{1} : found->second;
    };
    const auto heads = std::max<std::int64_t>(1, size("H"));
    struct Choice {
        const Tensor* tensor;
        std::string_view name;
        std::vector<std::pair<int, std::int64_t>> entries; ///< axes of which one entry is taken
    };
    std::vector<Choice> choices;
    std::int64_t numbers = 0;
    for (const auto& input : inputs) {
        const auto found = problem.tensors.find(input.name);
        if (found == problem.tensors.end())
            continue;
        const Tensor& tensor = found->second;
        const auto alternatives = dims_of(input);
        const auto dims =
            std::ranges::find(alternatives, static_cast<std::size_t>(tensor.rank()), &std::vector<Dim>::size);
        if (dims == alternatives.end())
            return std::nullopt;
        Choice choice{&tensor, input.name, {}};
        auto count = tensor.size();
        for (int axis = 0; axis < tensor.rank(); ++axis) {
            const auto& factors = (*dims)[static_cast<std::size_t>(axis)].factors;
            const auto length = tensor.dim(axis);
            const bool is_batch = factors.size() == 1 && factors.front() == "B";
            const bool is_head = factors.size() == 1 && (factors.front() == "H" || factors.front() == "Hkv");
            if (!is_batch && !is_head) {
                const bool mixes = std::ranges::any_of(
                    factors, [](std::string_view factor) { return factor == "B" || factor.find('H') != factor.npos; });
                if (mixes)
                    return std::nullopt;
            } else if (length > 1) {
                choice.entries.emplace_back(axis, is_batch ? batch : head * length / heads);
                count /= length;
            }
        }
        numbers += count;
        choices.push_back(std::move(choice));
    }
    if (numbers > most)
        return std::nullopt;
    for (const auto& choice : choices) {
        Tensor tensor = *choice.tensor;
        for (const auto& [axis, index] : choice.entries)
            tensor = entry_of(tensor, axis, index);
        part.tensors.emplace(std::string(choice.name), std::move(tensor));
    }
    return part;
}

} // namespace attnlab
