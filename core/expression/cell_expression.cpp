#include "core/expression/cell_expression.h"

#include "core/lookup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace attnlab {
namespace {

using Node = ExpressionNode;
using Meaning = CellExpression::Meaning;

constexpr std::array<std::string_view, 3> either_symbols = {"or", "||", "|"}, both_symbols = {"and", "&&", "&"},
                                          negation_symbols = {"not", "~", "!"};
constexpr std::array<std::string_view, 6> comparison_symbols = {"==", "!=", "<=", ">=", "<", ">"};
constexpr std::array<std::string_view, 4> product_symbols = {"//", "/", "*", "%"};
constexpr std::array<std::string_view, 3> cell_keywords = {"and", "or", "not"};
constexpr ExpressionGrammar cell_grammar{.either = either_symbols,
                                         .both = both_symbols,
                                         .negation = negation_symbols,
                                         .comparisons = comparison_symbols,
                                         .products = product_symbols,
                                         .power = "**",
                                         .keywords = cell_keywords};

constexpr std::array<CellFunction, 10> function_table = {{{"abs"},
                                                          {"floor"},
                                                          {"exp"},
                                                          {"log"},
                                                          {"sqrt"},
                                                          {"tanh"},
                                                          {"sigmoid"},
                                                          {"min", 2, 0},
                                                          {"max", 2, 0},
                                                          {"where", 3, 3}}};

constexpr std::array<std::string_view, 14> cell_names = {"b", "h", "q", "k",      "q_idx", "kv_idx", "B",
                                                         "H", "L", "S", "offset", "true",  "false",  "inf"};

/// "q" for q_idx, "k" for kv_idx.
std::string plain_name(std::string name) { return name == "q_idx" ? "q" : name == "kv_idx" ? "k" : name; }

class CellParser : public ExpressionParser {
public:
    CellParser(std::string_view text, Meaning meaning, std::span<const std::string> masks)
        : ExpressionParser(text, cell_grammar), meaning_(meaning), masks_(masks) {}

private:
    Node named(std::string name, std::size_t begin) override {
        Node node;
        node.begin = begin;
        node.name = plain_name(std::move(name));
        if (meaning_ != Meaning::Combination && next_is("[")) {
            node.kind = Node::Kind::Array;
            node.end = position();
            auto index = made(Node::Kind::Index, {std::move(node)});
            require("[");
            read_subscripts(index);
            return index;
        }
        node.kind = Node::Kind::Constant;
        node.end = position();
        if (!is_known(node.name))
            fail_at_column(begin, {ATTNLAB_TEXT("there is no name '%1', expected %2"), {node.name, known_names()}});
        return node;
    }

    bool is_known(std::string_view name) const {
        if (meaning_ == Meaning::Combination)
            return name == "true" || name == "false" || std::ranges::find(masks_, name) != masks_.end();
        return (meaning_ == Meaning::ScoreMod && name == "score") ||
               std::ranges::find(cell_names, name) != cell_names.end();
    }
    Message known_names() const {
        if (meaning_ == Meaning::Combination)
            return {ATTNLAB_TEXT("one of the masks: %1"), {listed(masks_)}};
        return {meaning_ == Meaning::ScoreMod ? ATTNLAB_TEXT("score, one of %1, or an array with its indices: NAME[q]")
                                              : ATTNLAB_TEXT("one of %1, or an array with its indices: NAME[q]"),
                {listed(cell_names)}};
    }

    Node call(std::string name, std::size_t begin) override {
        const auto* function = lookup(function_table, name, &CellFunction::name);
        if (!function || meaning_ == Meaning::Combination)
            fail_at_column(begin,
                           {ATTNLAB_TEXT("there is no function '%1', expected one of %2"),
                            {name, meaning_ == Meaning::Combination ? listed(cell_keywords)
                                                                    : listed(function_table, &CellFunction::name)}});
        require("(");
        Node node;
        node.kind = Node::Kind::Call;
        node.begin = begin;
        do
            node.children.push_back(disjunction());
        while (take(","));
        const auto count = static_cast<int>(node.children.size());
        if (count < function->fewest || (function->most > 0 && count > function->most))
            fail_at_column(begin, {function->most == 0 ? ATTNLAB_TEXT("%1 takes %2 or more values, got %3")
                                                       : ATTNLAB_TEXT("%1 takes %2 values, got %3"),
                                   {name, std::to_string(function->fewest), std::to_string(count)}});
        require(")");
        node.end = position();
        node.name = std::move(name);
        return node;
    }

