// What code has to provide for because of the numbers: rows without a key to read, norms of zero.
#pragma once

#include "core/resolved_problem.h"

namespace attnlab::code {

struct Facts {
    bool unread_rows = false;  ///< a row of `masked` is -inf throughout
    bool zero_queries = false; ///< a row of the queries or keys, as their scale normalises them, is zero
    bool zero_keys = false;
    bool zero_scores = false; ///< the divisor of score_norm is zero for a head or a row
};

/// Exact for small problems, which are computed; for others true where it may be so.
Facts facts_of(const ResolvedProblem& problem);

} // namespace attnlab::code
