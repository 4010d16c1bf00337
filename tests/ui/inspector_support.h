// Problems for the arithmetic of the inspector.
#pragma once

#include "traces.h"

namespace attnlab::ui {

inline Tensor painted(Shape shape, std::vector<double> blocked) {
    return {std::move(shape), std::move(blocked), DType::Bool};
}

/// twoKeyProblem with these keys blocked.
inline AttentionProblem blockedProblem(std::vector<double> blocked, MaskFill fill = {}) {
    auto problem = twoKeyProblem();
    problem.tensors["attn_mask"] = painted({1, 2}, std::move(blocked));
    problem.spec.masks = {{"attn_mask", {}}};
    problem.spec.mask_fill = fill;
    return problem;
}

} // namespace attnlab::ui
