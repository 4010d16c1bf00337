// When a number of a trace and the same number computed again are one number. The only tolerance of explanations.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <initializer_list>

namespace attnlab::explain {

/// How exactly numbers of a trace are known.
struct Precision {
    DType computed = DType::Float64; ///< Float64, or else Float32, in which programs add up what they store in 16 bits
    DType stored = DType::Float64;
};

/// Of what is made of numbers of these types; the coarsest counts.
Precision precision_of(std::initializer_list<DType> stored);

/// The largest relative error of a rounding to the nearest: 2^-53 for Float64, 2^-24, 2^-11 and 2^-8 for Float32,
/// Float16 and BFloat16; 0 for integers.
double unit_roundoff(DType type);

/// Whether `given` and `computed_again` are equal, both NaN, or no further apart than two ways of computing a sum of
/// `terms` products of exponentials can be. `size` is the sum of the products' magnitudes, or of what else is rounded
/// on the way. Each way is off by at most u size for each term (N. J. Higham, Accuracy and Stability of Numerical
/// Algorithms, 2002, section 3.1), by as much again for each unit of an exponent, of which no more than 745 (in
/// float32: 104) give a number above 0, and by one rounding where the number is stored.
bool same_number(double given, double computed_again, const Precision& precision, std::int64_t terms, double size);

} // namespace attnlab::explain
