#include "core/lab/scene.h"

#include "core/edit/painted_mask.h"
#include "core/lab/in_float32.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace attnlab::lab {

namespace {

Training training_of(const Scene& scene, const SceneSetting& setting) {
    return {scene.training->steps, scene.training->at, setting.rate.value_or(scene.training->rate)};
}

} // namespace

const std::vector<std::string>& query_tokens_of(const Scene& scene, const SceneSetting& setting) {
    return setting.query_tokens.empty() ? scene.query_tokens : setting.query_tokens;
}

const std::vector<std::string>& key_tokens_of(const Scene& scene, const SceneSetting& setting) {
    return setting.key_tokens.empty() ? scene.key_tokens : setting.key_tokens;
}

AttentionProblem problem_of(const Scene& scene, const SceneSetting& setting, const TensorMap& drawn) {
    AttentionProblem problem;
    problem.spec = setting.spec;
    problem.tensors = setting.tensors;
    problem.tensors.insert(scene.tensors.begin(), scene.tensors.end());
    problem.tensors.insert(drawn.begin(), drawn.end());
    problem.query_tokens = query_tokens_of(scene, setting);
    problem.key_tokens = key_tokens_of(scene, setting);
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

namespace {

std::string free_id(const Scene& scene) {
    for (int number = 1;; ++number) {
        std::string id = "setting_" + std::to_string(number);
        if (!lookup(scene.settings, id))
            return id;
    }
}

std::string scale_name_of(const AttentionSpec& spec) {
    try {
        return effective_scale(spec).id;
    } catch (const Error&) {
        return spec.scale.id;
    }
}

/// Resizes rows to `columns` numbers, padded with 0.
Tensor with_columns(const Tensor& tensor, std::int64_t columns) {
    auto shape = tensor.shape();
    const auto before = shape.back();
    shape.back() = columns;
    Tensor result(shape, 0.0, tensor.dtype());
    const auto rows = before == 0 ? 0 : tensor.size() / before;
    const auto values = result.mutable_values();
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t j = 0; j < std::min(before, columns); ++j)
            values[static_cast<std::size_t>(row * columns + j)] = tensor.value(row * before + j);
    return result;
}

} // namespace

Scene with_keys(Scene scene, std::int64_t keys, bool queries_too) {
    if (!scene.draw)
        return scene;
    if (queries_too && scene.draw->L == scene.draw->S)
        scene.draw->L = keys;
    scene.draw->S = keys;
    for (auto& setting : scene.settings) {
        if (auto padding = setting.tensors.find("key_padding_mask"); padding != setting.tensors.end())
            padding->second = with_columns(padding->second, keys);
        if (auto lens = setting.tensors.find("valid_lens"); lens != setting.tensors.end())
            for (double& length : lens->second.mutable_values())
                length = std::min(length, static_cast<double>(keys));
        if (auto painted = setting.tensors.find(painted_mask::array_name); painted != setting.tensors.end())
            painted->second = painted_mask::fitted(painted->second, 1, 1, scene.draw->L, keys);
    }
    return scene;
}

SceneSetting new_setting(const Scene& scene, bool another_scale) {
    SceneSetting setting = scene.settings.back();
    setting.id = free_id(scene);
    const auto taken = [&](const auto& is_same) { return std::ranges::any_of(scene.settings, is_same); };
    if (another_scale) {
        for (const auto& mode : scale_modes())
            if (!taken([&](const SceneSetting& one) { return scale_name_of(one.spec) == mode.id; })) {
                setting.spec.scale = {std::string(mode.id), {}};
                return setting;
            }
        return setting;
    }
    for (const char* text : {"", "causal", "window:3", "prefix:2", "causal:bottom_right"}) {
        const auto masks = *text ? std::vector{parse_mask(text)} : std::vector<Selection>();
        if (!taken([&](const SceneSetting& one) { return one.spec.masks == masks; })) {
            setting.spec.masks = masks;
            return setting;
        }
    }
    return setting;
}

std::optional<Message> arrows_unsupported_reason(const Trace& trace) {
    for (const char* name : {"query", "key", "value", "weights", "output"}) {
        const Stage* stage = trace.find(name);
        if (!stage)
            return Message{ATTNLAB_TEXT("arrows need a stage '%1', and there is none"), {name}};
        const auto& shape = stage->value.shape();
        const auto numbers = std::string_view(name) == "weights" ? stage->value.dim(-2) * stage->value.dim(-1)
                                                                 : stage->value.dim(-2) * 2;
        if (stage->value.size() != numbers)
            return Message{ATTNLAB_TEXT("arrows need rows of two numbers in one head of one batch, '%1' is %2"),
                           {name, to_string(shape)}};
    }
    const auto& weights = trace.find("weights")->value;
    if (weights.dim(-2) > most_arrow_queries || weights.dim(-1) > most_arrow_keys)
        return Message{ATTNLAB_TEXT("arrows are drawn of at most %1 queries and %2 keys, there are %3 and %4"),
                       {std::to_string(most_arrow_queries), std::to_string(most_arrow_keys),
                        std::to_string(weights.dim(-2)), std::to_string(weights.dim(-1))}};
    return std::nullopt;
}

Scene with_moved_arrow(Scene scene, std::string_view name, std::int64_t row, double x, double y, double reach,
                       bool all) {
    constexpr double grain = 10.0; // to the unit
    const auto found = scene.tensors.find(name);
    if (found == scene.tensors.end() || found->second.rank() < 2 || found->second.dim(-1) != 2 || row < 0 ||
        2 * row >= found->second.size())
        return scene;
    const auto cells = found->second.mutable_values();
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const auto own = static_cast<std::size_t>(2 * row) + axis;
        double by = std::round(std::clamp(axis == 0 ? x : y, -reach, reach) * grain) / grain - cells[own];
        for (std::size_t k = axis; all && k < cells.size(); k += 2)
            by = std::clamp(by, std::min(0.0, -reach - cells[k]), std::max(0.0, reach - cells[k]));
        for (std::size_t k = axis; k < cells.size(); k += 2)
            if (all || k == own)
                cells[k] = std::round((cells[k] + by) * grain) / grain;
    }
    return scene;
}

Scene scene_of(const AttentionProblem& problem, const std::array<std::string, 2>& ids) {
    Scene scene;
    scene.tensors = problem.tensors;
    scene.query_tokens = problem.query_tokens;
    scene.key_tokens = problem.key_tokens;
    scene.key_grid = problem.key_grid;
    const auto add = [&](const std::string& id, const AttentionSpec& spec) {
        auto& setting = scene.settings.emplace_back();
        setting.id = id;
        setting.spec = spec;
    };
    add(ids[0], problem.spec);
    if (problem.compared_with)
        add(ids[1], *problem.compared_with);
    return scene;
}

} // namespace attnlab::lab
