// ViT: an encoder over the patches of an image.
#include "core/model/architectures.h"

#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_vit[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""},
    {.names = "vocab_size", .why = why_not_read::other_key}};
constexpr KnownEntry tensors_of_vit[] = {
    {.names = "decoder.weight decoder.bias decoder.0.*", .why = why_not_read::task}};

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

Block vit_block(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto heads = config.size("num_attention_heads", 12);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto inner = config.size("intermediate_size", 3072);
    const auto epsilon = config.number("layer_norm_eps", 1e-12);
    const auto projection = [&](std::string_view name) {
        return tensors.linear(name, hidden, hidden, config.flag("qkv_bias", true));
    };
    return {.self = {.heads = heads,
                     .key_value_heads = heads,
                     .width = width,
                     .scale = root_scale(width),
                     .query = projection("attention.attention.query"),
                     .key = projection("attention.attention.key"),
                     .value = projection("attention.attention.value"),
                     .output = tensors.linear("attention.output.dense", hidden, hidden, true)},
            .self_norms = {.before = tensors.layer_norm("layernorm_before", hidden, epsilon)},
            .feed_forward = {.activation = activation_of(config, "hidden_act", "gelu"),
                             .up = tensors.linear("intermediate.dense", hidden, inner, true),
                             .down = tensors.linear("output.dense", inner, hidden, true)},
            .feed_forward_norms = {.before = tensors.layer_norm("layernorm_after", hidden, epsilon)}};
}

Patches vit_patches(const Config& config, const Tensors& tensors, std::int64_t hidden) {
    const auto [image_height, image_width] = height_and_width(config, "image_size", 224);
    const auto [height, width] = height_and_width(config, "patch_size", 16);
    const auto channels = config.size("num_channels", 3);
    if (height > image_height || width > image_width)
        config.fail("patch_size", ATTNLAB_TEXT("a size within the image"));
    return {.channels = channels,
            .image_height = image_height,
            .image_width = image_width,
            .height = height,
            .width = width,
            .projection = {.weight = tensors.at("embeddings.patch_embeddings.projection.weight",
                                                {hidden, channels, height, width}),
                           .bias = tensors.at("embeddings.patch_embeddings.projection.bias", {hidden}),
                           .inputs = channels * height * width,
                           .outputs = hidden},
            .class_token = tensors.at("embeddings.cls_token", {1, 1, hidden})};
}

/// The names of the classes, by number; empty where they are not all there.
std::vector<std::string> class_names(const Config& config, std::int64_t count) {
    std::vector<std::string> names;
    const auto labels = config.object("id2label");
    for (std::int64_t id = 0; labels && id < count; ++id)
        names.push_back(labels->text(std::to_string(id), ""));
    return names;
}

Description describe_vit(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"vit.", ""}, "embeddings.cls_token");
    const auto hidden = config.size("hidden_size", 768);
    Stack stack{.name = "encoder", .width = hidden};
    const auto patches = vit_patches(config, tensors, hidden);
    const Shape table{1, patches.rows() * patches.columns() + 1, hidden};
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table = tensors.at("embeddings.position_embeddings", table)};
    stack.embedding.patches = patches;
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            vit_block(config, tensors.below("encoder.layer." + std::to_string(layer) + "."), hidden));
    stack.norm = tensors.layer_norm("layernorm", hidden, config.number("layer_norm_eps", 1e-12));
    stack.shows_norm = false;
    Description description;
    if (const auto* classes = files.find("classifier.weight"); classes && !classes->shape.empty()) {
        const auto count = classes->shape.front();
        description.head = {.output = tensors.outside().linear("classifier", hidden, count, true),
                            .of_first_position = true};
        description.labels = class_names(config, count);
    }
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> vit_architectures() {
    return {{.type = "vit", .describe = describe_vit, .settings = settings_of_vit, .tensors = tensors_of_vit}};
}

} // namespace attnlab::model
