// The language of lessons for the parser of expressions.
#pragma once

#include "core/expression/parser.h"

#include <string_view>

namespace attnlab::lessons {

using attnlab::ExpressionNode;

/// Throws Error: "column 7: ...".
ExpressionNode parse_expression(std::string_view text);

/// The arguments of a function, and how the parser reads them.
struct ExpressionFunction {
    enum class Takes {
        Cells,          ///< x
        CellsAndAxis,   ///< x, or x and an axis
        Pair,           ///< x and y
        Setting,        ///< a setting
        SettingOrCells, ///< a setting, or weights
        SettingAndToken ///< a setting and a token
    };
    std::string_view name;
    Takes takes;
};
/// Null for an unknown name.
const ExpressionFunction* expression_function(std::string_view name);

} // namespace attnlab::lessons
