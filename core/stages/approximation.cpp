#include "core/stages/approximation.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

Tensor difference(const Tensor& a, const Tensor& b) {
    Tensor result = a;
    const auto out = result.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] -= b.values()[k];
    return result;
}

double largest_size(const Tensor& tensor) {
    double largest = 0.0;
    for (const double value : tensor.values())
        largest = std::max(largest, std::abs(value));
    return largest;
}

double norm(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum);
}

/// The norm of each row: (B,H,L,Ev) -> (B,H,L).
Tensor row_norms(const Tensor& rows) {
    auto shape = rows.shape();
    const auto width = static_cast<std::size_t>(shape.back());
    shape.pop_back();
    Tensor norms(shape);
    const auto out = norms.mutable_values();
    for (std::size_t row = 0; row < out.size(); ++row)
        out[row] = norm(rows.values().subspan(row * width, width));
    return norms;
}

void add_output_error(Trace& trace, const Stage& exact) {
    const auto error = difference(trace.find("output")->value, exact.value);
    const double size = norm(exact.value.values());
    trace.measures.push_back({"output_error",
                              {ATTNLAB_TEXT("error of the output, relative")},
                              Measure::Unit::Number,
                              size == 0.0 ? norm(error.values()) : norm(error.values()) / size});
    trace.measures.push_back({"output_max_error",
                              {ATTNLAB_TEXT("largest error of an output value")},
                              Measure::Unit::Number,
                              largest_size(error)});
    trace.stages.push_back({"output_error",
                            row_norms(error),
                            {Axis::Batch, Axis::Head, Axis::Query},
                            StageRole::Exact,
                            {ATTNLAB_TEXT("error of the output")},
                            "‖o_i − exact o_i‖"});
}

} // namespace

Cost exact_cost(const ExactInputs& inputs) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const double cells =
        size(inputs.query.dim(0)) * size(inputs.query.dim(1)) * size(inputs.query.dim(2)) * size(inputs.key.dim(2));
    return {cells * (2.0 * size(inputs.query.dim(3)) + 2.0 * size(inputs.value.dim(3)) + 3.0), 4.0 * cells};
}

void add_cost(Trace& trace, const Cost& own, const Cost& exact) {
    trace.measures.push_back(
        {"operations", {ATTNLAB_TEXT("operations")}, Measure::Unit::Operations, own.operations, exact.operations});
    trace.measures.push_back(
        {"bytes", {ATTNLAB_TEXT("intermediate memory")}, Measure::Unit::Bytes, own.bytes, exact.bytes});
}

void add_exact(Trace& trace, const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
               std::string_view weights_stage, const RunControl& control) {
    auto plain = problem;
    plain.spec.statistics = false;
    plain.spec.parameters = without_dropout(plain.spec.parameters);
    const auto exact = exact_attention(plain, inputs, score, control);
    const Stage& weights = *exact.find("weights");
    if (const Stage* own = trace.find(weights_stage); own && own->value.shape() == weights.value.shape()) {
        auto gap = difference(own->value, weights.value);
        trace.measures.push_back({"weights_max_error",
                                  {ATTNLAB_TEXT("largest error of a weight")},
                                  Measure::Unit::Number,
                                  largest_size(gap)});
        trace.stages.push_back({"difference",
                                std::move(gap),
                                weights.axes,
                                StageRole::Exact,
                                {ATTNLAB_TEXT("weights − exact weights")},
                                "a_ij − exact a_ij"});
    }
    trace.stages.push_back({"exact_weights",
                            weights.value,
                            weights.axes,
                            StageRole::Exact,
                            {ATTNLAB_TEXT("exact softmax")},
                            weights.formula});
    const Stage& output = *exact.find("output");
    trace.stages.push_back({"exact_output",
                            output.value,
                            output.axes,
                            StageRole::Exact,
                            {ATTNLAB_TEXT("exact weights × V")},
                            output.formula});
    add_output_error(trace, output);
}

} // namespace attnlab