    const Meaning meaning_;
    const std::span<const std::string> masks_;
};

const char* prefix_in_messages(Meaning meaning) {
    return meaning == Meaning::Mask ? "expression" : meaning == Meaning::ScoreMod ? "score_mod" : "mask_combine";
}

[[noreturn]] void fail_in(Meaning meaning, const Message& why) {
    throw Error({"%1: %2", {prefix_in_messages(meaning), why}});
}

template <class Visit>
void visit_all(const Node& node, const Visit& visit) {
    visit(node);
    for (const auto& child : node.children)
        visit_all(child, visit);
    for (const auto& subscript : node.subscripts)
        for (const auto& index : subscript.first)
            visit_all(index, visit);
}

/// "q" where the node is that variable alone, else "".
std::string variable_of(const Node& node) {
    const bool is_variable = node.kind == Node::Kind::Constant &&
                             (node.name == "b" || node.name == "h" || node.name == "q" || node.name == "k");
    return is_variable ? node.name : std::string();
}

std::string joined_axis(const std::string& a, const std::string& b) {
    if (a == b)
        return a;
    const bool both = !a.empty() && !b.empty() && (a + b).find_first_not_of("qk") == std::string::npos;
    return both ? "qk" : "";
}

std::vector<ArrayInExpression> arrays_in(const Node& root) {
    std::vector<ArrayInExpression> arrays;
    visit_all(root, [&](const Node& node) {
        if (node.kind != Node::Kind::Index)
            return;
        const auto& name = node.children.front().name;
        std::vector<std::string> axes;
        for (const auto& subscript : node.subscripts)
            axes.push_back(variable_of(subscript.first.front()));
        const auto found = std::ranges::find(arrays, name, &ArrayInExpression::name);
        if (found == arrays.end()) {
            arrays.push_back({name, node.begin, std::move(axes)});
            return;
        }
        if (found->axes.size() != axes.size())
            fail_at_column(node.begin, {ATTNLAB_TEXT("%1 has %2 indices here and %3 before"),
                                        {name, std::to_string(axes.size()), std::to_string(found->axes.size())}});
        std::ranges::transform(found->axes, axes, found->axes.begin(), joined_axis);
    });
    return arrays;
}

// Arithmetic.

constexpr double not_a_number_here = std::numeric_limits<double>::quiet_NaN();

/// Quotient rounded down and remainder with the sign of the divisor, as Python has them for floats.
std::pair<double, double> floor_division(double a, double b) {
    if (b == 0.0)
        return {not_a_number_here, not_a_number_here};
    double remainder = std::fmod(a, b);
    double quotient = (a - remainder) / b;
    if (remainder != 0.0 && (b < 0.0) != (remainder < 0.0)) {
        remainder += b;
        quotient -= 1.0;
    }
    const double whole = std::floor(quotient);
    return {quotient - whole > 0.5 ? whole + 1.0 : whole, remainder};
}

/// factor * slope, where a slope of 0 wins over an infinite factor.
double along(double factor, double slope) { return slope == 0.0 ? 0.0 : factor * slope; }

struct UnaryFunction {
    std::string_view name;
    double (*value)(double x);
    double (*slope)(double x, double value);
};

constexpr std::array<UnaryFunction, 7> unary_functions = {{
    {"abs", [](double x) { return std::abs(x); },
     [](double x, double) { return x > 0.0   ? 1.0
                                   : x < 0.0 ? -1.0
                                             : 0.0; }},
    {"floor", [](double x) { return std::floor(x); }, [](double, double) { return 0.0; }},
    {"exp", [](double x) { return std::exp(x); }, [](double, double value) { return value; }},
    {"log", [](double x) { return std::log(x); }, [](double x, double) { return 1.0 / x; }},
    {"sqrt", [](double x) { return std::sqrt(x); }, [](double, double value) { return 0.5 / value; }},
    {"tanh", [](double x) { return std::tanh(x); }, [](double, double value) { return 1.0 - value * value; }},
    {"sigmoid", [](double x) { return x >= 0.0 ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x) / (1.0 + std::exp(x)); },
     [](double, double value) { return value * (1.0 - value); }},
}};

