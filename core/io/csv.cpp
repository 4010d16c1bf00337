#include "core/io/csv.h"

#include "core/io/elements.h"
#include "core/io/label_files.h"
#include "core/io/matrix_text.h"
#include "core/message.h"
#include "core/run_control.h"
#include "core/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>
#include <system_error>

namespace attnlab::io {
namespace {

using CsvKind = CellValue::Kind;

/// What is known about cells that may be labels.
struct Cells {
    std::int64_t count = 0;
    bool all_text = true;
    bool all_text_or_quoted = true;
    bool any_sound = false; ///< one that is not a malformed number

    void add(CsvKind kind, bool quoted) {
        ++count;
        all_text = all_text && kind == CsvKind::Text;
        all_text_or_quoted = all_text_or_quoted && (kind == CsvKind::Text || quoted);
        any_sound = any_sound || kind != CsvKind::Malformed;
    }
};

/// The first row or column: its first cell, the corner, may be a label of its own kind.
struct Edge {
    Cells all;
    Cells corner;
    Cells rest;

    void add(CsvKind kind, bool quoted) {
        (all.count == 0 ? corner : rest).add(kind, quoted);
        all.add(kind, quoted);
    }
};

/// The first row and column, and the boundary between labels and numbers.
struct CsvLayout {
    Edge row;
    Edge column;
    bool quotes_mark_text = false; ///< some number is unquoted, so quoted cells are text
    bool has_column_labels = false;
    bool has_row_labels = false;

    bool are_text(const Cells& cells) const { return quotes_mark_text ? cells.all_text_or_quoted : cells.all_text; }
    /// Malformed numbers ("1,234.5", quoted because of the comma) must not be taken for labels.
    bool are_labels(const Cells& cells) const { return are_text(cells) && cells.any_sound; }

    void decide() {
        const bool wide = row.all.count > 1;
        has_column_labels = are_labels(wide ? row.rest : row.all);
        has_row_labels = wide && are_labels(has_column_labels ? column.rest : column.all);
        // The corner may be anything where both exist; else it is a label like the others.
        if (has_column_labels && !has_row_labels && !are_text(row.corner)) {
            has_column_labels = false;
            has_row_labels = wide && are_labels(column.all);
        }
    }
};

CsvLayout find_layout(std::string_view text, char separator, std::string_view name, const RunControl* control) {
    CsvLayout layout;
    CsvScanner scanner(text, separator, name, control);
    for (Cell cell; scanner.next(cell);) {
        const bool edge = cell.row == 0 || cell.column == 0;
        if (!edge && (layout.quotes_mark_text || cell.quoted))
            continue;
        const auto value = interpret(cell.text, separator != ',');
        layout.quotes_mark_text = layout.quotes_mark_text || (!cell.quoted && value.is_value());
        if (cell.row == 0)
            layout.row.add(value.kind, cell.quoted);
        if (cell.column == 0)
            layout.column.add(value.kind, cell.quoted);
    }
    layout.decide();
    return layout;
}

/// Collects the cells that are not labels and rejects those that do not fit the previous ones.
class Values {
public:
    Values(std::string_view name, bool decimal_comma_allowed, std::int64_t count)
        : name_(name), comma_allowed_(decimal_comma_allowed) {
        numbers_.reserve(static_cast<std::size_t>(count));
    }

    void add(const Cell& cell) {
        const auto value = interpret(cell.text, comma_allowed_);
        switch (value.kind) {
        case CsvKind::Blank:
            throw Error({ATTNLAB_TEXT("%1: line %2, column %3 is blank, expected a number"), place(cell)});
        case CsvKind::Text:
            throw Error({ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected a number"), place(cell)});
        case CsvKind::Malformed:
            throw Error({ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected a number without separators of "
                                      "thousands"),
                         place(cell)});
        case CsvKind::OutsideRange:
            throw Error(
                {ATTNLAB_TEXT("%1: line %2, column %3 is '%4', which is outside the range of float64"), place(cell)});
        case CsvKind::Inexact:
            throw Error({ATTNLAB_TEXT("%1: line %2, column %3 is '%4'; integers beyond 2^53 cannot be held exactly, "
                                      "write it with an exponent"),
                         place(cell)});
        case CsvKind::Number:
        case CsvKind::Boolean:
            break;
        }
        if (!numbers_.empty() && dtype_of(value) != dtype_)
            throw Error({dtype_ == DType::Bool
                             ? ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected true or false as before it")
                             : ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected a number as before it"),
                         place(cell)});
        if (decimal_mark_ && value.decimal_mark && value.decimal_mark != decimal_mark_)
            throw Error({decimal_mark_ == '.'
                             ? ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected a decimal point as before it")
                             : ATTNLAB_TEXT("%1: line %2, column %3 is '%4', expected a decimal comma as before it"),
                         place(cell)});
        dtype_ = dtype_of(value);
        decimal_mark_ = value.decimal_mark ? value.decimal_mark : decimal_mark_;
        numbers_.push_back(value.number);
    }

    Tensor tensor(std::int64_t rows, std::int64_t columns) && {
        return Tensor({rows, columns}, std::move(numbers_), dtype_);
    }

private:
    static DType dtype_of(const CellValue& value) {
        return value.kind == CsvKind::Boolean ? DType::Bool : DType::Float64;
    }

    std::vector<Argument> place(const Cell& cell) const {
        return {std::string(name_), std::to_string(cell.line), std::to_string(cell.column + 1), excerpt(cell.text)};
    }

    std::string_view name_;
    bool comma_allowed_;
    DType dtype_ = DType::Float64;
    char decimal_mark_ = '\0';
    std::vector<double> numbers_;
};

/// Quotes a label that would otherwise be parsed as something else.
std::string label_text(const std::string& label) {
    // A byte order mark at the beginning of a file would be lost.
    const bool plain = label.find_first_of("\t\r\n\";, [{(|\\$&=") == std::string::npos &&
                       interpret(label, true).kind == CsvKind::Text && label.find_first_of("\xEF\xFE\xFF") != 0;
    if (plain)
        return label;
    std::string quoted = "\"";
    for (const char c : label)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + '"';
}

std::string number_text(double value, bool is_bool) {
    if (is_bool)
        return value == 1.0 ? "true" : "false";
    return to_text(value);
}

std::string label_at(const std::vector<std::string>& labels, std::int64_t index) {
    const auto position = static_cast<std::size_t>(index);
    return label_text(position < labels.size() ? with_replacements(labels[position]) : std::string());
}

} // namespace

Table read_table(std::string_view text, std::string_view name, const ReadLimits& limits) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw Error({ATTNLAB_TEXT("%1: is UTF-16 text, expected UTF-8"), {std::string(name)}});
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    require_utf8(text, name);
    if (is_matrix_text(text))
        return read_matrix_text(text, name, limits);
    const char separator = find_separator(text, limits.control);
    const auto layout = find_layout(text, separator, name, limits.control);

