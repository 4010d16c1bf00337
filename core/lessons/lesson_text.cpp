#include "core/lessons/lesson_text.h"

#include "core/utf8.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
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
        const auto valid = is_utf8(text) ? std::string(text) : with_replacements(text);
        std::size_t begin = 0;
        bool starts = true; // a line of the Markdown
        for_each_character(valid, [&](char32_t character, std::size_t at) {
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
    return static_cast<std::size_t>(is_utf8(text) ? count_characters(text) : count_characters(with_replacements(text)));
}

std::optional<TextExcess> excess_of(std::string_view text) { return Measurer().measure(text); }

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A piece of a file and its first line.
struct Section {
    std::string_view text;
    int line = 0;

    Section trimmed_section() const {
        const auto inner = trimmed(text);
        if (inner.empty())
            return {{}, line};
        const auto before = text.substr(0, static_cast<std::size_t>(inner.data() - text.data()));
        return {inner, line + static_cast<int>(std::ranges::count(before, '\n'))};
    }
};

/// "x[0] | 2": an expression and its decimals.
void read_number(std::string_view inside, const std::string& file, TextPiece& piece) {
    const auto bar = inside.rfind('|');
    if (bar != inside.npos) {
        const auto digits = trimmed(inside.substr(bar + 1));
        int decimals = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), decimals);
        if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || decimals < 0 || decimals > 15)
            throw LessonError(
                file, piece.line,
                {ATTNLAB_TEXT("has '%1' decimals, expected a number from 0 to 15"), {std::string(digits)}});
        piece.decimals = decimals;
        inside = inside.substr(0, bar);
    }
    try {
        piece.number.emplace(std::string(trimmed(inside)));
    } catch (const LessonError&) {
        throw;
    } catch (const Error& error) {
        throw LessonError(file, piece.line,
                          {ATTNLAB_TEXT("{{%1}}: %2"), {std::string(trimmed(inside)), error.message()}});
    }
}

/// Splits the file into sections line by line.
class TextParser {
public:
    TextParser(std::string_view text, const std::string& file) : file_(file) {
        split_lines(text);
        check_limits();
        read_head();
        while (at_ < lines_.size())
            read_step();
        if (result_.steps.empty())
            fail(static_cast<int>(lines_.size()), ATTNLAB_TEXT("has no step, expected '## ID: title'"));
        result_.file = file;
    }
    TextFile take() { return std::move(result_); }

private:
    struct Line {
        std::string_view text;
        int heading = 0; ///< the number of leading #; 0 in code
    };

    [[noreturn]] void fail(int line, const Message& message) const { throw LessonError(file_, line, message); }
    int number() const { return static_cast<int>(at_) + 1; }
    const Line& line() const { return lines_[at_]; }
    bool is_heading(int level) const { return at_ < lines_.size() && line().heading == level; }

    void split_lines(std::string_view text) {
        bool code = false;
        while (!text.empty()) {
            const auto end = std::min(text.find('\n'), text.size());
            auto line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (line.starts_with("```"))
                code = !code;
            const auto marks = code ? 0 : std::min(line.find_first_not_of('#'), line.size());
            const bool heading = marks > 0 && marks < line.size() && line[marks] == ' ';
            lines_.push_back({line, heading ? static_cast<int>(marks) : 0});
        }
    }

    /// Before anything is read, so that no message quotes a line that is too long.
    void check_limits() const {
        for (std::size_t from = 0; from < lines_.size();) {
            auto to = from + 1;
            while (to < lines_.size() && lines_[to].heading != 2)
                ++to;
            const auto& last = lines_[to - 1].text;
            const auto* begin = lines_[from].text.data();
            check_section(from, {begin, static_cast<std::size_t>(last.data() + last.size() - begin)});
            from = to;
        }
    }

    /// A step, or what stands before the first one.
    void check_section(std::size_t first, std::string_view section) const {
        const auto& heading = lines_[first];
        const auto fail_for = [&](int line, const Message& what) {
            if (heading.heading != 2)
                fail(line, {ATTNLAB_TEXT("the text before the first step %1"), {what}});
            constexpr std::size_t longest_shown = 40;
            const auto words = trimmed(heading.text.substr(2));
            auto id = words.substr(0, std::min(words.find(':'), longest_shown));
            fail(line, {ATTNLAB_TEXT("step '%1' %2"), {with_replacements(id), what}});
        };
        const int line = static_cast<int>(first) + 1;
        if (const auto excess = excess_of(section))
            fail_for(line + excess->line, excess->message);
        if (const auto title = characters_in(heading.text); heading.heading > 0 && title > longest_title)
            fail_for(line, {ATTNLAB_TEXT("has a title of %1 characters; at most %2 may be read"),
                            {std::to_string(title), std::to_string(longest_title)}});
    }

