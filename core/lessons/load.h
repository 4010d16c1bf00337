// Loads lessons from files or resources.
#pragma once

#include "core/lessons/lesson.h"
#include "core/model/model.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace attnlab::lessons {

/// The source of a lesson's files: Qt's resources, or a folder. The first two functions return a file's bytes, or
/// nullopt if there is none.
struct LessonFiles {
    std::function<std::optional<std::string>(const std::string& name)> in_lesson; ///< "scene.json", "en.md"
    std::function<std::optional<std::string>(const std::string& name)> resource;  ///< "samples/x.npz", "formulas/x.svg"
    /// A model of resources/models, null if there is none. Throws Error when it cannot be opened.
    std::function<std::shared_ptr<const model::Model>(const std::string& name)> model = {};
};

/// Opens the models in a folder, each once.
std::function<std::shared_ptr<const model::Model>(const std::string& name)>
models_below(const std::filesystem::path& folder);
/// Files in two folders; the first may also be an archive (core/lessons/archive.h).
LessonFiles files_below(const std::filesystem::path& lesson, const std::filesystem::path& resources);

/// `folder` is the lesson's, a path to "02-why-divide", to an archive or to any other name; messages begin with it. One
/// language is enough. Computes nothing. Throws LessonError with file and line of every mistake that does not follow
/// from another.
Lesson load_lesson(const std::string& folder, const LessonFiles& files);

} // namespace attnlab::lessons
