#include "core/expression/parser.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace attnlab {
namespace {

using Kind = ExpressionNode::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::array<std::string_view, 2> sum_signs = {"+", "-"};

} // namespace

void fail_at_column(std::size_t begin, const Message& what) {
    throw Error({ATTNLAB_TEXT("column %1: %2"), {std::to_string(begin + 1), what}});
}

struct ExpressionParser::Depth {
    explicit Depth(ExpressionParser& parser) : depth(parser.depth_) {
        if (++depth > 64)
            fail_at_column(parser.at_, ATTNLAB_TEXT("is nested too deep"));
    }
    ~Depth() { --depth; }
    int& depth;
};

ExpressionNode ExpressionParser::whole() {
    if (text_.size() > longest_expression)
        throw Error({ATTNLAB_TEXT("an expression has %1 characters; at most %2 may be read"),
                     {std::to_string(text_.size()), std::to_string(longest_expression)}});
    auto node = disjunction();
    skip_blanks();
    if (at_ < text_.size())
        fail_at_column(
            at_, {ATTNLAB_TEXT("expected an operator or the end, there is '%1'"), {std::string(text_.substr(at_))}});
    return node;
}

void ExpressionParser::fail_expecting_value(std::string_view there) const {
    fail_at_column(at_, {ATTNLAB_TEXT("expected a number, a name or '(', there is '%1'"), {std::string(there)}});
}

void ExpressionParser::skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
        ++at_;
}

bool ExpressionParser::next_is(std::string_view symbol) {
    skip_blanks();
    return text_.substr(at_, symbol.size()) == symbol;
}

bool ExpressionParser::take(std::string_view symbol) {
    if (!next_is(symbol))
        return false;
    at_ += symbol.size();
    return true;
}

std::string_view ExpressionParser::word_ahead() {
    skip_blanks();
    auto end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
        ++end;
    return text_.substr(at_, end - at_);
}

bool ExpressionParser::take_word(std::string_view word) {
    if (word_ahead() != word)
        return false;
    at_ += word.size();
    return true;
}

std::string_view ExpressionParser::take_one_of(std::span<const std::string_view> symbols) {
    for (const auto symbol : symbols)
        if (is_letter(symbol.front()) ? take_word(symbol) : take(symbol))
            return symbol;
    return {};
}

void ExpressionParser::require(std::string_view symbol) {
    if (!take(symbol))
        fail_at_column(at_, {ATTNLAB_TEXT("expected '%1'"), {std::string(symbol)}});
}

ExpressionNode ExpressionParser::made(Kind kind, std::vector<Node> children, std::string name) const {
    Node node;
    node.kind = kind;
    node.begin = children.front().begin;
    node.end = at_;
    node.children = std::move(children);
    node.name = std::move(name);
    return node;
}

ExpressionNode ExpressionParser::joined(Kind kind, std::span<const std::string_view> symbols,
                                        Node (ExpressionParser::*part)()) {
    std::vector<Node> parts;
    parts.push_back((this->*part)());
    while (!take_one_of(symbols).empty())
        parts.push_back((this->*part)());
    return parts.size() == 1 ? std::move(parts.front()) : made(kind, std::move(parts));
}

ExpressionNode ExpressionParser::disjunction() {
    const Depth depth(*this);
    return joined(Kind::Or, grammar_.either, &ExpressionParser::conjunction);
}

ExpressionNode ExpressionParser::conjunction() { return joined(Kind::And, grammar_.both, &ExpressionParser::negation); }

ExpressionNode ExpressionParser::negation() {
    skip_blanks();
    const auto begin = at_;
    if (take_one_of(grammar_.negation).empty())
        return comparison();
    const Depth depth(*this);
    auto node = made(Kind::Not, {negation()});
    node.begin = begin;
    return node;
}

