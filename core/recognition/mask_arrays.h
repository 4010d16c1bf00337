// Converts masks saved by other programs.
#pragma once

#include "core/attention.h"

#include <optional>
#include <string>

namespace attnlab {

/// True when every number is 0 or 1. Reads in pieces and stops at the first other number.
bool holds_only_zero_and_one(const Tensor& tensor, const RunControl* control = nullptr);

/// Throws Error where whole numbers other than 0 and 1 are called a mask: PyTorch adds only floating-point ones.
void require_mask_numbers(const Tensor& tensor, const std::string& name, const RunControl* control = nullptr);

/// True for numbers that are not negative, in rows that each sum to 1 within 1 % or to 0 (a fully masked one). Tests at
/// most 64 rows spread over the tensor.
bool looks_like_weights(const Tensor& tensor);

/// True for flash-attention's S_dmask: weights, where a negative sign marks a cell that dropout set to 0. The
/// magnitudes of each row sum to 1, or (B,H,L,S) has L and S padded to multiples of 128. Tests as many rows as
/// looks_like_weights().
bool looks_like_dropped_weights(const Tensor& tensor);

/// The numbers of sequences, queries and keys, as far as arrays other than masks determine them.
struct TokenCounts {
    std::optional<std::int64_t> B, L, S;
};
TokenCounts token_counts(const TensorMap& tensors);

/// query_offset (B) of `positions` (L), such as Transformers' cache_position: the first of consecutive integers, one
/// for each query. nullopt for any other array, and where the number of queries is unknown.
std::optional<Tensor> offsets_of_positions(const Tensor& positions, const TokenCounts& counts);

/// A mask converted to an input of this program.
struct ReadMask {
    std::string role; ///< "key_padding_mask", "attn_mask", "attn_bias" or "segment_ids"
    Tensor tensor;
    bool true_keeps = false; ///< for attn_mask: the spec's mask_true must be Keeps
    bool settled = false;    ///< for attn_mask: the meaning of True is known
    Message how = {};        ///< description of the conversion
    Message doubt = {};      ///< another possible meaning of the array `name`, and the option that selects it
};

/// Transformers' attention_mask: of 0 and 1, 1 keeps. Two axes are (B,S), padding of the keys, unless only (L,S) fits;
/// three are (B,L,S), four cells. Other numbers, and floating-point ones of more than two axes, are added. `asked` is
/// "attn_mask" or "key_padding_mask" if the caller has selected one, else empty.
ReadMask read_attention_mask(const Tensor& tensor, const std::string& name, const TokenCounts& counts,
                             std::string_view asked, const RunControl* control = nullptr);

/// Transformers' attention_mask of packed sequences: whole numbers 1, 2, ... of the documents, and 0 for padding, (B,S)
/// or (S). They become segment_ids, counted from 0, with -1 for padding. nullopt for other numbers, and for 0 and 1
/// alone, which are a mask.
std::optional<ReadMask> read_packed_documents(const Tensor& tensor, const RunControl* control = nullptr);

/// attn_mask as in PyTorch: bool, and integers 0 and 1, are cells; others are added to the scores. `asked`: the caller
/// has selected attn_mask, so that 0 and 1 are cells whatever their type.
ReadMask read_attn_mask(const Tensor& tensor, const std::string& name, bool asked, const RunControl* control = nullptr);

/// key_padding_mask as in PyTorch: True marks padding, and in floating point -inf, or a number as low as -10000, does
/// so beside 0, which keeps. 1 in floating point is read as padding, with a note unless the caller is `certain`:
/// PyTorch adds it. One axis is that of one sequence. Throws Error for other numbers. `label` is the name with its
/// file.
ReadMask read_key_padding_mask(const Tensor& tensor, const std::string& name, const std::string& label,
                               const TokenCounts& counts, bool certain, const RunControl* control = nullptr);

/// A mask called causal, of 0 and 1: the corner above the diagonal determines which of the two blocks.
ReadMask read_causal_mask(const Tensor& tensor, const std::string& name, const RunControl* control = nullptr);

} // namespace attnlab
