#include "core/lessons/expression.h"
#include "tests/fuzz/fuzz.h"

#include "core/stages/scale.h"

using namespace attnlab;
using namespace attnlab::lessons;

namespace {

/// "a": two queries and three keys; "b": the same with two heads.
lab::Scene small_scene() {
    lab::Scene scene;
    lab::SceneSetting a{"a", {}, {}}, b{"b", {}, {}};
    a.tensors = {{"query", Tensor({2, 2}, {1, 2, 3, 4})},
                 {"key", Tensor({3, 2}, {1, 0, 0, 1, 1, 1})},
                 {"value", Tensor({3, 1}, {1, 2, 3})}};
    b.tensors = {{"query", Tensor({1, 2, 2, 1}, {1, 2, 3, 4})},
                 {"key", Tensor({1, 2, 2, 1}, {1, 2, 3, 4})},
                 {"value", Tensor({1, 2, 2, 1}, {1, 2, 3, 4})}};
    scene.settings = {a, b};
    return scene;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto scene = small_scene();
    static const auto result = lab::compute(scene);
    return fuzz::guarded([&] {
        const Expression expression(fuzz::text(data, size));
        const Evaluation evaluation(scene, result);
        if (expression.is_claim())
            expression.holds(evaluation);
        else
            expression.value(evaluation);
    });
}
