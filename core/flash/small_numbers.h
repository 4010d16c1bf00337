// Numbers that the kernels lose, since they take numbers below 1e-38 (denormals of float32) as 0: small values, and
// small queries and keys beside infinite ones.
#pragma once

#include "core/flash/forward.h"
#include "core/resolved_problem.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace attnlab::flash {

struct NumberRange;

class SmallNumbers {
public:
    /// `problem` is one of scaled_dot_product with the ranges of its arrays. Throws Cancelled.
    SmallNumbers(const ResolvedProblem& problem, const Shape& shape, const NumberRange& query, const NumberRange& key,
                 const NumberRange& value, const RunControl& control);

    /// Values times 2 to this power are in the range of the kernels, together with their products with weights; 0 for
    /// ordinary values.
    int value_exponent() const { return exponent_; }
    /// False where no row is affected.
    bool any() const { return !rows_.empty() || !columns_.empty(); }
    /// True where row `row` of all heads must be computed anew in float64. `output` is its output (Ev) from values
    /// times 2^value_exponent().
    bool affect(std::int64_t row, std::span<const float> output) const;

private:
    void find_columns(const ResolvedProblem& problem, const RunControl& control);
    void find_rows(const ResolvedProblem& problem, const RunControl& control);
    std::int64_t key_head(std::int64_t head) const;

    const Shape shape_;
    int exponent_ = 0;
    std::vector<bool> rows_; ///< by query of all heads: small beside infinite keys, or the reverse; empty: none
    std::map<std::int64_t, std::vector<bool>> columns_; ///< by key head: the columns with small values
};

} // namespace attnlab::flash
