// A scene of a lab: its inputs, the settings that compute them side by side, edits, and arrows of vectors.
#pragma once

#include "core/backend.h"
#include "core/lab/cache_costs.h"
#include "core/lab/random_inputs.h"
#include "core/lab/training.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
    std::vector<std::string> query_tokens = {};     ///< instead of the scene's, where its inputs are another text
    std::vector<std::string> key_tokens = {};       ///< likewise

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

/// The names of a setting's queries: its own, else the scene's.
const std::vector<std::string>& query_tokens_of(const Scene& scene, const SceneSetting& setting);
const std::vector<std::string>& key_tokens_of(const Scene& scene, const SceneSetting& setting);

/// The inputs of a problem, and its setting with the one that it is compared with, if any, under these ids.
Scene scene_of(const AttentionProblem& problem, const std::array<std::string, 2>& ids);

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

// Changes of a scene that affect several of its parts.

/// A copy of the last setting with a new id and, for `another_scale`, the first scale that no setting has; else the
/// first simple mask that none has.
SceneSetting new_setting(const Scene& scene, bool another_scale);

/// A scene with a draw of `keys` keys, and with `queries_too` of as many queries where their numbers were equal. Masks
/// of other sizes are cropped or padded with kept cells.
Scene with_keys(Scene scene, std::int64_t keys, bool queries_too);

// Attention with two numbers in a row, so that queries, keys and values are arrows in a plane.

inline constexpr std::int64_t most_arrow_keys = 8; ///< as many as have a colour of their own
inline constexpr std::int64_t most_arrow_queries = 4;

/// Why a trace cannot be drawn as arrows; nullopt: it can. It needs query (L,2), key (S,2), value (S,2), the weights
/// and the output of one head of one batch.
std::optional<Message> arrows_unsupported_reason(const Trace& trace);

/// A scene in which row `row` of the input `name` (query, key or value) is moved to (x, y); with `all`, the other rows
/// go as far. What moves becomes multiples of 0.1 within -reach .. reach, all rows by the same. Inputs of a setting's
/// own are not moved. Unchanged where the scene has no such row of two numbers.
Scene with_moved_arrow(Scene scene, std::string_view name, std::int64_t row, double x, double y, double reach,
                       bool all = false);

} // namespace attnlab::lab
