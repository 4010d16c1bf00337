// Extracts a single query of a large problem, small enough for every stage of the reference, and the distribution of
// all of a head's scores.
#pragma once

#include "core/map/attention_map.h"
#include "core/resolved_problem.h"
#include "core/statistics.h"

#include <mutex>
#include <optional>

namespace attnlab {

/// Makes problems of one query row (L = 1) from a problem that MapInputs accepts. Keeps keys and values of the last
/// head. Not thread-safe, apart from score_moments().
class RowProblems {
public:
    explicit RowProblems(AttentionProblem problem) : problem_(std::move(problem)) {}

    /// The query at `row` with all keys and values of its head, (1,1,1,E), (1,1,S,E), (1,1,S,Ev). The masks of the row
    /// become attn_mask, True = blocked, and attn_bias. `map` is of the same head. The first call computes projections.
    /// Throws Error, Cancelled.
    AttentionProblem row(const AttentionMap& map, std::int64_t batch, std::int64_t head, std::int64_t row,
                         const RunControl& control = {});

    /// Over every score of a head, masked ones too, as `scores` and `scaled` hold them. Exact up to rounding, from the
    /// means and covariances of queries and keys: in (L + S) E^2 steps, without a score. nullopt where a query or key
    /// is not finite. Throws Error, Cancelled.
    struct ScoreMoments {
        Moments scores, scaled;
    };
    std::optional<ScoreMoments> score_moments(std::int64_t batch, std::int64_t head, const RunControl& control = {});

private:
    const ResolvedProblem& plain(const RunControl& control);
    Tensor head_of(const char* name, std::int64_t batch, std::int64_t head) const;

    std::mutex converting_;
    AttentionProblem problem_;             ///< before it is converted
    std::optional<ResolvedProblem> plain_; ///< with its queries, keys and values
    std::int64_t batch_ = -1, head_ = -1;  ///< of key_ and value_
    Tensor key_, value_;
};

} // namespace attnlab
