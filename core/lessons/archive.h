// A lesson in one file, to be sent and opened: a zip archive of scene.json and its texts.
#pragma once

#include "core/lessons/load.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace attnlab::lessons {

/// The ending of its name.
inline constexpr std::string_view archive_suffix = ".attnlesson";

/// The files of an archive, which is read at the first call, as LessonFiles::in_lesson. That throws Error as read_npz.
std::function<std::optional<std::string>(const std::string& name)> members_of(const std::filesystem::path& archive);

/// Writes what a lesson may consist of, scene.json and a text of each language, atomically. Throws Error where the file
/// cannot be written.
void write_archive(const std::filesystem::path& archive, const LessonFiles& files);

} // namespace attnlab::lessons
