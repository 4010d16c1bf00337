// A tokenizer made of its parts.
#pragma once

#include "core/tokens/added_tokens.h"
#include "core/tokens/decoder.h"
#include "core/tokens/post_processor.h"
#include "core/tokens/pre_tokenizer.h"
#include "core/tokens/token_model.h"

namespace attnlab::tokens {

/// All but `model` may be null.
struct Pipeline {
    NormalizerPointer normalizer;
    PreTokenizerPointer pre_tokenizer;
    ModelPointer model;
    PostProcessorPointer post_processor;
    DecoderPointer decoder;
    std::vector<AddedToken> added;
    bool split_special = false; ///< special tokens that a text spells are text
};

/// Throws as AddedTokens.
std::shared_ptr<const Tokenizer> make_tokenizer(Pipeline parts, const RunControl& control);

} // namespace attnlab::tokens
