// Attention weights as Longformer and LED return them: for each query its global tokens, then its offsets.
#pragma once

#include "core/recognition/layout.h"
#include "core/recognition/recognition_state.h"

namespace attnlab {

/// True for a layout whose last axis O holds offsets from the query: "BHLO".
bool has_offsets(const Layout& layout);

/// True for Longformer's weights of global tokens: "global_attentions", "encoder_global_attentions.0".
bool is_called_global_rows(std::string_view name);

/// True for an array global_attention_mask or global_attentions, which read_offset_weights() reads.
bool is_of_global_tokens(const Candidate& candidate);

/// Lays weights (..., B, H, L, G + 2w + 1) out by key, (..., B, H, L, L), where Choices::layout or an array
/// global_attention_mask (B, L) says that their last axis holds G global tokens, then the offsets -w to w; rows of
/// global tokens come from global_attentions (..., B, H, L, G). Notes both readings where only the numbers look so.
/// Reports every array of global tokens as used or unused. Throws Error where the chosen layout cannot be.
void read_offset_weights(Reading& reading);

} // namespace attnlab
