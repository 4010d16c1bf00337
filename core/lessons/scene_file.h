// scene.json: the displays, claims and questions of a lesson's steps.
#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/lesson_error.h"
#include "core/lessons/lesson_files.h"

namespace attnlab::lessons {

struct SceneFile {
    std::string group; ///< of lesson_groups; empty if none is named
    std::vector<Step> steps;
};

/// Reads the group and the steps without their texts. `file` is used in messages. Throws LessonError.
SceneFile read_scenes(std::string_view text, const std::string& file, const LessonFiles& files);

/// Readers of the parts of one step. They throw LessonError with the line.
namespace scene_file {

/// A whole draw, or sizes that replace those of `draw`.
lab::RandomInputs draw_from(const JsonNode& node, lab::RandomInputs draw = {});
/// {"steps", "at", "rate"}, each optional.
lab::CacheModel cache_from(const JsonNode& node);
lab::SceneSetting cache_setting_from(const JsonNode& node);
/// A spec as a workspace has it.
AttentionSpec saved_spec_from(const JsonNode& node);
/// A variant that adopts a state_dict also reads names that it does not declare.
bool reads(const AttentionSpec& spec, std::string_view name);
lab::Training training_from(const JsonNode& node);
/// Nested lists of numbers, or of true and false.
Tensor tensor_from(const JsonNode& node);
TensorMap tensors_from(const JsonNode& node);
/// Replaces the inputs of `scene`. Returns the settings of a sample, if any.
std::vector<lab::SceneSetting> read_inputs(const JsonNode& node, lab::Scene& scene, const LessonFiles& files);
lab::SceneSetting setting_from(const JsonNode& node);
/// The name in expressions; throws where it is none.
std::string id_from(const JsonNode& node);

/// {"model", "text", "next"}.
lab::ModelText model_text_from(const JsonNode& node, const LessonFiles& files);
/// {"id", "pass", "head", "off"}: a head of the model, or every head of a pass, for the scene's text. Sets the tokens
/// of `scene`.
lab::SceneSetting model_setting_from(const JsonNode& node, lab::Scene& scene, const LessonFiles& files);
/// Changes how the step is displayed to what `node` says. Requires that the settings are read.
void read_view(const JsonNode& node, const lab::Scene& scene, lab::BoardSpec& view);
Claim claim_from(const JsonNode& node, const lab::Scene& scene);

/// Turns an Error thrown by `read` into a LessonError for the line of `node`.
template <class Read>
auto at_line_of(const JsonNode& node, Read read) {
    try {
        return read();
    } catch (const LessonError&) {
        throw;
    } catch (const Error& error) {
        fail(node, error.message());
    }
}

} // namespace scene_file
} // namespace attnlab::lessons