    std::string_view words_of_heading() const {
        return trimmed(line().text.substr(static_cast<std::size_t>(line().heading)));
    }

    /// The lines up to the next heading of up to three #.
    Section body() {
        if (at_ == lines_.size())
            return {{}, number()};
        const char* begin = line().text.data();
        const auto first = number();
        const char* end = begin;
        while (at_ < lines_.size() && (line().heading == 0 || line().heading > 3)) {
            end = line().text.data() + line().text.size();
            ++at_;
        }
        return Section{{begin, static_cast<std::size_t>(end - begin)}, first}.trimmed_section();
    }

    void read_head() {
        while (at_ < lines_.size() && trimmed(line().text).empty())
            ++at_;
        if (!is_heading(1))
            fail(number(), ATTNLAB_TEXT("expected '# ' and the title of the lesson"));
        result_.title = plain({words_of_heading(), number()});
        ++at_;
        const auto summary = body();
        if (summary.text.empty())
            fail(number(), ATTNLAB_TEXT("expected a sentence or two for the list of lessons below the title"));
        if (const auto length = characters_in(summary.text); length > longest_summary)
            fail(summary.line, {ATTNLAB_TEXT("the summary has %1 characters; at most %2 may be read"),
                                {std::to_string(length), std::to_string(longest_summary)}});
        result_.summary = plain(summary);
        std::ranges::replace(result_.summary, '\n', ' ');
    }

    /// Splits "ID: words".
    std::pair<std::string, Section> named(const Section& section, const char* expected) const {
        const auto colon = section.text.find(':');
        const auto id = trimmed(section.text.substr(0, colon));
        const bool word = !id.empty() && std::ranges::all_of(id, [](unsigned char c) {
            return std::isalnum(c) || c == '_' || c == '-';
        });
        if (colon == section.text.npos || !word || trimmed(section.text.substr(colon + 1)).empty())
            fail(section.line, {ATTNLAB_TEXT("is '%1', expected %2"),
                                {std::string(section.text.substr(0, section.text.find('\n'))), expected}});
        return {std::string(id), Section{section.text.substr(colon + 1), section.line}.trimmed_section()};
    }

    void read_step() {
        if (!is_heading(2))
            fail(number(), {ATTNLAB_TEXT("is '%1', expected '## ID: title' of a step"), {std::string(line().text)}});
        const auto [id, title] = named({words_of_heading(), number()}, "'## ID: title'");
        if (std::ranges::find(result_.steps, id, &std::pair<std::string, StepText>::first) != result_.steps.end())
            fail(number(), {ATTNLAB_TEXT("step '%1' is there twice"), {id}});
        if (result_.steps.size() == most_steps)
            fail(number(), {ATTNLAB_TEXT("has more than %1 steps"), {std::to_string(most_steps)}});
        StepText step;
        step.line = number();
        step.title = plain(title);
        ++at_;
        step.body = pieces(body());
        if (step.body.empty())
            fail(step.line, {ATTNLAB_TEXT("step '%1' has no text"), {id}});
        while (is_heading(3))
            read_part(step);
        if (!step.question.empty() && step.answer.empty())
            fail(step.lines.at("question"), ATTNLAB_TEXT("the question has no '### answer'"));
        result_.steps.emplace_back(id, std::move(step));
    }

    void read_part(StepText& step) {
        const auto words = words_of_heading();
        const auto here = number();
        ++at_;
        const auto content = body();
        const auto once = [&](const std::string& part) {
            if (!step.lines.emplace(part, here).second)
                fail(here, {ATTNLAB_TEXT("'%1' is there twice in this step"), {part}});
        };
        if (words == "question") {
            once("question");
            read_question(step, content, here);
        } else if (words == "hint" || words == "answer") {
            once(std::string(words));
            auto& text = words == "hint" ? step.hint : step.answer;
            text = pieces(content);
            if (text.empty() || step.question.empty())
                fail(here, ATTNLAB_TEXT("expected a text, and a question before it"));
        } else if (words.starts_with("card ")) {
            const auto [id, text] = named({words.substr(5), here}, "'### card ID: words'");
            once("card " + id);
            if (!content.text.empty())
                fail(content.line, ATTNLAB_TEXT("a card has one line of words, in its heading"));
            step.cards.emplace(id, pieces(text));
        } else if (words.starts_with("why ")) {
            read_why(step, {words.substr(4), here}, content);
        } else {
            fail(here,
                 {ATTNLAB_TEXT("is '%1', expected '### question', '### hint', '### answer', '### why OPTION: words' "
                               "or '### card ID: words'"),
                  {"### " + std::string(words)}});
        }
    }

