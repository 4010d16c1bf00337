// Ways to compute one meaning. The reference is always there; app adds others.
#pragma once

#include "core/attention.h"

#include <optional>
#include <span>
#include <string>

namespace attnlab {

class Backend {
public:
    virtual ~Backend() = default;
    /// The name on the command line: "reference".
    virtual std::string_view id() const = 0;
    /// For the status bar: "reference · float64".
    virtual std::string title() const = 0;
    /// Why this backend cannot compute the problem; nothing when it can.
    virtual std::optional<Message> why_not(const AttentionProblem& problem) const = 0;
    virtual Trace run(const AttentionProblem& problem, const RunControl& control) const = 0;
};

/// Float64, every stage, plain loops: the ground truth.
const Backend& reference_backend();

using Backends = std::span<const Backend* const>;

/// What the second setting of a problem (AttentionProblem::compared_with) gave.
struct ComparedTrace {
    Trace trace;                                 ///< empty when there is an error
    std::optional<Message> error = std::nullopt; ///< why setting B could not be computed; says nothing of A
};

struct Computed {
    Trace trace;
    std::string backend;                                  ///< Backend::title of the one that ran
    double seconds = 0.0;                                 ///< for the trace alone
    std::optional<ComparedTrace> compared = std::nullopt; ///< where the problem has a second setting
};

/// The trace of setting B. Throws Error, which says that it is B, where it could not be computed. There must be a
/// second setting.
const Trace& compared_trace_of(const Computed& computed);

/// Runs `backend_id`, or for "auto" the first of `backends` that can. Throws Error, Cancelled. A second setting is
/// computed after the first; what is wrong with it stands in the result and is not thrown.
Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id = "auto",
                 const RunControl& control = {});

} // namespace attnlab
