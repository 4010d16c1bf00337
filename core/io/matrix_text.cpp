#include "core/io/matrix_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>
#include <utility>

namespace attnlab::io {
namespace {

bool is_space(char letter) { return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n'; }
bool is_name_letter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '.';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_space(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// The words of numbers that are not digits. Signs and points are apart.
bool begins_like_number(std::string_view text) {
    if (text.starts_with('-') || text.starts_with('+'))
        text.remove_prefix(1);
    if (text.starts_with('.'))
        text.remove_prefix(1);
    if (text.empty())
        return false;
    if (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.starts_with("\xE2\x88\x92")) // or "−"
        return true;
    const auto word =
        text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_letter) - text.begin()));
    constexpr std::array<std::string_view, 10> words{"nan",  "NaN",   "inf",  "Inf",   "Infinity",
                                                     "true", "false", "True", "False", "infinity"};
    return std::ranges::find(words, word) != words.end();
}

bool opens(char letter) { return letter == '[' || letter == '{'; }

/// "[[1", "{ -2", "[]": labels such as "[CLS]" are no lists.
bool begins_like_list(std::string_view text) {
    if (text.empty() || !opens(text.front()))
        return false;
    while (!text.empty() && (opens(text.front()) || is_space(text.front())))
        text.remove_prefix(1);
    return text.starts_with(']') || text.starts_with("...") || begins_like_number(text);
}

/// The length of "Q = " at the beginning; 0 where there is none.
std::size_t length_of_name(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, is_name_letter);
    auto rest = text.substr(static_cast<std::size_t>(end - text.begin()));
    const auto name = text.size() - rest.size();
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t'))
        rest.remove_prefix(1);
    if (name == 0 || !rest.starts_with('=') || rest.starts_with("=="))
        return 0;
    rest.remove_prefix(1);
    while (!rest.empty() && is_space(rest.front()))
        rest.remove_prefix(1);
    return text.size() - rest.size();
}

/// The length of "torch.tensor(" before a list; 0 where there is none.
std::size_t length_of_call(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, is_name_letter);
    auto rest = text.substr(static_cast<std::size_t>(end - text.begin()));
    if (rest.size() == text.size() || !rest.starts_with('('))
        return 0;
    rest.remove_prefix(1);
    while (!rest.empty() && is_space(rest.front()))
        rest.remove_prefix(1);
    return begins_like_list(rest) ? text.size() - rest.size() : 0;
}

std::string_view without_name(std::string_view text) {
    text = trimmed(text);
    return text.substr(length_of_name(text));
}

/// "[1], 0.5": the first cell of a table, which is a label, and not a list.
bool is_cell(std::string_view line) {
    int open = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        open += opens(line[i]) ? 1 : line[i] == ']' || line[i] == '}' ? -1 : 0;
        if (open == 0)
            return trimmed(line.substr(i + 1)).starts_with(',');
    }
    return false;
}

bool is_list(std::string_view text) {
    text = without_name(text);
    return (begins_like_list(text) && !is_cell(first_line(text))) || length_of_call(text) > 0;
}

bool is_markdown(std::string_view text) {
    const auto line = trimmed(first_line(trimmed(text)));
    return line.size() > 1 && line.front() == '|' && line.back() == '|';
}

bool is_latex(std::string_view text) {
    text = without_name(text);
    const auto line = first_line(text);
    // Labels may begin like formulas: "$".
    constexpr std::array<std::string_view, 4> beginnings{"\\left", "\\[", "\\(", "$"};
    if (std::ranges::any_of(beginnings, [&](auto beginning) { return text.starts_with(beginning); }))
        return line.find('&') != line.npos || text.find("\\begin{") != text.npos;
    return text.starts_with("\\begin{") || (line.find_first_of("\t,;\"") == line.npos &&
                                            (line.find("\\\\") != line.npos || line.find(" & ") != line.npos));
}

std::int64_t line_at(std::string_view text, std::size_t position) {
    return 1 + std::ranges::count(text.substr(0, position), '\n');
}

