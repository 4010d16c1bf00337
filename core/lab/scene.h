// A scene of a lab: inputs, and a few ways to compute them side by side.
#pragma once

#include "core/backend.h"
#include "core/lab/cache_costs.h"
#include "core/lab/random_inputs.h"
#include "core/lab/training.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnlab::lab {

/// The arithmetic of the displayed numbers.
enum class Precision {
    Float64,
    Float32, ///< mask, softmax and output rounded as by a float32 program
};

/// One way to compute a scene's inputs.
struct SceneSetting {
    std::string id; ///< names it in cards and checks: letters, digits and _, not beginning with a digit
    AttentionSpec spec;
    TensorMap tensors; ///< replace or extend the scene's own
    Precision precision = Precision::Float64;
    std::optional<double> rate = {}; ///< of its training, instead of the scene's
    TensorMap given = {}; ///< numbers that belong to it and are in no trace, as the probability of a next token
    CacheSharing sharing = CacheSharing::MultiHead; ///< of a scene about a cache

    bool operator==(const SceneSetting&) const = default;
};

inline constexpr std::size_t most_settings = 8;

/// A text that a model reads. Settings of such a scene are heads of the model.
struct ModelText {
    std::string model; ///< its name in resources/models
    std::string text;
    std::map<std::string, std::string> next = {}; ///< words by what expressions call them; each is one token

    bool operator==(const ModelText&) const = default;
};

struct Scene {
    std::optional<ModelText> model = {};
    std::optional<Training> training = {}; ///< each setting is trained by itself before it is shown
    std::optional<CacheModel> cache = {};  ///< settings then have its costs and nothing else
    std::optional<RandomInputs> draw;      ///< makes query, key and value; `tensors` then only adds others
    TensorMap tensors;
    std::vector<std::string> query_tokens; ///< as in AttentionProblem
    std::vector<std::string> key_tokens;
    std::optional<KeyGrid> key_grid;
    std::vector<SceneSetting> settings; ///< one to most_settings

    bool operator==(const Scene&) const = default;
};

/// The problem of one setting. `drawn` is the result of draw_inputs() for scene.draw, shared by several settings; empty
/// for a scene without a draw.
AttentionProblem problem_of(const Scene& scene, const SceneSetting& setting, const TensorMap& drawn);

/// The result of one setting: a trace, or the reason why there is none.
struct SettingResult {
    Trace trace;
    std::optional<Message> error = std::nullopt;
    std::vector<double> loss = {}; ///< of a training: before the first step and after each
};

struct SceneResult {
    TensorMap drawn;                     ///< of scene.draw
    std::vector<SettingResult> settings; ///< one for each setting, in their order
    double seconds = 0.0;

    /// The trace of the setting `id`; null if there is none.
    const Trace* trace_of(const Scene& scene, std::string_view id) const;
};

/// Computes every setting by the reference. An error of one setting is stored in its result; an error of the scene
/// itself (its draw) is thrown. Throws Error, Cancelled.
SceneResult compute(const Scene& scene, const RunControl& control = {});

} // namespace attnlab::lab
