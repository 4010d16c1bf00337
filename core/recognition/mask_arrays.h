// Masks as other programs save them.
#pragma once

#include "core/attention.h"

namespace attnlab {

/// True when every number is 0 or 1. Reads piece by piece and stops at the first other one.
bool holds_only_zero_and_one(const Tensor& tensor);

/// True for numbers none of which is below zero, in rows that each sum to 1 within 1 % or to 0 (a fully masked one).
/// Judges by at most 64 rows spread over the tensor.
bool looks_like_weights(const Tensor& tensor);

/// A mask made into an input of this program.
struct ReadMask {
    std::string role; ///< "key_padding_mask", "attn_mask" or "attn_bias"
    Tensor tensor;
    bool true_keeps = false; ///< of attn_mask: the spec's mask_true has to be Keeps
    Message how;             ///< what was done
};

/// Transformers' attention_mask. Of 0 and 1, where 1 keeps: (B,S) is padding, four axes are cells. Other numbers are an
/// additive mask.
ReadMask read_attention_mask(const Tensor& tensor);

/// attn_mask as PyTorch reads it: of bool, cells; of other numbers than 0 and 1, added to the scores.
ReadMask read_attn_mask(const Tensor& tensor);

} // namespace attnlab
