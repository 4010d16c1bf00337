// Converts the metadata of a .gguf file to an equivalent config.json.
#pragma once

#include "core/model/gguf/gguf_architectures.h"
#include "core/model/gguf/renamed_weights.h"

#include <string>

namespace attnlab::model {

/// Throws Error that names file and key for what is missing, wrong or not supported.
std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture);
GgufHeads gguf_heads(const GgufFile& file, const GgufArchitecture& architecture);

/// What llama.cpp does to rotary positions beside what a config.json can say.
struct GgufRotary {
    double magnitude = 1.0; ///< times that of cosines and sines
    /// 0: frequencies are interpolated, 1: as YaRN has them; those of another number lie on the line through both.
    double extrapolation = 1.0;
    double factor = 1.0; ///< of the interpolation
};
GgufRotary gguf_rotary(const GgufFile& file, const GgufArchitecture& architecture);

} // namespace attnlab::model
