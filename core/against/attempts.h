// How each mistake of the table is made.
#pragma once

#include "core/against/mistakes.h"
#include "core/variants/dot_product_form.h"

#include <functional>
#include <map>
#include <string>
#include <variant>

namespace attnlab::against {

/// A problem in which mistakes are made, and its exact trace.
struct Case {
    /// As scaled_dot_product of the queries, keys and values that its trace holds, where it can be written so: then
    /// its spec says all masks that the mechanism has. Else as it was given. Its spec is complete.
    AttentionProblem problem;
    const Trace& exact;
    std::optional<DotProductForm> form; ///< what follows the heads, where the problem is rewritten
    const RunControl& control;
    std::int64_t B, H, L, S;
    std::string_view stage; ///< the one that is compared

    /// The stage of that name in the trace of `problem` with changes.
    std::optional<Tensor> stage_of(const Trace& trace, std::string_view stage) const;
    /// What follows from such scores, or weights of scores, under the names of the exact trace.
    Trace from_masked(const Tensor& masked) const;
    Trace from_weights(const Tensor& weights) const;
    const Tensor* find(std::string_view stage) const;
};

/// One way to make a mistake: as another problem, or as what becomes of a stage.
struct Attempt {
    std::string detail;
    std::variant<AttentionProblem, std::function<std::optional<Tensor>(std::string_view stage)>> made;
};
using Attempts = std::vector<Attempt>;

struct MistakeRow {
    Mistake mistake;
    Attempts (*attempts)(const Case&, const Tensor& given); ///< none where the mistake cannot be made
};

/// By what the mistakes are about: masks; scale, cap and position; heads, keys and axes; rounding.
std::span<const MistakeRow> mask_mistakes();
std::span<const MistakeRow> scale_mistakes();
std::span<const MistakeRow> axis_mistakes();
std::span<const MistakeRow> rounding_mistakes();

} // namespace attnlab::against