NumberWithSlope computed_by(char symbol, bool is_double, NumberWithSlope a, NumberWithSlope b) {
    switch (symbol) {
    case '+':
        return {a.value + b.value, a.slope + b.slope};
    case '-':
        return {a.value - b.value, a.slope - b.slope};
    case '*':
        if (is_double) { // a ** b
            const double value = std::pow(a.value, b.value);
            return {value, along(b.value * std::pow(a.value, b.value - 1.0), a.slope) +
                               along(value * std::log(a.value), b.slope)};
        }
        return {a.value * b.value, along(b.value, a.slope) + along(a.value, b.slope)};
    case '/':
        if (is_double)
            return {floor_division(a.value, b.value).first, 0.0};
        return {a.value / b.value, along(1.0 / b.value, a.slope) - along(a.value / (b.value * b.value), b.slope)};
    default: { // %
        const auto [quotient, remainder] = floor_division(a.value, b.value);
        return {remainder, a.slope - along(quotient, b.slope)};
    }
    }
}

bool compares_as(const std::string& symbol, double a, double b) {
    return symbol == "="    ? a == b
           : symbol == "!=" ? a != b
           : symbol == "<"  ? a < b
           : symbol == "<=" ? a <= b
           : symbol == ">"  ? a > b
                            : a >= b;
}

} // namespace

// The compiled form: types are checked, sizes and arrays are resolved.

struct BoundExpression::Compiled {
    enum class Code {
        Number,
        Batch,
        Head,
        Query,
        Key,
        Offset,
        Score,
        Mask,
        Element,
        Unary,
        Least,
        Largest,
        Where,
        Negative,
        Binary,
        Compare,
        Same, ///< of truth values
        And,
        Or,
        Not
    };
    enum class Type { Number, Truth, Unknown };

    struct Step {
        Code code = Code::Number;
        Type type = Type::Number;
        double number = 0.0;   ///< of Number; 1 or 0 for true and false
        std::size_t index = 0; ///< of the array, mask or unary function
        std::string symbol;    ///< of Binary and Compare
        std::size_t begin = 0; ///< in the text
        std::vector<Step> children;
    };

    Meaning meaning = Meaning::Mask;
    CellContext context;
    std::vector<std::string> masks;
    bool is_bound = false;
    struct Array {
        std::string name;
        Tensor tensor;
        const double* values; ///< of the tensor
    };
    std::vector<Array> arrays; ///< where bound
    Step root;

    [[noreturn]] void fail(std::size_t begin, const Message& why) const {
        fail_in(meaning, {ATTNLAB_TEXT("column %1: %2"), {std::to_string(begin + 1), why}});
    }

    // Compilation.

    Step number_of(const Node& node) const { return as_number(node, step_of(node)); }
    Step truth_of(const Node& node) const { return as_truth(node, step_of(node)); }

    Step as_number(const Node& node, Step step) const {
        if (step.type == Type::Truth)
            fail(node.begin, ATTNLAB_TEXT("is a condition, expected a number"));
        return step;
    }
    Step as_truth(const Node& node, Step step) const {
        if (step.type == Type::Number)
            fail(node.begin, step.code == Code::Element
                                 ? ATTNLAB_TEXT("is an array of numbers, expected one of True and False, or a "
                                                "comparison")
                                 : ATTNLAB_TEXT("is a number, expected a condition such as q >= k"));
        return step;
    }

