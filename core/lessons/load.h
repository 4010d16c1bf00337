// Reading lessons from wherever they lie.
#pragma once

#include "core/lessons/lesson.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace attnlab::lessons {

/// Where a lesson's files come from: Qt's resources, a folder. Both give the bytes of a file, or nothing where there is
/// none.
struct LessonFiles {
    std::function<std::optional<std::string>(const std::string& name)> in_lesson; ///< "scene.json", "en.md"
    std::function<std::optional<std::string>(const std::string& name)> resource;  ///< "samples/x.npz", "formulas/x.svg"
};

/// Files below two folders.
LessonFiles files_below(const std::filesystem::path& lesson, const std::filesystem::path& resources);

/// `folder` is the lesson's, "02-why-divide" or a path that ends so; messages begin with it. Nothing is computed yet.
/// Throws LessonError, which names file and line.
Lesson load_lesson(const std::string& folder, const LessonFiles& files);

} // namespace attnlab::lessons
