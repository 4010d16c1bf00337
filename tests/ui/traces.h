// Problems and traces shared by tests of the views.
#pragma once

#include "core/backend.h"
#include "core/random.h"
#include "ui/document/computation.h"

#include <cmath>

namespace attnlab::ui {

inline Tensor normalTensor(Shape shape, std::uint64_t seed) {
    Tensor tensor(std::move(shape));
    Random random(seed);
    for (double& value : tensor.mutable_values())
        value = random.normal();
    return tensor;
}

/// (1, heads, L, E) queries and (1, heads, S, E) keys and values.
inline AttentionProblem problemOf(int heads, int L, int S, int E) {
    AttentionProblem problem;
    problem.tensors["query"] = normalTensor({1, heads, L, E}, 1);
    problem.tensors["key"] = normalTensor({1, heads, S, E}, 2);
    problem.tensors["value"] = normalTensor({1, heads, S, E}, 3);
    return problem;
}

inline AttentionProblem milkProblem() {
    auto problem = problemOf(4, 9, 9, 4);
    problem.query_tokens = {"The", "cat", "drank", "the", "milk", "because", "it", "was", "sweet"};
    problem.spec.masks = {{"causal", {}}};
    return problem;
}

/// One query (1,1,1,1) and two keys (1,1,1,1), (0,0,0,0): scores 4 and 0, scaled 2 and 0, exp(s - 2) = 1 and e^-2.
inline AttentionProblem twoKeyProblem() {
    AttentionProblem problem;
    problem.tensors["query"] = Tensor({1, 4}, 1.0);
    problem.tensors["key"] = Tensor({2, 4}, {1, 1, 1, 1, 0, 0, 0, 0});
    problem.tensors["value"] = Tensor({2, 2}, {10, 1, 20, -30});
    return problem;
}

inline ComputedPtr computed(const AttentionProblem& problem) {
    const Backend* const backends[] = {&reference_backend()};
    return std::make_shared<const Computed>(compute(problem, backends));
}

} // namespace attnlab::ui
