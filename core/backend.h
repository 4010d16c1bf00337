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

struct Computed {
    Trace trace;
    std::string backend; ///< Backend::title of the one that ran
    double seconds = 0.0;
};

/// Runs `backend_id`, or for "auto" the first of `backends` that can. Throws Error, Cancelled.
Computed compute(const AttentionProblem& problem, Backends backends, std::string_view backend_id = "auto",
                 const RunControl& control = {});

} // namespace attnlab
