// Matrices as programs and papers write them: nested lists, LaTeX, Markdown.
#pragma once

#include "core/io/csv.h"

#include <string_view>

namespace attnlab::io {

/// True for text that begins like one of these, and not like rows of numbers and labels:
/// - a list, "[[1, 0], [0, 1]]" in Python, with or without a call such as torch.tensor(...) or np.array(...) and a name
///   ("Q = "), "[1 0; 0 1]" in MATLAB, "{{1, 0}, {0, 1}}";
/// - LaTeX, "1 & 0 \\ 0 & 1", with or without \begin{...} and brackets;
/// - a Markdown table, whose first row has labels.
bool is_matrix_text(std::string_view text);

/// Reads such text. A list has up to eight axes. Lists of True and False alone
/// are bool. Throws Error with `name` and the line for anything that is not a number, for lists of unequal lengths, for
/// numbers that are left out ("..."), and for text after the matrix; Cancelled.
Table read_matrix_text(std::string_view text, std::string_view name, const ReadLimits& limits = {});

} // namespace attnlab::io
