// Models that read an image in tiles beside the whole: LLaVA-NeXT, LLaVA-OneVision, InternVL, Aya Vision, Idefics3 and
// SmolVLM.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/image_tower.h"
#include "core/model/architectures/shared/text_part.h"
#include "core/model/architectures/shared/vision_part.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::model {
namespace {

constexpr const char* no_whole_squares = ATTNLAB_TEXT("does not divide the patches of a side: images are not read");
constexpr const char* with_class_token =
    ATTNLAB_TEXT("keeps the class token, for which a picture in tiles has no place: images are not read");

using Canvases = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Heights and widths in tiles of the tower: `image_grid_pinpoints`, or those of Transformers.
Canvases canvases_of(const Config& config, const Patches& patches, Canvases absent) {
    const auto* list = config.find("image_grid_pinpoints");
    if (!list)
        return absent;
    const auto fail = [&] {
        config.fail("image_grid_pinpoints",
                    {ATTNLAB_TEXT("heights and widths in multiples of %1 and %2"),
                     {std::to_string(patches.image_height), std::to_string(patches.image_width)}});
    };
    Canvases sizes;
    if (!list->is_list() || list->items().empty())
        fail();
    constexpr std::int64_t most = 1 << 16;
    for (const auto& one : list->items()) {
        if (!one.is_list() || one.items().size() != 2 || !one.items()[0].is_integer() || !one.items()[1].is_integer())
            fail();
        const auto height = one.items()[0].integer(), width = one.items()[1].integer();
        if (height < 1 || width < 1 || height > most || width > most || height % patches.image_height != 0 ||
            width % patches.image_width != 0)
            fail();
        sizes.emplace_back(height, width);
    }
    return sizes;
}

/// N of "anyres_max_N".
std::int64_t most_tiles(const Config& config) {
    constexpr std::string_view begin = "anyres_max_";
    const auto given = config.text("vision_aspect_ratio", "anyres_max_9");
    std::int64_t most = 0;
    if (given.starts_with(begin)) {
        const char* const end = given.data() + given.size();
        const auto read = std::from_chars(given.data() + begin.size(), end, most);
        if (read.ec == std::errc() && read.ptr == end && most >= 1 && most <= largest_size)
            return most;
    }
    config.fail("vision_aspect_ratio", "anyres_max_9");
}

Canvases multiples_of(std::int64_t side, std::int64_t most) {
    Canvases sizes;
    for (std::int64_t down = 1; down <= most; ++down)
        for (std::int64_t across = 1; across <= most; ++across)
            sizes.emplace_back(down * side, across * side);
    return sizes;
}

/// A picture in the best of some sizes, with a row of numbers behind each of its rows.
void add_canvas(const Config& config, const WeightFiles& files, bool is_onevision, Description& description) {
    auto vision = vision_tower_of(config, files, description,
                                  {is_onevision ? "siglip_vision_model" : "clip_vision_model",
                                   is_onevision ? "clip_vision_model" : "siglip_vision_model"});
    if (!vision)
        return;
    ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, is_onevision ? 151646 : 32000)};
    images.layers = feature_layers(config, "vision_feature_layer", {is_onevision ? -1.0 : -2.0}, images.tower);
    cut_behind(images.layers, images.tower);
    const auto selection = selection_of(config, is_onevision ? "full" : "default");
    if (!drop_first(config, selection, images, description))
        return;
    if (images.leading() > 0) {
        note_unread_images(config, "vision_feature_select_strategy", selection, with_class_token, description);
        return;
    }
    const auto& patches = images.patches();
    if (patches.image_height != patches.image_width || patches.height != patches.width)
        vision->config.fail("image_size", ATTNLAB_TEXT("a square image of square patches"));
    const auto width = description.decoder->width;
    add_two_layers(config, vision->projector, images.tower.width * std::ssize(images.layers), width,
                   config.flag("multimodal_projector_bias", true), images);
    const Tensors outside(files, {"", "model."}, "image_newline");
    constexpr std::int64_t tile = 336, onevision_tile = 384, most_of_side = 6;
    images.reads_several = !is_onevision; // which reads each of several images whole, and not in tiles
    images.tiles = ImageTiles{.kind = ImageTiles::Kind::Canvas,
                              .sizes = canvases_of(config, patches,
                                                   is_onevision ? multiples_of(onevision_tile, most_of_side)
                                                                : Canvases{{tile, 2 * tile},
                                                                           {2 * tile, tile},
                                                                           {2 * tile, 2 * tile},
                                                                           {3 * tile, tile},
                                                                           {tile, 3 * tile}}),
                              .row_end = outside.at("image_newline", {width}),
                              .most = is_onevision ? most_tiles(config) : 0};
    for (const auto& [height, wide] : images.tiles->sizes)
        if (height % patches.image_height != 0 || wide % patches.image_width != 0)
            config.fail("image_grid_pinpoints",
                        {ATTNLAB_TEXT("heights and widths in multiples of %1 and %2"),
                         {std::to_string(patches.image_height), std::to_string(patches.image_width)}});
    if (description.text_type.starts_with("granite")) // multiplies all that enters it
        images.factor = description.decoder->embedding.factor;
    description.image_tokens = std::move(images);
}

