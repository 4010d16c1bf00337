#include "core/stages/score.h"

namespace attnlab {

ScoreFunction dot_product() {
    ScoreFunction score;
    score.value = [](std::span<const double> q, std::span<const double> k) {
        double sum = 0.0;
        for (std::size_t c = 0; c < q.size(); ++c)
            sum += q[c] * k[c];
        return sum;
    };
    score.terms = [](std::span<const double> q, std::span<const double> k) {
        std::vector<ScoreTerm> terms;
        for (std::size_t c = 0; c < q.size(); ++c)
            terms.push_back({q[c], k[c], q[c] * k[c]});
        return terms;
    };
    score.add_slopes = [](double slope, std::span<const double> q, std::span<const double> k, std::span<double> by_q,
                          std::span<double> by_k) {
        for (std::size_t c = 0; c < q.size(); ++c) {
            by_q[c] += slope * k[c];
            by_k[c] += slope * q[c];
        }
    };
    score.operation = {"Q·Kᵀ"};
    score.formula = "s_ij = q_i · k_j";
    score.plain_dot_product = true;
    return score;
}

Tensor all_scores(const ScoreFunction& score, const Tensor& query, const Tensor& key, const RunControl& control) {
    const auto B = query.dim(0), H = query.dim(1), L = query.dim(2), S = key.dim(2);
    const auto group = H / key.dim(1);
    Tensor scores({B, H, L, S});
    if (scores.size() == 0)
        return scores;
    const auto out = scores.mutable_values();
    std::size_t cell = 0;
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t h = 0; h < H; ++h) {
            const auto q = matrix_at(query, b * H + h);
            const auto k = matrix_at(key, b * key.dim(1) + h / group);
            for (std::int64_t i = 0; i < L; ++i) {
                control.checkpoint();
                for (std::int64_t j = 0; j < S; ++j)
                    out[cell++] = score.value(q.row(i), k.row(j));
            }
            control.report(0.5 * static_cast<double>(b * H + h + 1) / static_cast<double>(B * H));
        }
    }
    return scores;
}

} // namespace attnlab
