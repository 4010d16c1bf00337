#include "core/stages/softmax.h"

#include "core/random.h"

#include <cmath>
#include <limits>

namespace attnlab {

double softmax_row(std::span<const double> s, std::span<double> a) {
    double m = -std::numeric_limits<double>::infinity();
    for (const double value : s)
        m = value > m || std::isnan(value) ? value : m;
    if (m == -std::numeric_limits<double>::infinity())
        return m; // every key blocked: the weights stay 0
    double sum = 0.0;
    for (std::size_t j = 0; j < s.size(); ++j)
        sum += a[j] = std::exp(s[j] - m);
    for (double& weight : a)
        weight /= sum;
    return m + std::log(sum);
}

SoftmaxResult softmax_rows(const Tensor& scores) {
    Shape row_shape = scores.shape();
    const auto columns = static_cast<std::size_t>(row_shape.back());
    row_shape.pop_back();
    SoftmaxResult result{Tensor(scores.shape()), Tensor(row_shape)};
    const auto weights = result.weights.mutable_values();
    const auto lse = result.lse.mutable_values();
    for (std::size_t row = 0; row < lse.size(); ++row)
        lse[row] =
            softmax_row(scores.values().subspan(row * columns, columns), weights.subspan(row * columns, columns));
    return result;
}

Dropout dropout_of(const ParameterValues& parameters) {
    if (!parameters.find("dropout"))
        return {};
    const auto* name = parameters.find("dropout_seed") ? "dropout_seed" : "seed";
    return {parameters.real("dropout"), static_cast<std::uint64_t>(parameters.integer(name))};
}

ParameterValues without_dropout(ParameterValues parameters) {
    if (parameters.find("dropout"))
        parameters.set("dropout", 0.0);
    return parameters;
}

Tensor kept_weights(const Shape& shape, const Dropout& dropout) {
    Tensor kept(shape, 0.0, DType::Bool);
    Random random(dropout.seed);
    for (double& cell : kept.mutable_values())
        cell = random.uniform() < dropout.rate ? 0.0 : 1.0;
    return kept;
}

Tensor dropped(const Tensor& weights, const Dropout& dropout) {
    Tensor result = weights;
    Random random(dropout.seed);
    for (double& weight : result.mutable_values())
        weight = random.uniform() < dropout.rate ? 0.0 : weight / (1.0 - dropout.rate);
    return result;
}

Stage dropped_stage(const Tensor& weights, const Dropout& dropout) {
    return {"weights_dropped",
            dropped(weights, dropout),
            {Axis::Batch, Axis::Head, Axis::Query, Axis::Key},
            StageRole::Step,
            {ATTNLAB_TEXT("dropout %1"), {to_text(dropout.rate)}},
            "a_ij / (1 − p), or 0 with probability p"};
}

} // namespace attnlab
