// Models that read images or sound beside text: their language model, which another row describes, and of some the
// tower that makes tokens of an image.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/image_tower.h"
#include "core/model/architectures/shared/text_part.h"

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

/// The tower of `vision_config`, with its settings and what is outside of it.
struct Sight {
    Config config;
    Stack tower;
    Tensors projector;
};

/// nullopt for a tower of another type than these, which is not computed, and where the files have none.
std::optional<Sight> sight_of(const Config& config, const WeightFiles& files, Description& description,
                              std::initializer_list<std::string_view> types) {
    const auto* node = config.node().find("vision_config");
    if (!node || !std::holds_alternative<io::JsonNode::Members>(node->held()))
        return std::nullopt;
    const auto* type = node->find("model_type");
    const std::string name = type && type->is_text() ? type->text() : std::string(*types.begin());
    const bool is_pixtral = name == "pixtral";
    const std::string_view probe = is_pixtral ? "patch_conv.weight" : "embeddings.patch_embedding.weight";
    const Tensors tensors(
        files,
        {"vision_tower.", "vision_tower.vision_model.", "model.vision_tower.", "model.vision_tower.vision_model."},
        probe);
    if (std::find(types.begin(), types.end(), name) == types.end() || !tensors.has(probe))
        return std::nullopt;
    const auto own = *config.object("vision_config");
    own.text("model_type", name);
    description.part_types.emplace_back("vision_config.", name);
    const Tensors outside(files, {"multi_modal_projector.", "model.multi_modal_projector."}, "linear_1.weight");
    return Sight{own,
                 is_pixtral ? pixtral_tower(own, tensors)
                            : image_tower(own, tensors, name == "clip_vision_model" ? clip_tower : siglip_tower),
                 outside};
}

/// Numbers of hidden states, of which negative ones count from the last: one, or a list.
std::vector<std::size_t> feature_layers(const Config& config, std::string_view key, const std::vector<double>& absent,
                                        const Stack& tower) {
    const auto* found = config.find(key);
    auto given = absent;
    if (found)
        given = found->is_list() ? config.numbers(key) : std::vector<double>{found->number()};
    const auto count = std::ssize(tower.blocks) + 1;
    std::vector<std::size_t> layers;
    for (const double one : given) {
        const double layer = one < 0.0 ? one + static_cast<double>(count) : one;
        if (!(layer >= 0.0 && layer < static_cast<double>(count)) || layer != std::floor(layer)) {
            if (!found)
                throw Error({ATTNLAB_TEXT("config.json: the tower for images has %1 layers, fewer than are read of it"),
                             {std::to_string(count - 1)}});
            config.fail(key,
                        {ATTNLAB_TEXT("layers from %1 to %2"), {std::to_string(-count), std::to_string(count - 1)}});
        }
        layers.push_back(static_cast<std::size_t>(layer));
    }
    if (layers.empty())
        config.fail(key, ATTNLAB_TEXT("at least one layer"));
    return layers;
}

/// The tower up to the last of `layers`, where that is not the normalized one.
void cut_behind(const std::vector<std::size_t>& layers, Stack& tower) {
    const auto last = *std::max_element(layers.begin(), layers.end());
    if (!tower.shows_norm)
        tower.blocks.resize(last);
}

std::int64_t id_of_image(const Config& config, std::int64_t absent) {
    const auto index = config.integer("image_token_index");
    return config.integer("image_token_id").value_or(index.value_or(absent));
}

/// Two layers with an activation between.
void add_two_layers(const Config& config, const Tensors& tensors, std::int64_t inputs, std::int64_t width,
                    bool has_bias, ImageTokens& images) {
    images.projections.push_back(tensors.linear("linear_1", inputs, width, has_bias));
    images.projections.push_back(tensors.linear("linear_2", width, width, has_bias));
    images.activation = activation_of(config, "projector_hidden_act", "gelu");
}

