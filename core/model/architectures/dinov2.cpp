// DINOv2, with registers and without, and DINOv3, whose positions of patches are rotary.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/patches.h"

#include <cmath>
#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_dino[] = {
    {.names = "out_features out_indices stage_names apply_layernorm reshape_hidden_states return_class_token",
     .why = why_not_read::task},
    {.names = "layerscale_value", .why = ATTNLAB_TEXT("the factors are in the files")},
    {.names = "use_mask_token drop_path_rate pos_embed_shift pos_embed_jitter pos_embed_rescale",
     .why = ATTNLAB_TEXT("counts in training alone")}};
constexpr KnownEntry tensors_of_dino[] = {{.names = "*mask_token", .why = why_not_read::task},
                                          {.names = "*register_tokens", .why = ATTNLAB_TEXT("there are none of them")}};

constexpr ImageBlockNames dinov2_names{"attention.attention.query",
                                       "attention.attention.key",
                                       "attention.attention.value",
                                       "attention.output.dense",
                                       "norm1",
                                       "mlp.fc1",
                                       "mlp.fc2",
                                       "norm2"};

void add_registers(const Tensors& tensors, std::int64_t count, std::int64_t hidden, Patches& patches) {
    if (count > 0)
        patches.leading.push_back({.name = "REG",
                                   .vectors = tensors.at("embeddings.register_tokens", {1, count, hidden}),
                                   .count = count,
                                   .has_position = false});
}

std::int64_t registers_of(const Config& config, std::int64_t absent) {
    const auto count = config.integer("num_register_tokens").value_or(absent);
    if (count < 0 || count > largest_size)
        config.fail("num_register_tokens", ATTNLAB_TEXT("0 or more"));
    return count;
}

void add_layer_scales(const Tensors& tensors, std::int64_t hidden, Block& block) {
    block.self_norms.factors = tensors.at("layer_scale1.lambda1", {hidden});
    block.feed_forward_norms.factors = tensors.at("layer_scale2.lambda1", {hidden});
}

/// One matrix makes gate and value; two thirds of the inner width, up to a multiple of 8.
FeedForward swiglu(const Tensors& tensors, std::int64_t hidden, std::int64_t inner) {
    const auto width = (inner * 2 / 3 + 7) / 8 * 8;
    const auto both = tensors.linear("mlp.weights_in", hidden, 2 * width, true);
    return {.activation = find_activation("silu"),
            .gate = part_of(both, 0, width),
            .up = part_of(both, width, width),
            .down = tensors.linear("mlp.weights_out", width, hidden, true)};
}

/// One block; `inner` is a multiple of the width.
Block dinov2_block(const Config& config, const Tensors& tensors, const ImageBlockSizes& sizes, bool is_gated) {
    const auto norm = [&](std::string_view name) { return tensors.layer_norm(name, sizes.hidden, sizes.epsilon); };
    const auto square = [&](std::string_view name, bool has_bias) {
        return tensors.linear(name, sizes.hidden, sizes.hidden, has_bias);
    };
    const auto width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    Block block;
    if (is_gated)
        block = {.self = {.heads = sizes.heads,
                          .key_value_heads = sizes.heads,
                          .width = width,
                          .scale = root_scale(width),
                          .query = square(dinov2_names.query, sizes.query_bias),
                          .key = square(dinov2_names.key, sizes.key_bias),
                          .value = square(dinov2_names.value, sizes.value_bias),
                          .output = square(dinov2_names.output, true)},
                 .self_norms = {.before = norm("norm1")},
                 .feed_forward = swiglu(tensors, sizes.hidden, sizes.inner),
                 .feed_forward_norms = {.before = norm("norm2")}};
    else
        block = image_block(config, tensors, dinov2_names, sizes);
    add_layer_scales(tensors, sizes.hidden, block);
    return block;
}

Description dinov2_like(const Config& config, const WeightFiles& files, std::string_view prefix, bool has_registers) {
    const Tensors tensors(files, {prefix, ""}, "embeddings.cls_token");
    const auto hidden = config.size("hidden_size", 768), heads = config.size("num_attention_heads", 12);
    const double ratio = config.number("mlp_ratio", 4.0);
    if (!(ratio > 0.0 && ratio < 1024.0))
        config.fail("mlp_ratio", ATTNLAB_TEXT("a number above 0"));
    const bool has_bias = config.flag("qkv_bias", true), is_gated = config.flag("use_swiglu_ffn", false);
    const ImageBlockSizes sizes{.hidden = hidden,
                                .inner = static_cast<std::int64_t>(static_cast<double>(hidden) * ratio),
                                .heads = heads,
                                .epsilon = config.epsilon("layer_norm_eps", 1e-6),
                                .activation = activation_of(config, "hidden_act", "gelu"),
                                .query_bias = has_bias,
                                .key_bias = has_bias,
                                .value_bias = has_bias};
    Stack stack{.name = "encoder", .width = hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embeddings.projection", true, hidden,
                                {.image = 224, .patch = has_registers ? 16 : 14});
    patches.leading.push_back({.vectors = tensors.at("embeddings.cls_token", {1, 1, hidden})});
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table = tensors.at("embeddings.position_embeddings", {1, patches.count(), hidden})};
    patches.resize = has_registers ? Patches::Resize::SmoothBicubic : Patches::Resize::Bicubic;
    patches.table_rows = patches.rows();
    patches.table_columns = patches.columns();
    if (has_registers)
        add_registers(tensors, registers_of(config, 4), hidden, patches);
    stack.embedding.patches = std::move(patches);
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            dinov2_block(config, tensors.below("encoder.layer." + std::to_string(layer) + "."), sizes, is_gated));
    stack.norm = tensors.layer_norm("layernorm", hidden, sizes.epsilon);
    stack.shows_norm = false;
    Description description;
    description.encoder = std::move(stack);
    add_image_classes(config, tensors.outside(), "classifier", Head::Pooling::FirstAndPatchMean, description);
    return description;
}

