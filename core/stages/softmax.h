// The softmax of rows of scores with its log-sum-exp, and dropout of weights.
#pragma once

#include "core/attention.h"
#include "core/tensor.h"

#include <cstdint>
#include <span>

namespace attnlab {

struct SoftmaxResult {
    Tensor weights; ///< (B,H,L,S)
    Tensor lse;     ///< (B,H,L)
};

/// One row or a part of one: writes the weights, which start as 0, and returns the log of the sum of exponentials.
double softmax_row(std::span<const double> scores, std::span<double> weights);

/// Row-wise: m = max_j s_j, l = sum_j exp(s_j - m), weights = exp(s_j - m) / l, lse = m + log l.
/// A row of -inf only has weights 0 and lse -inf.
SoftmaxResult softmax_rows(const Tensor& scores);

// Dropout of attention weights, as a model does it while it is trained: after the softmax, before the values are mixed.

/// Each weight is set to 0 with probability `rate`, independently; the others are divided by 1 - rate, so that the mean
/// over many seeds is the weight itself. Srivastava et al. 2014, section 10 ("inverted"), as torch.nn.Dropout.
struct Dropout {
    double rate = 0.0; ///< from 0 (off) to 0.99
    std::uint64_t seed = 0;

    bool on() const { return rate > 0.0; }
};

/// The parameters of every mechanism that has weights. `seed_name` is another one where `seed` is taken.
constexpr Parameter dropout_parameter() {
    return {.name = "dropout",
            .type = ParameterType::Real,
            .default_text = "0",
            .title = ATTNLAB_TEXT("dropout"),
            .help = ATTNLAB_TEXT("Probability that a weight is set to 0 before the values are mixed"),
            .minimum = 0.0,
            .maximum = 0.99,
            .aside = true};
}
constexpr Parameter dropout_seed_parameter(std::string_view seed_name = "seed") {
    return {.name = seed_name,
            .type = ParameterType::Integer,
            .default_text = "0",
            .title = ATTNLAB_TEXT("dropout seed"),
            .help = ATTNLAB_TEXT("The same seed drops the same weights"),
            .minimum = 0,
            .maximum = 1e9,
            .when = "dropout!=0",
            .aside = true};
}

/// Off where the mechanism has no such parameter. The seed is `dropout_seed`, or `seed` where that is not declared.
Dropout dropout_of(const ParameterValues& parameters);

/// `parameters` with dropout off.
ParameterValues without_dropout(ParameterValues parameters);

/// Bool of this shape, True where a weight stays: one uniform number of Random(seed) a weight, in row-major order, and
/// those below the rate are dropped.
Tensor kept_weights(const Shape& shape, const Dropout& dropout);

/// The weights that multiply the values: 0 or a / (1 - rate).
Tensor dropped(const Tensor& weights, const Dropout& dropout);

/// The stage `weights_dropped` of a mechanism with these weights.
Stage dropped_stage(const Tensor& weights, const Dropout& dropout);

} // namespace attnlab
