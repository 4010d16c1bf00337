// Implements the part of core/recognition/reading.h about the state_dict of a whole torch.nn.Transformer.
#include "core/recognition/reading.h"

#include <algorithm>

namespace attnlab {

std::optional<std::string> torch_transformer_prefix(Reading& reading) {
    // A lone encoder is read layer by layer.
    constexpr std::string_view encoder = "encoder.layers.0.self_attn.in_proj_weight",
                               decoder = "decoder.layers.0.self_attn.in_proj_weight";
    std::optional<std::string> prefix;
    for (const auto& array : reading.contents.arrays) {
        if (!array.name.ends_with(encoder))
            continue;
        const auto before = array.name.substr(0, array.name.size() - encoder.size());
        if (reading.holds(before + std::string(decoder))) {
            prefix = before;
            break;
        }
    }
    const auto& group = reading.choices.group;
    if (!prefix || (group && !group->empty() && prefix != group))
        return std::nullopt; // not one, or a single layer of it was requested
    if (reading.choices.variant != "transformer" && !reading.holds("src_embedding.weight")) {
        reading.note({ATTNLAB_TEXT("the layers of an nn.Transformer, without its tables src_embedding.weight, "
                                   "tgt_embedding.weight and generator.weight: each is read by itself")});
        return std::nullopt;
    }
    return prefix;
}

void add_zero_biases(Reading& reading) {
    auto& tensors = reading.result.problem.tensors;
    constexpr std::string_view parts[] = {"encoder.", "decoder.", "generator."}, weight = "weight", bias = "bias";
    bool added = false;
    for (const auto part : parts) {
        const auto belongs = [&](const auto& entry) { return entry.first.starts_with(part); };
        if (!reading.is_transformer || std::any_of(tensors.begin(), tensors.end(), [&](const auto& entry) {
                return belongs(entry) && entry.first.ends_with(bias);
            }))
            continue; // a missing bias among others is reported by the run
        TensorMap biases;
        for (const auto& entry : tensors)
            if (belongs(entry) && entry.first.ends_with(weight) && entry.second.rank() > 0) {
                const auto stem = entry.first.substr(0, entry.first.size() - weight.size());
                biases.emplace(stem + std::string(bias), Tensor({entry.second.dim(0)}));
            }
        added = added || !biases.empty();
        tensors.merge(biases);
    }
    if (added)
        reading.note({ATTNLAB_TEXT("the nn.Transformer has no biases (bias=False): they count as 0")});
}

} // namespace attnlab
