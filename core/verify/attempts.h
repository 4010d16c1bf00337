// How each mistake of the table is reproduced.
#pragma once

#include "core/mechanisms/shared/dot_product_form.h"
#include "core/verify/mistakes.h"

#include <functional>
#include <map>
#include <string>
#include <variant>

namespace attnlab::verify {

/// A problem to make mistakes in, with its exact trace.
struct Case {
    /// Rewritten as scaled_dot_product of the queries, keys and values of the trace where possible; its spec then has
    /// all masks of the mechanism. Otherwise the given problem. Its spec is complete.
    AttentionProblem problem;
    const Trace& exact;
    std::optional<DotProductForm> form; ///< the steps after the heads, where the problem is rewritten
    const RunControl& control;
    std::int64_t B, H, L, S;
    std::string_view stage; ///< the stage compared

    /// The stage of that name in the trace of `problem` with changes.
    std::optional<Tensor> stage_of(const Trace& trace, std::string_view stage) const;
    /// The stages that follow from these masked scores, under the names of the exact trace.
    Trace from_masked(const Tensor& masked) const;
    /// The same from scores, and from scaled scores; `position_bias` may have shape (0). Only with a `form`.
    Trace from_scores(const Tensor& scores) const;
    Trace from_scaled(const Tensor& scaled, const Tensor& position_bias) const;
    /// The scores after the scale of the problem.
    Tensor scaled(const Tensor& scores) const;
    /// A value is not read where `masked`, if any, is -inf.
    Trace from_weights(const Tensor& weights, const Tensor* masked = nullptr) const;
    const Tensor* find(std::string_view stage) const;
};

/// One way to make a mistake: as another problem, or as a changed stage.
struct Attempt {
    Argument detail;
    std::variant<AttentionProblem, std::function<std::optional<Tensor>(std::string_view stage)>> made;
};
using Attempts = std::vector<Attempt>;

struct MistakeRow {
    Mistake mistake;
    Attempts (*attempts)(const Case&, const Tensor& given); ///< empty where the mistake cannot be made
};

/// By subject: masks; scale, cap and lse; positions; sinks; heads, keys and axes; rounding.
std::span<const MistakeRow> mask_mistakes();
std::span<const MistakeRow> scale_mistakes();
std::span<const MistakeRow> position_mistakes();
std::span<const MistakeRow> sink_mistakes();
std::span<const MistakeRow> axis_mistakes();
std::span<const MistakeRow> rounding_mistakes();

} // namespace attnlab::verify
