// Compares a stage with the same stage computed by other code: where and how far they differ.
#pragma once

#include "core/compare.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::verify {

/// Cells that are not finite, for which there is no error.
struct NonfiniteCells {
    std::int64_t given_nan = 0, given_infinite = 0;
    std::int64_t exact_nan = 0, exact_infinite = 0;
    std::int64_t alike = 0; ///< of these, cells where both are NaN, or the same infinity
};

/// The cell with the largest error.
struct Place {
    Shape index; ///< one entry for each axis of the stage
    double given = 0.0, exact = 0.0;
};

/// Distances in units in the last place of a type: |given - exact| over the ulp of the exact number.
struct Ulps {
    DType type = DType::Float64;
    double largest = 0.0, mean = 0.0;
};

struct ArrayComparison {
    Comparison comparison;      ///< A is the given array, B the stage: given - exact, errors of all and of each head
    Tensor given;               ///< with the stage's shape
    std::optional<Place> worst; ///< nullopt where no cell is finite in both, or all are equal
    Tensor rows; ///< the largest error along the last axis: the stage's shape without it; NaN where no cell counts
    double relative = 0.0; ///< norm of the difference over that of the stage, over cells that are finite in both
    NonfiniteCells not_finite;
    DType type = DType::Float64; ///< of the given array
    /// The narrowest type that holds every number of the array: bfloat16 for bfloat16 numbers saved as float32.
    DType held_as = DType::Float64;
    std::optional<Ulps> ulps; ///< in units of held_as; nullopt for integers and booleans
};

/// Reshapes `given` by fitted() and compares. Throws Error where its shape does not fit.
ArrayComparison compare_array(const Stage& exact, const Tensor& given);

/// The default T of |given - exact| <= T + T |exact|: 1e-9 for float64 (and types other than floating point), 1e-5 for
/// float32, 2e-3 for float16, 1.6e-2 for bfloat16.
double default_tolerance(DType type);
/// The same for an array beside a trace: float32 limits the precision of a trace whose stages were not computed in
/// float64, whatever the type of the array.
double default_tolerance(DType type, const Trace& trace);

/// The number of cells beyond the tolerance; cells that are not finite count, unless both are NaN or the same infinity.
std::int64_t cells_beyond(const ArrayComparison& comparison, const Stage& exact, double tolerance);

/// The narrowest floating-point type that holds every number of a floating-point tensor, else its own type.
DType narrowest_type(const Tensor& tensor);

} // namespace attnlab::verify
