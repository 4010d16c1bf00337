#include "core/model/architectures/shared/grouped.h"

#include "core/model/weight_products.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {
namespace {

/// Numbers in memory that are read like those of a file.
struct MadeWeight {
    std::vector<float> numbers;
    Weight weight;
};

/// The matrix (outputs, inputs) that is zero outside of its groups. `number(group, output, input)` is within one.
template <class Number>
const Weight* block_diagonal(const Weight& from, std::int64_t inputs, std::int64_t outputs, std::int64_t groups,
                             const Number& number, Description& description) {
    auto made = std::make_shared<MadeWeight>();
    made->numbers.resize(static_cast<std::size_t>(inputs * outputs));
    const auto own_inputs = inputs / groups, own_outputs = outputs / groups;
    for (std::int64_t output = 0; output < outputs; ++output)
        for (std::int64_t input = 0; input < own_inputs; ++input) {
            const auto group = output / own_outputs;
            made->numbers[static_cast<std::size_t>(output * inputs + group * own_inputs + input)] =
                number(group, output % own_outputs, input);
        }
    made->weight = {.name = from.name,
                    .where = from.where,
                    .shape = {outputs, inputs},
                    .type = WeightType::F32,
                    .bytes = std::as_bytes(std::span(made->numbers))};
    description.own_weights.emplace_back(made, &made->weight);
    return description.own_weights.back().get();
}

} // namespace

Linear pointwise(const Tensors& tensors, std::string_view name, std::int64_t inputs, std::int64_t outputs,
                 std::int64_t groups, bool has_bias, Description& description) {
    const std::string stem(name);
    const auto* from = tensors.at(stem + ".weight", {outputs, inputs / groups, 1});
    Linear linear{
        .bias = has_bias ? tensors.at(stem + ".bias", {outputs}) : nullptr, .inputs = inputs, .outputs = outputs};
    if (groups == 1) {
        auto flat = std::make_shared<Weight>(*from);
        flat->shape = {outputs, inputs};
        description.own_weights.push_back(flat);
        linear.weight = flat.get();
        return linear;
    }
    const auto numbers = widened(*from);
    const auto own_inputs = inputs / groups, own_outputs = outputs / groups;
    linear.weight = block_diagonal(
        *from, inputs, outputs, groups,
        [&](std::int64_t group, std::int64_t output, std::int64_t input) {
            return numbers[static_cast<std::size_t>((group * own_outputs + output) * own_inputs + input)];
        },
        description);
    return linear;
}

Linear grouped(const Tensors& tensors, std::string_view name, std::int64_t inputs, std::int64_t outputs,
               std::int64_t groups, Description& description) {
    const std::string stem(name);
    const auto own_inputs = inputs / groups, own_outputs = outputs / groups;
    const auto* from = tensors.at(stem + ".weight", {groups, own_inputs, own_outputs});
    const auto numbers = widened(*from);
    return {.weight = block_diagonal(
                *from, inputs, outputs, groups,
                [&](std::int64_t group, std::int64_t output, std::int64_t input) {
                    return numbers[static_cast<std::size_t>((group * own_inputs + input) * own_outputs + output)];
                },
                description),
            .bias = tensors.at(stem + ".bias", {outputs}),
            .inputs = inputs,
            .outputs = outputs};
}

std::int64_t groups_of(const Config& config, std::string_view key, std::int64_t absent, std::int64_t inputs,
                       std::int64_t outputs) {
    const auto groups = config.size(key, absent);
    if (inputs % groups != 0 || outputs % groups != 0)
        config.fail(key, {ATTNLAB_TEXT("a divisor of %1 and %2"), {std::to_string(inputs), std::to_string(outputs)}});
    return groups;
}

} // namespace attnlab::model