Description describe_canvas(const Config& config, const WeightFiles& files, bool is_onevision) {
    auto description = text_part(config, files, is_onevision ? "qwen2" : "llama");
    add_canvas(config, files, is_onevision, description);
    return description;
}

/// The encoder of InternVL: a ViT with factors of its sublayers.
Stack intern_tower(const Config& config, const Tensors& tensors, bool is_normalized) {
    ImageBlockSizes sizes{.hidden = config.size("hidden_size", 1024),
                          .inner = config.size("intermediate_size", 4096),
                          .heads = config.size("num_attention_heads", 16),
                          .epsilon = config.epsilon("layer_norm_eps", 1e-6),
                          .activation = activation_of(config, "hidden_act", "gelu")};
    sizes.query_bias = sizes.key_bias = sizes.value_bias = config.flag("attention_bias", false);
    const auto hidden = sizes.hidden;
    Stack stack{.name = "encoder", .width = hidden};
    auto patches = read_patches(config, tensors, "embeddings.patch_embeddings.projection", true, hidden,
                                {.image = 448, .patch = 14});
    if (patches.image_height != patches.image_width || patches.height != patches.width)
        config.fail("image_size", ATTNLAB_TEXT("a square image of square patches"));
    patches.leading.push_back({.vectors = tensors.at("embeddings.cls_token", {1, 1, hidden})});
    if (config.flag("use_absolute_position_embeddings", true))
        stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                     .table =
                                         tensors.at("embeddings.position_embeddings", {1, patches.count(), hidden})};
    stack.embedding.patches = std::move(patches);
    const auto norm_type = config.text("norm_type", "layer_norm");
    if (norm_type != "layer_norm" && norm_type != "rms_norm")
        config.fail("norm_type", "layer_norm, rms_norm");
    sizes.has_rms_norms = norm_type == "rms_norm";
    config.ignore("layer_scale_init_value", ATTNLAB_TEXT("the factors are in the files"));
    config.ignore("use_mask_token", why_not_read::task);
    const bool has_mean = config.flag("use_mean_pooling", true); // then there is no last norm
    const bool has_head_norms = config.flag("use_qk_norm", false);
    constexpr double epsilon_of_heads = 1e-6;
    for (std::int64_t layer = 0; layer < config.layers("num_hidden_layers", 24); ++layer) {
        const auto below = tensors.below("encoder.layer." + std::to_string(layer) + ".");
        auto block =
            image_block(config, below,
                        {"attention.q_proj", "attention.k_proj", "attention.v_proj", "attention.projection_layer",
                         "layernorm_before", "mlp.fc1", "mlp.fc2", "layernorm_after"},
                        sizes);
        if (has_head_norms) {
            block.self.query_norm = below.rms_norm("attention.q_norm", hidden, epsilon_of_heads);
            block.self.key_norm = below.rms_norm("attention.k_norm", hidden, epsilon_of_heads);
            block.self.norm_spans_heads = true;
        }
        block.self_norms.factors = below.at("lambda_1", {hidden});
        block.feed_forward_norms.factors = below.at("lambda_2", {hidden});
        stack.blocks.push_back(std::move(block));
    }
    if (is_normalized && !has_mean)
        stack.norm = tensors.layer_norm("layernorm", hidden, sizes.epsilon);
    return stack;
}

