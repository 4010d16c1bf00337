// Models in one .gguf file, as llama.cpp has them.
#pragma once

#include "core/model/weights/gguf_metadata.h"
#include "core/model/weights/weight_files.h"

#include <filesystem>
#include <memory>

namespace attnlab::model {

struct GgufFile {
    GgufMetadata metadata;
    std::shared_ptr<const WeightFiles> weights; ///< by the names of the file: "blk.0.attn_q.weight"
};

/// Versions 2 and 3, little-endian. Tensors of types that are not read are refused when they are asked for. Throws
/// Error; Cancelled.
GgufFile open_gguf(const std::filesystem::path& path, const RunControl& control = {});

} // namespace attnlab::model
