// Finds single numbers of a trace, and decides whether a recomputed number is the same.
#pragma once

#include "core/attention.h"
#include "core/tensor.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace attnlab::explain {

/// The number of query heads of a trace: the largest of its stages; at least 1.
int query_heads(const Trace& trace);

/// The number of a stage, whatever its axes: `row` and `column` index the last two, or the last one with column 0 where
/// a stage has one number a row. Where there is one number a row for each tile (or hashing round), tiles are the
/// columns; of one matrix a tile the last is used. A stage without batches or heads has the same number for all; query
/// heads that share a key head share its number. nullopt outside the stage.
std::optional<double> number_at(const Trace& trace, const Stage& stage, int batch, int head, std::int64_t row,
                                std::int64_t column);

/// The same cell of every query head.
struct HeadNumbers {
    std::vector<double> heads;
    double mean = 0.0; ///< the heads' sum in order, divided by their number, as in the stage `weights_mean`
};

/// nullopt outside the stage.
std::optional<HeadNumbers> over_heads(const Trace& trace, const Stage& stage, int batch, std::int64_t row,
                                      std::int64_t column);

// Decides whether a number of a trace and its recomputation are the same. The only tolerance of explanations.

/// The precision of the numbers of a trace.
struct Precision {
    DType computed = DType::Float64; ///< Float64 or Float32; programs accumulate 16-bit numbers in the latter
    DType stored = DType::Float64;
};

/// The precision of a result of operands of these types; the coarsest counts.
Precision precision_of(std::initializer_list<DType> stored);

/// The largest relative error of a rounding to the nearest: 2^-53 for Float64, 2^-24, 2^-11 and 2^-8 for Float32,
/// Float16 and BFloat16; 0 for integers.
double unit_roundoff(DType type);

/// True when `given` and `computed_again` are equal, both NaN, or no further apart than two ways of computing a sum of
/// `terms` products of exponentials can be. `size` is the sum of the magnitudes of the products or other rounded terms.
/// Each way is off by at most u size for each term (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// section 3.1), by as much again for each unit of an exponent, of which no more than 745 (in float32: 104) give a
/// number above 0, and by one rounding where the number is stored.
bool same_number(double given, double computed_again, const Precision& precision, std::int64_t terms, double size);

} // namespace attnlab::explain
