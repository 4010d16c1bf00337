// The config.json that the metadata of a .gguf file stand for.
#pragma once

#include "core/model/gguf/architectures.h"

#include <string>

namespace attnlab::model {

/// Throws Error that names file and key for what is missing, wrong or not supported.
std::string gguf_config(const GgufFile& file, const GgufArchitecture& architecture);

} // namespace attnlab::model
