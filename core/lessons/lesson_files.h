// Loads lessons and lectures from folders, archives and resources.
#pragma once

#include "core/lessons/lesson.h"
#include "core/model/model.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
/// Files in two folders; the first may also be an archive (core/lessons/lesson_files.h).
LessonFiles files_below(const std::filesystem::path& lesson, const std::filesystem::path& resources);

/// `folder` is the lesson's, a path to "02-why-divide", to an archive or to any other name; messages begin with it. One
/// language is enough. Computes nothing. Throws LessonError with file and line of every mistake that does not follow
/// from another.
Lesson load_lesson(const std::string& folder, const LessonFiles& files);

// A lesson in one file, to be sent and opened: a zip archive of scene.json and its texts.

/// The ending of its name.
inline constexpr std::string_view archive_suffix = ".attnlesson";

/// The files of an archive, which is read at the first call, as LessonFiles::in_lesson. That throws Error as read_npz.
std::function<std::optional<std::string>(const std::string& name)> members_of(const std::filesystem::path& archive);

/// Writes what a lesson may consist of, scene.json and a text of each language, atomically. Throws Error where the file
/// cannot be written.
void write_archive(const std::filesystem::path& archive, const LessonFiles& files);

// A lecture: steps of lessons in an order of its own, with what each press of the key does. Data, as lessons are.

/// Reads resources/lectures/<name>.json:
///   {"version": 1, "titles": {"en": {"title", "summary"}, ...},
///    "steps": [{"lesson": "why-divide-by-sqrt-d", "step": "growth", "minutes": 1.5,
///               "moves": [{"answer": "sixteen"}, {"draw": {"E": 1024}}, {"stage": "scores"}, {"at": 50}],
///               "slide": {"en": {"title", "text", "answer", "notes"}, ...},
///               "question": false, "formula": false, "view": {"cards": ...}}, ...]}
/// `formula` may also be the name of one that any of the steps has.
/// The result is a lesson whose steps are copies, called "<lesson>/<step>", with their minutes and moves. A slide, of
/// at most most_slide_words in each language, replaces the texts of the step, which become its notes. `name` is its id
/// and `file` is used in messages. Throws LessonError for a file that is wrong, and for a lesson, step or option that
/// is not there.
Lesson read_lecture(std::string_view text, const std::string& name, const std::string& file,
                    std::span<const Lesson* const> lessons);

/// The minutes of all steps; 0 for a lesson that is no lecture.
double minutes_of(const Lesson& lesson);

// How long a lesson takes who reads its text in one language.

inline constexpr double words_per_minute = 150.0; ///< words_in() of all texts: a careful reader
inline constexpr double minutes_per_step = 0.5;   ///< looking at the board
inline constexpr double minutes_per_question = 1.0;

/// Returns how many minutes the lesson takes, rounded up. A lecture states its minutes. Those of other lessons are
/// computed from the speeds above.
int reading_minutes(const Lesson& lesson, std::string_view language);

} // namespace attnlab::lessons
