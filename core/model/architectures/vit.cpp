// ViT, and others of its form: DeiT with a second token, MSN, I-JEPA without a token, and BEiT whose scores count the
// rows and columns between patches.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/patches.h"

#include <string>
#include <utility>

namespace attnlab::model {
namespace {

constexpr KnownEntry settings_of_vit[] = {
    {.names = "position_embedding_type", .why = why_not_read::built_in, .values = "\"absolute\""},
    {.names = "vocab_size", .why = why_not_read::other_key}};
constexpr KnownEntry tensors_of_vit[] = {
    {.names = "decoder.weight decoder.bias decoder.0.* *mask_token", .why = why_not_read::task}};
constexpr const char* of_hidden_patches = ATTNLAB_TEXT("draws hidden patches again, behind the last layer");
constexpr KnownEntry settings_of_mae[] = {{.names = "decoder_* norm_pix_loss", .why = of_hidden_patches}};
constexpr KnownEntry tensors_of_mae[] = {{.names = "decoder.* *mask_token", .why = of_hidden_patches}};
constexpr KnownEntry settings_of_beit[] = {
    {.names = "vocab_size use_mask_token pool_scales use_auxiliary_head auxiliary_* semantic_loss_ignore_index "
              "out_features out_indices stage_names add_fpn reshape_hidden_states "
              "drop_path_rate segmentation_indices",
     .why = why_not_read::task}};
constexpr KnownEntry tensors_of_beit[] = {
    {.names = "*relative_position_index", .why = ATTNLAB_TEXT("a constant that the settings give")},
    {.names = "*mask_token layernorm.* lm_head.* *pooler.layernorm.* decode_head.* auxiliary_head.*",
     .why = why_not_read::task}};

using Pooling = Head::Pooling;

/// Which tokens stand before the patches, and how classes are made.
struct VitKind {
    std::string_view prefix;
    bool has_class = true, has_distillation = false, has_bias_setting = true;
    Pooling pooling = Pooling::First;
    double epsilon = 1e-12;
};

Description vit_like(const Config& config, const WeightFiles& files, const VitKind& kind) {
    const Tensors tensors(files, {kind.prefix, ""}, "embeddings.position_embeddings");
    const auto hidden = config.size("hidden_size", 768);
    Stack stack{.name = "encoder", .width = hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embeddings.projection", true, hidden);
    if (kind.has_class)
        patches.leading.push_back({.vectors = tensors.at("embeddings.cls_token", {1, 1, hidden})});
    if (kind.has_distillation)
        patches.leading.push_back(
            {.name = "DIST", .vectors = tensors.at("embeddings.distillation_token", {1, 1, hidden})});
    const Shape table{1, patches.count(), hidden};
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table = tensors.at("embeddings.position_embeddings", table)};
    stack.embedding.patches = std::move(patches);
    auto sizes = image_block_sizes(config, hidden, kind.epsilon);
    sizes.query_bias = sizes.key_bias = sizes.value_bias = config.flag("qkv_bias", true);
    // Transformers writes the blocks of some classes without the prefix.
    const Tensors blocks(files, {kind.prefix, ""}, "encoder.layer.0.layernorm_before.weight");
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer)
        stack.blocks.push_back(
            image_block(config, blocks.below("encoder.layer." + std::to_string(layer) + "."), vit_names, sizes));
    stack.norm = tensors.layer_norm("layernorm", hidden, sizes.epsilon);
    stack.shows_norm = false;
    Description description;
    description.encoder = std::move(stack);
    const auto outside = tensors.outside();
    if (outside.has("distillation_classifier.weight")) {
        add_image_classes(config, outside, "cls_classifier", Pooling::FirstTwo, description);
        if (description.head)
            description.head->second_output =
                outside.linear("distillation_classifier", hidden, description.head->output.outputs, true);
    } else {
        add_image_classes(config, outside, "classifier", kind.pooling, description);
    }
    return description;
}

/// A table of distances for each layer, or one for all.
Description describe_beit(const Config& config, const WeightFiles& files, std::string_view prefix) {
    const Tensors tensors(files, {prefix, ""}, "embeddings.cls_token");
    const auto hidden = config.size("hidden_size", 768);
    auto sizes = image_block_sizes(config, hidden, 1e-12);
    sizes.key_bias = false;
    Stack stack{.name = "encoder", .width = hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embeddings.projection", true, hidden);
    patches.leading.push_back({.vectors = tensors.at("embeddings.cls_token", {1, 1, hidden})});
    if (config.flag("use_absolute_position_embeddings", false))
        stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                     .table =
                                         tensors.at("embeddings.position_embeddings", {1, patches.count(), hidden})};
    const bool is_shared = config.flag("use_shared_relative_position_bias", false);
    const bool is_by_layer = config.flag("use_relative_position_bias", false);
    if (is_shared && is_by_layer)
        config.fail("use_shared_relative_position_bias", "false");
    if ((is_shared || is_by_layer) && patches.rows() != patches.columns())
        config.fail("image_size", ATTNLAB_TEXT("as many rows of patches as columns"));
    const auto distances = 2 * patches.rows() - 1;
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 12); ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        auto block = image_block(config, below, vit_names, sizes);
        if (config.number("layer_scale_init_value", 0.1) > 0.0) {
            block.self_norms.factors = below.at("lambda_1", {hidden});
            block.feed_forward_norms.factors = below.at("lambda_2", {hidden});
        }
        const std::string table = "relative_position_bias.relative_position_bias_table";
        const Shape shape{distances * distances + 3, sizes.heads};
        if (is_shared || is_by_layer)
            block.self.patch_distances = {.values = is_shared ? tensors.at("encoder." + table, shape)
                                                              : below.at("attention.attention." + table, shape),
                                          .rows = patches.rows(),
                                          .columns = patches.columns()};
        stack.blocks.push_back(std::move(block));
    }
    stack.embedding.patches = std::move(patches);
    stack.shows_norm = false;
    const bool averages = config.flag("use_mean_pooling", true);
    if (!averages)
        stack.norm = tensors.layer_norm("layernorm", hidden, sizes.epsilon);
    Description description;
    description.encoder = std::move(stack);
    add_image_classes(config, tensors.outside(), "classifier", averages ? Pooling::PatchMean : Pooling::First,
                      description);
    if (description.head && averages)
        description.head->norm = tensors.layer_norm("pooler.layernorm", hidden, sizes.epsilon);
    return description;
}

