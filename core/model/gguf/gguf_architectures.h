// The architectures of .gguf files: how llama.cpp spells what Transformers spells otherwise.
#pragma once

#include "core/model/weights/gguf_file.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attnlab::model {

/// Where one tensor of llama.cpp is in Transformers. Both without ".weight" and ".bias".
using TensorName = std::pair<std::string_view, std::string_view>;

struct GgufArchitecture {
    std::string_view name; ///< general.architecture
    std::string_view type; ///< model_type
    /// Names of tensors outside of blocks, and within block "blk.N.".
    std::span<const TensorName> outside, inside;
    std::string_view block; ///< "model.layers.": before the number of a block
    /// Rows of queries and keys are in the order of interleaved rotary positions.
    bool interleaved = false;
    bool has_whole_norms = false; ///< weights of norms are stored with the 1 that Transformers adds
};

/// Throws Error for one that is not known, naming the known ones.
const GgufArchitecture& gguf_architecture(const GgufMetadata& metadata);

/// The name in Transformers; empty where there is none.
std::string transformers_name(const GgufArchitecture& architecture, std::string_view name);
/// The other way; the name itself where there is none.
std::string gguf_name(const GgufArchitecture& architecture, std::string_view name);

} // namespace attnlab::model
