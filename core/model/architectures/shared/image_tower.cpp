#include "core/model/architectures/shared/image_tower.h"

#include <string>
#include <utility>
#include <vector>

namespace attnlab::model {
namespace {

constexpr ImageBlockNames tower_names{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj",
                                      "layer_norm1",      "mlp.fc1",          "mlp.fc2",          "layer_norm2"};

} // namespace

ImageBlockSizes tower_sizes(const Config& config, const TowerKind& kind, std::int64_t hidden, std::int64_t inner,
                            std::int64_t heads) {
    return {.hidden = config.size("hidden_size", hidden),
            .inner = config.size("intermediate_size", inner),
            .heads = config.size("num_attention_heads", heads),
            .epsilon = config.epsilon("layer_norm_eps", kind.epsilon),
            .activation = activation_of(config, "hidden_act", kind.activation)};
}

void add_tower_blocks(const Config& config, const Tensors& tensors, const ImageBlockSizes& sizes, Stack& stack) {
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            image_block(config, tensors.below("encoder.layers." + std::to_string(layer) + "."), tower_names, sizes));
}

Stack image_tower(const Config& config, const Tensors& tensors, const TowerKind& kind) {
    const auto sizes = tower_sizes(config, kind, kind.hidden, 3072, kind.heads);
    Stack stack{.name = "encoder", .width = sizes.hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embedding", !kind.is_clip, sizes.hidden,
                                {.image = 224, .patch = kind.patch});
    if (kind.is_clip) {
        patches.leading.push_back({.vectors = tensors.at("embeddings.class_embedding", {sizes.hidden})});
        stack.embedding.norm = tensors.layer_norm("pre_layrnorm", sizes.hidden, sizes.epsilon);
    }
    stack.embedding.positions = {
        .kind = Positions::Kind::Learned,
        .table = tensors.at("embeddings.position_embedding.weight", {patches.count(), sizes.hidden})};
    stack.embedding.patches = std::move(patches);
    add_tower_blocks(config, tensors, sizes, stack);
    stack.norm = tensors.layer_norm("post_layernorm", sizes.hidden, sizes.epsilon);
    stack.shows_norm = false;
    return stack;
}

Stack pixtral_tower(const Config& config, const Tensors& tensors) {
    constexpr double epsilon = 1e-5;
    const auto hidden = config.size("hidden_size", 1024), inner = config.size("intermediate_size", 4096);
    const auto heads = config.size("num_attention_heads", 16);
    const auto* activation = activation_of(config, "hidden_act", "gelu");
    const auto width = even_head_width(config, "num_attention_heads", hidden, heads);
    if (config.size("head_dim", width) != width)
        config.fail("head_dim", {"%1", {std::to_string(width)}});
    if (width % 4 != 0)
        config.fail("num_attention_heads", ATTNLAB_TEXT("heads whose width is a multiple of 4"));
    RotaryDefaults defaults{.head_width = width};
    defaults.is_axial = true;
    auto rotary = read_rotary(config, defaults);
    Rotary::Grid grid{.counts = true};
    std::vector<float> down;
    for (std::size_t i = 0; i < rotary.frequencies.size(); ++i)
        (i % 2 == 0 ? down : grid.across).push_back(rotary.frequencies[i]);
    rotary.frequencies = std::move(down);
    rotary.grid = std::move(grid);
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding.patches = read_patches(config, tensors, "patch_conv", false, hidden, {.image = 1024, .patch = 16});
    const auto norm = [&](const Tensors& of, std::string_view name) { return of.rms_norm(name, hidden, epsilon); };
    stack.embedding.norm = norm(tensors, "ln_pre");
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 24); ++layer) {
        const auto below = tensors.below("transformer.layers." + std::to_string(layer) + ".");
        const auto square = [&](std::string_view name) { return below.linear(name, hidden, hidden, false); };
        stack.blocks.push_back({.self = {.heads = heads,
                                         .key_value_heads = heads,
                                         .width = width,
                                         .scale = root_scale(width),
                                         .query = square("attention.q_proj"),
                                         .key = square("attention.k_proj"),
                                         .value = square("attention.v_proj"),
                                         .output = square("attention.o_proj"),
                                         .rotary = rotary},
                                .self_norms = {.before = norm(below, "attention_norm")},
                                .feed_forward = {.activation = activation,
                                                 .gate = below.linear("feed_forward.gate_proj", hidden, inner, false),
                                                 .up = below.linear("feed_forward.up_proj", hidden, inner, false),
                                                 .down = below.linear("feed_forward.down_proj", inner, hidden, false)},
                                .feed_forward_norms = {.before = norm(below, "ffn_norm")}});
    }
    return stack;
}

} // namespace attnlab::model