/// Training hides most patches, drawn at random; here all are read, in their order.
Description describe_mae(const Config& config, const WeightFiles& files) {
    auto description = vit_like(config, files, {.prefix = "vit."});
    description.unread.settings.push_back(
        {config.node().name_of_text(), "mask_ratio", std::to_string(config.number("mask_ratio", 0.75)),
         ATTNLAB_TEXT("training hides this share of the patches; here none is hidden")});
    return description;
}

} // namespace

std::vector<Architecture> vit_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    const auto row = [](std::string_view type, Describe describe) {
        return Architecture{.type = type, .describe = describe, .settings = settings_of_vit, .tensors = tensors_of_vit};
    };
    const auto beit = [](std::string_view type, Describe describe) {
        return Architecture{
            .type = type, .describe = describe, .settings = settings_of_beit, .tensors = tensors_of_beit};
    };
    return {
        beit("beit", [](C config, W files) { return describe_beit(config, files, "beit."); }),
        beit("data2vec-vision", [](C config, W files) { return describe_beit(config, files, "data2vec_vision."); }),
        row("deit",
            [](C config, W files) { return vit_like(config, files, {.prefix = "deit.", .has_distillation = true}); }),
        row("ijepa",
            [](C config, W files) {
                return vit_like(config, files, {.prefix = "ijepa.", .has_class = false, .pooling = Pooling::Mean});
            }),
        row("vit", [](C config, W files) { return vit_like(config, files, {.prefix = "vit."}); }),
        {.type = "vit_mae", .describe = describe_mae, .settings = settings_of_mae, .tensors = tensors_of_mae},
        row("vit_msn", [](C config, W files) { return vit_like(config, files, {.prefix = "vit.", .epsilon = 1e-6}); })};
}

} // namespace attnlab::model
