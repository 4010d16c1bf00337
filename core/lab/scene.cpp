#include "core/lab/scene.h"

#include "core/lab/in_float32.h"

#include <chrono>

namespace attnlab::lab {

namespace {

Training training_of(const Scene& scene, const SceneSetting& setting) {
    return {scene.training->steps, scene.training->at, setting.rate.value_or(scene.training->rate)};
}

} // namespace

AttentionProblem problem_of(const Scene& scene, const SceneSetting& setting, const TensorMap& drawn) {
    AttentionProblem problem;
    problem.spec = setting.spec;
    problem.tensors = setting.tensors;
    problem.tensors.insert(scene.tensors.begin(), scene.tensors.end());
    problem.tensors.insert(drawn.begin(), drawn.end());
    problem.query_tokens = scene.query_tokens;
    problem.key_tokens = scene.key_tokens;
    problem.key_grid = scene.key_grid;
    return problem;
}

const Trace* SceneResult::trace_of(const Scene& scene, std::string_view id) const {
    for (std::size_t k = 0; k < std::min(settings.size(), scene.settings.size()); ++k)
        if (scene.settings[k].id == id)
            return settings[k].error ? nullptr : &settings[k].trace;
    return nullptr;
}

SceneResult compute(const Scene& scene, const RunControl& control) {
    const auto start = std::chrono::steady_clock::now();
    SceneResult result;
    if (scene.draw)
        result.drawn = draw_inputs(*scene.draw);
    const auto count = static_cast<double>(scene.settings.size());
    for (const auto& setting : scene.settings) {
        const auto done = static_cast<double>(result.settings.size());
        auto& made = result.settings.emplace_back();
        try {
            if (scene.cache) {
                made.trace.measures = cache_costs(*scene.cache, setting.sharing);
                continue;
            }
            auto problem = problem_of(scene, setting, result.drawn);
            const auto part = control.part(done / count, (done + 1.0) / count);
            if (scene.training) {
                auto trained = train(std::move(problem), training_of(scene, setting), part);
                problem = std::move(trained.problem);
                made.loss = std::move(trained.loss);
            }
            made.trace = reference_backend().run(problem, part);
            if (setting.precision == Precision::Float32)
                made.trace = in_float32(std::move(made.trace), setting.spec);
        } catch (const Error& error) {
            made = {{}, error.message()};
        }
        control.report((done + 1.0) / count);
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace attnlab::lab
