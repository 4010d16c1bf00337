// Where lessons come from: those that the program ships, and folders that somebody wrote.
#pragma once

#include "ui/learn/lesson.h"

#include <vector>

namespace attnlab::ui {

/// In their order. Read anew at each call.
std::vector<LessonPtr> shippedLessons();
/// A folder with scene.json and texts. Throws attnlab::Error that names file and line.
LessonPtr readLesson(const QString& folder, const QString& key);

} // namespace attnlab::ui
