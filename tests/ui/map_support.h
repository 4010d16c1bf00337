// What the tests of maps in the window share.
#pragma once

#include "tests/ui/traces.h"

namespace attnlab::ui {

inline AttentionProblem longProblem(int heads = 2) {
    auto problem = problemOf(heads, 300, 500, 8);
    problem.spec.masks = {{"window", {}}};
    problem.spec.masks[0].parameters.set("w", std::int64_t{200});
    return problem;
}

} // namespace attnlab::ui