class Lists {
public:
    Lists(std::string_view text, std::string_view name, const ReadLimits& limits)
        : text_(text), name_(name), limits_(limits),
          most_(std::min(limits.max_elements, most_in_memory(limits) / static_cast<std::int64_t>(sizeof(double)))) {}

    Tensor read() {
        skip_space();
        position_ += length_of_name(rest());
        const auto call = length_of_call(rest());
        position_ += call;
        read_list(0);
        if (call > 0)
            skip_arguments();
        skip_space();
        if (rest().starts_with(';'))
            ++position_;
        skip_space();
        if (!rest().empty())
            fail(ATTNLAB_TEXT("%1: line %2 has text after the matrix, “%3”"), {excerpt(rest())});
        if (values_.empty())
            throw Error({ATTNLAB_TEXT("%1: holds no numbers"), {std::string(name_)}});
        if (truths_ > 0 && truths_ < std::ssize(values_))
            throw Error({ATTNLAB_TEXT("%1: mixes numbers with true and false"), {std::string(name_)}});
        return Tensor(shape_, std::move(values_), truths_ > 0 ? DType::Bool : DType::Float64);
    }

private:
    std::string_view rest() const { return text_.substr(position_); }

    void skip_space() {
        while (position_ < text_.size() && is_space(text_[position_]))
            ++position_;
    }

    /// %1 is the name, %2 the line.
    [[noreturn]] void fail(const char* literal, std::vector<Argument> more = {}) const {
        more.insert(more.begin(), {std::string(name_), std::to_string(line_at(text_, position_))});
        throw Error({literal, std::move(more)});
    }

    /// Every list of one depth has the same number of entries.
    void close(std::size_t depth, std::int64_t entries) {
        if (shape_.size() <= depth)
            shape_.resize(depth + 1, unknown);
        if (shape_[depth] == unknown)
            shape_[depth] = entries;
        else if (shape_[depth] != entries)
            fail(ATTNLAB_TEXT("%1: the list that ends in line %2 has %3 entries, expected %4 as in the first"),
                 {std::to_string(entries), std::to_string(shape_[depth])});
    }

    /// From its opening to its closing bracket.
    void read_list(std::size_t depth) {
        constexpr std::size_t most_axes = 8;
        if (depth == most_axes)
            fail(ATTNLAB_TEXT("%1: line %2 has a list in %3 others"), {std::to_string(most_axes)});
        const char closing = text_[position_] == '[' ? ']' : '}';
        ++position_;
        std::int64_t entries = 0, rows = 0, commas = 0;
        bool of_lists = false, of_numbers = false, wrapped = false, separated = true;
        for (;;) {
            const auto before = position_;
            skip_space();
            const auto space = text_.substr(before, position_ - before);
            if (rest().empty())
                fail(ATTNLAB_TEXT("%1: ends in line %2 before the list does; “%3” is missing"),
                     {std::string(1, closing)});
            const char letter = text_[position_];
            if (letter == closing)
                break;
            if (letter == ',' || letter == ';') {
                if (separated)
                    fail(ATTNLAB_TEXT("%1: line %2 has “%3” where a number is expected"), {excerpt(rest(), 10)});
                ++position_;
                separated = true;
                commas += letter == ',' ? 1 : 0;
                if (letter == ';') { // the end of a row
                    close(depth + 1, entries);
                    entries = 0;
                    ++rows;
                }
                continue;
            }
            if (!separated && space.empty())
                fail(ATTNLAB_TEXT("%1: line %2 has “%3”, expected a comma, a space or the end of the list"),
                     {excerpt(rest(), 10)});
            wrapped = wrapped || (!separated && space.find('\n') != space.npos);
            if (opens(letter)) {
                of_lists = true;
                read_list(depth + 1);
            } else {
                of_numbers = true;
                read_number();
            }
            if (of_lists && (of_numbers || rows > 0))
                fail(beside_lists);
            separated = false;
            ++entries;
        }
        if (depth == 0 && of_numbers && wrapped && commas == 0 && rows == 0)
            fail(ATTNLAB_TEXT(
                "%1: line %2 ends a list of several lines without commas: end rows with “;”, or put each in "
                "brackets"));
        if (rows > 0) {
            if (entries > 0) { // "; ]" ends the last row
                close(depth + 1, entries);
                ++rows;
            }
            entries = rows;
        }
        if (const auto axes = depth + (rows > 0 ? 2 : 1); of_numbers && axes_ != 0 && axes_ != axes)
            fail(beside_lists);
        else if (of_numbers)
            axes_ = axes;
        close(depth, entries);
        ++position_;
    }