    Step step_of(const Node& node) const {
        Step step;
        step.begin = node.begin;
        switch (node.kind) {
        case Node::Kind::Number:
            step.number = node.number;
            return step;
        case Node::Kind::Constant:
            return named(node, std::move(step));
        case Node::Kind::Index:
            return element(node, std::move(step));
        case Node::Kind::Call:
            return call(node, std::move(step));
        case Node::Kind::Negative:
            step.code = Code::Negative;
            step.children.push_back(number_of(node.children[0]));
            return step;
        case Node::Kind::Binary:
            step.code = Code::Binary;
            step.symbol = node.name;
            for (const auto& child : node.children)
                step.children.push_back(number_of(child));
            return step;
        case Node::Kind::Compare:
            return comparison(node, std::move(step));
        default:
            break;
        }
        step.code = node.kind == Node::Kind::And ? Code::And : node.kind == Node::Kind::Or ? Code::Or : Code::Not;
        step.type = Type::Truth;
        for (const auto& child : node.children)
            step.children.push_back(truth_of(child));
        return step;
    }

    Step named(const Node& node, Step step) const {
        const auto& name = node.name;
        const auto size = [&](std::int64_t value) { step.number = static_cast<double>(value); };
        if (const auto mask = std::ranges::find(masks, name); mask != masks.end()) {
            step.code = Code::Mask;
            step.type = Type::Truth;
            step.index = static_cast<std::size_t>(mask - masks.begin());
        } else if (name == "true" || name == "false") {
            step.type = Type::Truth;
            step.number = name == "true" ? 1.0 : 0.0;
        } else if (name == "inf") {
            step.number = std::numeric_limits<double>::infinity();
        } else if (name == "B" || name == "H" || name == "L" || name == "S") {
            size(name == "B" ? context.B : name == "H" ? context.H : name == "L" ? context.L : context.S);
        } else {
            step.code = name == "b"        ? Code::Batch
                        : name == "h"      ? Code::Head
                        : name == "q"      ? Code::Query
                        : name == "k"      ? Code::Key
                        : name == "offset" ? Code::Offset
                                           : Code::Score;
        }
        return step;
    }

    Step element(const Node& node, Step step) const {
        step.code = Code::Element;
        step.type = Type::Unknown;
        for (const auto& subscript : node.subscripts)
            step.children.push_back(number_of(subscript.first.front()));
        if (!is_bound)
            return step;
        const auto found = std::ranges::find(arrays, node.children.front().name, &Array::name);
        step.index = static_cast<std::size_t>(found - arrays.begin());
        step.type = found->tensor.dtype() == DType::Bool ? Type::Truth : Type::Number;
        return step;
    }

    Step call(const Node& node, Step step) const {
        if (node.name == "where") {
            step.code = Code::Where;
            step.children.push_back(truth_of(node.children[0]));
            step.children.push_back(step_of(node.children[1]));
            const auto type = step.children[1].type;
            auto otherwise = step_of(node.children[2]);
            step.type = type == Type::Unknown ? otherwise.type : type;
            if (step.type == Type::Truth)
                step.children[1] = as_truth(node.children[1], std::move(step.children[1]));
            step.children.push_back(step.type == Type::Truth    ? as_truth(node.children[2], std::move(otherwise))
                                    : step.type == Type::Number ? as_number(node.children[2], std::move(otherwise))
                                                                : std::move(otherwise));
            return step;
        }
        const auto* unary = lookup(unary_functions, node.name, &UnaryFunction::name);
        step.code = unary ? Code::Unary : node.name == "min" ? Code::Least : Code::Largest;
        step.index = unary ? static_cast<std::size_t>(unary - unary_functions.data()) : 0;
        for (const auto& child : node.children)
            step.children.push_back(number_of(child));
        return step;
    }

