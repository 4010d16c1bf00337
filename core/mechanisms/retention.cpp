// Retention: a state that fades by one factor a head.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/carried_state.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {
    sequence_query_input,
    sequence_key_input,
    sequence_value_input,
    {.name = "gamma",
     .dims = "H",
     .fill = InputFill::Ones,
     .required = false,
     .help = ATTNLAB_TEXT("How much of the state a token keeps, one number a head, above 0 and at most 1")},
    carried_output_gradient,
};

const Parameter parameters[] = {
    {.name = "gamma",
     .type = ParameterType::Real,
     .default_text = "0",
     .title = ATTNLAB_TEXT("decay γ"),
     .help =
         ATTNLAB_TEXT("How much of the state a token keeps, in all heads; 0: 1 − 2^(−5−h) in head h, as in the paper"),
     .minimum = 0.0,
     .maximum = 1.0},
    {.name = "normalise",
     .type = ParameterType::Boolean,
     .default_text = "false",
     .title = ATTNLAB_TEXT("normalise the rows"),
     .help = ATTNLAB_TEXT("Divides each row by the root of the sum of its decay, then by the size of its own sum where "
                          "that is above 1")},
    chunk_parameter(),
    gradients_parameter(),
};

void check(const AttentionSpec& spec) {
    if (wants_gradients(spec.parameters) && spec.parameters.boolean("normalise"))
        throw Error(Message(ATTNLAB_TEXT("retention: gradients with normalise = true are not possible, expected "
                                         "normalise = false")));
}

void check_values(const ResolvedProblem& problem) {
    check_output_gradient(problem);
    const auto found = problem.tensors.find("gamma");
    if (found == problem.tensors.end())
        return;
    for (const double gamma : found->second.values())
        if (!(gamma > 0.0 && gamma <= 1.0))
            throw Error({ATTNLAB_TEXT("gamma: has %1, expected numbers above 0 and at most 1"), {to_text(gamma)}});
}

/// gamma of each head at each token: (B,H,L).
Tensor kept_of_heads(const ResolvedProblem& problem, const Shape& shape) {
    const auto given = problem.tensors.find("gamma");
    const double of_all = problem.spec.parameters.real("gamma");
    Tensor kept(shape);
    const auto out = kept.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto h = static_cast<std::int64_t>(k) / shape[2] % shape[1];
        out[k] = given != problem.tensors.end() ? given->second.data()[h]
                 : of_all > 0.0                 ? of_all
                                                : 1.0 - std::exp2(-5.0 - static_cast<double>(h));
    }
    return kept;
}

/// 1 / √Σ_j D_ij, then 1 / max(|Σ_j R_ij|, 1).
Tensor normalising_factors(const Tensor& matrix, const Tensor& decay) {
    Tensor factors({matrix.dim(0), matrix.dim(1), matrix.dim(2)});
    const auto L = static_cast<std::size_t>(matrix.dim(3));
    const auto out = factors.mutable_values();
    for (std::size_t row = 0; row < out.size(); ++row) {
        double sum = 0.0, kept = 0.0;
        for (std::size_t j = row * L; j < (row + 1) * L; ++j) {
            sum += matrix.values()[j];
            kept += decay.values()[j];
        }
        const double by_decay = 1.0 / std::sqrt(kept);
        out[row] = by_decay / std::max(std::abs(sum * by_decay), 1.0);
    }
    return factors;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    auto recurrence = recurrence_of(problem);
    recurrence.kept = kept_of_heads(problem, {recurrence.B(), recurrence.H(), recurrence.L()});
    const bool normalises = problem.spec.parameters.boolean("normalise");
    auto trace = carried_trace(
        problem, recurrence,
        {.weights = normalises ? Message(ATTNLAB_TEXT("× decay, rows divided")) : Message(ATTNLAB_TEXT("× decay")),
         .formula = normalises ? "a_ij = r_ij / max(|Σ_j r_ij|, 1), r_ij = c q_i · k_j γ^(i−j) / "
                                 "√Σ_j γ^(i−j)"
                               : "a_ij = c q_i · k_j γ^(i−j)",
         .state_formula = "Sₜ = γ Sₜ₋₁ + kₜ vₜᵀ",
         .row_factors = normalises ? normalising_factors : nullptr},
        control);
    if (problem.tensors.contains("gamma") && problem.given.find("gamma"))
        trace.notes.push_back(
            {Note::Severity::Info, {ATTNLAB_TEXT("The array gamma is given: the parameter gamma is not used")}});
    return trace;
}