/// Squares of `side` patches as one row, from `inputs` numbers each. False, with a note, where squares do not fit.
bool merge_squares(const Config& config, std::string_view key, const std::string& value, std::int64_t side,
                   ImageTokens& images, Description& description) {
    const auto& patches = images.patches();
    if (patches.rows() % side != 0 || patches.columns() % side != 0 || patches.rows() != patches.columns()) {
        note_unread_images(config, key, value, no_whole_squares, description);
        return false;
    }
    images.side = side;
    images.merge = ImageTokens::Merge::ByPatch;
    return true;
}

void add_internvl_images(const Config& config, const WeightFiles& files, Description& description) {
    const auto part =
        vision_part(config, files, description, {"internvl_vision"}, {"vision_tower.", "model.vision_tower."},
                    "embeddings.patch_embeddings.projection.weight");
    if (!part)
        return;
    const auto* layer = config.find("vision_feature_layer");
    const bool is_last = !layer || (layer->is_number() && layer->number() == -1.0);
    ImageTokens images{.tower = intern_tower(part->config, part->tensors, is_last),
                       .token = id_of_image(config, 151667)};
    images.layers = is_last ? std::vector<std::size_t>{images.tower.blocks.size()}
                            : feature_layers(config, "vision_feature_layer", {-1}, images.tower);
    if (images.layers.size() > 1)
        config.fail("vision_feature_layer", ATTNLAB_TEXT("one layer"));
    if (!is_last)
        images.tower.blocks.resize(images.layers.front());
    const auto selection = selection_of(config, "default");
    if (!drop_first(config, selection, images, description))
        return;
    if (images.leading() > 0) {
        note_unread_images(config, "vision_feature_select_strategy", selection, with_class_token, description);
        return;
    }
    const double ratio = config.number("downsample_ratio", 0.5);
    if (!(ratio > 0.0 && ratio <= 1.0) || std::floor(1.0 / ratio) != 1.0 / ratio)
        config.fail("downsample_ratio", ATTNLAB_TEXT("one divided by a whole number"));
    const auto side = static_cast<std::int64_t>(1.0 / ratio);
    if (!merge_squares(config, "downsample_ratio", std::to_string(ratio), side, images, description))
        return;
    const auto projector = projector_of(files);
    const auto inputs = images.tower.width * side * side;
    images.merged_norm = projector.layer_norm("layer_norm", inputs, 1e-5);
    add_two_layers(config, projector, inputs, description.decoder->width, true, images);
    images.tiles = ImageTiles{.kind = ImageTiles::Kind::Shape};
    images.opening = "<img>";
    images.closing = "</img>";
    description.image_tokens = std::move(images);
}

