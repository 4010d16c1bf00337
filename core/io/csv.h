// Text tables: files (.csv, .tsv), the clipboard format of spreadsheets, and the scanner that splits them into cells.
#pragma once

#include "core/io/file_formats.h"
#include "core/tensor.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

struct Table {
    Tensor values;                          ///< (rows, columns); for lists of matrix_text.h one or more axes
    std::vector<std::string> row_labels;    ///< from a first column that is text; empty otherwise
    std::vector<std::string> column_labels; ///< from a first row that is text; empty otherwise
};

/// Detects the separator: tab, semicolon, comma, or spaces. A decimal comma is accepted where the separator is not a
/// comma ("0,5;1,25"). Accepts quoted fields, CR LF, a byte order mark, and "inf", "-inf", "nan"; "true" and "false"
/// make a bool table. Throws Error with `name`, line and column of the first cell that is not a number, and for a line
/// with another number of fields. Thousands separators, and decimal points together with decimal commas, are errors
/// too. Quotes mark labels that look like numbers where the numbers themselves are unquoted. Other texts of matrices
/// (matrix_text.h) are read as such.
Table read_table(std::string_view text, std::string_view name, const ReadLimits& limits = {});

/// Full precision, decimal points; a bool table is written as true and false. `separator` is ',' or '\t'. Throws Error
/// unless the rank is 2 with at least one number. Missing labels are left blank; invalid UTF-8 in them becomes U+FFFD.
std::string write_table(const Tensor& values, char separator, const std::vector<std::string>& row_labels = {},
                        const std::vector<std::string>& column_labels = {});
/// The same, row by row. Throws Cancelled, and Error when the numbers cannot be read.
void write_table(std::ostream& stream, const Tensor& values, char separator,
                 const std::vector<std::string>& row_labels = {}, const std::vector<std::string>& column_labels = {},
                 const RunControl& control = {});

} // namespace attnlab::io

// Splits text tables into cells, without interpreting labels.

namespace attnlab {
struct RunControl;
}

namespace attnlab::io {

struct Cell {
    std::string text; ///< without quotes and surrounding spaces
    bool quoted = false;
    std::int64_t row = 0;    ///< from 0
    std::int64_t column = 0; ///< from 0
    std::int64_t line = 1;   ///< from 1; differs from row + 1 where quoted cells hold line breaks
};

/// The first tab, semicolon, comma or (for runs of spaces) space outside quotes.
char find_separator(std::string_view text, const RunControl* control = nullptr);

/// Iterates over the cells of `text` row by row. Throws Error for rows of unequal length, blank lines between rows and
/// broken quotes; Cancelled where `control`, if not null, is. All must outlive it.
class CsvScanner {
public:
    CsvScanner(std::string_view text, char separator, std::string_view name, const RunControl* control = nullptr);

    /// False at the end.
    bool next(Cell& cell);

private:
    void read_quoted(Cell& cell);
    void read_plain(Cell& cell);
    void skip_blanks();
    void advance();
    bool at_line_end() const;
    void end_row();
    [[noreturn]] void fail(const char* literal, std::int64_t line, std::int64_t column) const;

    std::string_view text_;
    char separator_;
    std::string_view name_;
    const RunControl* control_;
    std::size_t position_ = 0, next_poll_ = 0;
    std::int64_t row_ = 0;
    std::int64_t column_ = 0;
    std::int64_t line_ = 1;
    std::int64_t expected_columns_ = 0; ///< that of the first row, once it is read
    bool after_separator_ = false;
};

/// The meaning of a cell's text.
struct CellValue {
    enum class Kind {
        Blank,
        Number,
        Boolean,
        Text,
        Malformed,    ///< digits and separators that do not form a number: "1,234.5"
        OutsideRange, ///< "1e999"
        Inexact       ///< an integer beyond 2^53 that float64 cannot hold
    };
    Kind kind = Kind::Text;
    double number = 0.0;
    char decimal_mark = '\0'; ///< '.' or ',' if the number has one

    bool is_value() const { return kind == Kind::Number || kind == Kind::Boolean; }
};

CellValue interpret(std::string_view text, bool decimal_comma_allowed);

} // namespace attnlab::io
