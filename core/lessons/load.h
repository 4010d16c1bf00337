// Loads lessons from files or resources.
#pragma once

#include "core/lessons/lesson.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace attnlab::lessons {

/// The source of a lesson's files: Qt's resources, or a folder. Both functions return a file's bytes, or nullopt if
/// there is none.
struct LessonFiles {
    std::function<std::optional<std::string>(const std::string& name)> in_lesson; ///< "scene.json", "en.md"
    std::function<std::optional<std::string>(const std::string& name)> resource;  ///< "samples/x.npz", "formulas/x.svg"
};

/// Files in two folders.
LessonFiles files_below(const std::filesystem::path& lesson, const std::filesystem::path& resources);

/// `folder` is the lesson's, "02-why-divide" or a path that ends so; messages begin with it. Computes nothing. Throws
/// LessonError with file and line.
Lesson load_lesson(const std::string& folder, const LessonFiles& files);

} // namespace attnlab::lessons
