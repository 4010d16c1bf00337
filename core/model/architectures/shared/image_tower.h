// The encoders of CLIP and SigLIP and the image encoder of Pixtral, which vision-language models call their towers.
#pragma once

#include "core/model/architectures.h"
#include "core/model/architectures/shared/patches.h"

#include <cstdint>
#include <string_view>

namespace attnlab::model {

/// What differs between CLIP and SigLIP, with the values of missing settings.
struct TowerKind {
    bool is_clip = true;
    std::string_view activation = "quick_gelu";
    double epsilon = 1e-5;
    std::int64_t patch = 32, hidden = 768, heads = 12;
};
inline constexpr TowerKind clip_tower, siglip_tower{false, "gelu_pytorch_tanh", 1e-6, 16};
/// That of Idefics3 and SmolVLM.
inline constexpr TowerKind idefics_tower{false, "gelu_pytorch_tanh", 1e-6, 32, 1152, 16};

ImageBlockSizes tower_sizes(const Config& config, const TowerKind& kind, std::int64_t hidden, std::int64_t inner,
                            std::int64_t heads);
void add_tower_blocks(const Config& config, const Tensors& tensors, const ImageBlockSizes& sizes, Stack& stack);

/// Patches, blocks and the last norm, which hidden states do not show.
Stack image_tower(const Config& config, const Tensors& tensors, const TowerKind& kind);

/// Pixtral: images of any size, with rotary positions by row and column, and without a last norm.
Stack pixtral_tower(const Config& config, const Tensors& tensors);

} // namespace attnlab::model
