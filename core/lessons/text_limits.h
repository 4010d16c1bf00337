// Limits of a lesson's texts. A window lays a step out at once, so whatever makes Markdown or its layout slow has one.
#pragma once

#include "core/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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

} // namespace attnlab::lessons
