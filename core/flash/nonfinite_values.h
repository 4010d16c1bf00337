// Rows that tiles in float32 cannot compute: NaN, infinite and denormal values are detected and corrected after the
// tiles.
// In tiles, 0 * NaN would spread NaN to rows that do not read it, so tiles get 0 instead. The effect on the rows that
// do read it is added afterwards, in float64.
#pragma once

#include "core/flash/cpu_backend.h"
#include "core/flash/far_rows.h"
#include "core/flash/flash_forward.h"
#include "core/resolved_problem.h"
#include "core/stages/notes.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace attnlab::flash {

class NonfiniteValues {
public:
    /// `problem` is one of scaled_dot_product and must outlive this. Throws Cancelled.
    NonfiniteValues(const ResolvedProblem& problem, const Shape& shape, const RunControl& control);

    /// The values times 2^`exponent`, with 0 in place of non-finite ones; they need not fit into memory.
    Tensor without(int exponent = 0) const;

    /// Adds the non-finite values to `output` (B,H,L,Ev), computed from without(); `lse` (B,H,L). `are_finite`: queries
    /// and keys are. Throws Cancelled.
    void add_to(std::vector<float>& output, std::span<const double> lse, const Masks& masks, const Scales& scales,
                bool are_finite, const RunControl& control) const;

private:
    /// For a key head of all batches: the keys with non-finite values, and those values (keys.size(),Ev).
    struct Head {
        std::vector<std::int64_t> keys;
        std::vector<float> values;
        bool any_infinite = false;
    };

    const ResolvedProblem& problem_;
    const Shape shape_;
    std::map<std::int64_t, Head> heads_;
};

/// Numbers from here on are far from the smallest ones of float32, and so are their products with weights.
inline constexpr double ordinary_size = 0x1p-40;

/// The sizes of a tensor's numbers.
struct NumberRange {
    NonfiniteCount odd; ///< NaN and infinite numbers
    /// Magnitudes of the finite numbers other than 0, where below ordinary_size, else that; 0 without any.
    double largest = 0.0, smallest = 0.0;
};
/// Throws Cancelled.
NumberRange range_of(const Tensor& tensor, const RunControl& control);

/// NaN and infinite values. Throws Cancelled.
NonfiniteCount count_odd(const Tensor& tensor, const RunControl& control);

// Numbers that the kernels lose, since they take numbers below 1e-38 (denormals of float32) as 0: small values, and
// small queries and keys beside infinite ones.

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
