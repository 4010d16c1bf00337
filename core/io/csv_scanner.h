// Splits text tables into cells, without interpreting labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
        Malformed,   ///< digits and separators that do not form a number: "1,234.5"
        OutsideRange ///< "1e999"
    };
    Kind kind = Kind::Text;
    double number = 0.0;
    char decimal_mark = '\0'; ///< '.' or ',' if the number has one

    bool is_value() const { return kind == Kind::Number || kind == Kind::Boolean; }
};

CellValue interpret(std::string_view text, bool decimal_comma_allowed);

} // namespace attnlab::io
