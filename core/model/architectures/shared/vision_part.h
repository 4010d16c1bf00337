// The part of a vision-language model that reads images: its tower, and the projector from rows of the tower to tokens.
#pragma once

#include "core/model/architectures.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::model {

/// `vision_config`, its type, and the tensors of the tower.
struct VisionPart {
    Config config;
    std::string type;
    Tensors tensors;
};
/// nullopt for a tower of another type than these, which is not computed, and where the files do not have `probe` below
/// one of `prefixes`. The first type is that of a vision_config without a model_type.
std::optional<VisionPart> vision_part(const Config& config, const WeightFiles& files, Description& description,
                                      std::initializer_list<std::string_view> types,
                                      std::initializer_list<std::string_view> prefixes, std::string_view probe);

/// A tower of CLIP, SigLIP or Pixtral, with its settings and what is outside of it.
struct VisionTower {
    Config config;
    Stack tower;
    Tensors projector;
};
/// nullopt as vision_part().
std::optional<VisionTower> vision_tower_of(const Config& config, const WeightFiles& files, Description& description,
                                           std::initializer_list<std::string_view> types);
/// The projector of most models.
Tensors projector_of(const WeightFiles& files);

/// Numbers of hidden states, of which negative ones count from the last: one, or a list.
std::vector<std::size_t> feature_layers(const Config& config, std::string_view key, const std::vector<double>& absent,
                                        const Stack& tower);
/// The tower up to the last of `layers`, where that is not the normalized one.
void cut_behind(const std::vector<std::size_t>& layers, Stack& tower);
std::int64_t id_of_image(const Config& config, std::int64_t absent);
/// Two layers, linear_1 and linear_2, with an activation between.
void add_two_layers(const Config& config, const Tensors& tensors, std::int64_t inputs, std::int64_t width,
                    bool has_bias, ImageTokens& images);
/// `vision_feature_select_strategy`: "default" or "full".
std::string selection_of(const Config& config, std::string_view absent);
/// Leaves out the first row of a "default" selection. False, with a note in `description`, where that is a patch.
bool drop_first(const Config& config, const std::string& selection, ImageTokens& images, Description& description);
/// Notes that images are not read, because of a setting.
void note_unread_images(const Config& config, std::string_view key, const std::string& value, const char* why,
                        Description& description);

} // namespace attnlab::model
