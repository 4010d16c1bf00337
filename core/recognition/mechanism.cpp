// Implements the part of core/recognition/reading.h about choosing the mechanism.
#include "core/recognition/layer_conventions.h"
#include "core/recognition/reading.h"
#include "core/stages/mask.h"
#include "core/variants.h"

#include <algorithm>

namespace attnlab {
namespace {

/// Fewer columns of keys than of queries: groups of heads share keys.
void share_keys(Reading& reading) {
    auto& problem = reading.result.problem;
    const auto w_q = problem.tensors.find("w_q"), w_k = problem.tensors.find("w_k");
    if (problem.spec.variant != "multi_head" || w_q == problem.tensors.end() || w_k == problem.tensors.end() ||
        w_q->second.rank() != 2 || w_k->second.rank() != 2 || w_k->second.dim(1) >= w_q->second.dim(1))
        return;
    problem.spec.variant = "grouped_query";
    reading.note({ATTNLAB_TEXT("w_k has fewer columns than w_q (%1 and %2): heads share keys and values, "
                               "so the mechanism is grouped_query"),
                  {std::to_string(w_k->second.dim(1)), std::to_string(w_q->second.dim(1))}});
}

/// The number of key heads, from the widths of w_q and w_k and the number of query heads.
std::optional<std::int64_t> shared_heads(const TensorMap& tensors, std::int64_t heads) {
    const auto w_q = tensors.find("w_q"), w_k = tensors.find("w_k");
    if (w_q == tensors.end() || w_k == tensors.end() || w_q->second.rank() != 2 || w_k->second.rank() != 2)
        return std::nullopt;
    const auto width = w_q->second.dim(1) / heads;
    if (width < 1 || w_q->second.dim(1) % heads != 0 || w_k->second.dim(1) % width != 0)
        return std::nullopt;
    return w_k->second.dim(1) / width;
}

void set_heads(Reading& reading) {
    auto& spec = reading.result.problem.spec;
    const auto& tensors = reading.result.problem.tensors;
    const auto& choices = reading.choices;
    const auto& parameters = variant(spec.variant).parameters;
    const auto declares = [&](std::string_view name) {
        return std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    };
    if (choices.num_heads && reading.num_heads && choices.num_heads != reading.num_heads)
        throw Error({ATTNLAB_TEXT("num_heads: is %1, expected %2, as the weights of the layer have it"),
                     {std::to_string(*choices.num_heads), std::to_string(*reading.num_heads)}});
    const auto by_bias = tensors.find("relative_attention_bias");
    if (choices.num_heads && declares("num_heads"))
        spec.parameters.set("num_heads", *choices.num_heads);
    else if (reading.num_heads && declares("num_heads")) {
        spec.parameters.set("num_heads", *reading.num_heads);
        reading.note(
            {ATTNLAB_TEXT("num_heads is %1, as w_q has a matrix for each"), {std::to_string(*reading.num_heads)}});
    } else if (!reading.contents.workspace && declares("num_heads") && by_bias != tensors.end() &&
               by_bias->second.rank() == 2 && by_bias->second.dim(1) > 0) {
        const auto heads = by_bias->second.dim(1);
        spec.parameters.set("num_heads", heads);
        reading.note({ATTNLAB_TEXT("num_heads is %1, as relative_attention_bias has it"), {std::to_string(heads)}});
    }
    if (choices.num_kv_heads && declares("num_kv_heads"))
        spec.parameters.set("num_kv_heads", *choices.num_kv_heads);
    const auto heads = choices.num_heads ? choices.num_heads : reading.num_heads;
    if (heads && *heads > 0 && !choices.num_kv_heads && declares("num_kv_heads"))
        if (const auto shared = reading.num_kv_heads ? reading.num_kv_heads : shared_heads(tensors, *heads))
            spec.parameters.set("num_kv_heads", *shared);
}

/// Switches on the masks of the files.
void apply_masks(Reading& reading) {
    if (reading.contents.workspace)
        return;
    auto& spec = reading.result.problem.spec;
    for (const auto& kind : mask_kinds())
        for (const auto& input : kind.inputs)
            if (input.required && reading.origins.contains(std::string(input.name)) &&
                !refusal_of_mask(variant(spec.variant), kind.id))
                spec.masks.push_back({std::string(kind.id), {}});
}

} // namespace

void choose_mechanism(Reading& reading) {
    auto& spec = reading.result.problem.spec;
    const auto& tensors = reading.result.problem.tensors;
    const auto& choices = reading.choices;
    if (!choices.variant.empty()) {
        if (spec.variant != choices.variant)
            spec.parameters = {};
        spec.variant = choices.variant;
    } else if (!reading.contents.workspace) {
        const auto mask_true = spec.mask_true;
        auto fitting = spec_for(tensors);
        const bool is_layer = tensors.contains("w_q") && tensors.contains("w_k");
        if (fitting)
            spec = std::move(*fitting);
        // A layer without its input; one of another program has heads.
        if (is_layer && (!fitting || (reading.projected && spec.variant == "self")))
            spec.variant = "multi_head";
        spec.mask_true = mask_true;
        share_keys(reading);
        if (auto note = convention_of(reading.group); note && tensors.contains("w_q"))
            reading.note(std::move(*note));
    }
    set_heads(reading);
    apply_masks(reading);
}

} // namespace attnlab