/// An image of any size, with a token behind each row of patches.
void read_rows_of_any_size(ImageTokens& images) {
    images.sizes = ImageTokens::Sizes::LongestSide;
    constexpr std::int64_t row_end = 12, last = 13; // as published; see fit_to_tokenizer()
    images.row_end = row_end;
    images.last = last;
}

/// LLaVA and VipLLaVA, whose patches keep the class token out.
void add_llava_images(const Config& config, const WeightFiles& files, bool is_vip, Description& description) {
    auto sight = sight_of(config, files, description, {"clip_vision_model", "siglip_vision_model", "pixtral"});
    if (!sight)
        return;
    ImageTokens images{.tower = std::move(sight->tower), .token = id_of_image(config, 32000)};
    const char* const key =
        is_vip && config.has("vision_feature_layers") ? "vision_feature_layers" : "vision_feature_layer";
    images.layers = feature_layers(
        config, key, is_vip ? std::vector<double>{-2, -5, -8, -11, 6} : std::vector<double>{-2}, images.tower);
    cut_behind(images.layers, images.tower);
    const auto selection = is_vip ? "default" : config.text("vision_feature_select_strategy", "default");
    if (selection != "default" && selection != "full")
        config.fail("vision_feature_select_strategy", "default, full");
    images.dropped = selection == "default" ? 1 : 0;
    if (images.leading() < 0) {
        description.unread.settings.push_back(
            {config.node().name_of_text(), "vision_feature_select_strategy", selection,
             ATTNLAB_TEXT("leaves out the first patch, because the tower has no class token: images are not read"),
             true});
        return;
    }
    const auto inputs = images.tower.width * std::ssize(images.layers), width = description.decoder->width;
    if (is_vip)
        images.norm =
            sight->projector.layer_norm("projector_layernorm", inputs, config.epsilon("projector_layernorm_eps", 1e-5));
    if (!images.tower.embedding.positions.table) // Pixtral
        read_rows_of_any_size(images);
    add_two_layers(config, sight->projector, inputs, width, is_vip || config.flag("multimodal_projector_bias", true),
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
    if (auto sight = sight_of(config, files, description, {"siglip_vision_model"})) {
        const Tensors outside(files, {"multi_modal_projector.", "model.multi_modal_projector."}, "linear.weight");
        ImageTokens images{.tower = std::move(sight->tower), .token = id_of_image(config, 256000)};
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
    auto sight = sight_of(config, files, description, {"siglip_vision_model"});
    if (!sight)
        return description;
    if (!description.decoder->attention().causal) {
        description.unread.settings.push_back({config.node().name_of_text(), "text_config.is_causal", "false",
                                               ATTNLAB_TEXT("counts for a text; with it images are not read"), true});
        return description;
    }
    for (auto& block : description.decoder->blocks)
        block.self.both_ways = Attention::BothWays::Image;
    const Tensors outside(files, {"multi_modal_projector.", "model.multi_modal_projector."}, "mm_soft_emb_norm.weight");
    ImageTokens images{.tower = std::move(sight->tower), .token = id_of_image(config, 262144)};
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
        outside.rms_norm("mm_soft_emb_norm", images.tower.width, sight->config.epsilon("layer_norm_eps", 1e-6));
    images.merged_norm->adds_one = true;
    const auto width = description.decoder->width;
    images.projections.push_back({.weight = outside.at("mm_input_projection_weight", {images.tower.width, width}),
                                  .inputs = images.tower.width,
                                  .outputs = width,
                                  .inputs_first = true});
    images.placeholder = config.integer("boi_token_index").value_or(255999);
    images.before = {*images.placeholder};
    images.after = {config.integer("eoi_token_index").value_or(256000)};
    images.around = "\n\n";
    description.image_tokens = std::move(images);
    return description;
}

/// The tower of Qwen2-VL, or that of Qwen2.5-VL, of which some layers read windows of patches.
Stack qwen_tower(const Config& config, const Tensors& tensors, bool has_windows, std::int64_t hidden) {
    constexpr double epsilon = 1e-6;
    const auto heads = config.size("num_heads", 16), width = even_head_width(config, "num_heads", hidden, heads);
    const auto side = config.size("patch_size", 14), channels = config.size("in_channels", 3);
    const auto frames = config.size("temporal_patch_size", 2);
    if (width % 4 != 0)
        config.fail("num_heads", ATTNLAB_TEXT("heads whose width is a multiple of 4"));
    RotaryDefaults defaults{.head_width = width / 2};
    defaults.is_axial = true;
    auto rotary = read_rotary(config, defaults);
    rotary.grid = Rotary::Grid{.counts = true};
    const auto inner = has_windows
                           ? config.size("intermediate_size", 3420)
                           : static_cast<std::int64_t>(static_cast<double>(hidden) * config.number("mlp_ratio", 4.0));
    const auto* activation = activation_of(config, "hidden_act", has_windows ? "silu" : "quick_gelu");
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding.patches =
        Patches{.channels = channels,
                .image_height = side,
                .image_width = side,
                .height = side,
                .width = side,
                .frames = frames,
                .projection = {.weight = tensors.at("patch_embed.proj.weight", {hidden, channels, frames, side, side}),
                               .inputs = channels * frames * side * side,
                               .outputs = hidden}};
    const auto norm = [&](const Tensors& of, std::string_view name) {
        return has_windows ? of.rms_norm(name, hidden, epsilon) : of.layer_norm(name, hidden, epsilon);
    };
    const auto merged = config.size("spatial_merge_size", 2);
    const auto window = has_windows ? config.size("window_size", 112) / merged / side * merged : 0;
    if (has_windows && window == 0)
        config.fail("window_size", {ATTNLAB_TEXT("%1 or more"), {std::to_string(merged * side)}});
    const auto whole = has_windows && config.has("fullatt_block_indexes") ? config.numbers("fullatt_block_indexes")
                                                                          : std::vector<double>{7, 15, 23, 31};
    for (std::int64_t layer = 0; layer < config.layers("depth", 32); ++layer) {
        const auto below = tensors.below("blocks." + std::to_string(layer) + ".");
        const auto fused = below.linear("attn.qkv", hidden, 3 * hidden, true);
        Block block{
            .self = {.heads = heads,
                     .key_value_heads = heads,
                     .width = width,
                     .scale = root_scale(width),
                     .query = part_of(fused, 0, hidden),
                     .key = part_of(fused, hidden, hidden),
                     .value = part_of(fused, 2 * hidden, hidden),
                     .output = below.linear("attn.proj", hidden, hidden, true),
                     .rotary = rotary},
            .self_norms = {.before = norm(below, "norm1")},
            .feed_forward = {.activation = activation,
                             .up = below.linear(has_windows ? "mlp.up_proj" : "mlp.fc1", hidden, inner, true),
                             .down = below.linear(has_windows ? "mlp.down_proj" : "mlp.fc2", inner, hidden, true)},
            .feed_forward_norms = {.before = norm(below, "norm2")}};
        if (has_windows)
            block.feed_forward.gate = below.linear("mlp.gate_proj", hidden, inner, true);
        if (has_windows && std::find(whole.begin(), whole.end(), static_cast<double>(layer)) == whole.end())
            block.self.patch_windows = PatchWindows{.side = window};
        stack.blocks.push_back(std::move(block));
    }
    return stack;
}

/// Squares of patches are merged to one token, whose rotary positions are its row and column.
Description describe_qwen_vl(const Config& config, const WeightFiles& files, bool has_windows) {
    auto description = text_part(config, files, has_windows ? "qwen2_5_vl_text" : "qwen2_vl_text");
    const Tensors tensors(files, {"visual.", "model.visual."}, "patch_embed.proj.weight");
    const auto* node = config.node().find("vision_config");
    if (!node || !std::holds_alternative<io::JsonNode::Members>(node->held()) ||
        tensors.rows_of("merger.mlp.2.weight") != description.decoder->width)
        return description;
    const auto own = *config.object("vision_config");
    own.text("model_type", "");
    description.part_types.emplace_back("vision_config.", has_windows ? "qwen2_5_vl" : "qwen2_vl");
    const auto hidden = has_windows ? own.size("hidden_size", 3584) : own.size("embed_dim", 1280);
    ImageTokens images{.tower = qwen_tower(own, tensors, has_windows, hidden),
                       .token = config.integer("image_token_id").value_or(151655)};
    images.layers = {images.tower.blocks.size()};
    images.side = own.size("spatial_merge_size", 2);
    images.merge = ImageTokens::Merge::ByPatch;
    images.norm =
        has_windows ? tensors.rms_norm("merger.ln_q", hidden, 1e-6) : tensors.layer_norm("merger.ln_q", hidden, 1e-6);
    const auto wide = hidden * images.side * images.side, width = description.decoder->width;
    images.projections.push_back(tensors.linear("merger.mlp.0", wide, wide, true));
    images.projections.push_back(tensors.linear("merger.mlp.2", wide, width, true));
    images.activation = find_activation("gelu");
    images.before = {config.integer("vision_start_token_id").value_or(151652)};
    images.after = {config.integer("vision_end_token_id").value_or(151653)};
    images.sizes = ImageTokens::Sizes::PixelCount;
    std::int64_t turned = 0;
    const auto& rotary = description.decoder->attention().rotary;
    for (const auto section : rotary->sections)
        turned += section;
    if (turned != std::ssize(rotary->frequencies)) // the text alone is read as ever
        return description;
    description.image_tokens = std::move(images);
    return description;
}

/// Squares of patches are merged to one token.
Description describe_mistral3(const Config& config, const WeightFiles& files) {
    auto description = text_part(config, files, "mistral");
    auto sight = sight_of(config, files, description, {"pixtral"});
    if (!sight)
        return description;
    ImageTokens images{.tower = std::move(sight->tower), .token = id_of_image(config, 10)};
    images.layers = feature_layers(config, "vision_feature_layer", {-1}, images.tower);
    cut_behind(images.layers, images.tower);
    if (images.layers.size() > 1)
        config.fail("vision_feature_layer", ATTNLAB_TEXT("one layer"));
    images.side = config.size("spatial_merge_size", 2);
    images.merge = ImageTokens::Merge::ByNumber;
    const auto text = config.object("text_config");
    const auto seen = images.tower.width, width = description.decoder->width;
    images.norm = sight->projector.rms_norm("norm", seen, text ? text->epsilon("rms_norm_eps", 1e-6) : 1e-6);
    images.projections.push_back(
        sight->projector.linear("patch_merger.merging_layer", seen * images.side * images.side, seen, false));
    add_two_layers(config, sight->projector, seen, width, config.flag("multimodal_projector_bias", false), images);
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
    return {row_of_text("aya_vision", [](C config, W files) { return text_part(config, files, "cohere2"); }),
            row_of_text("gemma3", describe_gemma3_and_images),
            row_of_text("idefics3", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("internvl", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("llama4", [](C config, W files) { return text_part(config, files, "llama4_text"); }),
            row_of_text("llava", [](C config, W files) { return describe_llava(config, files, false); }),
            row_of_text("llava_next", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("llava_onevision", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("mistral3", describe_mistral3),
            row_of_text("paligemma", describe_paligemma),
            row_of_text("qwen2_5_vl", [](C config, W files) { return describe_qwen_vl(config, files, true); }),
            row_of_text("qwen2_audio", [](C config, W files) { return text_part(config, files, "qwen2"); }),
            row_of_text("qwen2_vl", [](C config, W files) { return describe_qwen_vl(config, files, false); }),
            row_of_text("qwen3_vl", [](C config, W files) { return text_part(config, files, "qwen3_vl_text"); }),
            row_of_text("smolvlm", [](C config, W files) { return text_part(config, files, "llama"); }),
            row_of_text("vipllava", [](C config, W files) { return describe_llava(config, files, true); }),
            row_of_text("voxtral", [](C config, W files) { return text_part(config, files, "llama"); })};
}

} // namespace attnlab::model
