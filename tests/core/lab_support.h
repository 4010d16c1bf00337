// Scenes for the tests of the labs.
#pragma once

#include "core/lab/scene.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"

#include <QString>

namespace attnlab::test {

using namespace lab;

inline SceneSetting setting(std::string id, const char* scale = "", std::vector<Selection> masks = {},
                            MaskFill fill = {}) {
    SceneSetting made;
    made.id = std::move(id);
    if (*scale)
        made.spec.scale = parse_scale(scale);
    made.spec.masks = std::move(masks);
    made.spec.mask_fill = fill;
    return made;
}

inline RandomInputs draw_of(std::int64_t L, std::int64_t S, std::int64_t E,
                            Distribution distribution = Distribution::Normal, std::uint64_t seed = 7) {
    return {L, S, E, 3, distribution, seed};
}

/// Keys 0 to 2 kept for the first three queries, none for the last.
inline Scene blocked_scene(MaskFill fill, Precision precision) {
    Scene scene;
    scene.draw = draw_of(4, 4, 8);
    auto only = setting("a", "", {parse_mask("attn_mask")}, fill);
    Tensor mask({4, 4}, 0.0, DType::Bool);
    for (std::int64_t j = 0; j < 4; ++j)
        mask.set({3, j}, 1.0);
    only.tensors.emplace("attn_mask", mask);
    only.precision = precision;
    scene.settings = {only};
    return scene;
}

inline std::vector<double> row_of(const Trace& trace, const char* name, std::int64_t i) {
    const auto row = matrix_at(stage(trace, name)).row(i);
    return {row.begin(), row.end()};
}

inline AttentionProblem drawn_problem(const RandomInputs& draw, std::vector<Selection> masks) {
    AttentionProblem problem;
    problem.tensors = draw_inputs(draw);
    problem.spec.masks = std::move(masks);
    return problem;
}

} // namespace attnlab::test
