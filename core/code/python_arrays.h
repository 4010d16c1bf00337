// The arrays at the beginning of Python code: written out, or read from a file.
#pragma once

#include "core/code/code.h"
#include "core/resolved_problem.h"

#include <string>
#include <string_view>

namespace attnlab::code {

/// "1.0", "-1e-09", "-np.inf" (for NumPy's module `np`): always a float.
std::string float_text(double value, std::string_view np = "np");

/// The imports and a line or more for each array that the problem reads. `given` are the arrays of the file.
std::string python_arrays(const ResolvedProblem& problem, const TensorMap& given, Language language,
                          std::string_view file);

} // namespace attnlab::code
