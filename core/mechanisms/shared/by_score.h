// The common part of mechanisms that differ in their score function: query, key and value as given.
#pragma once

#include "core/inputs.h"
#include "core/mechanisms.h"
#include "core/mechanisms/shared/dot_product_form.h"
#include "core/stages/exact.h"
#include "core/stages/gradients.h"
#include "core/stages/similarity.h"
#include "core/stages/softmax.h"

#include <cmath>
#include <cstdint>

namespace attnlab {

/// The parameters of a mechanism of one exact pass that declares no others.
inline constexpr Parameter exact_pass_parameters[] = {gradients_parameter(), similarity_parameter(),
                                                      dropout_parameter(), dropout_seed_parameter()};

/// A row with what mechanisms with a score function of their own have in common: one exact pass, no default scale.
Mechanism score_mechanism(Mechanism row);

/// A row with what mechanisms of one exact pass over dot products have in common. It keeps parameters and check_values
/// that the row has.
Mechanism dot_product_mechanism(Mechanism row);

/// The code of q . k.
ScoreCode dot_product_code(const ResolvedProblem& problem);
/// NumPy for the sums of every query row with every key row; `axes` are those behind the rows, such as ", :".
std::string pairwise_sum_code(const std::string& of_query, const std::string& of_key, std::string_view axes);
/// NumPy for v . tanh of the pairwise sums, plus `bias`.
std::string perceptron_code(const std::string& of_query, const std::string& of_key, std::string_view bias,
                            std::string_view v);

/// Throws Error where grad_output is not as large as the output (B,H,L,Ev).
void check_output_gradient(const ResolvedProblem& problem);

inline constexpr Input query_input{.name = "query",
                                   .dims = "B H L E | B L E | L E",
                                   .starts_from = "x",
                                   .help = ATTNLAB_TEXT("One row a query token: what it looks for")};
inline constexpr Input key_input{.name = "key",
                                 .dims = "B Hkv S E | B S E | S E",
                                 .starts_from = "context",
                                 .help = ATTNLAB_TEXT("One row a key token: what it is found by")};
/// A key whose width Ek may differ from the query's.
inline constexpr Input wide_key_input{.name = "key",
                                      .dims = "B Hkv S Ek | B S Ek | S Ek",
                                      .starts_from = "context",
                                      .help = ATTNLAB_TEXT("One row a key token: what it is found by")};
inline constexpr Input value_input{.name = "value",
                                   .dims = "B Hkv S Ev | B S Ev | S Ev",
                                   .starts_from = "value_context",
                                   .help = ATTNLAB_TEXT("One row a key token: what it hands over")};

/// Query, key and value with all four axes.
ExactInputs given_inputs(const ResolvedProblem& problem);

/// The exact pass over query, key and value.
Trace attend_by(const ScoreFunction& score, const ResolvedProblem& problem, const RunControl& control);

/// Query, key and value as given.
DotProductForm given_form(const ResolvedProblem& problem);

/// v . tanh(q w_q + k w_k + b) with w_q (E,h), w_k (Ek,h), v (h), and b (h) if given.
ScoreFunction tanh_score(const Tensor& w_q, const Tensor& w_k, const Tensor& v, const Tensor* b);

/// A function for ScoreFunction::back_query and back_key: the way back through times() of `weight`.
std::function<Tensor(const Tensor&, const RunControl&)> back_times(const Tensor& weight);

/// A function for ScoreFunction::prepare_query and prepare_key: every row times `weight`, plus `bias` if given.
std::function<Tensor(const Tensor&, const RunControl&)> times(const Tensor& weight, const Tensor* bias = nullptr);

/// An order of places by their numbers: the larger first, of equal ones the first place, NaN last.
struct LargerFirst {
    const double* numbers;
    bool operator()(std::int64_t a, std::int64_t b) const {
        if (std::isnan(numbers[a]) || std::isnan(numbers[b]))
            return std::isnan(numbers[a]) == std::isnan(numbers[b]) ? a < b : std::isnan(numbers[b]);
        return numbers[a] != numbers[b] ? numbers[a] > numbers[b] : a < b;
    }
};

/// w_q . q + w_k . k; softmax cancels the query term.
ScoreFunction decoupled_score(const Tensor& w_q, const Tensor& w_k);

} // namespace attnlab
