// Tables as text: files (.csv, .tsv) and what spreadsheets put on the clipboard.
#pragma once

#include "core/io/file_formats.h"
#include "core/tensor.h"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::io {

struct Table {
    Tensor values;                          ///< (rows, columns)
    std::vector<std::string> row_labels;    ///< from a first column that is text; empty otherwise
    std::vector<std::string> column_labels; ///< from a first row that is text; empty otherwise
};

/// Separator found from the text: tab, semicolon, comma, or blanks. A decimal comma is understood where the separator
/// is not a comma ("0,5;1,25"). Quoted fields, CR LF, a byte order mark, and "inf", "-inf", "nan" are understood;
/// "true" and "false" make a bool table. Throws Error that names `name`, line and column of the first thing that is no
/// number, and of a line with another number of fields. Numbers with separators of thousands, and decimal points beside
/// decimal commas, are errors too. Quotes mark labels that look like numbers where the numbers themselves are not
/// quoted.
Table read_table(std::string_view text, std::string_view name, const ReadLimits& limits = {});

/// Full precision, decimal points; a bool table is written as true and false. `separator` is ',' or '\t'. Rank 2 with
/// at least one number only (else Error). Where there are too few labels the rest are blank.
std::string write_table(const Tensor& values, char separator, const std::vector<std::string>& row_labels = {},
                        const std::vector<std::string>& column_labels = {});
/// The same, row by row. Throws Cancelled, and Error when the numbers cannot be read.
void write_table(std::ostream& stream, const Tensor& values, char separator,
                 const std::vector<std::string>& row_labels = {}, const std::vector<std::string>& column_labels = {},
                 const RunControl& control = {});

} // namespace attnlab::io
