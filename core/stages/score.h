// Score functions: a number for each pair of a query row and a key row.
#pragma once

#include "core/attention.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace attnlab {

struct ScoreFunction {
    /// If set, applied once to all queries (B,H,L,E) or keys; `value` and `terms` get rows of the result. For
    /// projections, which would otherwise be repeated for every pair.
    std::function<Tensor(const Tensor&, const RunControl&)> prepare_query;
    std::function<Tensor(const Tensor&, const RunControl&)> prepare_key;
    std::function<double(std::span<const double> query, std::span<const double> key)> value;
    /// Adds `slope` times the derivatives of `value` by its rows to by_query and by_key. For gradients alone.
    std::function<void(double slope, std::span<const double> query, std::span<const double> key,
                       std::span<double> by_query, std::span<double> by_key)>
        add_slopes;
    /// The way back through prepare_query and prepare_key: the gradient of rows from the gradient of prepared rows.
    std::function<Tensor(const Tensor&, const RunControl&)> back_query;
    std::function<Tensor(const Tensor&, const RunControl&)> back_key;
    /// The terms whose sum is the score; empty function if there are none.
    std::function<std::vector<ScoreTerm>(std::span<const double> query, std::span<const double> key)> terms;
    Message operation;              ///< "Q·Kᵀ"
    std::string formula;            ///< "s_ij = q_i · k_j"
    bool plain_dot_product = false; ///< the score is q . k itself, so the theory of its variance applies
    bool decoupled = false;         ///< the score is f(q) + g(k)
};

/// q . k
ScoreFunction dot_product();

/// All scores (B,H,L,S) of query (B,H,L,E) and key (B,Hkv,S,E'); query head h reads key head h / (H / Hkv).
Tensor all_scores(const ScoreFunction& score, const Tensor& query, const Tensor& key, const RunControl& control);

} // namespace attnlab
