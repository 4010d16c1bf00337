#include "core/stages/dropout.h"

#include "core/random.h"

namespace attnlab {

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
