#include "core/expression/written.h"

#include <algorithm>
#include <string>
#include <vector>

namespace attnlab {
namespace {

using Node = ExpressionNode;

/// How tightly the text of a node holds together.
enum class Binding { Either, Both, Negation, Comparison, Sum, Product, Sign, Power, Atom };

/// The operators & | ~ of Python bind more tightly than comparisons, so conditions are always in brackets.
Binding binding_of(const Node& node) {
    switch (node.kind) {
    case Node::Kind::Or:
        return Binding::Either;
    case Node::Kind::And:
        return Binding::Both;
    case Node::Kind::Not:
        return Binding::Negation;
    case Node::Kind::Compare:
        return Binding::Comparison;
    case Node::Kind::Negative:
        return Binding::Sign;
    case Node::Kind::Binary:
        return node.name == "+" || node.name == "-" ? Binding::Sum
               : node.name == "**"                  ? Binding::Power
                                                    : Binding::Product;
    default:
        return Binding::Atom;
    }
}

bool is_condition(const Node& node) { return binding_of(node) <= Binding::Comparison; }

/// True where the node consists of numbers alone.
bool is_constant(const Node& node) {
    const bool varies = node.kind == Node::Kind::Index || is_condition(node) ||
                        (node.kind == Node::Kind::Constant && node.name != "inf");
    return !varies && std::ranges::all_of(node.children, is_constant);
}

class Writer {
public:
    Writer(const CellExpression& expression, const NameInCode& name_of)
        : source_(expression.text()), name_of_(name_of) {}
    virtual ~Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    virtual std::string text(const Node& node) const = 0;

protected:
    std::string named(const std::string& name) const { return name_of_(name); }
    std::string bracketed(const Node& node, bool brackets) const {
        return brackets ? "(" + text(node) + ")" : text(node);
    }
    std::string joined(const std::vector<Node>& nodes, const std::string& between, Binding least) const {
        std::string all;
        for (const auto& node : nodes)
            all += (all.empty() ? "" : between) + bracketed(node, binding_of(node) < least);
        return all;
    }
    std::string indices(const Node& node) const {
        std::string all;
        for (const auto& subscript : node.subscripts)
            all += (all.empty() ? "" : ", ") + text(subscript.first.front());
        return all;
    }

    /// The value of a node that is_constant(). Functions of PyTorch take no numbers of Python.
    double value_of(const Node& node) const {
        const CellExpression alone(source_.substr(node.begin, node.end - node.begin),
                                   CellExpression::Meaning::ScoreMod);
        return BoundExpression(alone, {}).number({});
    }

private:
    const std::string& source_;
    const NameInCode& name_of_;
};

class PythonWriter : public Writer {
public:
    using Writer::Writer;

    std::string text(const Node& node) const override {
        switch (node.kind) {
        case Node::Kind::Number:
            return to_text(node.number);
        case Node::Kind::Constant:
            return node.name == "true"    ? "True"
                   : node.name == "false" ? "False"
                   : node.name == "inf"   ? "np.inf"
                                          : named(node.name);
        case Node::Kind::Index:
            return node.children.front().name + "[" + indices(node) + "]";
        case Node::Kind::Call:
            return call(node);
        case Node::Kind::Negative:
            return "-" + bracketed(node.children[0], binding_of(node.children[0]) < Binding::Sign);
        case Node::Kind::Binary:
            return binary(node);
        case Node::Kind::Compare:
            return bracketed(node.children[0], binding_of(node.children[0]) < Binding::Sum) + " " +
                   (node.operators[0] == "=" ? "==" : node.operators[0]) + " " +
                   bracketed(node.children[1], binding_of(node.children[1]) < Binding::Sum);
        case Node::Kind::Not:
            return "~" + bracketed(node.children[0], is_condition(node.children[0]));
        default:
            return conditions(node, node.kind == Node::Kind::And ? " & " : " | ");
        }
    }

private:
    std::string conditions(const Node& node, const std::string& between) const {
        std::string all;
        for (const auto& child : node.children)
            all +=
                (all.empty() ? "" : between) + bracketed(child, is_condition(child) && child.kind != Node::Kind::Not);
        return all;
    }

    std::string binary(const Node& node) const {
        const auto own = binding_of(node);
        const auto &a = node.children[0], &b = node.children[1];
        if (own == Binding::Power)
            return bracketed(a, binding_of(a) <= own) + " ** " + bracketed(b, binding_of(b) < Binding::Sign);
        return bracketed(a, binding_of(a) < own) + " " + node.name + " " + bracketed(b, binding_of(b) <= own);
    }

