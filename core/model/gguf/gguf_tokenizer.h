// The tokenizer in a .gguf file.
#pragma once

#include "core/model/weights/gguf_file.h"
#include "core/tokens/tokenizer.h"

#include <memory>

namespace attnlab::model {

/// nullptr without one. Throws Error for a kind that is not known, and Cancelled.
std::shared_ptr<const tokens::Tokenizer> gguf_tokenizer(const GgufMetadata& metadata, const RunControl& control = {});

} // namespace attnlab::model
