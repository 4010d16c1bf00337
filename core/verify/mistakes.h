// Known mistakes of attention kernels: the result that code with each of them would give.
#pragma once

#include "core/attention.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnlab::verify {

/// The description of a mistake, translated; %1 is its object: a mask, a type, heads.
struct Mistake {
    std::string_view id;
    const char* words;
};

std::span<const Mistake> mistakes();

struct LikelyMistake {
    std::string_view id;
    Message words;
    double distance = 0.0; ///< from the given array, see Diagnosis
};

/// Why cells are NaN that should not be, with their number.
struct NanCause {
    std::string_view id;
    Message words;
};

struct Diagnosis {
    /// Norm of given - exact over that of the exact stage, over all cells where the given array is not NaN. Infinite
    /// where one is infinite and the other is not. The exact numbers are rounded to the type of the given ones first.
    double exact_distance = 0.0;
    std::vector<LikelyMistake> likely; ///< sorted by distance; the nearest and any almost as near
    std::vector<NanCause> nan_causes;  ///< see causes_of_nan()
    std::optional<Message> not_looked; ///< why no mistake was tried
};

/// A mistake is likely when its result is nearer to the given array than the exact one by this factor.
inline constexpr double clearly_nearer = 5.0;
/// The most products, B H L S times the widths of keys and values, for which mistakes are recomputed: each takes a run.
inline constexpr double most_products = 1 << 25;

/// Calls `visit` with the stage as each mistake of the table that is possible in `problem` gives it; `exact` is the
/// trace, `given` the array to explain, and both arrays have the shape of the stage. Returns why no mistake was tried.
/// Throws Cancelled.
std::optional<Message>
visit_mistakes(const AttentionProblem& problem, const Trace& exact, std::string_view stage, const Tensor& given,
               const std::function<void(std::string_view id, const Message& words, const Tensor& result)>& visit,
               const RunControl& control = {});

/// Recomputes `problem` with each mistake of the table that is possible in it. `exact` is its trace, `given` has the
/// shape of its stage. Throws Cancelled.
Diagnosis diagnose(const AttentionProblem& problem, const Trace& exact, std::string_view stage, const Tensor& given,
                   const RunControl& control = {});

/// The causes of NaN in `given`, of the shape of the stage, where the exact numbers are not NaN: the first known one of
/// each cell, and how many are left without. A cause is named only where all cells that it would make NaN are NaN.
std::vector<NanCause> causes_of_nan(const Trace& exact, std::string_view stage, const Tensor& given);

/// Where `array`, which was read in the order `axes` (see fitted()), is beyond the default tolerance and would be
/// within it in another usual order, that explains it, and no mistake does.
void blame_layout(Diagnosis& diagnosis, const Trace& exact, const Stage& stage, const Tensor& array,
                  std::string_view axes);

} // namespace attnlab::verify
