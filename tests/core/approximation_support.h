// The common part of the tests of approximations.
#pragma once

#include "tests/core/engine_support.h"
#include "tests/core/independent.h"

#include <algorithm>
#include <vector>

namespace attnlab::test {

inline std::vector<independent::Real> reals(const Tensor& tensor) {
    return {tensor.values().begin(), tensor.values().end()};
}

inline Tensor tensor_of(Shape shape, const std::vector<independent::Real>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()));
}

inline Tensor identity(std::int64_t size) {
    Tensor result({size, size});
    for (std::int64_t i = 0; i < size; ++i)
        result.set({i, i}, 1.0);
    return result;
}

/// NaN if the trace has no such measure.
inline double measured(const Trace& trace, std::string_view name) {
    const auto found = std::ranges::find(trace.measures, name, &Measure::name);
    return found == trace.measures.end() ? not_a_number : found->value;
}

/// Performer with m given directions; queries of deviation `size`.
inline AttentionProblem performer_problem(const independent::Sizes& n, std::int64_t m, double size = 1.0) {
    auto problem = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev);
    problem.tensors.at("query") = random_normal({n.B, n.H, n.L, n.E}, 1, 0.0, size);
    problem.spec.variant = "performer";
    problem.tensors.emplace("performer_omega", random_normal({m, n.E}, 31));
    return problem;
}

} // namespace attnlab::test