ScoreCode code(const ResolvedProblem& problem) {
    const bool given = problem.tensors.contains("gamma");
    const double of_all = problem.spec.parameters.real("gamma");
    const auto heads = problem.sizes.at("H");
    std::string base = "gamma[:, None, None]";
    KeptCode kept;
    if (!given && of_all > 0.0) {
        base = to_text(of_all);
        kept.latex = base + "^{i - j}";
    } else if (!given) {
        kept.python = "gamma = 1.0 - 2.0 ** (-5.0 - np.arange(" + std::to_string(heads) + "))\n";
        kept.latex = std::string("\\left( 1 - 2^{-5") + (heads > 1 ? " - h" : "") + "} \\right)^{i - j}";
    } else {
        kept.latex = heads > 1 ? "\\gamma_h^{i - j}" : "\\gamma^{i - j}";
    }
    kept.python += "decay = np.where(j <= i, " + base + " ** abs(i - j), 0.0)\n";
    auto code = carried_code(problem, kept, false);
    if (!problem.spec.parameters.boolean("normalise"))
        return code;
    const std::string output = "output = weights @ value\n";
    code.own_weights.resize(code.own_weights.size() - output.size());
    code.own_weights += "weights = weights / np.sqrt(decay.sum(axis=-1, keepdims=True))\n"
                        "size = abs(weights.sum(axis=-1, keepdims=True))\n"
                        "weights = weights / np.where(size > 1.0, size, 1.0)\n" +
                        output;
    code.own_lines.back().left = "r_{ij}<h>";
    code.own_lines.push_back({"\\tilde{r}_{ij}<h>", "\\frac{r_{ij}<h>}{\\sqrt{\\sum_{l=0}^{i} d_{il}<h>}}, \\quad "
                                                    "d_{ij}<h> = " +
                                                        kept.latex});
    code.own_lines.push_back({"a_{ij}<h>", "\\frac{\\tilde{r}_{ij}<h>}{\\max \\left( \\left\\lvert \\sum_{l=0}^{i} "
                                           "\\tilde{r}_{il}<h> \\right\\rvert, 1 \\right)}"});
    return code;
}

} // namespace

Mechanism retention_mechanism() {
    return carried_mechanism(
        {.id = "retention",
         .place = 20,
         .title = ATTNLAB_TEXT("Retention"),
         .formula = "(Q Kᵀ c ∘ D) V,  D_ij = γ^(i−j);  S_t = γ S_{t−1} + k_t v_tᵀ,  o_t = c S_tᵀ q_t",
         .help =
             ATTNLAB_TEXT("Attention without a softmax whose scores fade with the distance by a factor γ, one for each "
                          "head. So the past fits in one matrix that each token multiplies by γ and adds to: the "
                          "memory stays the same however long the text is."),
         .source = "Sun et al. 2023, Retentive Network, equations 5 to 8",
         .default_scale = "sqrt_dk",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .check_values = check_values,
         .check = check,
         .code = code,
         .drawn =
             {R"(\begin{aligned} \mathrm{output} &= \left( c\, Q K^{\mathsf{T}} \circ D \right) V \quad D_{ij} =)"
              R"( \gamma^{i-j} \;\, (j \le i) \\)"
              R"( S_t &= \gamma S_{t-1} + k_t v_t^{\mathsf{T}} \quad\; \mathrm{output}_t = c\, S_t^{\mathsf{T}} q_t)"
              R"( \end{aligned})",
              "output = (c Q Kᵀ ∘ D) V, D_ij = γ^(i−j) for j ≤ i; S_t = γ S_{t−1} + k_t v_tᵀ, output_t = c S_tᵀ q_t"},
         .look_for =
             ATTNLAB_TEXT("Compare the stage decay of the heads: a head with a small γ reads the last tokens, one "
                          "with γ near 1 all of them. Set γ to 1: the causal linear attention with the identity "
                          "as features. The output and state_output are the same numbers by two ways.")});
}

} // namespace attnlab