    const std::int64_t skipped_rows = layout.has_column_labels ? 1 : 0;
    const std::int64_t skipped_columns = layout.has_row_labels ? 1 : 0;
    const auto rows = layout.column.all.count - skipped_rows;
    const auto columns = layout.row.all.count - skipped_columns;
    if (rows <= 0 || columns <= 0)
        throw Error({ATTNLAB_TEXT("%1: holds no numbers"), {std::string(name)}});
    const auto most = std::min(limits.max_elements, most_in_memory(limits) / static_cast<std::int64_t>(sizeof(double)));
    if (rows > most / columns)
        throw Error({ATTNLAB_TEXT("%1: has %2 rows of %3 numbers; at most %4 numbers may be read"),
                     {std::string(name), std::to_string(rows), std::to_string(columns), std::to_string(most)}});

    Table table;
    Values values(name, separator != ',', rows * columns);
    CsvScanner scanner(text, separator, name, limits.control);
    for (Cell cell; scanner.next(cell);) {
        if (cell.row >= skipped_rows && cell.column >= skipped_columns)
            values.add(cell);
        else if (cell.row >= skipped_rows)
            add_label(cell.text, table.row_labels, name);
        else if (cell.column >= skipped_columns)
            add_label(cell.text, table.column_labels, name);
    }
    table.values = std::move(values).tensor(rows, columns);
    return table;
}

void write_table(std::ostream& stream, const Tensor& values, char separator, const std::vector<std::string>& row_labels,
                 const std::vector<std::string>& column_labels, const RunControl& control) {
    if (values.rank() != 2 || values.size() == 0)
        throw Error({ATTNLAB_TEXT("a table has rows and columns; shape %1 cannot be written as one"),
                     {to_string(values.shape())}});
    // A column of true, false and other numbers could not be read back, so all are written as numbers.
    const bool is_bool =
        values.dtype() == DType::Bool && in_pieces(values, [](std::span<const double> piece) {
            return std::all_of(piece.begin(), piece.end(), [](double value) { return value == 0.0 || value == 1.0; });
        });
    const auto rows = values.dim(0), columns = values.dim(1);
    std::string text;
    if (!column_labels.empty()) {
        if (!row_labels.empty())
            text += separator;
        for (std::int64_t column = 0; column < columns; ++column) {
            if (column > 0)
                text += separator;
            text += label_at(column_labels, column);
        }
        text += '\n';
    }
    std::vector<double> numbers(static_cast<std::size_t>(columns));
    for (std::int64_t row = 0; stream && row < rows; ++row) {
        control.checkpoint();
        values.read(row * columns, std::span(numbers));
        if (!row_labels.empty())
            text += label_at(row_labels, row) + separator;
        for (std::size_t column = 0; column < numbers.size(); ++column) {
            if (column > 0)
                text += separator;
            text += number_text(numbers[column], is_bool);
        }
        text += '\n';
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
        text.clear();
        control.report(static_cast<double>(row + 1) / static_cast<double>(rows));
    }
}

std::string write_table(const Tensor& values, char separator, const std::vector<std::string>& row_labels,
                        const std::vector<std::string>& column_labels) {
    std::ostringstream stream;
    write_table(stream, values, separator, row_labels, column_labels);
    return std::move(stream).str();
}

namespace {

constexpr std::size_t between_checkpoints = 1 << 16; ///< letters

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    return std::ranges::equal(text, lower, {}, [](char byte) { return lowered(byte); });
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

namespace {

/// False for an integer that float64 rounds. Decimals are rounded as always.
bool is_exact(std::string_view digits, double number) {
    constexpr double exact_integers = 0x1p53;
    if (!(std::abs(number) >= exact_integers))
        return true;
    const bool negative = digits.starts_with('-');
    digits.remove_prefix(negative ? 1 : 0);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos)
        return true;
    digits.remove_prefix(digits.find_first_not_of('0'));
    std::array<char, 400> text{}; // more than the largest number has
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), std::abs(number), std::chars_format::fixed).ptr;
    return digits == std::string_view(text.data(), static_cast<std::size_t>(end - text.data()));
}

} // namespace

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
    if (!is_exact(digits, number))
        return {Kind::Inexact};
    return {Kind::Number, number, comma != std::string::npos ? ',' : has_point ? '.' : '\0'};
}

} // namespace attnlab::io
