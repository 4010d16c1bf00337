// A lecture: steps of lessons in an order of its own, with what each press of the key does. Data, as lessons are.
#pragma once

#include "core/lessons/lesson.h"

#include <span>
#include <string_view>

namespace attnlab::lessons {

/// Reads resources/lectures/<name>.json:
///   {"version": 1, "titles": {"en": {"title", "summary"}, ...},
///    "steps": [{"lesson": "why-divide-by-sqrt-d", "step": "growth", "minutes": 1.5,
///               "moves": [{"answer": "sixteen"}, {"draw": {"E": 1024}}, {"stage": "scores"}, {"at": 50}]}, ...]}
/// The result is a lesson whose steps are copies, called "<lesson>/<step>", with their minutes and moves. `name` is its
/// id and `file` is used in messages. Throws LessonError for a file that is wrong, and for a lesson, step or option
/// that is not there.
Lesson read_lecture(std::string_view text, const std::string& name, const std::string& file,
                    std::span<const Lesson* const> lessons);

/// The minutes of all steps; 0 for a lesson that is no lecture.
double minutes_of(const Lesson& lesson);

} // namespace attnlab::lessons
