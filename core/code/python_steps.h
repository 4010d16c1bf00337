// The pieces of Python code: its arrays, written out or read from a file, and the lines of single steps.
#pragma once

#include "core/code/code.h"
#include "core/resolved_problem.h"

#include <string>
#include <string_view>
#include <vector>

namespace attnlab::code {

/// "1.0", "-1e-09", "-np.inf" (for NumPy's module `np`): always a float.
std::string float_text(double value, std::string_view np = "np");

/// The imports and a line or more for each array that the problem reads. `given` are the arrays of the file;
/// `uses_math` where the steps use Python's module.
std::string python_arrays(const ResolvedProblem& problem, const TensorMap& given, Language language,
                          std::string_view file, bool uses_math);

// Lines and expressions of single steps, in NumPy's words.

/// Lines that give query, key and value four axes.
std::string four_axes_of(const ResolvedProblem& problem);
/// Lines that make them from tokens.
std::string projections_of(const ResolvedProblem& problem);
/// Lines that rotate query and key.
std::string rotation_of(const ResolvedProblem& problem);
/// The line or two that make `scores`.
std::string scores_of(const ResolvedProblem& problem);

/// Lines that make `norm`, a divisor of the scores, if the scale has one; `some_zero`: it may be 0.
std::string divisor_of_scores(const ResolvedProblem& problem, bool some_zero);
/// `stage` times the scale; `stage` itself where that changes nothing.
std::string scaled_of(const ResolvedProblem& problem, const std::string& stage);

/// Lines that make `i` and `j`, the numbers of rows and columns, as far as positions and masks read them.
std::string row_and_column_of(const ResolvedProblem& problem);
/// The line that makes `slopes`, one for each head.
std::string alibi_slopes(const ResolvedProblem& problem);
/// Lines that make `position_bias`; empty if the position adds nothing.
std::string position_bias_of(const ResolvedProblem& problem);
/// The additive mask; empty if there is none.
std::string bias_of(const ResolvedProblem& problem);
/// score_mod of the array `score`; empty without one.
std::string score_mod_of(const ResolvedProblem& problem, const std::string& score);
/// The conditions to keep a cell, which are joined by AND, in brackets where there are several.
std::vector<std::string> conditions_of(const ResolvedProblem& problem);

/// The condition of the order of keys that a normaliser or a decay implies; empty if there is none.
std::string order_of(const ResolvedProblem& problem);
/// Lines that make `decay_bias`, which is added to the scores; empty if nothing is.
std::string decay_bias_of(const ResolvedProblem& problem);
/// Lines that make `decay`, which multiplies the weights; empty if nothing does.
std::string decay_factor_of(const ResolvedProblem& problem);

/// Code in NumPy's words in those of another language of Python.
std::string in_words_of(Language language, std::string text);

} // namespace attnlab::code
