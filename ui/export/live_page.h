// Pages of HTML that compute: a lesson, or a problem as a board, with the engine as a WebAssembly module inside. One
// file, without a network. The viewer is in web/; scripts/web builds the module.
#pragma once

#include "core/attention.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_files.h"
#include "core/run_control.h"

#include <cstdint>
#include <optional>
#include <QByteArray>
#include <QString>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::ui {

/// The numbers of all inputs, and the scores of one setting, that a page recomputes without a pause.
inline constexpr std::int64_t most_live_numbers = std::int64_t{1} << 16;

struct LivePageOptions {
    QString title = {};    ///< of a problem or a board; a lesson has its own
    QString title_zh = {}; ///< the same in Chinese; empty: `title`
    QString summary = {};  ///< of a board: what there is to see
    QString summary_zh = {};
    QString language = {}; ///< "en" or "zh_CN"; empty: the browser's
};

/// A page of a problem and its second setting. Throws Error where the module is missing, where an array has NaN or the
/// problem is too large for a page; Cancelled.
QByteArray livePage(const AttentionProblem& problem, const LivePageOptions& options, const RunControl& control = {});

/// A page of all steps of a lesson, whose files are `files`. It has the sizes that the lesson gives it, however large.
/// Throws Error where the module is missing or an array of a scene has NaN; Cancelled.
QByteArray livePage(const lessons::Lesson& lesson, const lessons::LessonFiles& files, const LivePageOptions& options,
                    const RunControl& control = {});

/// What a lecture is read from: its text, and lessons with their files, at least those that it names.
struct LectureSource {
    std::string text = {};
    std::vector<std::pair<const lessons::Lesson*, lessons::LessonFiles>> lessons = {};
};

/// A page of the steps of a lecture, with what its lessons say about them. Throws as above, and where a lesson is
/// missing.
QByteArray livePage(const lessons::Lesson& lecture, const LectureSource& source, const LivePageOptions& options,
                    const RunControl& control = {});

/// A page of one board, for example of a lab. Sizes and exceptions as those of a lesson.
QByteArray livePage(const lab::Scene& scene, const lab::BoardSpec& view, const LivePageOptions& options,
                    const RunControl& control = {});

/// Why there can be no page: how to build the module where it is missing.
std::optional<Message> livePageUnsupportedReason();
/// The same, or why the problem does not fit a page.
std::optional<Message> livePageUnsupportedReason(const AttentionProblem& problem);

} // namespace attnlab::ui
