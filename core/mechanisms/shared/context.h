// The common part of mechanisms whose scores depend on a context besides query and key: a vector c for each key or each
// query.
#pragma once

#include "core/attention.h"
#include "core/parameter.h"
#include "core/stages/exact.h"
#include "core/stages/scale.h"
#include "core/stages/score.h"

namespace attnlab {

/// The two readings of the printed term Q (C Kᵀ) for a context vector c.
enum class Combine {
    Gate, ///< Q diag(c) Kᵀ: c weights the features
    Bias, ///< c Kᵀ: c acts as a second query
};

inline constexpr std::string_view combine_choices[] = {"gate", "bias"};
inline constexpr Parameter combine_parameter = {
    .name = "combine",
    .type = ParameterType::Choice,
    .default_text = "gate",
    .title = ATTNLAB_TEXT("combine"),
    .help = ATTNLAB_TEXT("gate: the context weighs the features of q · k; bias: it asks the keys like a second query"),
    .choices = combine_choices};
Combine combine_of(const ParameterValues& parameters);

/// Query and key (B,H,rows,E) of the score before they are rotated by position: normalised if the spec's scale mode
/// requires it.
PreparedRows scored_rows(const ResolvedProblem& problem, const ExactInputs& inputs);

/// q · k plus the term of a context c (B,H,rows,E) with a row for each query or each key.
class ContextScore {
public:
    enum class Rows { Query, Key };
    ContextScore(Combine combine, Rows rows, Tensor context);

    /// The sum, for the exact pass. Its terms are the E products of features.
    ScoreFunction whole() const;
    /// The context's part alone.
    ScoreFunction added() const;

private:
    ScoreFunction with(double own) const;

    Combine combine_;
    Rows rows_;
    Tensor context_;
};

/// The exact pass with that score, preceded by the stages `more` and `context_term` (B,H,L,S), the context's part of
/// each score. Throws Error, Cancelled.
Trace attend_with_context(const ResolvedProblem& problem, const ExactInputs& inputs, const ContextScore& score,
                          std::vector<Stage> more, const RunControl& control);

/// Warns where a context that is a mean over all keys reveals masked keys to a query.
void warn_of_leaks(Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
