// Models that read images or sound beside text: their language model, which another row describes, and of some the
// tower that makes tokens of an image.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/text_part.h"
#include "core/model/architectures/shared/vision_part.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::model {
namespace {

/// An image of any size, with a token behind each row of patches.
void read_rows_of_any_size(ImageTokens& images) {
    images.sizes = ImageTokens::Sizes::LongestSide;
    constexpr std::int64_t row_end = 12, last = 13; // as published; see fit_to_tokenizer()
    images.row_end = row_end;
    images.last = last;
}

/// LLaVA and VipLLaVA, whose patches keep the class token out.
void add_llava_images(const Config& config, const WeightFiles& files, bool is_vip, Description& description) {
    auto vision = vision_tower_of(config, files, description, {"clip_vision_model", "siglip_vision_model", "pixtral"});
    if (!vision)
        return;
    ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, 32000)};
    const char* const key =
        is_vip && config.has("vision_feature_layers") ? "vision_feature_layers" : "vision_feature_layer";
    images.layers = feature_layers(
        config, key, is_vip ? std::vector<double>{-2, -5, -8, -11, 6} : std::vector<double>{-2}, images.tower);
    cut_behind(images.layers, images.tower);
    if (!drop_first(config, is_vip ? "default" : selection_of(config, "default"), images, description))
        return;
    const auto inputs = images.tower.width * std::ssize(images.layers), width = description.decoder->width;
    if (is_vip)
        images.norm = vision->projector.layer_norm("projector_layernorm", inputs,
                                                   config.epsilon("projector_layernorm_eps", 1e-5));
    if (!images.tower.embedding.positions.table) // Pixtral
        read_rows_of_any_size(images);
    add_two_layers(config, vision->projector, inputs, width, is_vip || config.flag("multimodal_projector_bias", true),
                   images);
    if (description.text_type.starts_with("granite")) // multiplies all that enters it
        images.factor = description.decoder->embedding.factor;
    description.image_tokens = std::move(images);
}

Description describe_llava(const Config& config, const WeightFiles& files, bool is_vip) {
    auto description = text_part(config, files, "llama");
    add_llava_images(config, files, is_vip, description);
    return description;
}

/// A prompt is read both ways, whatever a setting of the language model says.
Description describe_paligemma(const Config& config, const WeightFiles& files) {
    auto description = text_part(config, files, "gemma", "use_bidirectional_attention", true);
    for (auto& block : description.decoder->blocks) {
        block.self.both_ways = Attention::BothWays::Prompt;
        block.self.rotary->offset = 1;
    }
    if (auto vision = vision_tower_of(config, files, description, {"siglip_vision_model"})) {
        const Tensors outside(files, {"multi_modal_projector.", "model.multi_modal_projector."}, "linear.weight");
        ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, 256000)};
        images.reads_several = false; // they lead the text together
        images.tower.shows_norm = true;
        images.layers = {images.tower.blocks.size()};
        const auto width = description.decoder->width;
        if (const auto given = config.size("projection_dim", 2048); given != width)
            config.fail("projection_dim", {"%1", {std::to_string(width)}});
        images.projections.push_back(outside.linear("linear", images.tower.width, width, true));
        const auto text = config.object("text_config");
        images.behind =
            config.integer("bos_token_id").value_or((text ? text->integer("bos_token_id") : std::nullopt).value_or(2));
        description.image_tokens = std::move(images);
    }
    return description;
}

