// A lesson while it is written: the fields that an author edits, complete or not.
#pragma once

#include "core/lab/board.h"
#include "core/lessons/lesson_error.h"
#include "core/lessons/lesson_files.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::lessons {

/// A JSON object of scene.json, shared by copies: the board of a step may have many numbers.
class DraftJson {
public:
    DraftJson() : DraftJson("{}") {}
    explicit DraftJson(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
    const std::string& text() const { return *text_; }
    bool operator==(const DraftJson& other) const { return text_ == other.text_ || *text_ == *other.text_; }

private:
    std::shared_ptr<const std::string> text_;
};

struct DraftOption {
    std::string id;
    std::string right; ///< the expression that is true when this option is the answer
    bool operator==(const DraftOption&) const = default;
};

struct DraftQuestion {
    std::vector<DraftOption> options;
    bool covers = true;
    DraftJson other; ///< its members that have no field here: "about", "reveals"
    bool operator==(const DraftQuestion&) const = default;
};

/// The texts of a step in one language, as Markdown with {{numbers}}.
struct DraftText {
    std::string title;
    std::string body;
    std::string question;
    std::map<std::string, std::string, std::less<>> options; ///< by id
    std::string hint;
    std::string answer;
    std::map<std::string, std::string, std::less<>> cards;     ///< by id
    std::vector<std::pair<std::string, std::string>> sections; ///< other headings of the step, and their texts
    bool operator==(const DraftText&) const = default;
    bool empty() const { return *this == DraftText(); }
};

struct DraftStep {
    std::string id;
    DraftJson board; ///< its members that have no field here: "inputs", "settings", "board", ... without "same"
    std::vector<std::string> live;
    std::vector<std::string> checks;
    std::vector<std::string> first_checks;
    std::optional<DraftQuestion> question;
    std::map<std::string, DraftText, std::less<>> texts; ///< by language
    bool operator==(const DraftStep&) const = default;
};

struct DraftTitle {
    std::string title;
    std::string summary;
    bool operator==(const DraftTitle&) const = default;
};

struct Draft {
    std::string group;
    std::map<std::string, DraftTitle, std::less<>> titles; ///< by language
    std::vector<DraftStep> steps;
    bool operator==(const Draft&) const = default;

    /// Something is written in this language.
    bool has_language(std::string_view language) const;
};

/// The field of a draft that a message is about.
struct DraftPlace {
    static constexpr std::size_t lesson = std::numeric_limits<std::size_t>::max();
    std::size_t step = lesson; ///< its index; `lesson`: of the lesson itself
    std::string language = {}; ///< of a text; else empty
    /// "title", "summary", "group", "body", "question", "hint", "answer", "option ID", "card ID", "section ID"; without
    /// a language "board", "live", "options", "right ID", "checks 0", "first_checks 0".
    std::string field = {};
    bool operator==(const DraftPlace&) const = default;
};

struct DraftMistake {
    DraftPlace place;
    Message message;
};

/// The files of a draft, and which of its fields each line is.
class WrittenDraft {
public:
    explicit WrittenDraft(const Draft& draft);

    /// The draft's files, with the samples, formulas and models of `resources`.
    LessonFiles files(LessonFiles resources) const;
    /// Finds the field of a mistake in one of these files.
    DraftPlace place_of(const Mistake& mistake) const;
    /// "scene.json", "en.md", ...
    const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }

private:
    friend class DraftWriter;
    std::map<std::string, std::string, std::less<>> texts_;
    std::map<std::string, std::map<int, DraftPlace>, std::less<>> places_; ///< by file: the first line of each field
};

/// Reads a lesson, also an unfinished one. Throws LessonError for a scene.json that is no list of steps.
Draft read_draft(const LessonFiles& files);

/// Numbers in the inputs of one step.
inline constexpr std::int64_t most_step_numbers = std::int64_t{1} << 20;

/// A step with a board as save_board() writes it. Throws Error as scene_json_of(), and for more numbers.
DraftStep draft_step_of(const lab::Scene& scene, const lab::BoardSpec& view);
/// Replaces the board of `step`. With `keep_inputs`, its inputs and settings stay as they are written, which keeps the
/// name of a sample or a model. Throws Error as scene_json_of().
void set_board(DraftStep& step, const lab::Scene& scene, const lab::BoardSpec& view, bool keep_inputs);
/// Inserts a copy at `index`, under an id of its own.
void insert_step(Draft& draft, std::size_t index, DraftStep step);
/// A name that none of `others` has: `wish`, or `wish`_2, ...
std::string free_id(const std::string& wish, const std::vector<std::string>& others);

/// The draft of a lesson with one of its steps.
Draft only_step(const Draft& draft, std::size_t step);

} // namespace attnlab::lessons
