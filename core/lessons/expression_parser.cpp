#include "core/lessons/expression_parser.h"
#include "core/lessons/expression.h"
#include "core/lessons/lesson_error.h"
#include "core/lookup.h"

#include <algorithm>
#include <array>
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

constexpr std::array<std::string_view, 1> either = {"or"}, both = {"and"}, negation = {"not"};
constexpr std::array<std::string_view, 6> comparisons = {"<=", ">=", "==", "<", ">", "="};
constexpr std::array<std::string_view, 2> products = {"*", "/"};

constexpr ExpressionGrammar grammar{.either = either,
                                    .both = both,
                                    .negation = negation,
                                    .comparisons = comparisons,
                                    .products = products,
                                    .power = "^",
                                    .keywords = keywords,
                                    .chains = true,
                                    .tolerances = true,
                                    .ranges = true};

/// Stages of several passes have dots and numbers in their names: encoder.0.self.weights.
bool is_of_stage(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

class LessonParser : public ExpressionParser {
public:
    explicit LessonParser(std::string_view text) : ExpressionParser(text, grammar) {}

private:
    Node named(std::string word, std::size_t begin) override {
        Node node;
        node.begin = begin;
        if (rest().starts_with('.')) {
            node.kind = Kind::Part;
            const auto behind = rest().substr(1);
            const auto* end = std::ranges::find_if_not(behind, is_of_stage);
            node.part = behind.substr(0, static_cast<std::size_t>(end - behind.begin()));
            move_by(1 + node.part.size());
            if (node.part.empty() || node.part.back() == '.')
                fail_at_column(position(), ATTNLAB_TEXT("expected the name of a stage"));
        } else if (std::ranges::find(constants, word) != constants.end()) {
            node.kind = Kind::Constant;
        } else {
            fail_at_column(begin, {ATTNLAB_TEXT("'%1' is no constant; a stage is '%1.weights', constants are %2"),
                                   {word, listed(constants)}});
        }
        node.end = position();
        node.name = std::move(word);
        return node;
    }

    /// A bare name, if the following text does not make it something else.
    std::optional<Node> bare_setting() {
        const auto word = word_ahead();
        const auto after = rest().substr(word.size());
        const auto next = after.find_first_not_of(' ');
        if (word.empty() || (next != after.npos && after[next] != ',' && after[next] != ')'))
            return std::nullopt;
        Node node;
        node.kind = Kind::Setting;
        node.begin = position();
        node.name = word;
        move_by(word.size());
        node.end = position();
        return node;
    }

    Node call(std::string name, std::size_t begin) override {
        const auto* function = expression_function(name);
        if (!function) {
            fail_at_column(begin, {ATTNLAB_TEXT("there is no function '%1', expected one of %2"),
                                   {name, listed(functions, &ExpressionFunction::name)}});
        }
        require("(");
        Node node;
        node.kind = Kind::Call;
        node.begin = begin;
        const auto takes = function->takes;
        auto bare = takes >= Takes::Setting ? bare_setting() : std::nullopt;
        if (!bare && takes != Takes::SettingOrCells && takes >= Takes::Setting)
            fail_at_column(position(), {ATTNLAB_TEXT("%1 takes the id of a setting"), {name}});
        node.children.push_back(bare ? std::move(*bare) : disjunction());
        const bool may = takes == Takes::CellsAndAxis, must = takes == Takes::Pair || takes == Takes::SettingAndToken;
        if (must && !next_is(","))
            fail_at_column(position(), {ATTNLAB_TEXT("%1 takes two arguments"), {name}});
        if ((may || must) && take(","))
            node.children.push_back(disjunction());
        require(")");
        node.end = position();
        node.name = std::move(name);
        return node;
    }
};

} // namespace

const ExpressionFunction* expression_function(std::string_view name) {
    return lookup(functions, name, &ExpressionFunction::name);
}

ExpressionNode parse_expression(std::string_view text) { return LessonParser(text).whole(); }

bool is_reserved(std::string_view word) {
    return std::ranges::find(constants, word) != constants.end() || std::ranges::find(keywords, word) != keywords.end();
}

} // namespace attnlab::lessons
