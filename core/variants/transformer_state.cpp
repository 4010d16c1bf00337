#include "core/variants/transformer_state.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace attnlab {
namespace {

/// Parses "encoder.layers.3.linear1.weight".
struct LayerName {
    std::string_view stack; ///< "encoder.layers."
    std::int64_t layer = 0;
    std::string_view rest; ///< "linear1.weight"
};

std::optional<LayerName> layer_name(std::string_view name) {
    for (const std::string_view stack : {"encoder.layers.", "decoder.layers."}) {
        if (!name.starts_with(stack))
            continue;
        const auto number = name.substr(stack.size());
        std::int64_t layer = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), layer);
        const auto digits = static_cast<std::size_t>(end - number.data());
        if (error == std::errc{} && layer >= 0 && digits < number.size() && number[digits] == '.')
            return LayerName{stack, layer, number.substr(digits + 1)};
    }
    return std::nullopt;
}

std::string joined(std::string_view stack, std::int64_t layer, std::string_view rest) {
    return std::string(stack) + std::to_string(layer) + "." + std::string(rest);
}

Tensor stacked(const std::vector<const Tensor*>& layers) {
    Shape shape = layers.front()->shape();
    shape.insert(shape.begin(), static_cast<std::int64_t>(layers.size()));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(element_count(shape)));
    for (const Tensor* layer : layers)
        values.insert(values.end(), layer->values().begin(), layer->values().end());
    return Tensor(shape, std::move(values), layers.front()->dtype());
}

/// The tensors `rest` of all layers in order.
std::vector<const Tensor*> collect(const TensorMap& tensors, std::string_view stack, std::string_view rest,
                                   const std::string& sample, std::int64_t count) {
    const auto& expected = tensors.find(sample)->second;
    std::vector<const Tensor*> layers;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto name = joined(stack, i, rest);
        const auto found = tensors.find(name);
        if (found == tensors.end())
            throw Error({ATTNLAB_TEXT("%1: is missing, expected an array of shape %2 as %3 has"),
                         {name, to_string(expected.shape()), sample}});
        if (found->second.shape() != expected.shape())
            throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 as %4 has"),
                         {name, to_string(found->second.shape()), to_string(expected.shape()), sample}});
        layers.push_back(&found->second);
    }
    return layers;
}

} // namespace

void adopt_torch_transformer(TensorMap& tensors) {
    std::map<std::string, std::int64_t, std::less<>> counts; // "encoder.layers." -> number of layers
    std::map<std::string, std::string, std::less<>> samples; // "encoder.layers.linear1.weight" -> its first tensor
    for (const auto& [name, tensor] : tensors)
        if (const auto part = layer_name(name)) {
            auto& count = counts[std::string(part->stack)];
            count = std::max(count, part->layer + 1);
            samples.emplace(std::string(part->stack) + std::string(part->rest), name);
        }
    TensorMap stacks;
    for (const auto& [name, sample] : samples) {
        if (tensors.contains(name))
            throw Error({ATTNLAB_TEXT("%1: is given together with %2, expected one of the two"), {sample, name}});
        const auto part = *layer_name(sample);
        stacks.emplace(name, stacked(collect(tensors, part.stack, part.rest, sample, counts.find(part.stack)->second)));
    }
    std::erase_if(tensors, [](const auto& entry) { return layer_name(entry.first).has_value(); });
    tensors.merge(stacks);
}

Tensor layer_of(const Tensor& stack, std::int64_t index) {
    const Shape shape(stack.shape().begin() + 1, stack.shape().end());
    const auto size = element_count(shape);
    return Tensor(shape, std::vector<double>(stack.data() + index * size, stack.data() + (index + 1) * size));
}

} // namespace attnlab