    Step comparison(const Node& node, Step step) const {
        step.type = Type::Truth;
        step.symbol = node.operators.front();
        step.children.push_back(step_of(node.children[0]));
        step.children.push_back(step_of(node.children[1]));
        const bool truths = std::ranges::count(step.children, Type::Truth, &Step::type) > 0;
        const bool equal = step.symbol == "=" || step.symbol == "!=";
        step.code = truths && equal ? Code::Same : Code::Compare;
        for (std::size_t side = 0; side < 2; ++side)
            step.children[side] = step.code == Code::Same
                                      ? as_truth(node.children[side], std::move(step.children[side]))
                                      : as_number(node.children[side], std::move(step.children[side]));
        return step;
    }

    // Evaluation.

    double value(const Step& step, const CellPlace& place) const { return number<false>(step, place).value; }

    template <bool slopes>
    NumberWithSlope number(const Step& step, const CellPlace& place) const {
        const auto& children = step.children;
        switch (step.code) {
        case Code::Number:
            return {step.number};
        case Code::Batch:
            return {static_cast<double>(place.b)};
        case Code::Head:
            return {static_cast<double>(place.h)};
        case Code::Query:
            return {static_cast<double>(place.i)};
        case Code::Key:
            return {static_cast<double>(place.j)};
        case Code::Offset:
            return {context.offsets.size() == 1 ? context.offsets.front()
                                                : context.offsets[static_cast<std::size_t>(place.b)]};
        case Code::Score:
            return {place.score, 1.0};
        case Code::Element:
            return {element_at(step, place)};
        case Code::Unary: {
            const auto& function = unary_functions[step.index];
            const auto x = number<slopes>(children[0], place);
            const double result = function.value(x.value);
            return {result, slopes && x.slope != 0.0 ? along(function.slope(x.value, result), x.slope) : 0.0};
        }
        case Code::Least:
        case Code::Largest:
            return extreme<slopes>(step, place);
        case Code::Where:
            return number<slopes>(children[truth(children[0], place) ? 1 : 2], place);
        case Code::Negative: {
            const auto x = number<slopes>(children[0], place);
            return {-x.value, -x.slope};
        }
        case Code::Binary: {
            const auto a = number<slopes>(children[0], place), b = number<slopes>(children[1], place);
            return computed_by(step.symbol[0], step.symbol.size() == 2, a, b);
        }
        default:
            return {truth(step, place) ? 1.0 : 0.0};
        }
    }

    template <bool slopes>
    NumberWithSlope extreme(const Step& step, const CellPlace& place) const {
        auto best = number<slopes>(step.children[0], place);
        for (std::size_t k = 1; k < step.children.size(); ++k) {
            const auto other = number<slopes>(step.children[k], place);
            const bool is_better = step.code == Code::Least ? other.value < best.value : other.value > best.value;
            if (is_better || (std::isnan(other.value) && !std::isnan(best.value)))
                best = other;
        }
        return best;
    }

    bool truth(const Step& step, const CellPlace& place) const {
        const auto holds = [&](const Step& child) { return truth(child, place); };
        switch (step.code) {
        case Code::Number:
            return step.number != 0.0;
        case Code::Mask:
            return place.masks[step.index];
        case Code::Element:
            return element_at(step, place) != 0.0;
        case Code::Where:
            return truth(step.children[truth(step.children[0], place) ? 1 : 2], place);
        case Code::Compare:
            return compares_as(step.symbol, value(step.children[0], place), value(step.children[1], place));
        case Code::Same:
            return (truth(step.children[0], place) == truth(step.children[1], place)) == (step.symbol == "=");
        case Code::And:
            return std::ranges::all_of(step.children, holds);
        case Code::Or:
            return std::ranges::any_of(step.children, holds);
        default:
            return !truth(step.children.front(), place);
        }
    }