    /// One line below an option, once the answer is shown.
    void read_why(StepText& step, const Section& heading, const Section& content) {
        const auto [id, text] = named(heading, "'### why OPTION: words'");
        if (!step.lines.emplace("why " + id, heading.line).second)
            fail(heading.line, {ATTNLAB_TEXT("'%1' is there twice in this step"), {"why " + id}});
        if (!content.text.empty())
            fail(content.line, ATTNLAB_TEXT("the reason of an option is one line, in its heading"));
        if (!step.options.contains(id))
            fail(heading.line, {ATTNLAB_TEXT("there is no option '%1' before it"), {id}});
        step.whys.emplace(id, pieces(text));
    }

    /// Words followed by a list of options.
    void read_question(StepText& step, const Section& content, int here) {
        auto list = content.text.starts_with("- ") ? 0 : content.text.find("\n- ");
        if (list == content.text.npos || list == 0)
            fail(here, ATTNLAB_TEXT("expected a question, then its options, each as '- ID: words'"));
        step.question = pieces(Section{content.text.substr(0, list), content.line}.trimmed_section());
        auto rest = content.text.substr(list + 1);
        auto line_number = content.line + static_cast<int>(std::ranges::count(content.text.substr(0, list + 1), '\n'));
        while (!rest.empty()) {
            const auto next = std::min(rest.find("\n- "), rest.size());
            const auto option = rest.substr(0, next);
            const auto [id, text] = named({option.substr(2), line_number}, "'- ID: words' of an option");
            if (!step.options.emplace(id, pieces(text)).second)
                fail(line_number, {ATTNLAB_TEXT("option '%1' is there twice"), {id}});
            step.lines.emplace("option " + id, line_number);
            line_number += 1 + static_cast<int>(std::ranges::count(option, '\n'));
            rest.remove_prefix(std::min(next + 1, rest.size()));
        }
    }

    /// Text without numbers of the engine, since it is shown before anything is computed.
    std::string plain(const Section& section) const {
        if (section.text.find("{{") != section.text.npos)
            fail(section.line, ATTNLAB_TEXT("titles and the summary hold no {{numbers}}"));
        if (section.text.empty())
            fail(section.line, ATTNLAB_TEXT("is empty, expected words"));
        return std::string(section.text);
    }

    LessonText pieces(const Section& section) const { return lesson_text(section.text, file_, section.line); }

    const std::string& file_;
    std::vector<Line> lines_;
    std::size_t at_ = 0;
    TextFile result_;
};

std::string written(double value, std::chars_format format, int digits) {
    char buffer[512]; // a double has at most 309 digits before the point
    const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value, format, digits);
    return {std::begin(buffer), end.ptr};
}

/// "8.39·10⁻⁶".
std::string scientific(double value) {
    constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const auto text = written(value, std::chars_format::scientific, 2);
    const auto at = text.find('e');
    auto result = text.substr(0, at) + "·10";
    const int exponent = std::stoi(text.substr(at + 1));
    if (exponent < 0)
        result += "⁻";
    for (const char digit : std::to_string(std::abs(exponent)))
        result += raised[digit - '0'];
    return result;
}

/// number_text() of a value, at most `left` bytes. Throws Error.
std::string limited_number_text(const Value& value, std::optional<int> decimals, std::size_t left) {
    // Each cell takes a digit and a separator or more.
    if (value.cells.size() > longest_filled_number)
        throw Error({ATTNLAB_TEXT("is %1 numbers, too many for a text"), {std::to_string(value.cells.size())}});
    auto text = number_text(value, decimals);
    const auto length = characters_in(text);
    if (length > longest_filled_number)
        throw Error({ATTNLAB_TEXT("is written with %1 characters; at most %2 may stand in a text"),
                     {std::to_string(length), std::to_string(longest_filled_number)}});
    if (text.size() > left)
        throw Error({ATTNLAB_TEXT("the numbers of a text may have %1 characters together"),
                     {std::to_string(longest_filled_numbers)}});
    return text;
}

} // namespace

std::string number_text(double value, std::optional<int> decimals) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "∞" : "−∞";
    const double magnitude = std::abs(value);
    std::string text;
    if (decimals) {
        text = written(magnitude, std::chars_format::fixed, *decimals);
    } else if (magnitude == std::floor(magnitude) && magnitude < 1e6) {
        text = written(magnitude, std::chars_format::fixed, 0);
    } else if (magnitude < 1e-4 || magnitude >= 1e6) {
        text = scientific(magnitude);
    } else {
        const int before = magnitude < 1.0 ? 1 : static_cast<int>(std::log10(magnitude)) + 1;
        text = written(magnitude, std::chars_format::fixed, std::max(0, 4 - before));
    }
    // Avoids "-0.00".
    const bool zero = text.find_first_of("123456789") == text.npos;
    return value < 0.0 && !zero ? "−" + text : text;
}

