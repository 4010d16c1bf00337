// A problem that has one head of one batch entry alone, for figures with room for no more.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <optional>

namespace attnlab {

/// The inputs of this head, whose weights and output are those in the whole problem. nullopt where heads share
/// projections, a choice depends on the number of the head or the batch entry (ALiBi, decay, dropout, expressions), or
/// there are more than `most` numbers.
std::optional<AttentionProblem> only_head(const AttentionProblem& problem, std::int64_t batch, std::int64_t head,
                                          std::int64_t most);

} // namespace attnlab
