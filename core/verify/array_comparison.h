// Compares a stage with an array that other code computed: fits the array to the axes of the stage, then finds where
// and how far they differ.
#pragma once

#include "core/compare.h"
#include "core/recognition/recognition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::verify {

/// The arrays that may be the stage: those named like it, or else those of its sizes whose names tell nothing. With
/// several, the user has to choose.
std::vector<const HeldArray*> arrays_for(const Contents& contents, const Stage& stage);

/// The array called `name`; if empty, the only one of arrays_for(), or of the files. Throws Error that lists the
/// contents of the files.
const HeldArray& array_for(const Contents& contents, const Stage& stage, std::string_view name = {});

/// The letters of a stage's axes in order: B, H, L for queries, S for keys, E for features; empty where it has others.
std::string axes_of(const Stage& stage);

/// True for orders that libraries write: heads before or after the tokens, tokens first.
bool is_usual_order(std::string_view order);

/// The orders of the stage's axes that are possible for an array of that shape, its own first, then usual ones; axes of
/// size 1 are either all present or all absent. Where there is none, those of merged_layout(). fitted() takes each.
std::vector<std::string> orders_for(const Shape& given, const Stage& stage);

/// BLE, LBE or LE where an array of that shape holds the stage's (B,H,L,E) with heads beside each other in the last
/// axis, H*E wide, as it is before an output projection, and fitted() reads it so: because `axes` says it, or because
/// there is one such order and the array fits in no other way. Empty otherwise.
std::string merged_layout(const Shape& given, const Stage& stage, std::string_view axes = {});

/// Brings `given` to the stage's shape. See merged_layout() for heads beside each other. Its axes are the stage's in
/// the same order, where axes of size 1 may be missing or extra, or in the order `axes`, in letters of axes_of():
/// "BLHE"; missing letters have size 1. Throws Error that names the array `name`, both shapes, and the usual orders
/// that would fit, or else any.
Tensor fitted(const Tensor& given, const Stage& stage, std::string_view name, std::string_view axes = {});

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
