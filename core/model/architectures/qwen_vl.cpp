// Qwen2-VL, Qwen2.5-VL and Qwen3-VL: towers for images of any size, whose patches have rotary positions by row and
// column and are merged to fewer tokens.
#include "core/model/architectures.h"
#include "core/model/architectures/shared/text_part.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace attnlab::model {
namespace {

enum class Generation { Two, TwoAndHalf, Three };

constexpr double epsilon_of_qwen = 1e-6;

/// What differs between the towers.
struct Tower {
    Generation generation;
    std::int64_t hidden, inner;
    const Activation* activation;
    std::int64_t window = 0;        ///< patches of a side of a window; 0: none
    std::vector<double> whole = {}; ///< layers without windows
    const char *up = "mlp.fc1", *down = "mlp.fc2";

    Norm norm(const Tensors& tensors, std::string_view name) const {
        return generation == Generation::TwoAndHalf ? tensors.rms_norm(name, hidden, epsilon_of_qwen)
                                                    : tensors.layer_norm(name, hidden, epsilon_of_qwen);
    }
};

Tower read_tower(const Config& config, Generation generation) {
    if (generation == Generation::Two) {
        const auto hidden = config.size("embed_dim", 1280);
        return {.generation = generation,
                .hidden = hidden,
                .inner = static_cast<std::int64_t>(static_cast<double>(hidden) * config.number("mlp_ratio", 4.0)),
                .activation = activation_of(config, "hidden_act", "quick_gelu")};
    }
    if (generation == Generation::Three)
        return {.generation = generation,
                .hidden = config.size("hidden_size", 1152),
                .inner = config.size("intermediate_size", 4304),
                .activation = activation_of(config, "hidden_act", "gelu_pytorch_tanh"),
                .up = "mlp.linear_fc1",
                .down = "mlp.linear_fc2"};
    const auto merged = config.size("spatial_merge_size", 2), side = config.size("patch_size", 14);
    Tower tower{.generation = generation,
                .hidden = config.size("hidden_size", 3584),
                .inner = config.size("intermediate_size", 3420),
                .activation = activation_of(config, "hidden_act", "silu"),
                .window = config.size("window_size", 112) / merged / side * merged,
                .whole = config.has("fullatt_block_indexes") ? config.numbers("fullatt_block_indexes")
                                                             : std::vector<double>{7, 15, 23, 31},
                .up = "mlp.up_proj",
                .down = "mlp.down_proj"};
    if (tower.window == 0)
        config.fail("window_size", {ATTNLAB_TEXT("%1 or more"), {std::to_string(merged * side)}});
    return tower;
}

Patches read_patches_of_frames(const Config& config, const Tensors& tensors, const Tower& tower) {
    const bool is_third = tower.generation == Generation::Three;
    const auto side = config.size("patch_size", is_third ? 16 : 14), channels = config.size("in_channels", 3);
    const auto frames = config.size("temporal_patch_size", 2);
    const Linear projection{.weight =
                                tensors.at("patch_embed.proj.weight", {tower.hidden, channels, frames, side, side}),
                            .bias = is_third ? tensors.at("patch_embed.proj.bias", {tower.hidden}) : nullptr,
                            .inputs = channels * frames * side * side,
                            .outputs = tower.hidden};
    return {.channels = channels,
            .image_height = side,
            .image_width = side,
            .height = side,
            .width = side,
            .frames = frames,
            .projection = projection};
}

/// Learned positions of a square grid of patches. They are interpolated to the grid of each image.
void add_positions(const Config& config, const Tensors& tensors, Stack& stack) {
    const auto count = config.size("num_position_embeddings", 2304);
    auto& patches = *stack.embedding.patches;
    patches.table_rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(count)));
    patches.table_columns = patches.table_rows;
    patches.resize = Patches::Resize::AlignedBilinear;
    stack.embedding.positions = {.kind = Positions::Kind::Learned,
                                 .table = tensors.at("pos_embed.weight", {count, stack.width})};
}

Stack qwen_tower(const Config& config, const Tensors& tensors, const Tower& tower) {
    const auto hidden = tower.hidden, heads = config.size("num_heads", 16);
    const auto width = even_head_width(config, "num_heads", hidden, heads);
    if (width % 4 != 0)
        config.fail("num_heads", ATTNLAB_TEXT("heads whose width is a multiple of 4"));
    RotaryDefaults defaults{.head_width = width / 2};
    defaults.is_axial = true;
    auto rotary = read_rotary(config, defaults);
    rotary.grid = Rotary::Grid{.counts = true};
    Stack stack{.name = "encoder", .width = hidden};
    stack.embedding.patches = read_patches_of_frames(config, tensors, tower);
    if (tower.generation == Generation::Three)
        add_positions(config, tensors, stack);
    for (std::int64_t layer = 0; layer < config.layers("depth", tower.generation == Generation::Three ? 27 : 32);
         ++layer) {
        const auto below = tensors.below("blocks." + std::to_string(layer) + ".");
        const auto fused = below.linear("attn.qkv", hidden, 3 * hidden, true);
        Block block{.self = {.heads = heads,
                             .key_value_heads = heads,
                             .width = width,
                             .scale = root_scale(width),
                             .query = part_of(fused, 0, hidden),
                             .key = part_of(fused, hidden, hidden),
                             .value = part_of(fused, 2 * hidden, hidden),
                             .output = below.linear("attn.proj", hidden, hidden, true),
                             .rotary = rotary},
                    .self_norms = {.before = tower.norm(below, "norm1")},
                    .feed_forward = {.activation = tower.activation,
                                     .up = below.linear(tower.up, hidden, tower.inner, true),
                                     .down = below.linear(tower.down, tower.inner, hidden, true)},
                    .feed_forward_norms = {.before = tower.norm(below, "norm2")}};
        if (tower.generation == Generation::TwoAndHalf)
            block.feed_forward.gate = below.linear("mlp.gate_proj", hidden, tower.inner, true);
        if (tower.window > 0 && std::ranges::find(tower.whole, static_cast<double>(layer)) == tower.whole.end())
            block.self.patch_windows = PatchWindows{.side = tower.window};
        stack.blocks.push_back(std::move(block));
    }
    return stack;
}

