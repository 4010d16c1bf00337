// Sources of lessons: those shipped with the program, and folders of the user.
#pragma once

#include "ui/learn/lesson.h"

#include <vector>

namespace attnlab::ui {

/// Sorted. Read again at each call.
std::vector<LessonPtr> shippedLessons();
/// The lectures of the program: steps of `lessons`, in an order of their own.
std::vector<LessonPtr> shippedLectures(const std::vector<LessonPtr>& lessons);
/// Reads a folder with scene.json and texts. Throws attnlab::Error with file and line.
LessonPtr readLesson(const QString& folder, const QString& key);

} // namespace attnlab::ui
