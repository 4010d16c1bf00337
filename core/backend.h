// Implementations of the same computation. The reference always exists; app adds others.
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
    /// True when run() returns every stage; false when only those that are no longer than the inputs: output and lse.
    virtual bool gives_every_stage() const { return true; }
    /// Requires that why_not() returned nothing.
    virtual Trace run(const ResolvedProblem& problem, const RunControl& control) const = 0;

    /// The same for an unresolved problem. An error of resolve() is a reason too; run() throws it.
    std::optional<Message> why_not(const AttentionProblem& problem) const;
    Trace run(const AttentionProblem& problem, const RunControl& control) const;
};

/// Float64, every stage, plain loops: the ground truth.
const Backend& reference_backend();

using Backends = std::span<const Backend* const>;

/// The result of a problem's second setting (AttentionProblem::compared_with).
struct ComparedTrace {
    Trace trace;                                 ///< empty when there is an error
    std::optional<Message> error = std::nullopt; ///< why setting B could not be computed; does not affect A
};

struct Computed {
    Trace trace;
    std::string backend;                                  ///< Backend::title of the one that ran
    double seconds = 0.0;                                 ///< of the trace alone
    std::optional<ComparedTrace> compared = std::nullopt; ///< when the problem has a second setting
};

/// The trace of setting B. Throws Error, which names B, where it could not be computed. Requires a second setting.
const Trace& compared_trace_of(const Computed& computed);

/// The largest number of cells of scores (B H L S) that are kept stage by stage.
inline constexpr std::int64_t most_shown_cells = std::int64_t{1} << 24;

/// Runs `backend_id`, or for "auto" the first of `backends` that can: up to most_shown_cells those that give every
/// stage come first, above it the others. A note tells when the size decided, or could not. Throws Error, Cancelled. A
/// second setting is computed after the first; its error is stored in the result, not thrown.
Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id = "auto",
                 const RunControl& control = {});

} // namespace attnlab
