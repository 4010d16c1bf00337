// Implements the parser of expression_tree.h.
#include "core/lessons/expression_parser.h"
#include "core/lessons/expression.h"
#include "core/lessons/lesson_error.h"
#include "core/lookup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace attnlab::lessons {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;
using Takes = ExpressionFunction::Takes;

constexpr std::array<ExpressionFunction, 31> functions = {{
    {"sum", Takes::CellsAndAxis},
    {"mean", Takes::CellsAndAxis},
    {"variance", Takes::CellsAndAxis},
    {"median", Takes::CellsAndAxis},
    {"max", Takes::CellsAndAxis},
    {"min", Takes::CellsAndAxis},
    {"abs", Takes::Cells},
    {"exp", Takes::Cells},
    {"log", Takes::Cells},
    {"sqrt", Takes::Cells},
    {"cbrt", Takes::Cells},
    {"round", Takes::Cells},
    {"isnan", Takes::Cells},
    {"isfinite", Takes::Cells},
    {"argmax", Takes::Cells},
    {"argmin", Takes::Cells},
    {"sorted", Takes::Cells},
    {"size", Takes::Cells},
    {"distance", Takes::Pair},
    {"dot", Takes::Pair},
    {"norm", Takes::Cells},
    {"softmax", Takes::Cells},
    {"rank", Takes::Cells},
    {"entropy", Takes::SettingOrCells},
    {"effective_keys", Takes::SettingOrCells},
    {"max_weight", Takes::SettingOrCells},
    {"jacobian_norm", Takes::SettingOrCells},
    {"theory", Takes::Setting},
    {"gradients", Takes::Setting},
    {"moved", Takes::SettingAndToken},
    {"moved_by_reading", Takes::SettingAndToken},
}};

