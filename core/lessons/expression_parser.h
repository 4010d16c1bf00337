// The parsed form of an expression.
#pragma once

#include "core/message.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::lessons {

struct ExpressionNode {
    enum class Kind {
        Number,   ///< `number`
        Constant, ///< `name`: E, L, S, inf, pi
        Setting,  ///< `name`, as the argument of a function
        Part,     ///< `name` of a setting, `part`: weights, tensor.query
        Index,    ///< the child, and `subscripts`
        Call,     ///< the function `name` of the children
        Negative, ///< of the child
        Binary,   ///< `name` is + - * / ^
        Compare,  ///< children with `operators` between them: a < b < c
        Within,   ///< the first two children differ by at most the third, in percent where `percent`
        And,
        Or,
        Not,
    };
    /// i, i:j, or : in square brackets. Empty ends mean the ends of the axis.
    struct Subscript {
        std::vector<ExpressionNode> first;
        std::vector<ExpressionNode> last;
        bool range = false;
    };

    Kind kind = Kind::Number;
    std::size_t begin = 0; ///< of its source text
    std::size_t end = 0;
    double number = 0.0;
    std::string name;
    std::string part;
    std::vector<ExpressionNode> children;
    std::vector<Subscript> subscripts;
    std::vector<std::string> operators;
    bool percent = false;
};

/// Throws Error: "column 7: ...".
ExpressionNode parse_expression(std::string_view text);

/// Throws the error at `begin`.
[[noreturn]] void fail_at_column(std::size_t begin, const Message& what);

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