/// Rows turn half of the pairs of a head, columns the others; see Rotary::Grid.
Rotary grid_rotary(const Config& config, const Patches& patches, std::int64_t width) {
    if (width % 4 != 0)
        config.fail("num_attention_heads", ATTNLAB_TEXT("heads of a multiple of 4 numbers"));
    Rotary rotary;
    rotary.base = config.number("rope_theta", 100.0);
    if (!(rotary.base > 0.0))
        config.fail("rope_theta", ATTNLAB_TEXT("a number above 0"));
    rotary.width = width;
    for (std::int64_t i = 0; i < width / 4; ++i) {
        const auto exponent = static_cast<float>(static_cast<double>(i) * (4.0 / static_cast<double>(width)));
        rotary.frequencies.push_back(1.0F / std::pow(static_cast<float>(rotary.base), exponent));
    }
    rotary.grid = {patches.rows(), patches.columns(), patches.leading_count()};
    return rotary;
}

Description describe_dinov3(const Config& config, const WeightFiles& files) {
    const Tensors tensors(files, {"", "dinov3_vit."}, "embeddings.cls_token");
    const auto hidden = config.size("hidden_size", 384), inner = config.size("intermediate_size", 1536);
    const auto heads = config.size("num_attention_heads", 6);
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    const auto epsilon = config.epsilon("layer_norm_eps", 1e-5);
    const auto* activation = activation_of(config, "hidden_act", "gelu");
    const bool is_gated = config.flag("use_gated_mlp", false), inner_bias = config.flag("mlp_bias", true);
    Stack stack{.name = "encoder", .width = hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embeddings", true, hidden);
    patches.leading.push_back({.vectors = tensors.at("embeddings.cls_token", {1, 1, hidden})});
    add_registers(tensors, registers_of(config, 0), hidden, patches);
    patches.resize = Patches::Resize::Bicubic;
    const auto rotary = grid_rotary(config, patches, width);
    stack.embedding.patches = std::move(patches);
    const auto layers = config.layers("num_hidden_layers", 12);
    const Tensors blocks(files, {"", "model.", "dinov3_vit."}, "layer.0.norm1.weight");
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto below = blocks.below("layer." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name, const char* bias, bool absent) {
            return below.linear(name, hidden, hidden, config.flag(bias, absent));
        };
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .query = square("attention.q_proj", "query_bias", true),
                             .key = square("attention.k_proj", "key_bias", false),
                             .value = square("attention.v_proj", "value_bias", true),
                             .output = square("attention.o_proj", "proj_bias", true),
                             .rotary = rotary},
                    .self_norms = {.before = below.layer_norm("norm1", hidden, epsilon)},
                    .feed_forward = {.activation = activation,
                                     .up = below.linear("mlp.up_proj", hidden, inner, inner_bias),
                                     .down = below.linear("mlp.down_proj", inner, hidden, inner_bias)},
                    .feed_forward_norms = {.before = below.layer_norm("norm2", hidden, epsilon)}};
        if (is_gated)
            block.feed_forward.gate = below.linear("mlp.gate_proj", hidden, inner, inner_bias);
        add_layer_scales(below, hidden, block);
        stack.blocks.push_back(std::move(block));
    }
    stack.norm = tensors.layer_norm("norm", hidden, epsilon);
    stack.shows_norm = false;
    Description description;
    description.encoder = std::move(stack);
    return description;
}

} // namespace

std::vector<Architecture> dinov2_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    const auto row = [](std::string_view type, Describe describe) {
        return Architecture{
            .type = type, .describe = describe, .settings = settings_of_dino, .tensors = tensors_of_dino};
    };
    return {row("dinov2", [](C config, W files) { return dinov2_like(config, files, "dinov2.", false); }),
            row("dinov2_with_registers",
                [](C config, W files) { return dinov2_like(config, files, "dinov2_with_registers.", true); }),
            row("dinov3_vit", describe_dinov3)};
}

} // namespace attnlab::model