ExpressionNode ExpressionParser::comparison() {
    std::vector<Node> parts;
    parts.push_back(sum());
    if (grammar_.tolerances && take("~"))
        return tolerance(std::move(parts));
    std::vector<std::string> operators;
    for (auto symbol = take_one_of(grammar_.comparisons); !symbol.empty(); symbol = take_one_of(grammar_.comparisons)) {
        if (!grammar_.chains && !operators.empty())
            fail_at_column(at_ - symbol.size(),
                           ATTNLAB_TEXT("comparisons cannot be chained: write a < b and b < c for a < b < c"));
        operators.emplace_back(symbol == "==" ? "=" : symbol);
        parts.push_back(sum());
    }
    if (operators.empty())
        return std::move(parts.front());
    auto node = made(Kind::Compare, std::move(parts));
    node.operators = std::move(operators);
    return node;
}

ExpressionNode ExpressionParser::tolerance(std::vector<Node> parts) {
    parts.push_back(sum());
    if (!take_word("within"))
        fail_at_column(at_, ATTNLAB_TEXT("expected 'within' and a tolerance"));
    parts.push_back(sum());
    const bool percent = take("%");
    auto node = made(Kind::Within, std::move(parts));
    node.percent = percent;
    return node;
}

ExpressionNode ExpressionParser::sum() {
    auto left = product();
    for (auto symbol = take_one_of(sum_signs); !symbol.empty(); symbol = take_one_of(sum_signs))
        left = binary(symbol, std::move(left), product());
    return left;
}

ExpressionNode ExpressionParser::product() {
    auto left = signed_power();
    for (auto symbol = take_one_of(grammar_.products); !symbol.empty(); symbol = take_one_of(grammar_.products))
        left = binary(symbol, std::move(left), signed_power());
    return left;
}

ExpressionNode ExpressionParser::binary(std::string_view symbol, Node left, Node right) const {
    std::vector<Node> children;
    children.push_back(std::move(left));
    children.push_back(std::move(right));
    return made(Kind::Binary, std::move(children), std::string(symbol));
}

ExpressionNode ExpressionParser::signed_power() {
    skip_blanks();
    const auto begin = at_;
    if (!take("-"))
        return power();
    const Depth depth(*this);
    auto node = made(Kind::Negative, {signed_power()});
    node.begin = begin;
    return node;
}

ExpressionNode ExpressionParser::power() {
    auto base = indexed();
    if (!take(grammar_.power))
        return base;
    const Depth depth(*this);
    return binary(grammar_.power, std::move(base), signed_power());
}

ExpressionNode ExpressionParser::indexed() {
    auto node = primary();
    while (grammar_.ranges && take("[")) {
        node = made(Kind::Index, {std::move(node)});
        read_subscripts(node);
    }
    return node;
}

void ExpressionParser::read_subscripts(Node& indexed) {
    do
        indexed.subscripts.push_back(subscript());
    while (take(","));
    require("]");
    indexed.end = at_;
}

ExpressionNode::Subscript ExpressionParser::subscript() {
    const Depth depth(*this);
    Node::Subscript subscript;
    if (!grammar_.ranges || !next_is(":"))
        subscript.first.push_back(sum());
    subscript.range = grammar_.ranges && take(":");
    if (subscript.range && !next_is(",") && !next_is("]"))
        subscript.last.push_back(sum());
    return subscript;
}

ExpressionNode ExpressionParser::primary() {
    skip_blanks();
    if (at_ == text_.size())
        fail_at_column(at_, ATTNLAB_TEXT("expected a number, a name or '(', there is the end"));
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
    if (std::ranges::find(grammar_.keywords, word) != grammar_.keywords.end())
        fail_expecting_value(word);
    at_ += word.size();
    if (next_is("("))
        return call(std::string(word), begin);
    return named(std::string(word), begin);
}

ExpressionNode ExpressionParser::number() {
    Node node;
    node.begin = at_;
    const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
    if (read.ec != std::errc())
        fail_at_column(at_, ATTNLAB_TEXT("is not a number"));
    at_ = static_cast<std::size_t>(read.ptr - text_.data());
    node.end = at_;
    return node;
}

} // namespace attnlab
