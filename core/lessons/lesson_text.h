// The text of a lesson: Markdown with numbers from the engine, and the limits that keep its layout fast.
#pragma once

#include "core/lessons/expression.h"
#include "core/lessons/lesson_error.h"
#include "core/message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

/// All texts of a step in one language: its title, body, question, options, answer and cards.
inline constexpr std::size_t longest_step_text = 20'000; ///< characters
inline constexpr std::size_t longest_title = 200;        ///< characters, of a lesson or a step
inline constexpr std::size_t longest_summary = 2'000;    ///< characters
/// Characters without an empty line, also those of a list, a table or code.
inline constexpr std::size_t longest_paragraph = 5'000;
/// Characters between which no line can break: without a space or an ideograph.
inline constexpr std::size_t longest_word = 1'000;
/// Lines and items of lists of a step: "- - a" is a line with two items, which counts as two.
inline constexpr std::size_t most_lines = 500;
/// Lists and quotes inside of each other.
inline constexpr std::size_t deepest_nesting = 8;
/// Options of a question, which have the letters a to z on paper.
inline constexpr std::size_t most_options = 26;
/// Characters of all {{numbers}} of one text once they are filled in, and of one of them.
inline constexpr std::size_t longest_filled_numbers = 5'000;
inline constexpr std::size_t longest_filled_number = 1'000;
/// Cells that the expressions of one text may compute with, since the window evaluates them.
inline constexpr std::int64_t most_text_cells = std::int64_t{1} << 22;

/// Characters of UTF-8; an invalid byte counts as one.
std::size_t characters_in(std::string_view text);

struct TextExcess {
    Message message; ///< "has a word of 1,200 characters; at most 1,000 may ..."
    int line = 0;    ///< from 0, of the text
};

/// The first limit that the text of a step exceeds, or a control character in it; nullopt if none.
std::optional<TextExcess> excess_of(std::string_view text);

// The text of a lesson: Markdown with numbers from the engine.

/// The largest text of a lesson in one language, in bytes.
inline constexpr std::size_t largest_lesson_text = std::size_t{1} << 20;
/// The most steps of a lesson, each with its own scene.
inline constexpr std::size_t most_steps = 200;

/// Where a text is shown. Text on paper leaves out {{screen: ...}}, since a reader of paper cannot move a control.
enum class Medium { Screen, Paper };

/// Words, in most pieces followed by a number.
struct TextPiece {
    std::string words;
    bool only_on_screen = false; ///< `words` are those of {{screen: ...}}; such a piece has no number
    std::optional<Expression> number;
    std::optional<int> decimals; ///< nullopt: four significant digits
    int line = 0;                ///< of the number
};

struct LessonText {
    std::vector<TextPiece> pieces;
    bool empty() const { return pieces.empty(); }
};

/// The Markdown with its numbers inserted. A number that cannot be computed, or is too long (limits above), becomes a
/// dash and is reported to `failed`, if given. Throws Cancelled.
std::string filled(const LessonText& text, const Evaluation& evaluation,
                   const std::function<void(int line, const Message&)>& failed = nullptr,
                   Medium medium = Medium::Screen);

/// A number as displayed: with `decimals` decimals, or four significant digits; "−" for negative ones, "∞", "NaN".
/// Several are separated by commas.
std::string number_text(double value, std::optional<int> decimals = std::nullopt);
std::string number_text(const Value& value, std::optional<int> decimals = std::nullopt);

/// The text of one step in one language.
struct StepText {
    std::string title;
    LessonText body;
    LessonText question;
    std::map<std::string, LessonText, std::less<>> options;
    LessonText hint; ///< after a first wrong choice; empty if none
    LessonText answer;
    std::map<std::string, LessonText, std::less<>> whys;  ///< by option: why it is right or not, after a choice
    std::map<std::string, LessonText, std::less<>> cards; ///< the text of the card with that id
    int line = 0;
    std::map<std::string, int, std::less<>>
        lines; ///< of "question", "hint", "answer", "option ID", "why ID", "card ID"
};

/// Counts words. Blanks separate them. Two Chinese, Japanese or Korean characters count as one word, because they take
/// as long to read. A {{number}} counts as one digit.
std::size_t words_in(const LessonText& text);
/// Those of a step's texts, except the hint and the reasons of options.
std::size_t words_in(const StepText& text);

/// A parsed text file.
struct TextFile {
    std::string file;
    std::string title;
    std::string summary;
    std::vector<std::pair<std::string, StepText>> steps; ///< by id, in the order of the file
};

/// Markdown with {{numbers}} and {{screen: ...}}, which begins in this line of `file`. Throws LessonError.
LessonText lesson_text(std::string_view markdown, const std::string& file, int line);

/// Throws LessonError, also for a text beyond the limits above; `file` is used in messages.
TextFile parse_text(std::string_view text, const std::string& file);

} // namespace attnlab::lessons
