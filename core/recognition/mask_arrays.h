// Masks as other programs save them.
#pragma once

#include "core/attention.h"

#include <optional>
#include <string>

namespace attnlab {

/// True when every number is 0 or 1. Reads piece by piece and stops at the first other one.
bool holds_only_zero_and_one(const Tensor& tensor);

/// True for numbers none of which is below zero, in rows that each sum to 1 within 1 % or to 0 (a fully masked one).
/// Judges by at most 64 rows spread over the tensor.
bool looks_like_weights(const Tensor& tensor);

/// How many sequences, queries and keys there are, as far as the arrays without masks say it.
struct TokenCounts {
    std::optional<std::int64_t> B, L, S;
};
TokenCounts token_counts(const TensorMap& tensors);

/// A mask made into an input of this program.
struct ReadMask {
    std::string role; ///< "key_padding_mask", "attn_mask" or "attn_bias"
    Tensor tensor;
    bool true_keeps = false; ///< of attn_mask: the spec's mask_true has to be Keeps
    bool settled = false;    ///< of attn_mask: which way its True points is known
    Message how = {};        ///< what was done
    Message doubt = {};      ///< what else the array `name` could mean, and the option that says so
};

/// Transformers' attention_mask: of 0 and 1, 1 keeps. Two axes are (B,S), padding of the keys, unless they fit as (L,S)
/// alone; three are (B,L,S), four cells. Other numbers, and floating-point ones of more than two axes, are added.
/// `asked` is "attn_mask" or "key_padding_mask" where the caller says which of them it is, else empty.
ReadMask read_attention_mask(const Tensor& tensor, const std::string& name, const TokenCounts& counts,
                             std::string_view asked);

/// attn_mask as PyTorch reads it: bool, and whole numbers 0 and 1, are cells; others are added to the scores. `asked`:
/// the caller says that it is attn_mask, so that 0 and 1 are cells whatever their type.
ReadMask read_attn_mask(const Tensor& tensor, const std::string& name, bool asked);

/// A mask called causal, of 0 and 1: the corner above the diagonal says which of the two blocks.
ReadMask read_causal_mask(const Tensor& tensor, const std::string& name);

} // namespace attnlab
