// CLIP, SigLIP and BLIP: a tower for images and one for text. A file of both shows the tower for images.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/image_tower.h"
#include "core/model/architectures/shared/patches.h"

#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr const char* of_projection = ATTNLAB_TEXT("compares images with texts, behind the last layer");
constexpr KnownEntry settings_of_towers[] = {
    {.names = "projection_dim projection_size logit_scale_init_value vision_use_head image_text_hidden_size "
              "hidden_act projector_hidden_act",
     .why = of_projection},
    {.names = "text_config text_config_dict vision_config_dict",
     .why = ATTNLAB_TEXT("the part of the model for text is not read: this is the tower for images alone"),
     .is_said = true}};
constexpr KnownEntry tensors_of_towers[] = {
    {.names = "text_model.* text_projection.* visual_projection.* logit_scale logit_bias vision_model.head.* head.* "
              "text_encoder.* text_decoder.* text_proj.* vision_proj.* itm_head.*",
     .why = of_projection}};

/// The settings of the tower for images, which a file of both has in an object of this type.
Config part_for_images(const Config& file, const std::string& type) {
    const auto images = file.object("vision_config");
    if (images && images->text("model_type", type) != type)
        images->fail("model_type", {"%1", {type}});
    return images ? *images : file;
}

Description describe_vision(const Config& config, const WeightFiles& files, const TowerKind& kind) {
    Description description;
    description.encoder =
        image_tower(config, Tensors(files, {"vision_model.", ""}, "embeddings.patch_embedding.weight"), kind);
    return description;
}

/// CLIP reads a text from left to right, SigLIP in both directions.
Description describe_text(const Config& config, const WeightFiles& files, const TowerKind& kind) {
    const Tensors tensors(files, {"text_model.", ""}, "embeddings.token_embedding.weight");
    const auto sizes =
        kind.is_clip ? tower_sizes(config, kind, 512, 2048, 8) : tower_sizes(config, kind, 768, 3072, 12);
    const auto vocabulary = config.size("vocab_size", kind.is_clip ? 49408 : 32000);
    const auto positions = config.size("max_position_embeddings", kind.is_clip ? 77 : 64);
    Stack stack{.name = "encoder", .width = sizes.hidden};
    stack.embedding = {
        .tokens = tensors.at("embeddings.token_embedding.weight", {vocabulary, sizes.hidden}),
        .positions = {.kind = Positions::Kind::Learned,
                      .table = tensors.at("embeddings.position_embedding.weight", {positions, sizes.hidden})}};
    add_tower_blocks(config, tensors, sizes, stack);
    for (auto& block : stack.blocks)
        block.self.causal = kind.is_clip;
    stack.norm = tensors.layer_norm("final_layer_norm", sizes.hidden, sizes.epsilon);
    stack.shows_norm = false;
    Description description{.vocabulary = vocabulary, .longest = positions};
    description.encoder = std::move(stack);
    return description;
}

/// Queries, keys and values come from one matrix; the rest is that of CLIP's tower.
Description describe_blip(const Config& file, const WeightFiles& files) {
    const auto config = part_for_images(file, "blip_vision_model");
    const Tensors tensors(files, {"vision_model.", ""}, "embeddings.patch_embedding.weight");
    const auto sizes = tower_sizes(config, {true, "gelu", 1e-5}, 768, 3072, 12);
    const auto width = even_head_width(config, "num_attention_heads", sizes.hidden, sizes.heads);
    Stack stack{.name = "encoder", .width = sizes.hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embedding", true, sizes.hidden, {.image = 384});
    patches.leading.push_back({.vectors = tensors.at("embeddings.class_embedding", {1, 1, sizes.hidden})});
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table =
                                     tensors.at("embeddings.position_embedding", {1, patches.count(), sizes.hidden})};
    stack.embedding.patches = std::move(patches);
    const auto norm = [&](const Tensors& of, std::string_view name) {
        return of.layer_norm(name, sizes.hidden, sizes.epsilon);
    };
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer) {
        const auto below = tensors.below("encoder.layers." + std::to_string(layer) + ".");
        const auto fused = below.linear("self_attn.qkv", sizes.hidden, 3 * sizes.hidden, true);
        stack.blocks.push_back(
            {.self = {.heads = sizes.heads,
                      .key_value_heads = sizes.heads,
                      .width = width,
                      .scale = root_scale(width),
                      .query = part_of(fused, 0, sizes.hidden),
                      .key = part_of(fused, sizes.hidden, sizes.hidden),
                      .value = part_of(fused, 2 * sizes.hidden, sizes.hidden),
                      .output = below.linear("self_attn.projection", sizes.hidden, sizes.hidden, true)},
             .self_norms = {.before = norm(below, "layer_norm1")},
             .feed_forward = {.activation = sizes.activation,
                              .up = below.linear("mlp.fc1", sizes.hidden, sizes.inner, true),
                              .down = below.linear("mlp.fc2", sizes.inner, sizes.hidden, true)},
             .feed_forward_norms = {.before = norm(below, "layer_norm2")}});
    }
    stack.norm = norm(tensors, "post_layernorm");
    stack.shows_norm = false;
    Description description;
    description.encoder = std::move(stack);
    return description;
}

Description describe_both(const Config& config, const WeightFiles& files, const TowerKind& kind) {
    return describe_vision(part_for_images(config, kind.is_clip ? "clip_vision_model" : "siglip_vision_model"), files,
                           kind);
}

} // namespace

std::vector<Architecture> clip_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    const auto row = [](std::string_view type, Describe describe) {
        return Architecture{
            .type = type, .describe = describe, .settings = settings_of_towers, .tensors = tensors_of_towers};
    };
    return {row("blip", describe_blip),
            row("clip", [](C config, W files) { return describe_both(config, files, clip_tower); }),
            row("clip_text_model", [](C config, W files) { return describe_text(config, files, clip_tower); }),
            row("clip_vision_model", [](C config, W files) { return describe_vision(config, files, clip_tower); }),
            row("siglip", [](C config, W files) { return describe_both(config, files, siglip_tower); }),
            row("siglip_text_model", [](C config, W files) { return describe_text(config, files, siglip_tower); }),
            row("siglip_vision_model", [](C config, W files) { return describe_vision(config, files, siglip_tower); })};
}

} // namespace attnlab::model
