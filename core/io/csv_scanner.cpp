#include "core/io/csv_scanner.h"

#include "core/message.h"
#include "core/run_control.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace attnlab::io {
namespace {

constexpr std::size_t between_checkpoints = 1 << 16; ///< letters

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

/// "1,234.5", "1 234", "50%": read as numbers by people, so they must not become labels.
bool looks_like_number(std::string_view text) {
    // A no-break space and a narrow one group digits in some locales.
    constexpr std::string_view marks = ".,'% +-eE\xC2\xA0\xE2\x80\xAF";
    bool digits = false;
    bool marked = false;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit && marks.find(c) == std::string_view::npos)
            return false;
        digits = digits || digit;
        marked = marked || (!digit && c != '-' && c != '+');
    }
    return digits && marked;
}

} // namespace

char find_separator(std::string_view text, const RunControl* control) {
    bool semicolon = false;
    bool comma = false;
    bool quoted = false;
    std::size_t next_poll = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (control && i >= next_poll) {
            control->checkpoint();
            next_poll = i + between_checkpoints;
        }
        const char c = text[i];
        const bool starts_cell = i == 0 || std::string_view("\n\r\t;, ").find(text[i - 1]) != std::string_view::npos;
        if (quoted && text.substr(i).starts_with("\"\""))
            ++i; // a quote within quotes
        else if (c == '"' && (quoted || starts_cell))
            quoted = !quoted;
        if (!quoted && c == '\t')
            return '\t';
        semicolon = semicolon || (!quoted && c == ';');
        comma = comma || (!quoted && c == ',');
    }
    return semicolon ? ';' : comma ? ',' : ' ';
}

CsvScanner::CsvScanner(std::string_view text, char separator, std::string_view name, const RunControl* control)
    : text_(text), separator_(separator), name_(name), control_(control) {
    while (!text_.empty() && std::string_view("\n\r ").find(text_.back()) != std::string_view::npos)
        text_.remove_suffix(1);
}

void CsvScanner::fail(const char* literal, std::int64_t line, std::int64_t column) const {
    throw Error({literal, {std::string(name_), std::to_string(line), std::to_string(column)}});
}

bool CsvScanner::at_line_end() const {
    return position_ == text_.size() || text_[position_] == '\n' || text_[position_] == '\r';
}

void CsvScanner::skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ')
        advance();
}

/// Polls also within a cell, which may be as long as the text.
void CsvScanner::advance() {
    ++position_;
    if (control_ && position_ >= next_poll_) {
        control_->checkpoint();
        next_poll_ = position_ + between_checkpoints;
    }
}

bool CsvScanner::next(Cell& cell) {
    if (position_ == text_.size() && !after_separator_)
        return false;
    skip_blanks();
    if (column_ == 0 && at_line_end())
        fail(ATTNLAB_TEXT("%1: line %2 is blank, expected numbers"), line_, 0);
    cell.row = row_;
    cell.column = column_;
    cell.line = line_;
    cell.quoted = position_ < text_.size() && text_[position_] == '"';
    cell.text.clear();
    if (cell.quoted)
        read_quoted(cell);
    else
        read_plain(cell);
    ++column_;

    after_separator_ = !at_line_end();
    if (!after_separator_)
        end_row();
    else if (separator_ != ' ') // a run of spaces is skipped already
        advance();
    return true;
}

void CsvScanner::read_plain(Cell& cell) {
    const auto begin = position_;
    while (!at_line_end() && text_[position_] != separator_)
        advance();
    cell.text = text_.substr(begin, position_ - begin);
    cell.text.erase(cell.text.find_last_not_of(' ') + 1);
    if (separator_ == ' ')
        skip_blanks();
}

void CsvScanner::read_quoted(Cell& cell) {
    for (++position_;; advance()) {
        if (position_ == text_.size())
            fail(ATTNLAB_TEXT("%1: the quote in line %2, column %3 is not closed"), cell.line, cell.column + 1);
        const char c = text_[position_];
        if (c == '"') {
            if (position_ + 1 == text_.size() || text_[position_ + 1] != '"')
                break;
            ++position_;
        }
        line_ += c == '\n';
        cell.text += c;
    }
    ++position_;
    const auto end = position_;
    skip_blanks();
    const bool separated =
        separator_ == ' ' ? position_ > end : position_ < text_.size() && text_[position_] == separator_;
    if (!at_line_end() && !separated)
        fail(ATTNLAB_TEXT("%1: line %2, column %3 goes on after its closing quote"), line_, cell.column + 1);
}

void CsvScanner::end_row() {
    if (row_ == 0)
        expected_columns_ = column_;
    if (column_ != expected_columns_)
        throw Error(
            {ATTNLAB_TEXT("%1: the number of cells in line %2 is %3, expected %4 as in the first line"),
             {std::string(name_), std::to_string(line_), std::to_string(column_), std::to_string(expected_columns_)}});
    if (position_ < text_.size())
        position_ += text_.substr(position_).starts_with("\r\n") ? 2 : 1;
    ++row_;
    ++line_;
    column_ = 0;
}

CellValue interpret(std::string_view text, bool decimal_comma_allowed) {
    using Kind = CellValue::Kind;
    if (text.find_first_not_of(' ') == std::string_view::npos)
        return {Kind::Blank};
    if (equals_ignoring_case(text, "true"))
        return {Kind::Boolean, 1.0};
    if (equals_ignoring_case(text, "false"))
        return {Kind::Boolean, 0.0};

    std::string digits(text);
    // Some locales write the minus as U+2212.
    if (constexpr std::string_view minus = "\xE2\x88\x92"; text.starts_with(minus))
        digits.replace(0, minus.size(), "-");
    else if (digits.front() == '+' && !text.starts_with("+-"))
        digits.erase(0, 1);
    const auto other = looks_like_number(digits) ? Kind::Malformed : Kind::Text;
    const auto comma = digits.find(',');
    const bool has_point = digits.find('.') != std::string::npos;
    if (comma != std::string::npos) {
        if (!decimal_comma_allowed || has_point)
            return {other};
        digits[comma] = '.'; // a second comma remains and makes the number invalid
    }
    double number = 0.0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // "nan(...)" is C, not a table.
    if (digits.empty() || end != digits.data() + digits.size() || digits.back() == ')')
        return {other};
    if (code == std::errc::result_out_of_range)
        return {Kind::OutsideRange};
    if (code != std::errc{})
        return {other};
    return {Kind::Number, number, comma != std::string::npos ? ',' : has_point ? '.' : '\0'};
}

} // namespace attnlab::io