/// Patches are averaged to fewer tokens, which read one another.
Description describe_gemma3_and_images(const Config& config, const WeightFiles& files) {
    auto description = text_part(config, files, "gemma3_text");
    // The model around the language model gives it masks of its own, whose windows are those of both directions.
    const auto text = config.object("text_config");
    if (text && text->flag("use_bidirectional_attention", false) && text->flag("is_causal", true))
        for (auto& block : description.decoder->blocks)
            block.self.causal = true;
    auto vision = vision_tower_of(config, files, description, {"siglip_vision_model"});
    if (!vision)
        return description;
    if (!description.decoder->attention().causal) {
        description.unread.settings.push_back({config.node().name_of_text(), "text_config.is_causal", "false",
                                               ATTNLAB_TEXT("counts for a text; with it images are not read"), true});
        return description;
    }
    for (auto& block : description.decoder->blocks)
        block.self.both_ways = Attention::BothWays::Image;
    const Tensors outside(files, {"multi_modal_projector.", "model.multi_modal_projector."}, "mm_soft_emb_norm.weight");
    ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, 262144)};
    images.reads_several = false; // tokens read both ways within each image alone
    images.tower.shows_norm = true;
    images.layers = {images.tower.blocks.size()};
    const auto& patches = images.patches();
    const auto count = config.size("mm_tokens_per_image", 256);
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
    if (side * side != count || patches.rows() != patches.columns() || patches.rows() % side != 0)
        config.fail("mm_tokens_per_image", {ATTNLAB_TEXT("the square of a divisor of %1, the patches of a side"),
                                            {std::to_string(patches.rows())}});
    images.side = patches.rows() / side;
    images.merged_norm =
        outside.rms_norm("mm_soft_emb_norm", images.tower.width, vision->config.epsilon("layer_norm_eps", 1e-6));
    images.merged_norm->adds_one = true;
    const auto width = description.decoder->width;
    images.projections.push_back({.weight = outside.at("mm_input_projection_weight", {images.tower.width, width}),
                                  .inputs = images.tower.width,
                                  .outputs = width,
                                  .inputs_first = true});
    images.placeholder = config.integer("boi_token_index").value_or(255999);
    images.before = {*images.placeholder};
    images.after = {config.integer("eoi_token_index").value_or(256000)};
    images.opening = images.closing = "\n\n";
    description.image_tokens = std::move(images);
    return description;
}

/// Squares of patches are merged to one token.
Description describe_mistral3(const Config& config, const WeightFiles& files) {
    auto description = text_part(config, files, "mistral");
    auto vision = vision_tower_of(config, files, description, {"pixtral"});
    if (!vision)
        return description;
    ImageTokens images{.tower = std::move(vision->tower), .token = id_of_image(config, 10)};
    images.layers = feature_layers(config, "vision_feature_layer", {-1}, images.tower);
    cut_behind(images.layers, images.tower);
    if (images.layers.size() > 1)
        config.fail("vision_feature_layer", ATTNLAB_TEXT("one layer"));
    images.side = config.size("spatial_merge_size", 2);
    images.merge = ImageTokens::Merge::ByNumber;
    const auto text = config.object("text_config");
    const auto seen = images.tower.width, width = description.decoder->width;
    images.norm = vision->projector.rms_norm("norm", seen, text ? text->epsilon("rms_norm_eps", 1e-6) : 1e-6);
    images.projections.push_back(
        vision->projector.linear("patch_merger.merging_layer", seen * images.side * images.side, seen, false));
    add_two_layers(config, vision->projector, seen, width, config.flag("multimodal_projector_bias", false), images);
    read_rows_of_any_size(images);
    description.image_tokens = std::move(images);
    return description;
}

Architecture row_of_text(std::string_view type, Describe describe) {
    return {.type = type, .describe = describe, .settings = settings_of_other_parts, .tensors = tensors_of_other_parts};
}

} // namespace

std::vector<Architecture> vision_language_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    return {row_of_text("gemma3", describe_gemma3_and_images),
            row_of_text("llama4", [](C config, W files) { return text_part(config, files, "llama4_text"); }),
            row_of_text("llava", [](C config, W files) { return describe_llava(config, files, false); }),
            row_of_text("mistral3", describe_mistral3),
            row_of_text("paligemma", describe_paligemma),
            row_of_text("qwen2_audio", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("vipllava", [](C config, W files) { return describe_llava(config, files, true); }),
            row_of_text("voxtral", [](C config, W files) { return text_part(config, files, "llama"); })};
}

} // namespace attnlab::model