    std::string call(const Node& node) const {
        if (node.name == "where")
            return "np.where(" + joined(node.children, ", ", Binding::Either) + ")";
        if (node.name == "min" || node.name == "max") // which takes numbers too, unlike minimum() of PyTorch
            return extreme(node);
        if (is_constant(node))
            return to_text(value_of(node));
        const auto argument = text(node.children[0]);
        if (node.name == "log") // beside np.log() of a number, which PyTorch has in another module
            return "np.log_of(" + argument + ")";
        return node.name == "sigmoid" ? "1 / (1 + np.exp(-(" + argument + ")))"
                                      : "np." + node.name + "(" + argument + ")";
    }

    std::string extreme(const Node& node) const {
        auto best = text(node.children[0]);
        for (std::size_t k = 1; k < node.children.size(); ++k) {
            const auto other = text(node.children[k]);
            best = "np.where(" + best + (node.name == "min" ? " < " : " > ") + other + ", " + best + ", " + other + ")";
        }
        return best;
    }
};

class LatexWriter : public Writer {
public:
    using Writer::Writer;

    std::string text(const Node& node) const override {
        switch (node.kind) {
        case Node::Kind::Number:
            return to_text(node.number);
        case Node::Kind::Constant:
            return node.name == "inf" ? "\\infty" : is_truth(node) ? "\\text{" + node.name + "}" : named(node.name);
        case Node::Kind::Index:
            return "\\mathrm{" + upright(node.children.front().name) + "}_{" + indices(node) + "}";
        case Node::Kind::Call:
            return call(node);
        case Node::Kind::Negative:
            return "-" + bracketed(node.children[0], binding_of(node.children[0]) < Binding::Sign);
        case Node::Kind::Binary:
            return binary(node);
        case Node::Kind::Compare:
            return bracketed(node.children[0], binding_of(node.children[0]) < Binding::Sum) +
                   sign_of(node.operators[0]) +
                   bracketed(node.children[1], binding_of(node.children[1]) < Binding::Sum);
        case Node::Kind::Not:
            return "\\lnot " + bracketed(node.children[0], is_condition(node.children[0]));
        case Node::Kind::And:
            return joined(node.children, " \\land ", Binding::Negation);
        default:
            return joined(node.children, " \\lor ", Binding::Both);
        }
    }

private:
    static bool is_truth(const Node& node) { return node.name == "true" || node.name == "false"; }

    static std::string upright(const std::string& name) {
        std::string text;
        for (const char c : name)
            text += c == '_' ? "\\_" : std::string(1, c);
        return text;
    }

    static std::string sign_of(const std::string& symbol) {
        return symbol == "<=" ? " \\le " : symbol == ">=" ? " \\ge " : symbol == "!=" ? " \\ne " : " " + symbol + " ";
    }

    std::string binary(const Node& node) const {
        const auto &a = node.children[0], &b = node.children[1];
        if (node.name == "/")
            return "\\frac{" + text(a) + "}{" + text(b) + "}";
        if (node.name == "**")
            return bracketed(a, binding_of(a) < Binding::Atom) + "^{" + text(b) + "}";
        if (node.name == "//")
            return "\\lfloor " + joined(node.children, " / ", Binding::Power) + " \\rfloor";
        if (node.name == "%")
            return "(" + joined(node.children, " \\bmod ", Binding::Power) + ")";
        const auto own = binding_of(node);
        return bracketed(a, binding_of(a) < own) + (node.name == "*" ? " \\cdot " : " " + node.name + " ") +
               bracketed(b, binding_of(b) <= own);
    }

    std::string call(const Node& node) const {
        const auto& name = node.name;
        if (name == "where")
            return "\\begin{cases} " + text(node.children[1]) + " & \\text{if } " + text(node.children[0]) + " \\\\ " +
                   text(node.children[2]) + " & \\text{otherwise} \\end{cases}";
        const auto arguments = joined(node.children, ", ", Binding::Either);
        return name == "abs"       ? "\\lvert " + arguments + " \\rvert"
               : name == "floor"   ? "\\lfloor " + arguments + " \\rfloor"
               : name == "sqrt"    ? "\\sqrt{" + arguments + "}"
               : name == "sigmoid" ? "\\sigma(" + arguments + ")"
                                   : "\\" + name + "(" + arguments + ")";
    }
};

} // namespace

std::string in_python(const CellExpression& expression, const NameInCode& name_of) {
    return PythonWriter(expression, name_of).text(expression.root());
}

std::string in_latex(const CellExpression& expression, const NameInCode& name_of) {
    return LatexWriter(expression, name_of).text(expression.root());
}

bool needs_brackets(const CellExpression& expression) { return binding_of(expression.root()) < Binding::Atom; }

} // namespace attnlab
