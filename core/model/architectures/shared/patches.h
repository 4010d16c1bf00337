// What models of images share: patches, tokens in front of them, and heads for classes.
#pragma once

#include "core/model/architectures.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab::model {

struct PatchDefaults {
    std::int64_t image = 224, patch = 16;
};

/// The sizes of an image and its patches, and the projection `name`, from a square image or a list of two sides.
Patches read_patches(const Config& config, const Tensors& tensors, std::string_view name, bool has_bias,
                     std::int64_t hidden, const PatchDefaults& defaults = {});

/// Adds the head `name` for classes of an image, where the file has one, and the names of its classes.
void add_image_classes(const Config& config, const Tensors& outside, const std::string& name, Head::Pooling pooling,
                       Description& description);

/// A block with norms before its sublayers, and the names of its parts.
struct ImageBlockNames {
    std::string_view query, key, value, output, attention_norm, up, down, inner_norm;
};
inline constexpr ImageBlockNames vit_names{"attention.attention.query",
                                           "attention.attention.key",
                                           "attention.attention.value",
                                           "attention.output.dense",
                                           "layernorm_before",
                                           "intermediate.dense",
                                           "output.dense",
                                           "layernorm_after"};
struct ImageBlockSizes {
    std::int64_t hidden = 0, inner = 0, heads = 0;
    double epsilon = 0.0;
    const Activation* activation = nullptr;
    bool query_bias = true, key_bias = true, value_bias = true;
    bool has_rms_norms = false;
};
ImageBlockSizes image_block_sizes(const Config& config, std::int64_t hidden, double epsilon);
Block image_block(const Config& config, const Tensors& tensors, const ImageBlockNames& names,
                  const ImageBlockSizes& sizes);

} // namespace attnlab::model
