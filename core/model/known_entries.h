// Settings and tensors of published models that have no effect on what a model computes, each with the reason.
#pragma once

#include "core/message.h"

#include <string_view>

namespace attnlab::model {

struct KnownEntry {
    std::string_view names; ///< patterns separated by spaces; * is any text
    const char* why;
    std::string_view types = {};  ///< model types separated by spaces; empty: all
    std::string_view values = {}; ///< the JSON values that are meant, separated by spaces; empty: any
    bool is_said = false;         ///< reported all the same
};

/// nullptr where there is none. Keys of GGUF are without the name of the architecture, ".rope.scaling.finetuned"; those
/// of tokenizer_config.json begin with "tokenizer_config.".
const KnownEntry* known_setting(std::string_view type, std::string_view key, std::string_view value);
const KnownEntry* known_tensor(std::string_view type, std::string_view name);

/// By its name, a setting of attention, positions, masks, norms or scaling.
bool concerns_attention(std::string_view key);
/// By its name, a setting of tokenizer_config.json that may change tokens.
bool concerns_tokens(std::string_view key);
/// A value that says that there is none of it: null, false, 0, an empty text or object; 1 for a factor; a list of
/// these.
bool is_neutral(std::string_view key, std::string_view value);

} // namespace attnlab::model