/// Squares of patches as one row, through two layers.
void add_merger(const Tensors& tensors, const Tower& tower, std::int64_t width, ImageTokens& images) {
    const auto wide = tower.hidden * images.side * images.side;
    const bool is_third = tower.generation == Generation::Three;
    images.merge = ImageTokens::Merge::ByPatch;
    images.norm = tower.norm(tensors, is_third ? "merger.norm" : "merger.ln_q");
    images.projections.push_back(tensors.linear(is_third ? "merger.linear_fc1" : "merger.mlp.0", wide, wide, true));
    images.projections.push_back(tensors.linear(is_third ? "merger.linear_fc2" : "merger.mlp.2", wide, width, true));
    images.activation = find_activation("gelu");
}

/// Rows of other layers of the tower, for the first layers of the decoder.
void add_deep_rows(const Config& config, const Tensors& tensors, const Tower& tower, std::int64_t width,
                   ImageTokens& images) {
    constexpr auto key = "deepstack_visual_indexes";
    const auto layers = config.has(key) ? config.numbers(key) : std::vector<double>{8, 16, 24};
    const auto wide = tower.hidden * images.side * images.side;
    for (std::size_t layer = 0; layer < images.tower.blocks.size(); ++layer) {
        const auto found = std::ranges::find(layers, static_cast<double>(layer));
        if (found == layers.end())
            continue;
        const auto below = tensors.below("deepstack_merger_list." + std::to_string(found - layers.begin()) + ".");
        images.deep.push_back({.layer = layer + 1,
                               .merged_norm = below.layer_norm("norm", wide, epsilon_of_qwen),
                               .projections = {below.linear("linear_fc1", wide, wide, true),
                                               below.linear("linear_fc2", wide, width, true)}});
    }
}

Description describe_qwen_vl(const Config& config, const WeightFiles& files, Generation generation) {
    const bool is_third = generation == Generation::Three;
    const bool is_second = generation == Generation::Two;
    auto description = text_part(config, files,
                                 is_third    ? "qwen3_vl_text"
                                 : is_second ? "qwen2_vl_text"
                                             : "qwen2_5_vl_text");
    const auto width = description.decoder->width;
    const Tensors tensors(files, {"visual.", "model.visual."}, "patch_embed.proj.weight");
    const auto* node = config.node().find("vision_config");
    if (!node || !std::holds_alternative<io::JsonNode::Members>(node->held()) ||
        tensors.rows_of(is_third ? "merger.linear_fc2.weight" : "merger.mlp.2.weight") != width)
        return description;
    const auto own = *config.object("vision_config");
    own.text("model_type", "");
    description.part_types.emplace_back("vision_config.", is_third    ? "qwen3_vl"
                                                          : is_second ? "qwen2_vl"
                                                                      : "qwen2_5_vl");
    const auto tower = read_tower(own, generation);
    ImageTokens images{.tower = qwen_tower(own, tensors, tower),
                       .token = config.integer("image_token_id").value_or(151655)};
    images.layers = {images.tower.blocks.size()};
    images.side = own.size("spatial_merge_size", 2);
    add_merger(tensors, tower, width, images);
    if (is_third)
        add_deep_rows(own, tensors, tower, width, images);
    images.before = {config.integer("vision_start_token_id").value_or(151652)};
    images.after = {config.integer("vision_end_token_id").value_or(151653)};
    images.sizes = ImageTokens::Sizes::PixelCount;
    for (auto& block : description.decoder->blocks)
        if (is_third) {
            block.self.rotary->takes_turns = true;
            if (block.self.rotary->sections.empty())
                block.self.rotary->sections = {24, 20, 20};
        }
    std::int64_t turned = 0;
    const auto& rotary = description.decoder->attention().rotary;
    for (const auto section : rotary->sections)
        turned += section;
    if (!rotary->takes_turns && turned != std::ssize(rotary->frequencies)) // the text alone is read as ever
        return description;
    description.image_tokens = std::move(images);
    return description;
}

Architecture row_of(std::string_view type, Describe describe) {
    return {.type = type, .describe = describe, .settings = settings_of_other_parts, .tensors = tensors_of_other_parts};
}

} // namespace

std::vector<Architecture> qwen_vl_architectures() {
    using C = const Config&;
    using W = const WeightFiles&;
    return {
        row_of("qwen2_vl", [](C config, W files) { return describe_qwen_vl(config, files, Generation::Two); }),
        row_of("qwen2_5_vl", [](C config, W files) { return describe_qwen_vl(config, files, Generation::TwoAndHalf); }),
        row_of("qwen3_vl", [](C config, W files) { return describe_qwen_vl(config, files, Generation::Three); })};
}

} // namespace attnlab::model
