// Text tables: files (.csv, .tsv) and the clipboard format of spreadsheets.
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

/// Detects the separator: tab, semicolon, comma, or spaces. A decimal comma is accepted where the separator is not a
/// comma ("0,5;1,25"). Accepts quoted fields, CR LF, a byte order mark, and "inf", "-inf", "nan"; "true" and "false"
/// make a bool table. Throws Error with `name`, line and column of the first cell that is not a number, and for a line
/// with another number of fields. Thousands separators, and decimal points together with decimal commas, are errors
/// too. Quotes mark labels that look like numbers where the numbers themselves are unquoted.
Table read_table(std::string_view text, std::string_view name, const ReadLimits& limits = {});

/// Full precision, decimal points; a bool table is written as true and false. `separator` is ',' or '\t'. Throws Error
/// unless the rank is 2 with at least one number. Missing labels are left blank.
std::string write_table(const Tensor& values, char separator, const std::vector<std::string>& row_labels = {},
                        const std::vector<std::string>& column_labels = {});
/// The same, row by row. Throws Cancelled, and Error when the numbers cannot be read.
void write_table(std::ostream& stream, const Tensor& values, char separator,
                 const std::vector<std::string>& row_labels = {}, const std::vector<std::string>& column_labels = {},
                 const RunControl& control = {});

} // namespace attnlab::io