    void read_number() {
        if (const auto now = position_; now >= next_poll_) {
            limits_.checkpoint();
            next_poll_ = now + (1 << 16);
        }
        if (rest().starts_with("..."))
            fail(ATTNLAB_TEXT("%1: numbers are left out in line %2 (“%3”): print the whole array"), {"..."});
        const auto end = std::min(text_.find_first_of(" \t\r\n,;]}()[{", position_), text_.size());
        const auto word = text_.substr(position_, end - position_);
        const auto value = interpret(word, false);
        if (!value.is_value())
            fail(ATTNLAB_TEXT("%1: line %2 has “%3”, expected a number"), {excerpt(word.empty() ? rest() : word)});
        if (std::ssize(values_) == most_)
            fail(ATTNLAB_TEXT("%1: has more numbers in line %2 than the %3 that may be read"), {std::to_string(most_)});
        values_.push_back(value.number);
        truths_ += value.kind == CellValue::Kind::Boolean ? 1 : 0;
        position_ = end;
    }

    /// ", dtype=torch.float64)": named arguments say how the numbers are stored, not what they are.
    void skip_arguments() {
        skip_space();
        const auto begin = position_;
        for (int open = 1; position_ < text_.size(); ++position_) {
            const char letter = text_[position_];
            open += letter == '(' ? 1 : letter == ')' ? -1 : 0;
            if (open > 0)
                continue;
            auto arguments = text_.substr(begin, position_ - begin);
            if (!trimmed(arguments).empty() && (!arguments.starts_with(',') || arguments.find('=') == arguments.npos)) {
                position_ = begin;
                fail(ATTNLAB_TEXT("%1: line %2 has text after the matrix, “%3”"), {excerpt(arguments)});
            }
            ++position_;
            return;
        }
        fail(ATTNLAB_TEXT("%1: ends in line %2 before the list does; “%3” is missing"), {")"});
    }

    static constexpr std::int64_t unknown = -1;
    static constexpr const char* beside_lists = ATTNLAB_TEXT("%1: line %2 has numbers beside lists");

    std::string_view text_, name_;
    const ReadLimits& limits_;
    std::int64_t most_;
    std::size_t position_ = 0, next_poll_ = 0;
    Shape shape_;
    std::size_t axes_ = 0; ///< of the numbers that were read; 0: none yet
    std::vector<double> values_;
    std::int64_t truths_ = 0;
};

using Rows = std::vector<std::vector<std::string>>;

bool is_value(const std::string& cell) { return interpret(cell, false).is_value(); }

