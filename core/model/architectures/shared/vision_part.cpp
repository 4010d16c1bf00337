#include "core/model/architectures/shared/vision_part.h"

#include "core/model/architectures/shared/image_tower.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace attnlab::model {
namespace {

/// nullptr where there is no vision_config.
const io::JsonNode* node_of_vision(const Config& config) {
    const auto* node = config.node().find("vision_config");
    return node && std::holds_alternative<io::JsonNode::Members>(node->held()) ? node : nullptr;
}

std::string type_of(const io::JsonNode& node, std::string_view absent) {
    const auto* type = node.find("model_type");
    return type && type->is_text() ? type->text() : std::string(absent);
}

} // namespace

std::optional<VisionPart> vision_part(const Config& config, const WeightFiles& files, Description& description,
                                      std::initializer_list<std::string_view> types,
                                      std::initializer_list<std::string_view> prefixes, std::string_view probe) {
    const auto* node = node_of_vision(config);
    if (!node)
        return std::nullopt;
    const auto name = type_of(*node, *types.begin());
    const Tensors tensors(files, prefixes, probe);
    if (std::find(types.begin(), types.end(), name) == types.end() || !tensors.has(probe))
        return std::nullopt;
    const auto own = *config.object("vision_config");
    own.text("model_type", name);
    description.part_types.emplace_back("vision_config.", name);
    return VisionPart{own, name, tensors};
}

std::optional<VisionTower> vision_tower_of(const Config& config, const WeightFiles& files, Description& description,
                                           std::initializer_list<std::string_view> types) {
    const auto* node = node_of_vision(config);
    const bool is_pixtral = node && type_of(*node, *types.begin()) == "pixtral";
    const auto part = vision_part(
        config, files, description, types,
        {"vision_tower.", "vision_tower.vision_model.", "model.vision_tower.", "model.vision_tower.vision_model."},
        is_pixtral ? "patch_conv.weight" : "embeddings.patch_embedding.weight");
    if (!part)
        return std::nullopt;
    return VisionTower{part->config,
                       is_pixtral ? pixtral_tower(part->config, part->tensors)
                                  : image_tower(part->config, part->tensors,
                                                part->type == "clip_vision_model" ? clip_tower : siglip_tower),
                       projector_of(files)};
}

Tensors projector_of(const WeightFiles& files) {
    return {files, {"multi_modal_projector.", "model.multi_modal_projector."}, "linear_1.weight"};
}

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

void cut_behind(const std::vector<std::size_t>& layers, Stack& tower) {
    const auto last = *std::max_element(layers.begin(), layers.end());
    if (!tower.shows_norm)
        tower.blocks.resize(last);
}

std::int64_t id_of_image(const Config& config, std::int64_t absent) {
    const auto index = config.integer("image_token_index");
    return config.integer("image_token_id").value_or(index.value_or(absent));
}

void add_two_layers(const Config& config, const Tensors& tensors, std::int64_t inputs, std::int64_t width,
                    bool has_bias, ImageTokens& images) {
    images.projections.push_back(tensors.linear("linear_1", inputs, width, has_bias));
    images.projections.push_back(tensors.linear("linear_2", width, width, has_bias));
    images.activation = activation_of(config, "projector_hidden_act", "gelu");
}

std::string selection_of(const Config& config, std::string_view absent) {
    auto selection = config.text("vision_feature_select_strategy", absent);
    if (selection != "default" && selection != "full")
        config.fail("vision_feature_select_strategy", "default, full");
    return selection;
}

bool drop_first(const Config& config, const std::string& selection, ImageTokens& images, Description& description) {
    images.dropped = selection == "default" ? 1 : 0;
    if (images.leading() >= 0)
        return true;
    note_unread_images(config, "vision_feature_select_strategy", selection,
                       ATTNLAB_TEXT("leaves out the first patch, because the tower has no class token: images are not "
                                    "read"),
                       description);
    return false;
}

void note_unread_images(const Config& config, std::string_view key, const std::string& value, const char* why,
                        Description& description) {
    description.unread.settings.push_back({config.node().name_of_text(), std::string(key), value, why, true});
}

} // namespace attnlab::model
