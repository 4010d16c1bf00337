// Values that are NaN or infinite. Tiles would hand them to rows that do not read them, 0 times NaN being NaN, so 0
// stands in their place there; what they do to the rows that read them is added afterwards, in float64.
#pragma once

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"

#include <map>
#include <span>
#include <vector>

namespace attnlab::flash {

class OddValues {
public:
    /// Of a problem of scaled_dot_product, which outlives this. Throws Cancelled.
    OddValues(const ResolvedProblem& problem, const Shape& shape, const RunControl& control);

    bool none() const { return heads_.empty(); }
    /// The values with 0 in their place, which need not fit into memory.
    Tensor without() const;

    /// Adds them to `output` (B,H,L,Ev), which without() has given; `lse` (B,H,L). `are_finite`: queries and keys are.
    /// Throws Cancelled.
    void add_to(std::vector<float>& output, std::span<const double> lse, const Masks& masks, const Scales& scales,
                bool are_finite, const RunControl& control) const;

private:
    /// Of a key head of all batches: the keys whose values they are among, and those values (keys.size(),Ev).
    struct Head {
        std::vector<std::int64_t> keys;
        std::vector<float> values;
        bool any_infinite = false;
    };

    const ResolvedProblem& problem_;
    const Shape shape_;
    std::map<std::int64_t, Head> heads_;
};

/// How many numbers are NaN or infinite. Throws Cancelled.
std::int64_t count_odd(const Tensor& tensor, const RunControl& control);

} // namespace attnlab::flash
