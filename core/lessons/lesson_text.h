// The words of a lesson: Markdown with numbers that the engine computes.
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

/// Bytes of the words of a lesson in one language.
inline constexpr std::size_t largest_lesson_text = std::size_t{1} << 20;
/// Steps of a lesson, each of which holds a scene of its own.
inline constexpr std::size_t most_steps = 200;

/// Words, and after them a number; the last piece has none.
struct TextPiece {
    std::string words;
    std::optional<Expression> number;
    std::optional<int> decimals; ///< none: four significant digits
    int line = 0;                ///< of the number
};

struct LessonText {
    std::vector<TextPiece> pieces;
    bool empty() const { return pieces.empty(); }
};

/// The Markdown with its numbers in. Where one cannot be computed there is a dash, and `failed`, where given, hears of
/// it. Throws Cancelled.
std::string filled(const LessonText& text, const Evaluation& evaluation,
                   const std::function<void(int line, const Message&)>& failed = nullptr);

/// A number as texts show it: with so many decimals, or with four significant digits; "−" before negative ones, "∞",
/// "NaN". Several are separated by commas.
std::string number_text(double value, std::optional<int> decimals = std::nullopt);
std::string number_text(const Value& value, std::optional<int> decimals = std::nullopt);

/// What one language says in one step.
struct StepText {
    std::string title;
    LessonText body;
    LessonText question;
    std::map<std::string, LessonText, std::less<>> options;
    LessonText answer;
    std::map<std::string, LessonText, std::less<>> cards; ///< words beside the card of that id
    int line = 0;
    std::map<std::string, int, std::less<>> lines; ///< of "question", "answer", "option ID", "card ID"
};

/// A text file as it stands.
struct TextFile {
    std::string file;
    std::string title;
    std::string summary;
    std::vector<std::pair<std::string, StepText>> steps; ///< by id, in the order of the file
};

/// Throws LessonError; `file` is what it calls the text.
TextFile parse_text(std::string_view text, const std::string& file);

} // namespace attnlab::lessons
