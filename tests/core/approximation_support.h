// What the tests of approximations share.
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

/// NaN where the trace has no such measure.
inline double measured(const Trace& trace, std::string_view name) {
    const auto found = std::ranges::find(trace.measures, name, &Measure::name);
    return found == trace.measures.end() ? not_a_number : found->value;
}

} // namespace attnlab::test
