#include "core/mechanisms/shared/by_score.h"

#include "core/mechanisms/shared/projection.h"

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

Mechanism score_mechanism(Mechanism row) {
    row.family = ATTNLAB_TEXT("By score function");
    row.default_scale = "none";
    if (row.parameters.empty())
        row.parameters = exact_pass_parameters;
    row.check_values = check_output_gradient;
    row.attention_line = "score_attention";
    row.exact_rows = true;
    return row;
}

Mechanism dot_product_mechanism(Mechanism row) {
    row.default_scale = "sqrt_dk";
    if (row.parameters.empty())
        row.parameters = exact_pass_parameters;
    if (!row.check_values)
        row.check_values = check_output_gradient;
    row.code = dot_product_code;
    row.exact_rows = true;
    return row;
}

ScoreCode dot_product_code(const ResolvedProblem&) {
    return {"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
}

std::string pairwise_sum_code(const std::string& of_query, const std::string& of_key, std::string_view axes) {
    return of_query + "[..., :, None" + std::string(axes) + "] + " + of_key + "[..., None, :" + std::string(axes) + "]";
}

std::string perceptron_code(const std::string& of_query, const std::string& of_key, std::string_view bias,
                            std::string_view v) {
    return "hidden = np.tanh(" + pairwise_sum_code(of_query, of_key, ", :") + std::string(bias) +
           ")\nscores = hidden @ " + std::string(v) + "\n";
}

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

std::function<Tensor(const Tensor&, const RunControl&)> back_times(const Tensor& weight) {
    Tensor turned({weight.dim(1), weight.dim(0)});
    const auto out = turned.mutable_values();
    for (std::int64_t c = 0; c < weight.dim(1); ++c)
        for (std::int64_t row = 0; row < weight.dim(0); ++row)
            out[static_cast<std::size_t>(c * weight.dim(0) + row)] = weight.data()[row * weight.dim(1) + c];
    return times(turned);
}

ScoreFunction tanh_score(const Tensor& w_q, const Tensor& w_k, const Tensor& v, const Tensor* b) {
    ScoreFunction score;
    score.prepare_query = times(w_q, b);
    score.prepare_key = times(w_k);
    score.back_query = back_times(w_q);
    score.back_key = back_times(w_k);
    score.add_slopes = [v](double slope, std::span<const double> q, std::span<const double> k, std::span<double> by_q,
                           std::span<double> by_k) {
        for (std::size_t c = 0; c < q.size(); ++c) {
            const double hidden = std::tanh(q[c] + k[c]), by_sum = slope * v.data()[c] * (1.0 - hidden * hidden);
            by_q[c] += by_sum;
            by_k[c] += by_sum;
        }
    };
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
    score.add_slopes = [w_q, w_k](double slope, std::span<const double>, std::span<const double>,
                                  std::span<double> by_q, std::span<double> by_k) {
        for (std::size_t c = 0; c < by_q.size(); ++c)
            by_q[c] += slope * w_q.data()[c];
        for (std::size_t c = 0; c < by_k.size(); ++c)
            by_k[c] += slope * w_k.data()[c];
    };
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