/// A first row or column with words has labels.
Table table_of(const Rows& rows, bool first_row_has_labels, std::string_view name, const ReadLimits& limits) {
    const auto width = rows.empty() ? 0 : rows.front().size();
    const auto fail = [&](const char* literal, std::size_t row, std::vector<Argument> more) {
        more.insert(more.begin(), {std::string(name), std::to_string(row + 1)});
        throw Error({literal, std::move(more)});
    };
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].size() != width)
            fail(ATTNLAB_TEXT("%1: row %2 has %3 cells, expected %4 as in the first"), row,
                 {std::to_string(rows[row].size()), std::to_string(width)});
    const std::size_t top = first_row_has_labels ? 1 : 0;
    if (rows.size() <= top)
        throw Error({ATTNLAB_TEXT("%1: holds no numbers"), {std::string(name)}});
    const std::size_t left = std::ranges::any_of(std::span(rows).subspan(top), [](const auto& row) {
        return interpret(row.front(), false).kind == CellValue::Kind::Text;
    });
    if (width <= left)
        throw Error({ATTNLAB_TEXT("%1: holds no numbers"), {std::string(name)}});
    Table table;
    std::vector<double> values;
    std::size_t truths = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        limits.checkpoint();
        if (row >= top && left > 0)
            add_label(rows[row].front(), table.row_labels, name);
        for (std::size_t column = left; column < width; ++column) {
            const auto& cell = rows[row][column];
            if (row < top) {
                add_label(cell, table.column_labels, name);
                continue;
            }
            const auto value = interpret(cell, false);
            if (!value.is_value())
                fail(ATTNLAB_TEXT("%1: row %2, column %3 is “%4”, expected a number"), row,
                     {std::to_string(column + 1), excerpt(cell)});
            values.push_back(value.number);
            truths += value.kind == CellValue::Kind::Boolean ? 1 : 0;
        }
    }
    if (truths > 0 && truths < values.size())
        throw Error({ATTNLAB_TEXT("%1: mixes numbers with true and false"), {std::string(name)}});
    const Shape shape{std::ssize(rows) - static_cast<std::int64_t>(top), static_cast<std::int64_t>(width - left)};
    table.values = Tensor(shape, std::move(values), truths > 0 ? DType::Bool : DType::Float64);
    return table;
}

/// "| cat | 1 |" as its cells. A backslash keeps the letter behind it.
std::vector<std::string> markdown_cells(std::string_view line) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size())
            cells.back() += line[++i];
        else if (line[i] == '|')
            cells.emplace_back();
        else
            cells.back() += line[i];
    }
    if (line.ends_with('|') && cells.size() > 1)
        cells.pop_back();
    for (auto& cell : cells) {
        auto text = trimmed(cell);
        for (const std::string_view mark : {"**", "`", "*", "$"}) // emphasis is not a part of a number
            if (text.size() > 2 * mark.size() && text.starts_with(mark) && text.ends_with(mark))
                text = text.substr(mark.size(), text.size() - 2 * mark.size());
        cell = std::string(trimmed(text));
    }
    return cells;
}

bool is_rule(const std::vector<std::string>& cells) {
    return std::ranges::all_of(cells, [](const std::string& cell) {
        return cell.find('-') != cell.npos && cell.find_first_not_of(":- ") == cell.npos;
    });
}

