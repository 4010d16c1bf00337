// Limits of a lesson's text: within them Qt parses and lays it out without delay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attnlab::lessons {

/// Characters of a step's text in one language: its title, body, question, options, answer and cards as written.
inline constexpr std::size_t longest_step_text = 20'000;
/// Characters of adjacent lines that are not blank, and of title and summary of a lesson together.
inline constexpr std::size_t longest_paragraph = 5'000;
inline constexpr std::size_t longest_title = 500; ///< characters of the heading of a lesson or a step
inline constexpr std::size_t most_step_lines = 1'000;
inline constexpr std::size_t most_step_numbers = 200; ///< {{expressions}}
inline constexpr std::size_t most_markup = 500;       ///< characters of a step that format text in Markdown, and "www."
inline constexpr std::size_t deepest_list = 6;        ///< markers of lists and quotes that start one line
inline constexpr std::size_t most_adjoining_marks = 16;    ///< combining and invisible characters in a row
inline constexpr std::size_t longest_shown_number = 500;   ///< characters that replace one {{expression}}
inline constexpr std::size_t longest_shown_numbers = 5000; ///< the same, of all in one text

/// Receives the lines of a text file in order.
class TextLimits {
public:
    /// `file` is used in messages.
    explicit TextLimits(const std::string& file) : file_(file) {}

    /// `heading` is the number of leading # of a heading, else 0. Throws LessonError.
    void add(std::string_view line, int heading);
    /// After the last line. Throws LessonError.
    void finish() const;

private:
    struct Count {
        int first = 1; ///< line
        std::size_t characters = 0;
        std::size_t lines = 0;
        std::size_t numbers = 0;
        std::size_t markup = 0;
    };

    void finish_paragraph() const;
    /// Returns the number of characters.
    std::size_t read(std::string_view line);
    void require(std::size_t has, std::size_t most, int line, const char* message) const;

    const std::string& file_;
    int line_ = 0;
    bool in_step_ = false;
    bool after_heading_ = false;
    Count section_; ///< a step, or what precedes the first
    Count paragraph_;
};

} // namespace attnlab::lessons
