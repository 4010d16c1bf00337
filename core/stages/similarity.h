// How alike the outputs of tokens are: the dot product of every output row with every other.
#pragma once

#include "core/attention.h"

namespace attnlab {

constexpr Parameter similarity_parameter() {
    return {.name = "similarity",
            .type = ParameterType::Boolean,
            .default_text = "false",
            .title = ATTNLAB_TEXT("output similarity"),
            .help = ATTNLAB_TEXT("Adds the dot product of every output row with every other: which tokens have become "
                                 "alike"),
            .aside = true};
}

/// Off where the mechanism has no such parameter.
bool wants_similarity(const ParameterValues& parameters);

/// The dot product of every row with every other: (..., L, E) to (..., L, L). Throws Error if there is no memory for
/// it; Cancelled.
Tensor similarity_of(const Tensor& rows, const RunControl& control = {});

/// Adds the stage `similarity` to a trace with a stage `output`, whose rows are queries. From an output (B,H,L,Ev) or
/// (B,L,Do) it has the shape (B,H,L,L) or (B,L,L): cell (i, j) is o_i . o_j, within one sequence and head, not scaled.
/// Throws Error if there is no memory for it; Cancelled.
void add_similarity(Trace& trace, const RunControl& control);

} // namespace attnlab