constexpr std::array<std::string_view, 5> constants = {"E", "L", "S", "inf", "pi"};
constexpr std::array<std::string_view, 4> keywords = {"and", "or", "not", "within"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A recursive-descent parser; nesting is limited to protect the stack.
class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Node whole() {
        auto node = disjunction();
        skip_blanks();
        if (at_ < text_.size())
            fail(at_,
                 {ATTNLAB_TEXT("expected an operator or the end, there is '%1'"), {std::string(text_.substr(at_))}});
        return node;
    }

private:
    [[noreturn]] static void fail(std::size_t at, const Message& what) { fail_at_column(at, what); }

    [[noreturn]] void fail_expecting_value(std::string_view there) const {
        fail(at_, {ATTNLAB_TEXT("expected a number, a name or '(', there is '%1'"), {std::string(there)}});
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
            ++at_;
    }
    bool next_is(std::string_view symbol) {
        skip_blanks();
        return text_.substr(at_, symbol.size()) == symbol;
    }
    bool take(std::string_view symbol) {
        if (!next_is(symbol))
            return false;
        at_ += symbol.size();
        return true;
    }
    std::string_view word_ahead() {
        skip_blanks();
        auto end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
            ++end;
        return text_.substr(at_, end - at_);
    }
    bool take_word(std::string_view word) {
        if (word_ahead() != word)
            return false;
        at_ += word.size();
        return true;
    }
    void require(std::string_view symbol) {
        if (!take(symbol))
            fail(at_, {ATTNLAB_TEXT("expected '%1'"), {std::string(symbol)}});
    }

    /// A node with children; the first one is the leftmost.
    Node made(Kind kind, std::vector<Node> children, std::string name = {}) const {
        Node node;
        node.kind = kind;
        node.begin = children.front().begin;
        node.end = at_;
        node.children = std::move(children);
        node.name = std::move(name);
        return node;
    }

    struct Depth {
        explicit Depth(Parser& parser) : depth(parser.depth_) {
            if (++depth > 64)
                fail(parser.at_, ATTNLAB_TEXT("is nested too deep"));
        }
        ~Depth() { --depth; }
        int& depth;
    };

    Node joined(Kind kind, std::string_view word, Node (Parser::*part)()) {
        std::vector<Node> parts;
        parts.push_back((this->*part)());
        while (take_word(word))
            parts.push_back((this->*part)());
        return parts.size() == 1 ? std::move(parts.front()) : made(kind, std::move(parts));
    }
    Node disjunction() {
        const Depth depth(*this);
        return joined(Kind::Or, "or", &Parser::conjunction);
    }
    Node conjunction() { return joined(Kind::And, "and", &Parser::negation); }

    Node negation() {
        skip_blanks();
        const auto begin = at_;
        if (!take_word("not"))
            return comparison();
        const Depth depth(*this);
        auto node = made(Kind::Not, {negation()});
        node.begin = begin;
        return node;
    }

    std::optional<std::string> comparison_operator() {
        for (const std::string_view symbol : {"<=", ">=", "==", "<", ">", "="})
            if (take(symbol))
                return std::string(symbol == "==" ? "=" : symbol);
        return std::nullopt;
    }

    Node comparison() {
        std::vector<Node> parts;
        parts.push_back(sum());
        if (take("~")) {
            parts.push_back(sum());
            if (!take_word("within"))
                fail(at_, ATTNLAB_TEXT("expected 'within' and a tolerance"));
            parts.push_back(sum());
            const bool percent = take("%");
            auto node = made(Kind::Within, std::move(parts));
            node.percent = percent;
            return node;
        }
        std::vector<std::string> operators;
        while (auto symbol = comparison_operator()) {
            operators.push_back(std::move(*symbol));
            parts.push_back(sum());
        }
        if (operators.empty())
            return std::move(parts.front());
        auto node = made(Kind::Compare, std::move(parts));
        node.operators = std::move(operators);
        return node;
    }

    Node sum() {
        auto left = product();
        while (true) {
            const auto* symbol = take("+") ? "+" : take("-") ? "-" : nullptr;
            if (!symbol)
                return left;
            left = binary(symbol, std::move(left), product());
        }
    }
    Node product() {
        auto left = signed_power();
        while (true) {
            const auto* symbol = take("*") ? "*" : take("/") ? "/" : nullptr;
            if (!symbol)
                return left;
            left = binary(symbol, std::move(left), signed_power());
        }
    }
    Node binary(const char* symbol, Node left, Node right) const {
        std::vector<Node> children;
        children.push_back(std::move(left));
        children.push_back(std::move(right));
        return made(Kind::Binary, std::move(children), symbol);
    }

    Node signed_power() {
        skip_blanks();
        const auto begin = at_;
        if (!take("-"))
            return power();
        const Depth depth(*this);
        auto node = made(Kind::Negative, {signed_power()});
        node.begin = begin;
        return node;
    }
    Node power() {
        auto base = indexed();
        if (!take("^"))
            return base;
        const Depth depth(*this);
        return binary("^", std::move(base), signed_power());
    }

    Node indexed() {
        auto node = primary();
        while (take("[")) {
            node = made(Kind::Index, {std::move(node)});
            do
                node.subscripts.push_back(subscript());
            while (take(","));
            require("]");
            node.end = at_;
        }
        return node;
    }
    Node::Subscript subscript() {
        const Depth depth(*this);
        Node::Subscript subscript;
        if (!next_is(":"))
            subscript.first.push_back(sum());
        subscript.range = take(":");
        if (subscript.range && !next_is(",") && !next_is("]"))
            subscript.last.push_back(sum());
        return subscript;
    }

    Node primary() {
        skip_blanks();
        if (at_ == text_.size())
            fail(at_, ATTNLAB_TEXT("expected a number, a name or '(', there is the end"));
        const auto begin = at_;
        if (take("(")) {
            auto node = disjunction();
            require(")");
            node.begin = begin;
            node.end = at_;
            return node;
        }
        if (is_digit(text_[at_]) || text_[at_] == '.')
            return number();
        const auto word = word_ahead();
        if (word.empty())
            fail_expecting_value(text_.substr(at_));
        if (std::ranges::find(keywords, word) != keywords.end())
            fail_expecting_value(word);
        at_ += word.size();
        if (next_is("("))
            return call(std::string(word), begin);
        return named(std::string(word), begin);
    }

    Node number() {
        Node node;
        node.begin = at_;
        const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
        if (read.ec != std::errc())
            fail(at_, ATTNLAB_TEXT("is not a number"));
        at_ = static_cast<std::size_t>(read.ptr - text_.data());
        node.end = at_;
        return node;
    }

    Node named(std::string word, std::size_t begin) {
        Node node;
        node.begin = begin;
        if (at_ < text_.size() && text_[at_] == '.') {
            node.kind = Kind::Part;
            const auto first = ++at_;
            // Stages of several passes have dots and numbers in their names: encoder.0.self.weights.
            while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
                ++at_;
            node.part = text_.substr(first, at_ - first);
            if (node.part.empty() || node.part.back() == '.')
                fail(at_, ATTNLAB_TEXT("expected the name of a stage"));
        } else if (std::ranges::find(constants, word) != constants.end()) {
            node.kind = Kind::Constant;
        } else {
            fail(begin, {ATTNLAB_TEXT("'%1' is no constant; a stage is '%1.weights', constants are %2"),
                         {word, listed(constants)}});
        }
        node.end = at_;
        node.name = std::move(word);
        return node;
    }

    /// A bare name, if the following text does not make it something else.
    std::optional<Node> bare_setting() {
        const auto word = word_ahead();
        const auto after = text_.substr(at_ + word.size());
        const auto next = after.find_first_not_of(' ');
        if (word.empty() || (next != after.npos && after[next] != ',' && after[next] != ')'))
            return std::nullopt;
        Node node;
        node.kind = Kind::Setting;
        node.begin = at_;
        node.name = word;
        at_ += word.size();
        node.end = at_;
        return node;
    }

    Node call(std::string name, std::size_t begin) {
        const auto* function = expression_function(name);
        if (!function) {
            fail(begin, {ATTNLAB_TEXT("there is no function '%1', expected one of %2"),
                         {name, listed(functions, &ExpressionFunction::name)}});
        }
        require("(");
        Node node;
        node.kind = Kind::Call;
        node.begin = begin;
        const auto takes = function->takes;
        auto bare = takes >= Takes::Setting ? bare_setting() : std::nullopt;
        if (!bare && takes != Takes::SettingOrCells && takes >= Takes::Setting)
            fail(at_, {ATTNLAB_TEXT("%1 takes the id of a setting"), {name}});
        node.children.push_back(bare ? std::move(*bare) : disjunction());
        const bool may = takes == Takes::CellsAndAxis, must = takes == Takes::Pair || takes == Takes::SettingAndToken;
        if (must && !next_is(","))
            fail(at_, {ATTNLAB_TEXT("%1 takes two arguments"), {name}});
        if ((may || must) && take(","))
            node.children.push_back(disjunction());
        require(")");
        node.end = at_;
        node.name = std::move(name);
        return node;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace

void fail_at_column(std::size_t begin, const Message& what) {
    throw Error({ATTNLAB_TEXT("column %1: %2"), {std::to_string(begin + 1), what}});
}

const ExpressionFunction* expression_function(std::string_view name) {
    return lookup(functions, name, &ExpressionFunction::name);
}

ExpressionNode parse_expression(std::string_view text) {
    if (text.size() > longest_expression)
        throw Error({ATTNLAB_TEXT("an expression has %1 characters; at most %2 may be read"),
                     {std::to_string(text.size()), std::to_string(longest_expression)}});
    return Parser(text).whole();
}

bool is_reserved(std::string_view word) {
    return std::ranges::find(constants, word) != constants.end() || std::ranges::find(keywords, word) != keywords.end();
}

} // namespace attnlab::lessons
