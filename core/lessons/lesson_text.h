// The text of a lesson: Markdown with numbers from the engine.
#pragma once

#include "core/lessons/expression.h"
#include "core/lessons/mistake.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

/// The largest text of a lesson in one language, in bytes.
inline constexpr std::size_t largest_lesson_text = std::size_t{1} << 20;
/// The most steps of a lesson, each with its own scene.
inline constexpr std::size_t most_steps = 200;

/// Words followed by a number; the last piece has none.
struct TextPiece {
    std::string words;
    std::optional<Expression> number;
    std::optional<int> decimals; ///< nullopt: four significant digits
    int line = 0;                ///< of the number
};

struct LessonText {
    std::vector<TextPiece> pieces;
    bool empty() const { return pieces.empty(); }
};

/// The Markdown with its numbers inserted. A number that cannot be computed, or is too long (text_limits.h), becomes a
/// dash and is reported to `failed`, if given. Throws Cancelled.
std::string filled(const LessonText& text, const Evaluation& evaluation,
                   const std::function<void(int line, const Message&)>& failed = nullptr);

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
    LessonText answer;
    std::map<std::string, LessonText, std::less<>> cards; ///< the text of the card with that id
    int line = 0;
    std::map<std::string, int, std::less<>> lines; ///< of "question", "answer", "option ID", "card ID"
};

/// A parsed text file.
struct TextFile {
    std::string file;
    std::string title;
    std::string summary;
    std::vector<std::pair<std::string, StepText>> steps; ///< by id, in the order of the file
};

/// Throws LessonError, also for a text beyond the limits of text_limits.h; `file` is used in messages.
TextFile parse_text(std::string_view text, const std::string& file);

} // namespace attnlab::lessons
