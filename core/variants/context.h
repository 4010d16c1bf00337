// What the mechanisms share whose scores know a context beside query and key: a vector c for each key or each query.
#pragma once

#include "core/attention.h"
#include "core/parameter.h"
#include "core/stages/exact.h"
#include "core/stages/scale.h"
#include "core/stages/score.h"

namespace attnlab {

/// The printed term Q (C Kᵀ) has two readings for a context vector c.
enum class Combine {
    Gate, ///< Q diag(c) Kᵀ: c says how much each feature counts
    Bias, ///< c Kᵀ: c asks as a second query does
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

/// Query and key (B,H,rows,E) as the score sees them before their position turns them: normalised where the scale mode
/// of the spec does that.
PreparedRows scored_rows(const ResolvedProblem& problem, const ExactInputs& inputs);

/// q · k plus the term of a context c (B,H,rows,E) with a row for each query or each key.
class ContextScore {
public:
    enum class Rows { Query, Key };
    ContextScore(Combine combine, Rows rows, Tensor context);

    /// The sum, as the exact pass takes it. Its terms are the E products of features.
    ScoreFunction whole() const;
    /// The context's part alone.
    ScoreFunction added() const;

private:
    ScoreFunction with(double own) const;

    Combine combine_;
    Rows rows_;
    Tensor context_;
};

/// The exact pass with that score, preceded by the stages `more` and `context_term` (B,H,L,S), what the context adds to
/// each score. Throws Error, Cancelled.
Trace attend_with_context(const ResolvedProblem& problem, const ExactInputs& inputs, const ContextScore& score,
                          std::vector<Stage> more, const RunControl& control);

/// Warns where a context that is a mean over every key tells a query of keys that a mask keeps from it.
void warn_of_leaks(Trace& trace, const AttentionSpec& spec);

} // namespace attnlab
