// A lecture while it is composed: steps of lessons in an order of its own, with minutes and slides.
#pragma once

#include "core/lessons/lesson.h"
#include "core/run_control.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

/// The suffix of lecture files. They have the same format as the files in resources/lectures.
inline constexpr std::string_view lecture_suffix = ".attnlecture";

struct LectureEntry {
    std::string lesson; ///< Lesson::id
    std::string step;   ///< Step::id
    double minutes = 1.0;
    bool asks = true;        ///< shows the question of the step, if it has one
    std::string text = {};   ///< of the slide, Markdown with {{numbers}}; empty: the step's own text is shown
    std::string answer = {}; ///< of the slide, where it asks
    bool operator==(const LectureEntry&) const = default;
};

struct LectureDraft {
    std::string title;
    std::string summary;
    std::vector<LectureEntry> entries;
    bool operator==(const LectureDraft&) const = default;
};

/// The file of a lecture, for read_lecture(): its words are the same in every language, and the first press of the key
/// in a step that asks gives the right answer, for which this computes the step. Throws LessonError as read_lecture(),
/// and Cancelled.
std::string lecture_text(const LectureDraft& draft, std::span<const Lesson* const> lessons,
                         const RunControl& control = {});

/// Reads the text of such a file. Throws LessonError as read_lecture(), and for a part that a draft does not have.
LectureDraft read_lecture_draft(std::string_view text, const std::string& file, std::span<const Lesson* const> lessons);

/// Words of a text of a slide, of which at most most_slide_words are allowed; nullopt if its {{numbers}} cannot be
/// read.
std::optional<std::size_t> slide_words(const std::string& markdown);

} // namespace attnlab::lessons
