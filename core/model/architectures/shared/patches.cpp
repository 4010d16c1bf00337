#include "core/model/architectures/shared/patches.h"

#include "core/model/architectures/shared/task_head.h"

#include <utility>

namespace attnlab::model {
namespace {

/// Both sides of a size that is a number or a list of two.
std::pair<std::int64_t, std::int64_t> height_and_width(const Config& config, std::string_view key,
                                                       std::int64_t absent) {
    const auto* found = config.find(key);
    if (!found || !found->is_list()) {
        const auto side = config.size(key, absent);
        return {side, side};
    }
    const auto sides = config.numbers(key);
    constexpr double most = 1 << 16;
    if (sides.size() != 2 || !(sides[0] >= 1.0 && sides[0] <= most && sides[1] >= 1.0 && sides[1] <= most))
        config.fail(key, ATTNLAB_TEXT("a size, or a height and a width"));
    return {static_cast<std::int64_t>(sides[0]), static_cast<std::int64_t>(sides[1])};
}

} // namespace

Patches read_patches(const Config& config, const Tensors& tensors, std::string_view name, bool has_bias,
                     std::int64_t hidden, const PatchDefaults& defaults) {
    const auto [image_height, image_width] = height_and_width(config, "image_size", defaults.image);
    const auto [height, width] = height_and_width(config, "patch_size", defaults.patch);
    const auto channels = config.size("num_channels", 3);
    if (height > image_height || width > image_width)
        config.fail("patch_size", ATTNLAB_TEXT("a size within the image"));
    const std::string stem(name);
    return {.channels = channels,
            .image_height = image_height,
            .image_width = image_width,
            .height = height,
            .width = width,
            .projection = {.weight = tensors.at(stem + ".weight", {hidden, channels, height, width}),
                           .bias = has_bias ? tensors.at(stem + ".bias", {hidden}) : nullptr,
                           .inputs = channels * height * width,
                           .outputs = hidden}};
}

void add_image_classes(const Config& config, const Tensors& outside, const std::string& name, Head::Pooling pooling,
                       Description& description) {
    const auto count = outside.rows_of(name + ".weight");
    if (count == 0 || is_of_numbers(config, description))
        return;
    const auto hidden = description.encoder->width;
    const auto inputs = pooling == Head::Pooling::FirstAndPatchMean ? 2 * hidden : hidden;
    description.head = {.output = outside.linear(name, inputs, count, true),
                        .pooling = pooling,
                        .outcomes = Head::Outcomes::Classes,
                        .is_independent = has_independent_classes(config, count)};
    description.labels = class_names(config, count);
}

ImageBlockSizes image_block_sizes(const Config& config, std::int64_t hidden, double epsilon) {
    ImageBlockSizes sizes{.hidden = hidden,
                          .inner = config.size("intermediate_size", 3072),
                          .heads = config.size("num_attention_heads", 12),
                          .epsilon = config.epsilon("layer_norm_eps", epsilon),
                          .activation = activation_of(config, "hidden_act", "gelu")};
    return sizes;
}

Block image_block(const Config& config, const Tensors& tensors, const ImageBlockNames& names,
                  const ImageBlockSizes& sizes) {
    const auto width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    const auto square = [&](std::string_view name, bool has_bias) {
        return tensors.linear(name, sizes.hidden, sizes.hidden, has_bias);
    };
    const auto norm = [&](std::string_view name) {
        return sizes.has_rms_norms ? tensors.rms_norm(name, sizes.hidden, sizes.epsilon)
                                   : tensors.layer_norm(name, sizes.hidden, sizes.epsilon);
    };
    return {.self = {.heads = sizes.heads,
                     .key_value_heads = sizes.heads,
                     .width = width,
                     .scale = root_scale(width),
                     .query = square(names.query, sizes.query_bias),
                     .key = square(names.key, sizes.key_bias),
                     .value = square(names.value, sizes.value_bias),
                     .output = square(names.output, true)},
            .self_norms = {.before = norm(names.attention_norm)},
            .feed_forward = {.activation = sizes.activation,
                             .up = tensors.linear(names.up, sizes.hidden, sizes.inner, true),
                             .down = tensors.linear(names.down, sizes.inner, sizes.hidden, true)},
            .feed_forward_norms = {.before = norm(names.inner_norm)}};
}

} // namespace attnlab::model
