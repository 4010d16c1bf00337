// What a step shows while its question is open.
#pragma once

#include "core/lessons/lesson.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace attnlab::lessons {

/// One item of a question's "hides": "weights" (of every setting), "ID.weights", "ID.weights[2, :]",
/// "ID.measure.bytes", "words" and "ID.words" (of a card). Throws Error with the column.
lab::HiddenPart hidden_part_from(const std::string& text);

/// The view of the step until there is an answer, with its hidden parts. Without "hides", these are every stage and
/// measure that an option reads, of all settings, and the texts of all cards. Marked cells of the step are left out
/// unless "before" names them. Requires a question.
lab::BoardSpec asking_view(const Step& step);

/// For each step, the parts of its scene that questions of earlier steps ask about: stages and measures with the same
/// numbers as there. Computes every step; one that fails has none. Throws Cancelled.
std::vector<std::vector<lab::HiddenPart>> asked_earlier(const Lesson& lesson, const RunControl& control = {});

/// The view of the step on a sheet of questions: asking_view() if the step asks a question that covers parts, and the
/// parts in `asked_earlier` covered too, without marked cells and curves. nullopt: nothing is covered.
std::optional<lab::BoardSpec> sheet_view(const Step& step, const std::vector<lab::HiddenPart>& asked_earlier);

/// Returns the ids of the cards of `view` that show a cell which the expression reads. If there are none, returns all
/// cards of the settings that the expression names. `result` is the result of `scene`.
std::set<std::string> cards_read(const Expression& expression, const lab::BoardSpec& view, const lab::Scene& scene,
                                 const lab::SceneResult& result);

} // namespace attnlab::lessons
