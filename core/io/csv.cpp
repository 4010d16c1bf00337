#include "core/io/csv.h"

#include "core/io/csv_scanner.h"
#include "core/io/elements.h"
#include "core/message.h"

#include <algorithm>
#include <span>
#include <sstream>

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
    const bool plain = label.find_first_of("\t\r\n\";, ") == std::string::npos &&
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
    return label_text(position < labels.size() ? labels[position] : std::string());
}

} // namespace

Table read_table(std::string_view text, std::string_view name, const ReadLimits& limits) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw Error({ATTNLAB_TEXT("%1: is UTF-16 text, expected UTF-8"), {std::string(name)}});
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
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

} // namespace attnlab::io
