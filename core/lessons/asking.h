// What a step shows while its question is open.
#pragma once

#include "core/lessons/lesson.h"

#include <set>
#include <string>

namespace attnlab::lessons {

/// One item of a question's "hides": "weights" (of every setting), "ID.weights", "ID.weights[2, :]",
/// "ID.measure.bytes", "words" and "ID.words" (of a card). Throws Error with the column.
lab::HiddenPart hidden_part_from(const std::string& text);

/// The view of the step until there is an answer, with its hidden parts. Without "hides", these are every stage and
/// measure that an option reads, of all settings, and the texts of all cards. Marked cells of the step are left out
/// unless "before" names them. Requires a question.
lab::BoardSpec asking_view(const Step& step);

/// Returns the ids of the cards of `view` that show a cell which the expression reads. If there are none, returns all
/// cards of the settings that the expression names. `result` is the result of `scene`.
std::set<std::string> cards_read(const Expression& expression, const lab::BoardSpec& view, const lab::Scene& scene,
                                 const lab::SceneResult& result);

} // namespace attnlab::lessons
