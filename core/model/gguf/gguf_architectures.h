// The architectures of .gguf files: how llama.cpp spells what Transformers spells otherwise.
#pragma once

#include "core/model/weights/gguf_file.h"

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attnlab::model {

/// Where one tensor of llama.cpp is in Transformers. Both without ".weight" and ".bias".
using TensorName = std::pair<std::string_view, std::string_view>;

class GgufKeys;

/// How llama.cpp spells what Transformers spells otherwise, for one kind of model.
struct GgufArchitecture {
    std::string_view name = ""; ///< general.architecture
    /// Names of tensors outside of blocks, and within block "blk.N.".
    std::span<const TensorName> outside = {}, inside = {};
    std::string_view block = ""; ///< "model.layers.": before the number of a block
    /// Makes config.json of the metadata, for a model of `type`. Throws Error.
    nlohmann::json (*config)(const GgufKeys& keys, std::string_view type) = nullptr;
    std::string_view causal_key = "is_causal"; ///< attention.causal in config.json
    bool has_rotary = true;
    /// Rows of queries and keys are in the order of interleaved rotary positions.
    bool interleaved = false;
    bool has_whole_norms = false;          ///< weights of norms are stored with the 1 that Transformers adds
    bool heads_follow_kinds = false;       ///< in fused matrices, the keys of all heads follow all queries
    std::string_view turned = "";          ///< matrices whose name contains it are stored transposed; empty: none
    bool yarn_has_whole_magnitude = false; ///< rope.scaling.attn_factor is the whole magnitude of YaRN
    bool scales_sliding = true;            ///< layers with a window have scaled frequencies, too
    bool magnifies_sliding = true;         ///< and the magnitude
};

/// The name in Transformers; empty where there is none.
std::string transformers_name(const GgufArchitecture& names, std::string_view name);
/// The other way; the name itself where there is none.
std::string gguf_name(const GgufArchitecture& names, std::string_view name);

} // namespace attnlab::model
