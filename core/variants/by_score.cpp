#include "core/variants/by_score.h"

#include "core/variants/projection.h"

#include <cmath>

namespace attnlab {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += a[c] * b[c];
    return sum;
}

} // namespace

ExactInputs given_inputs(const ResolvedProblem& problem) {
    ExactInputs inputs;
    inputs.query = with_heads(problem.tensors.at("query"));
    inputs.key = with_heads(problem.tensors.at("key"));
    inputs.value = with_heads(problem.tensors.at("value"));
    return inputs;
}

void check_output_gradient(const ResolvedProblem& problem) {
    const auto found = problem.tensors.find("grad_output");
    if (found == problem.tensors.end())
        return;
    const auto size = [&](const char* name) { return problem.sizes.find(name)->second; };
    const Shape expected = {size("B"), size("H"), size("L"), size("Ev")};
    if (with_heads(found->second).shape() != expected)
        throw Error({ATTNLAB_TEXT("grad_output: has shape %1, expected that of the output, %2"),
                     {to_string(found->second.shape()), to_string(expected)}});
}

Trace attend_by(const ScoreFunction& score, const ResolvedProblem& problem, const RunControl& control) {
    return exact_attention(problem, given_inputs(problem), score, control);
}

DotProductForm given_form(const ResolvedProblem& problem) {
    const auto& tensors = problem.tensors;
    return {.spec = problem.spec,
            .query = {tensors.at("query")},
            .key = {tensors.at("key")},
            .value = {tensors.at("value")}};
}

std::function<Tensor(const Tensor&, const RunControl&)> times(const Tensor& weight, const Tensor* bias) {
    return [weight, bias = bias ? *bias : Tensor(), biased = bias != nullptr](const Tensor& rows,
                                                                              const RunControl& control) {
        const auto B = rows.dim(0), H = rows.dim(1), L = rows.dim(2), E = rows.dim(3);
        return project(rows.reshaped({B * H, L, E}), weight, biased ? &bias : nullptr, control)
            .reshaped({B, H, L, weight.dim(1)});
    };
}

ScoreFunction tanh_score(const Tensor& w_q, const Tensor& w_k, const Tensor& v, const Tensor* b) {
    ScoreFunction score;
    score.prepare_query = times(w_q, b);
    score.prepare_key = times(w_k);
    score.value = [v](std::span<const double> q, std::span<const double> k) {
        double sum = 0.0;
        for (std::size_t c = 0; c < q.size(); ++c)
            sum += v.data()[c] * std::tanh(q[c] + k[c]);
        return sum;
    };
    score.terms = [v](std::span<const double> q, std::span<const double> k) {
        std::vector<ScoreTerm> terms;
        for (std::size_t c = 0; c < q.size(); ++c) {
            const double hidden = std::tanh(q[c] + k[c]);
            terms.push_back({v.data()[c], hidden, v.data()[c] * hidden});
        }
        return terms;
    };
    return score;
}

ScoreFunction decoupled_score(const Tensor& w_q, const Tensor& w_k) {
    ScoreFunction score;
    score.decoupled = true;
    score.value = [w_q, w_k](std::span<const double> q, std::span<const double> k) {
        return dot(q, w_q.values()) + dot(k, w_k.values());
    };
    score.terms = [w_q, w_k](std::span<const double> q, std::span<const double> k) {
        std::vector<ScoreTerm> terms;
        for (std::size_t c = 0; c < q.size(); ++c)
            terms.push_back({w_q.data()[c], q[c], w_q.data()[c] * q[c]});
        for (std::size_t c = 0; c < k.size(); ++c)
            terms.push_back({w_k.data()[c], k[c], w_k.data()[c] * k[c]});
        return terms;
    };
    return score;
}

} // namespace attnlab
