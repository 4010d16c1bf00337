// Ways to compute one meaning. The reference is always there; app adds others.
#pragma once

#include "core/resolved_problem.h"

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
    virtual std::optional<Message> why_not(const ResolvedProblem& problem) const = 0;
    /// Whether run() returns every stage, or only those that are no longer than the inputs: output and lse.
    virtual bool gives_every_stage() const { return true; }
    /// For a problem that why_not() has no objection to.
    virtual Trace run(const ResolvedProblem& problem, const RunControl& control) const = 0;

    /// The same of a problem that is resolved first. What resolve() throws is a reason too, and thrown by run().
    std::optional<Message> why_not(const AttentionProblem& problem) const;
    Trace run(const AttentionProblem& problem, const RunControl& control) const;
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

/// Scores with more cells than this, B H L S of them, are too many to be kept stage by stage.
inline constexpr std::int64_t most_shown_cells = std::int64_t{1} << 24;

/// Runs `backend_id`, or for "auto" the first of `backends` that can: up to most_shown_cells those that give every
/// stage come first, above it those that do not. A note says where size decided, and where it could not. Throws Error,
/// Cancelled. A second setting is computed after the first; what is wrong with it stands in the result and is not
/// thrown.
Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id = "auto",
                 const RunControl& control = {});

} // namespace attnlab
