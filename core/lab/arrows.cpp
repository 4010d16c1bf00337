#include "core/lab/arrows.h"

#include <algorithm>
#include <cmath>

namespace attnlab::lab {

std::optional<Message> why_no_arrows(const Trace& trace) {
    for (const char* name : {"query", "key", "value", "weights", "output"}) {
        const Stage* stage = trace.find(name);
        if (!stage)
            return Message{ATTNLAB_TEXT("arrows need a stage '%1', and there is none"), {name}};
        const auto& shape = stage->value.shape();
        const auto numbers = std::string_view(name) == "weights" ? stage->value.dim(-2) * stage->value.dim(-1)
                                                                 : stage->value.dim(-2) * 2;
        if (stage->value.size() != numbers)
            return Message{ATTNLAB_TEXT("arrows need rows of two numbers in one head of one batch, '%1' is %2"),
                           {name, to_string(shape)}};
    }
    const auto& weights = trace.find("weights")->value;
    if (weights.dim(-2) > most_arrow_queries || weights.dim(-1) > most_arrow_keys)
        return Message{ATTNLAB_TEXT("arrows are drawn of at most %1 queries and %2 keys, there are %3 and %4"),
                       {std::to_string(most_arrow_queries), std::to_string(most_arrow_keys),
                        std::to_string(weights.dim(-2)), std::to_string(weights.dim(-1))}};
    return std::nullopt;
}

Scene with_moved_arrow(Scene scene, std::string_view name, std::int64_t row, double x, double y, double reach,
                       bool all) {
    constexpr double grain = 10.0; // to the unit
    const auto found = scene.tensors.find(name);
    if (found == scene.tensors.end() || found->second.rank() < 2 || found->second.dim(-1) != 2 || row < 0 ||
        2 * row >= found->second.size())
        return scene;
    const auto cells = found->second.mutable_values();
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto own = static_cast<std::size_t>(2 * row) + axis;
        double by = std::round(std::clamp(axis == 0 ? x : y, -reach, reach) * grain) / grain - cells[own];
        for (std::size_t k = axis; all && k < cells.size(); k += 2)
            by = std::clamp(by, std::min(0.0, -reach - cells[k]), std::max(0.0, reach - cells[k]));
        for (std::size_t k = axis; k < cells.size(); k += 2)
            if (all || k == own)
                cells[k] = std::round((cells[k] + by) * grain) / grain;
    }
    return scene;
}

} // namespace attnlab::lab