    double element_at(const Step& step, const CellPlace& place) const {
        const auto& array = arrays[step.index];
        std::int64_t at = 0;
        for (std::size_t axis = 0; axis < step.children.size(); ++axis) {
            const double index = value(step.children[axis], place);
            const auto size = array.tensor.dim(static_cast<int>(axis));
            if (!(index >= 0.0 && index < static_cast<double>(size)) || index != std::floor(index))
                fail(step.begin, {ATTNLAB_TEXT("index %1 of %2 is %3 in head %4, row %5 and key %6; expected a whole "
                                               "number from 0 to %7"),
                                  {std::to_string(axis + 1), array.name, to_text(index), std::to_string(place.h),
                                   std::to_string(place.i), std::to_string(place.j), std::to_string(size - 1)}});
            at = at * size + static_cast<std::int64_t>(index);
        }
        return array.values[at];
    }
};

CellExpression::CellExpression(std::string text, Meaning meaning, std::span<const std::string> masks)
    : text_(std::move(text)), meaning_(meaning), masks_(masks.begin(), masks.end()) {
    try {
        root_ = std::make_shared<const ExpressionNode>(CellParser(text_, meaning, masks_).whole());
        arrays_ = arrays_in(*root_);
    } catch (const Error& error) {
        fail_in(meaning, error.message());
    }
    BoundExpression::Compiled types;
    types.meaning = meaning;
    types.masks = masks_;
    if (meaning == Meaning::ScoreMod)
        types.number_of(*root_);
    else
        types.truth_of(*root_);
}

bool CellExpression::reads(std::string_view name) const {
    bool found = false;
    visit_all(*root_,
              [&](const Node& node) { found = found || (node.kind == Node::Kind::Constant && node.name == name); });
    return found;
}

BoundExpression::BoundExpression(const CellExpression& expression, CellContext context) {
    Compiled compiled;
    compiled.meaning = expression.meaning_;
    compiled.context = std::move(context);
    compiled.masks = expression.masks_;
    compiled.is_bound = true;
    for (const auto& array : expression.arrays()) {
        const auto count = std::to_string(array.axes.size());
        const auto* tensors = compiled.context.tensors;
        const auto found = tensors ? tensors->find(array.name) : TensorMap::const_iterator();
        if (!tensors || found == tensors->end())
            compiled.fail(array.begin,
                          {ATTNLAB_TEXT("the array %1 is missing; it has %2 axes here"), {array.name, count}});
        if (static_cast<std::size_t>(found->second.rank()) != array.axes.size())
            compiled.fail(array.begin, {ATTNLAB_TEXT("%1 has shape %2, expected %3 axes, one for each index"),
                                        {array.name, to_string(found->second.shape()), count}});
        compiled.arrays.push_back({array.name, found->second, nullptr});
        compiled.arrays.back().values = compiled.arrays.back().tensor.data();
    }
    compiled.context.tensors = nullptr;
    compiled.root = compiled.meaning == Meaning::ScoreMod ? compiled.number_of(expression.root())
                                                          : compiled.truth_of(expression.root());
    compiled_ = std::make_shared<const Compiled>(std::move(compiled));
}

bool BoundExpression::keeps(const CellPlace& place) const { return compiled_->truth(compiled_->root, place); }

double BoundExpression::number(const CellPlace& place) const { return compiled_->value(compiled_->root, place); }

NumberWithSlope BoundExpression::number_with_slope(const CellPlace& place) const {
    return compiled_->number<true>(compiled_->root, place);
}

std::int64_t BoundExpression::operations() const {
    const std::function<std::int64_t(const Compiled::Step&)> count = [&](const Compiled::Step& step) {
        std::int64_t sum = 1;
        for (const auto& child : step.children)
            sum += count(child);
        return sum;
    };
    return count(compiled_->root);
}

std::span<const CellFunction> cell_functions() { return function_table; }

std::string with_renamed_words(std::string_view text,
                               std::span<const std::pair<std::string, std::string>> replacements) {
    const auto is_of_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        auto end = at;
        while (end < text.size() && is_of_name(text[end]))
            ++end;
        if (end == at) {
            result += text[at++];
            continue;
        }
        const auto word = text.substr(at, end - at);
        const auto found = std::ranges::find(replacements, word, &std::pair<std::string, std::string>::first);
        result += found == replacements.end() ? std::string(word) : found->second;
        at = end;
    }
    return result;
}

} // namespace attnlab
