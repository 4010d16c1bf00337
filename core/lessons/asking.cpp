#include "core/lessons/asking.h"

#include "core/lessons/expression_parser.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace attnlab::lessons {
namespace {

using Node = ExpressionNode;

constexpr const char* expected_hidden =
    ATTNLAB_TEXT("column %1: expected a stage, a measure or words, as 'weights', 'ID.weights[2, :]' or 'ID.words'");

std::int64_t index_in(const Node& node) {
    const bool negative = node.kind == Node::Kind::Negative;
    const Node& number = negative ? node.children.front() : node;
    constexpr double largest = 1e15;
    if (number.kind != Node::Kind::Number || number.number != std::floor(number.number) || number.number > largest)
        throw Error({ATTNLAB_TEXT("column %1: expected a whole number"), {std::to_string(node.begin + 1)}});
    const auto index = static_cast<std::int64_t>(number.number);
    return negative ? -index : index;
}

lab::CellRange range_of(const Node::Subscript& subscript) {
    lab::CellRange range{.single = !subscript.range};
    if (!subscript.first.empty())
        range.first = index_in(subscript.first.front());
    if (!subscript.last.empty())
        range.last = index_in(subscript.last.front());
    return range;
}

bool is_name(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

} // namespace

lab::HiddenPart hidden_part_from(const std::string& text) {
    if (is_name(text))
        return {.setting = {}, .part = text};
    const Node root = parse_expression(text);
    const bool is_index = root.kind == Node::Kind::Index;
    const Node& of = is_index ? root.children.front() : root;
    if (of.kind != Node::Kind::Part || of.part.starts_with("tensor."))
        throw Error({expected_hidden, {std::to_string(of.begin + 1)}});
    lab::HiddenPart part{.setting = of.name, .part = of.part};
    for (const auto& subscript : root.subscripts)
        part.cells.push_back(range_of(subscript));
    return part;
}

lab::BoardSpec asking_view(const Step& step) {
    const auto& question = *step.question;
    auto view = question.before ? *question.before : step.view;
    if (question.hides) {
        view.hidden = *question.hides;
    } else {
        std::set<std::string> parts = {"words"};
        for (const auto& option : question.options)
            for (const auto& [setting, part] : option.right.expression.parts())
                if (!part.starts_with("tensor."))
                    parts.insert(part);
        const auto reads = [](const Option& option) { return !option.right.expression.parts().empty(); };
        if (std::ranges::none_of(question.options, reads)) { // by the author's word: all that is on show may tell
            parts.insert(view.stage);
            for (const auto& card : view.cards)
                parts.insert(card.stage);
            parts.erase(std::string());
        }
        for (const auto& part : parts)
            view.hidden.push_back({.setting = {}, .part = part});
    }
    if (!question.before) { // they may mark the answer
        view.pin.reset();
        view.highlight.clear();
    }
    view.live.clear();
    view.show.erase(lab::BoardPart::Curve);
    return view;
}

} // namespace attnlab::lessons
