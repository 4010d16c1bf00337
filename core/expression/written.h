// Expressions over cells in other languages.
#pragma once

#include "core/expression/cell_expression.h"

#include <functional>
#include <string>

namespace attnlab {

/// The text of a name (b, h, q, k, offset, score, B, H, L, S, a mask) in the other language.
using NameInCode = std::function<std::string(const std::string& name)>;

/// Python on arrays or on tensors of one number, in NumPy's words. Parts without a cell are written as one number.
std::string in_python(const CellExpression& expression, const NameInCode& name_of);

/// A formula; arrays are upright with their indices below.
std::string in_latex(const CellExpression& expression, const NameInCode& name_of);

/// True where the text of in_python() must stand in brackets beside an operator.
bool needs_brackets(const CellExpression& expression);

} // namespace attnlab
