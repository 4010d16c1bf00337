#include "core/lessons/text_limits.h"

#include "core/tokens/unicode.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attnlab::lessons {
namespace {

bool is_blank(char32_t character) { return character == U' ' || character == U'\t'; }

/// Qt begins a new block or line at each of these.
bool ends_line(char32_t character) {
    return character == U'\n' || character == 0x2028 || character == 0x2029 || character == 0xfdd0 ||
           character == 0xfdd1;
}

/// No font has a glyph of these, for which each is looked up anew.
bool is_control(char32_t character) {
    return (character < 0x20 && character != U'\t' && character != U'\n' && character != U'\r') || character == 0x7f;
}

/// Characters of Chinese, Japanese and Korean, between which lines break.
bool is_ideograph(char32_t character) {
    return (character >= 0x2e80 && character <= 0x9fff) || (character >= 0xac00 && character <= 0xd7a3) ||
           (character >= 0xf900 && character <= 0xfaff) || (character >= 0xff01 && character <= 0xff60) ||
           (character >= 0x20000 && character <= 0x3ffff);
}

struct LineStart {
    std::size_t items = 0;  ///< of lists
    std::size_t levels = 0; ///< of lists and quotes
};

/// Counts the markers at the beginning of a line: "> - 1. a" has three, two of them of lists.
LineStart start_of(std::string_view line) {
    LineStart start;
    const auto is_closed = [&](std::size_t at) { return at >= line.size() || line[at] == ' ' || line[at] == '\t'; };
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (c == ' ' || c == '\t')
            continue;
        const auto after_digits = std::min(line.find_first_not_of("0123456789", at), line.size());
        const bool number = after_digits > at && after_digits < line.size() &&
                            (line[after_digits] == '.' || line[after_digits] == ')') && is_closed(after_digits + 1);
        const bool bullet = (c == '-' || c == '+' || c == '*') && is_closed(at + 1);
        if (c != '>' && !number && !bullet)
            break;
        ++start.levels;
        start.items += c != '>';
        at = number ? after_digits : at;
    }
    return start;
}

/// Reads a text once, and remembers what stands together.
class Measurer {
public:
    std::optional<TextExcess> measure(std::string_view text) {
        const auto valid = tokens::is_utf8(text) ? std::string(text) : tokens::with_replacements(text);
        std::size_t begin = 0;
        bool starts = true; // a line of the Markdown
        tokens::for_each_character(valid, [&](char32_t character, std::size_t at) {
            if (std::exchange(starts, false))
                begin_line(std::string_view(valid).substr(at, valid.find('\n', at) - at));
            ++all_;
            add(character);
            if (ends_line(character))
                ++lines_;
            if (character == U'\n') {
                end_line(std::string_view(valid).substr(begin, at - begin));
                ++line_;
                begin = at + 1;
                starts = true;
            }
        });
        return excess();
    }

private:
    struct Longest {
        std::size_t count = 0;
        int line = 0;

        void note(std::size_t other, int at) {
            if (other > count)
                *this = {other, at};
        }
    };

    void begin_line(std::string_view line) {
        const auto start = start_of(line);
        lines_ += start.items > 1 ? start.items - 1 : 0;
        deepest_.note(start.levels, line_);
    }

    void add(char32_t character) {
        if (character == U'\r')
            return; // is left out
        if (is_control(character) && !control_) {
            control_ = character;
            control_line_ = line_;
        }
        if (paragraph_ == 0)
            paragraph_line_ = line_;
        longest_paragraph_.note(++paragraph_, paragraph_line_);
        if (is_blank(character) || character == U'\n')
            word_ = 0;
        else if (is_ideograph(character))
            word_ = 1; // marks may follow
        else
            longest_word_.note(++word_, line_);
    }

    void end_line(std::string_view line) {
        if (line.find_first_not_of(" \t\r") == line.npos)
            paragraph_ = 0;
    }

    std::optional<TextExcess> excess() const {
        const auto told = [](const char* words, std::size_t has, std::size_t most) {
            return Message{words, {std::to_string(has), std::to_string(most)}};
        };
        if (all_ > longest_step_text)
            return TextExcess{
                told(ATTNLAB_TEXT("has %1 characters; at most %2 may be in a step"), all_, longest_step_text)};
        if (lines_ > most_lines)
            return TextExcess{
                told(ATTNLAB_TEXT("has %1 lines and list items; at most %2 may be in a step"), lines_, most_lines)};
        if (longest_paragraph_.count > longest_paragraph)
            return TextExcess{
                told(ATTNLAB_TEXT("has %1 characters without an empty line; at most %2 may stand together"),
                     longest_paragraph_.count, longest_paragraph),
                longest_paragraph_.line};
        if (longest_word_.count > longest_word)
            return TextExcess{told(ATTNLAB_TEXT("has %1 characters without a space; at most %2 may stand together"),
                                   longest_word_.count, longest_word),
                              longest_word_.line};
        if (deepest_.count > deepest_nesting)
            return TextExcess{told(ATTNLAB_TEXT("has lists and quotes of %1 levels; at most %2 may be nested"),
                                   deepest_.count, deepest_nesting),
                              deepest_.line};
        if (control_)
            return TextExcess{{ATTNLAB_TEXT("has a control character with the code %1, expected text"),
                               {std::to_string(static_cast<std::uint32_t>(*control_))}},
                              control_line_};
        return std::nullopt;
    }

    std::optional<char32_t> control_;
    int control_line_ = 0;
    std::size_t all_ = 0, lines_ = 1, paragraph_ = 0, word_ = 0;
    int line_ = 0, paragraph_line_ = 0;
    Longest longest_paragraph_, longest_word_, deepest_;
};

} // namespace

std::size_t characters_in(std::string_view text) {
    return static_cast<std::size_t>(tokens::is_utf8(text) ? tokens::count_characters(text)
                                                          : tokens::count_characters(tokens::with_replacements(text)));
}

std::optional<TextExcess> excess_of(std::string_view text) { return Measurer().measure(text); }

} // namespace attnlab::lessons
