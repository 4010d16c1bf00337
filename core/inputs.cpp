#include "core/inputs.h"

#include "core/binder.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/variants.h"

namespace attnlab {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        if (const auto part = text.substr(0, end); !part.empty())
            parts.push_back(part);
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

} // namespace

std::vector<std::vector<Dim>> dims_of(const Input& input) {
    std::vector<std::vector<Dim>> alternatives;
    for (const auto alternative : split(input.dims, '|')) {
        auto& dims = alternatives.emplace_back();
        for (auto text : split(alternative, ' ')) {
            const bool or_one = text.ends_with('?');
            if (or_one)
                text.remove_suffix(1);
            dims.push_back({split(text, '*'), or_one});
        }
    }
    return alternatives;
}

Bindings bind(std::span<const Input> declared, const TensorMap& tensors, const ParameterValues& parameters) {
    Binder binder(parameters);
    binder.bind_all(declared, tensors);
    binder.settle_defaults();
    return binder.sizes();
}

std::vector<std::span<const Input>> further_inputs(const AttentionSpec& spec) {
    std::vector<std::span<const Input>> inputs;
    inputs.push_back(scale_mode(spec.scale.id.empty() ? variant(spec.variant).default_scale : spec.scale.id).inputs);
    if (!spec.position.id.empty())
        inputs.push_back(position_term(spec.position.id).inputs);
    for (const auto& mask : spec.masks)
        inputs.push_back(mask_kind(mask.id).inputs);
    if (const auto implied = variant(spec.variant).implied_mask; !implied.empty())
        inputs.push_back(mask_kind(implied).inputs);
    return inputs;
}

std::vector<Input> inputs_of(const AttentionSpec& spec) {
    auto inputs = inputs_of(variant(spec.variant), spec.parameters);
    for (const auto further : further_inputs(spec))
        for (const auto& input : further)
            if (!find_input(inputs, input.name))
                inputs.push_back(input);
    return inputs;
}

std::optional<Axis> row_tokens(const Input& input) {
    const auto last = dims_of(input).back();
    for (const auto& dim : last) {
        if (dim.factors.size() != 1)
            continue;
        if (dim.factors[0] == "L")
            return Axis::Query;
        if (dim.factors[0] == "S")
            return Axis::Key;
    }
    return std::nullopt;
}

} // namespace attnlab
