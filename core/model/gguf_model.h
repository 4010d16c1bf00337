// A model in one .gguf file.
#pragma once

#include "core/model/model.h"

#include <filesystem>

namespace attnlab::model {

/// With the tokenizer that is inside, or none where it has none. Throws Error.
Model open_gguf_model(const std::filesystem::path& path, const RunControl& control = {});

} // namespace attnlab::model
