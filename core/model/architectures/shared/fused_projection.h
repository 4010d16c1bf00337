// Attention whose queries, keys and values come from one matrix.
#pragma once

#include "core/model/description.h"

#include <cstdint>

namespace attnlab::model {

/// Causal attention from a fused matrix of 3 * hidden outputs. The query, key and value of a head follow one another:
/// BLOOM, GPT-NeoX. The output is left empty.
Attention fused_by_head(Linear fused, std::int64_t hidden, std::int64_t heads);

} // namespace attnlab::model
