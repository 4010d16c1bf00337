// scene.json: what the steps of a lesson show, claim and ask.
#pragma once

#include "core/lessons/lesson.h"
#include "core/lessons/line_json.h"
#include "core/lessons/load.h"

namespace attnlab::lessons {

/// The steps, without their texts. `file` is what messages call the text. Throws LessonError.
std::vector<Step> read_scenes(std::string_view text, const std::string& file, const LessonFiles& files);

/// The parts of one step, each from its own value. They throw LessonError with its line.
namespace scene_file {

/// A whole draw, or the sizes of one that replace those of `draw`.
lab::RandomInputs draw_from(const JsonNode& node, lab::RandomInputs draw = {});
/// Nested lists of numbers, or of true and false.
Tensor tensor_from(const JsonNode& node);
TensorMap tensors_from(const JsonNode& node);
/// Replaces the inputs of `scene`. Returns the settings that come with a sample, if any.
std::vector<lab::SceneSetting> read_inputs(const JsonNode& node, lab::Scene& scene, const LessonFiles& files);
lab::SceneSetting setting_from(const JsonNode& node);
/// Everything that says how the step is shown. The settings must be there.
lab::BoardSpec view_from(const JsonNode& step, const lab::Scene& scene);
Claim claim_from(const JsonNode& node, const lab::Scene& scene);

/// What `read` throws as an Error of the engine becomes a mistake in the line of `node`.
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
