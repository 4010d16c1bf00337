// The parser that all languages of expressions share: claims of lessons, masks and score_mod. A language is a grammar
// as data, and the meaning of its names and functions.
#pragma once

#include "core/message.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab {

struct ExpressionNode {
    enum class Kind {
        Number,   ///< `number`
        Constant, ///< `name`: E, L, S, inf, pi; q, k, score
        Setting,  ///< `name`, as the argument of a function
        Part,     ///< `name` of a setting, `part`: weights, tensor.query
        Array,    ///< `name` of an input array, the child of Index
        Index,    ///< the child, and `subscripts`
        Call,     ///< the function `name` of the children
        Negative, ///< of the child
        Binary,   ///< `name` is the operator: + - * / ^ // % **
        Compare,  ///< children with `operators` between them: a < b < c; "==" is "="
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

/// The longest expression in characters; it limits the depth of a tree.
inline constexpr std::size_t longest_expression = 2000;

/// Throws the error at `begin`: "column 7: ...".
[[noreturn]] void fail_at_column(std::size_t begin, const Message& what);

/// The operators of a language. Longer signs come before those that they begin with.
struct ExpressionGrammar {
    std::span<const std::string_view> either, both, negation;
    std::span<const std::string_view> comparisons, products;
    std::string_view power;
    std::span<const std::string_view> keywords; ///< words that are no names
    bool chains = false;                        ///< a < b < c
    bool tolerances = false;                    ///< a ~ b within c, where "~" is not a negation
    bool ranges = false;                        ///< i:j in square brackets, after any value
};

/// A recursive-descent parser; nesting is limited to protect the stack. In order of precedence: either, both,
/// negation, comparison, sum, product, sign, power, index.
class ExpressionParser {
public:
    /// Both must outlive the parser.
    ExpressionParser(std::string_view text, const ExpressionGrammar& grammar) : text_(text), grammar_(grammar) {}
    virtual ~ExpressionParser() = default;
    ExpressionParser(const ExpressionParser&) = delete;
    ExpressionParser& operator=(const ExpressionParser&) = delete;

    /// Throws Error: "column 7: ...".
    ExpressionNode whole();

protected:
    using Node = ExpressionNode;

    /// A name that no "(" follows; the position is behind it.
    virtual Node named(std::string name, std::size_t begin) = 0;
    /// A name that "(" follows; the position is before that.
    virtual Node call(std::string name, std::size_t begin) = 0;

    std::string_view rest() const { return text_.substr(at_); }
    std::size_t position() const { return at_; }
    void move_by(std::size_t characters) { at_ += characters; }

    void skip_blanks();
    bool next_is(std::string_view symbol);
    bool take(std::string_view symbol);
    void require(std::string_view symbol);
    std::string_view word_ahead();
    Node disjunction();
    /// A node with children; the first one is the leftmost.
    Node made(Node::Kind kind, std::vector<Node> children, std::string name = {}) const;
    /// The comma-separated subscripts and the closing bracket behind "[".
    void read_subscripts(Node& indexed);

private:
    struct Depth;

    [[noreturn]] void fail_expecting_value(std::string_view there) const;
    bool take_word(std::string_view word);
    /// The first of the symbols that comes next; empty if none does.
    std::string_view take_one_of(std::span<const std::string_view> symbols);
    Node joined(Node::Kind kind, std::span<const std::string_view> symbols, Node (ExpressionParser::*part)());
    Node conjunction();
    Node negation();
    Node comparison();
    Node tolerance(std::vector<Node> parts);
    Node sum();
    Node product();
    Node binary(std::string_view symbol, Node left, Node right) const;
    Node signed_power();
    Node power();
    Node indexed();
    Node::Subscript subscript();
    Node primary();
    Node number();

    std::string_view text_;
    const ExpressionGrammar& grammar_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace attnlab