Table read_markdown(std::string_view text, std::string_view name, const ReadLimits& limits) {
    Rows rows;
    bool has_labels = false;
    for (text = trimmed(text); !text.empty();) {
        const auto line = first_line(text);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto cells = markdown_cells(trimmed(line));
        if (is_rule(cells) && rows.size() == 1)
            // Without words, the row above the rule is a header that Markdown wants and the matrix lacks.
            has_labels = std::ranges::any_of(rows.front(), [](const auto& cell) { return !cell.empty(); });
        else
            rows.push_back(cells);
        if (is_rule(cells) && !has_labels && rows.size() == 1)
            rows.clear();
    }
    return table_of(rows, has_labels, name, limits);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// The words between the braces at `at`, which is moved behind them; nullopt where there are none.
std::optional<std::string_view> braced(std::string_view text, std::size_t& at) {
    if (at >= text.size() || text[at] != '{')
        return std::nullopt;
    const auto end = text.find('}', at);
    if (end == text.npos)
        return std::nullopt;
    const auto words = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return words;
}

/// "\frac{1}{2}" as its number, "-\infty" as -inf; other cells as they are.
std::string latex_number(std::string_view cell) {
    std::string sign;
    if (cell.starts_with('-') || cell.starts_with('+')) {
        sign = cell.substr(0, 1);
        cell = trimmed(cell.substr(1));
    }
    if (cell == "\\infty")
        return (sign == "-" ? "-inf" : "inf");
    std::size_t at = std::string_view("\\frac").size();
    if (cell.starts_with("\\dfrac") || cell.starts_with("\\tfrac"))
        ++at;
    else if (!cell.starts_with("\\frac"))
        return sign + std::string(cell);
    const auto above = braced(cell, at), below = braced(cell, at);
    if (above && below && at == cell.size()) {
        const auto a = interpret(trimmed(*above), false), b = interpret(trimmed(*below), false);
        if (a.kind == CellValue::Kind::Number && b.kind == CellValue::Kind::Number)
            return to_text((sign == "-" ? -a.number : a.number) / b.number);
    }
    return sign + std::string(cell);
}

Table read_latex(std::string_view text, std::string_view name, const ReadLimits& limits) {
    std::string body(without_name(text));
    if (const auto begin = body.find("\\begin{"); begin != body.npos) {
        auto at = begin + std::string_view("\\begin").size();
        const auto environment = braced(body, at);
        const auto end = environment ? body.find("\\end{" + std::string(*environment) + "}", at) : body.npos;
        if (end == body.npos)
            throw Error({ATTNLAB_TEXT("%1: \\begin without its \\end"), {std::string(name)}});
        auto after = std::string(body.substr(end + environment->size() + std::string_view("\\end{}").size()));
        if (after.find('&') != after.npos || after.find("\\begin") != after.npos)
            throw Error(
                {ATTNLAB_TEXT("%1: has text after the matrix, “%2”"), {std::string(name), excerpt(trimmed(after))}});
        if (environment->starts_with("array") || environment->starts_with("tabular"))
            (void)braced(body, at); // the alignment of columns
        body = body.substr(at, end - at);
    }
    // Brackets and spaces that only change how it looks.
    constexpr std::array<std::string_view, 24> looks{
        "\\left[", "\\left(", "\\right]", "\\right)", "\\left\\{", "\\right\\}",   "\\[",          "\\]",
        "\\(",     "\\)",     "$",        "\\hline",  "\\toprule", "\\midrule",    "\\bottomrule", "\\displaystyle",
        "\\quad",  "\\,",     "\\;",      "\\!",      "\\:",       "\\phantom{-}", "\\nonumber",   "~"};
    std::ranges::replace(body, '\n', ' ');
    replace_all(body, "\\\\", "\n");
    replace_all(body, "{,}", ".");
    Rows rows;
    for (std::string_view left = body; rows.empty() || !left.empty();) {
        auto line = first_line(left);
        left.remove_prefix(std::min(line.size() + 1, left.size()));
        if (!rows.empty() && line.starts_with('[')) // "\\[2pt]"
            line.remove_prefix(std::min(line.find(']'), line.size() - 1) + 1);
        std::string row(line);
        for (const auto look : looks)
            replace_all(row, look, " ");
        rows.emplace_back(1);
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (row.compare(at, 2, "\\&") == 0)
                rows.back().back() += row[++at];
            else if (row[at] == '&')
                rows.back().emplace_back();
            else
                rows.back().back() += row[at];
        }
    }
    for (auto& row : rows)
        for (auto& cell : row)
            cell = latex_number(trimmed(cell));
    if (rows.size() > 1 && rows.back().size() == 1 && rows.back().front().empty())
        rows.pop_back(); // the last row may end like the others
    const bool labels =
        std::ranges::any_of(std::span(rows.front()).subspan(1), [](const auto& cell) { return !is_value(cell); });
    return table_of(rows, labels, name, limits);
}

} // namespace

bool is_matrix_text(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    while (text.starts_with('\r') || text.starts_with('\n'))
        text.remove_prefix(1);
    if (first_line(text).find('\t') != text.npos)
        return false; // a table, whose labels may be anything
    return is_list(text) || is_markdown(text) || is_latex(text);
}

Table read_matrix_text(std::string_view text, std::string_view name, const ReadLimits& limits) {
    if (is_list(text))
        return {Lists(text, name, limits).read(), {}, {}};
    constexpr std::size_t most = std::size_t{1} << 24; // nobody writes more, and its cells take many times as much
    if (text.size() > most)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes of LaTeX or Markdown; at most %3 are read"),
                     {std::string(name), std::to_string(text.size()), std::to_string(most)}});
    return is_markdown(text) ? read_markdown(text, name, limits) : read_latex(text, name, limits);
}

} // namespace attnlab::io
