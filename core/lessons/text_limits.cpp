#include "core/lessons/text_limits.h"

#include "core/lessons/mistake.h"
#include "core/tokens/unicode.h"

#include <algorithm>

namespace attnlab::lessons {
namespace {

constexpr std::string_view line_blanks = " \t\r";

bool is_blank(std::string_view line) { return line.find_first_not_of(line_blanks) == line.npos; }

/// "- - -", "***" and the like.
bool is_rule(std::string_view line) {
    const auto first = line.find_first_not_of(line_blanks);
    return first != line.npos && std::string_view("-*_").find(line[first]) != std::string_view::npos &&
           std::ranges::all_of(line,
                               [&](char c) { return c == line[first] || line_blanks.find(c) != line_blanks.npos; });
}

/// The bytes of a marker of a list or a quote at the start of `line`; 0 without one.
std::size_t marker_of(std::string_view line) {
    if (line.starts_with('>'))
        return 1;
    const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
    const bool numbered = digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
    const bool bullet = !line.empty() && std::string_view("-+*").find(line.front()) != std::string_view::npos;
    if (!numbered && !bullet)
        return 0;
    const auto end = digits + 1;
    return end == line.size() || line_blanks.find(line[end]) != line_blanks.npos ? end : 0;
}

/// Counts up to one more than is allowed, since it takes the length of the line each time.
std::size_t depth_of(std::string_view line) {
    std::size_t depth = 0;
    while (depth <= deepest_list && !is_rule(line)) {
        line.remove_prefix(std::min(line.find_first_not_of(line_blanks), line.size()));
        const auto marker = marker_of(line);
        if (marker == 0)
            break;
        line.remove_prefix(marker);
        ++depth;
    }
    return depth;
}

bool is_markup(char32_t character) {
    return character < 128 &&
           std::string_view("*_~`[]!<>|&\\@:").find(static_cast<char>(character)) != std::string_view::npos;
}

std::size_t count_of(std::string_view what, std::string_view line) {
    std::size_t count = 0;
    for (auto at = line.find(what); at != line.npos; at = line.find(what, at + what.size()))
        ++count;
    return count;
}

} // namespace

void TextLimits::require(std::size_t has, std::size_t most, int line, const char* message) const {
    if (has > most)
        throw LessonError(file_, line, {message, {std::to_string(has), std::to_string(most)}});
}

void TextLimits::add(std::string_view line, int heading) {
    ++line_;
    const bool blank = is_blank(line);
    if (heading > 0 || after_heading_ || blank) {
        finish_paragraph();
        paragraph_ = {};
    }
    if (heading == 1 || heading == 2) {
        finish();
        in_step_ = heading == 2;
        section_ = {.first = line_};
    }
    if (paragraph_.characters == 0)
        paragraph_.first = line_;
    const auto characters = read(line);
    if (heading == 1 || heading == 2)
        require(characters, longest_title, line_, ATTNLAB_TEXT("this title has %1 characters, expected at most %2"));
    section_.characters += characters + 1; // the end of the line
    paragraph_.characters += blank ? 0 : characters + 1;
    after_heading_ = heading > 0;
    ++section_.lines;
    section_.numbers += count_of("{{", line);
    section_.markup += count_of("www.", line); // becomes a link
    if (depth_of(line) > deepest_list)
        throw LessonError(
            file_, line_,
            {ATTNLAB_TEXT("has more than %1 markers of lists and quotes in front of its words, expected at most %1"),
             {std::to_string(deepest_list)}});
}

std::size_t TextLimits::read(std::string_view line) {
    std::string mended; // as it is shown
    if (!tokens::is_utf8(line)) {
        mended = tokens::with_replacements(line);
        line = mended;
    }
    std::size_t characters = 0, adjoining = 0, most = 0;
    tokens::for_each_character(line, [&](char32_t character, std::size_t) {
        ++characters;
        section_.markup += is_markup(character);
        const bool joins = character != '\t' && (tokens::is_mark(character) || tokens::is_control(character));
        adjoining = joins ? adjoining + 1 : 0;
        most = std::max(most, adjoining);
    });
    require(most, most_adjoining_marks, line_,
            ATTNLAB_TEXT("has %1 combining or invisible characters in a row, expected at most %2"));
    return characters;
}

void TextLimits::finish_paragraph() const {
    require(paragraph_.characters, longest_paragraph, paragraph_.first,
            ATTNLAB_TEXT("this paragraph has %1 characters, expected at most %2 and a blank line"));
}

void TextLimits::finish() const {
    finish_paragraph();
    if (!in_step_) {
        require(section_.characters, longest_paragraph, section_.first,
                ATTNLAB_TEXT("title and summary have %1 characters, expected at most %2"));
    }
    require(section_.characters, longest_step_text, section_.first,
            ATTNLAB_TEXT("this step has %1 characters of text, expected at most %2"));
    require(section_.lines, most_step_lines, section_.first,
            ATTNLAB_TEXT("this step has %1 lines, expected at most %2"));
    require(section_.numbers, most_step_numbers, section_.first,
            ATTNLAB_TEXT("this step has %1 {{numbers}}, expected at most %2"));
    require(section_.markup, most_markup, section_.first,
            ATTNLAB_TEXT("this step has %1 characters that Markdown reads as marks (*_~`[]!<>|&\\@:), expected at most "
                         "%2"));
}

} // namespace attnlab::lessons