void add_aya_images(const Config& config, const WeightFiles& files, Description& description) {
    auto vision = vision_tower_of(config, files, description, {"siglip_vision_model", "clip_vision_model"});
    if (!vision)
        return;
    ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, 255036)};
    images.layers = feature_layers(config, "vision_feature_layer", {-1}, images.tower);
    cut_behind(images.layers, images.tower);
    const auto selection = selection_of(config, "full");
    if (!drop_first(config, selection, images, description))
        return;
    if (images.leading() > 0) {
        note_unread_images(config, "vision_feature_select_strategy", selection, with_class_token, description);
        return;
    }
    if (images.layers.size() > 1)
        config.fail("vision_feature_layer", ATTNLAB_TEXT("one layer"));
    const auto side = config.size("downsample_factor", 2), width = description.decoder->width;
    const auto seen = images.tower.width;
    if (!merge_squares(config, "downsample_factor", std::to_string(side), side, images, description))
        return;
    const auto inner = config.size("alignment_intermediate_size", width);
    const auto& projector = vision->projector;
    images.merged_norm =
        projector.layer_norm("layernorm", seen * side * side, config.epsilon("adapter_layer_norm_eps", 1e-6));
    images.projections = {projector.linear("linear_1", seen * side * side, inner, true),
                          projector.linear("linear_2", inner / 2, width, true)};
    images.activation = find_activation("silu");
    images.is_gated = true;
    images.tiles = ImageTiles{.kind = ImageTiles::Kind::Shape, .tile = "TILE_%n", .whole = "TILE_GLOBAL"};
    images.placeholder_text = "<image>";
    images.opening = "<|START_OF_IMG|>";
    images.closing = "<|END_OF_IMG|>";
    description.image_tokens = std::move(images);
}

/// Idefics3 and SmolVLM.
void add_idefics_images(const Config& config, const WeightFiles& files, Description& description) {
    const auto part =
        vision_part(config, files, description, {"idefics3_vision", "smolvlm_vision", "idefics3", "smolvlm"},
                    {"model.vision_model.", "vision_model."}, "embeddings.patch_embedding.weight");
    if (!part)
        return;
    ImageTokens images{.tower = image_tower(part->config, part->tensors, idefics_tower),
                       .token = id_of_image(config, 128257)};
    images.tower.shows_norm = true;
    images.layers = {images.tower.blocks.size()};
    const auto side = config.size("scale_factor", 2);
    if (!merge_squares(config, "scale_factor", std::to_string(side), side, images, description))
        return;
    const Tensors connector(files, {"model.connector.", "connector."}, "modality_projection.proj.weight");
    images.projections.push_back(connector.linear("modality_projection.proj", images.tower.width * side * side,
                                                  description.decoder->width, false));
    images.tiles = ImageTiles{.kind = ImageTiles::Kind::Side,
                              .tile = "<fake_token_around_image><row_%r_col_%c>",
                              .row = "\n",
                              .between = "\n",
                              .whole = "<fake_token_around_image><global-img>",
                              .behind = "<fake_token_around_image>"};
    description.image_tokens = std::move(images);
}

using AddImages = void (*)(const Config&, const WeightFiles&, Description&);

template <AddImages add>
Description with_images(const Config& config, const WeightFiles& files, std::string_view text_type) {
    auto description = text_part(config, files, text_type);
    add(config, files, description);
    return description;
}

Architecture row_of_tiles(std::string_view type, Describe describe) {
    return {.type = type, .describe = describe, .settings = settings_of_other_parts, .tensors = tensors_of_other_parts};
}

} // namespace

std::vector<Architecture> tiled_images_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    const Describe idefics = [](C config, W files) { return with_images<add_idefics_images>(config, files, "llama"); };
    return {row_of_tiles("llava_next", [](C config, W files) { return describe_canvas(config, files, false); }),
            row_of_tiles("llava_onevision", [](C config, W files) { return describe_canvas(config, files, true); }),
            row_of_tiles("internvl",
                         [](C config, W files) { return with_images<add_internvl_images>(config, files, "qwen2"); }),
            row_of_tiles("aya_vision",
                         [](C config, W files) { return with_images<add_aya_images>(config, files, "cohere2"); }),
            row_of_tiles("idefics3", idefics),
            row_of_tiles("smolvlm", idefics)};
}

} // namespace attnlab::model
