// A head in two runs of a model, position by position.
#pragma once

#include "core/model/pass.h"

#include <cstdint>

namespace attnlab::model {

struct HeadDifference {
    /// b - a of the queries and keys that both have, by blocks of `step` x `step`: the entry of the largest magnitude.
    Tensor pooled;
    /// Half of the sum of |b - a| over the keys that both have, mean over rows: 0 where all rows are equal, 1 where
    /// each reads other keys in `a` than in `b`.
    double distance = 0.0;
};

/// Compares a head of the same pass in two runs, a few rows at a time. Throws Cancelled.
HeadDifference head_difference(const Pass& a, const Pass& b, std::int64_t head, std::int64_t step,
                               const RunControl& control = {});

} // namespace attnlab::model