std::string number_text(const Value& value, std::optional<int> decimals) {
    std::string text;
    for (const double cell : value.cells)
        text += (text.empty() ? "" : ", ") + number_text(cell, decimals);
    return text;
}

std::string filled(const LessonText& text, const Evaluation& evaluation,
                   const std::function<void(int line, const Message&)>& failed, Medium medium) {
    std::string result;
    std::size_t left = longest_filled_numbers;
    bool begins_line = false; // the last number does, and has only digits
    for (const auto& piece : text.pieces) {
        if (piece.only_on_screen && medium == Medium::Paper)
            continue;
        // Markdown takes "2. " at the beginning of a line for an item of a list, which begins at 1.
        if (begins_line && (piece.words.starts_with('.') || piece.words.starts_with(')')))
            result += '\\';
        begins_line = false;
        result += piece.words;
        if (!piece.number)
            continue;
        try {
            const auto number = limited_number_text(piece.number->value(evaluation), piece.decimals, left);
            left -= number.size();
            begins_line = trimmed(std::string_view(result).substr(result.rfind('\n') + 1)).empty() &&
                          number.find_first_not_of("0123456789") == number.npos;
            result += number;
        } catch (const Error& error) {
            result += "–";
            if (failed)
                failed(piece.line, {ATTNLAB_TEXT("{{%1}}: %2"), {piece.number->text(), error.message()}});
        }
    }
    return result;
}

namespace {

void append(std::string& all, const LessonText& part) {
    all += ' ';
    for (const auto& piece : part.pieces)
        all += piece.words + (piece.number ? "0" : "");
}

std::size_t count_words(const std::string& all) {
    std::size_t words = 0, ideographs = 0;
    bool between = true;
    for_each_character(is_utf8(all) ? all : with_replacements(all), [&](char32_t character, std::size_t) {
        const bool letter = !is_blank(character) && character != U'\n' && !is_ideograph(character);
        words += letter && between;
        ideographs += is_ideograph(character);
        between = !letter;
    });
    return words + (ideographs + 1) / 2;
}

} // namespace

std::size_t words_in(const LessonText& text) {
    std::string all;
    append(all, text);
    return count_words(all);
}

std::size_t words_in(const StepText& text) {
    std::string all = text.title;
    for (const auto* part : {&text.body, &text.question, &text.answer})
        append(all, *part);
    for (const auto* parts : {&text.options, &text.cards})
        for (const auto& [id, part] : *parts)
            append(all, part);
    return count_words(all);
}

namespace {

constexpr std::string_view on_screen = "screen:";

TextPiece words_on_screen(std::string_view inside, const std::string& file, int line) {
    TextPiece piece;
    piece.words = trimmed(inside.substr(on_screen.size()));
    piece.only_on_screen = true;
    piece.line = line;
    if (piece.words.empty() || piece.words.find("{{") != piece.words.npos)
        throw LessonError(file, line, ATTNLAB_TEXT("'{{screen: ...}}' holds words and no {{numbers}}"));
    return piece;
}

} // namespace

LessonText lesson_text(std::string_view markdown, const std::string& file, int line) {
    LessonText text;
    const auto pass = [&](std::size_t count) {
        line += static_cast<int>(std::ranges::count(markdown.substr(0, count), '\n'));
        markdown.remove_prefix(count);
    };
    while (!markdown.empty()) {
        TextPiece piece;
        const auto open = std::min(markdown.find("{{"), markdown.size());
        piece.words = markdown.substr(0, open);
        std::erase(piece.words, '\r');
        pass(open);
        piece.line = line;
        if (!markdown.empty()) {
            const auto close = markdown.find("}}");
            if (close == markdown.npos)
                throw LessonError(file, line, ATTNLAB_TEXT("'{{' has no '}}'"));
            const auto inside = markdown.substr(2, close - 2);
            if (inside.starts_with(on_screen)) {
                text.pieces.push_back(std::exchange(piece, words_on_screen(inside, file, line)));
            } else {
                read_number(inside, file, piece);
            }
            pass(close + 2);
        }
        text.pieces.push_back(std::move(piece));
    }
    return text;
}

TextFile parse_text(std::string_view text, const std::string& file) {
    if (text.size() > largest_lesson_text)
        throw LessonError(file, 0,
                          {ATTNLAB_TEXT("has %1 bytes; at most %2 may be read"),
                           {std::to_string(text.size()), std::to_string(largest_lesson_text)}});
    return TextParser(text, file).take();
}

} // namespace attnlab::lessons
