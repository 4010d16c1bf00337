#include "core/stages/expression_mask.h"

#include "core/lookup.h"
#include "core/resolved_problem.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace attnlab {
namespace {

using Node = ExpressionNode;
using Meaning = CellExpression::Meaning;

CellExpression expression_of(const ParameterValues& parameters) {
    return CellExpression(parameters.choice("expression"), Meaning::Mask);
}

// Bands and documents among expressions.

/// query * q + key * k + constant.
struct LinearForm {
    double query = 0.0, key = 0.0, constant = 0.0;
};

LinearForm scaled_by(double factor, const LinearForm& form) {
    return {factor * form.query, factor * form.key, factor * form.constant};
}

LinearForm sum_of(const LinearForm& a, const LinearForm& b) {
    return {a.query + b.query, a.key + b.key, a.constant + b.constant};
}

bool is_number(const LinearForm& form) { return form.query == 0.0 && form.key == 0.0; }

std::optional<LinearForm> linear_form(const Node& node) {
    switch (node.kind) {
    case Node::Kind::Number:
        return LinearForm{.constant = node.number};
    case Node::Kind::Constant:
        if (node.name == "q")
            return LinearForm{.query = 1.0};
        return node.name == "k" ? std::optional(LinearForm{.key = 1.0}) : std::nullopt;
    case Node::Kind::Negative:
        if (const auto form = linear_form(node.children[0]))
            return scaled_by(-1.0, *form);
        return std::nullopt;
    case Node::Kind::Binary:
        break;
    default:
        return std::nullopt;
    }
    const auto a = linear_form(node.children[0]), b = linear_form(node.children[1]);
    if (!a || !b)
        return std::nullopt;
    if (node.name == "+" || node.name == "-")
        return sum_of(*a, scaled_by(node.name == "+" ? 1.0 : -1.0, *b));
    if (node.name == "*" && (is_number(*a) || is_number(*b)))
        return is_number(*a) ? scaled_by(a->constant, *b) : scaled_by(b->constant, *a);
    return std::nullopt;
}

/// The distances q - k that are kept, as a band.
Band band_between(double lowest, double highest) {
    const auto reach = [](double distance) {
        return std::isfinite(distance) && std::abs(distance) < 1e15 ? static_cast<std::int64_t>(distance)
                                                                    : Band::unlimited;
    };
    return {.before = reach(highest), .after = reach(-lowest)};
}

constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Distances d with "d OP limit".
std::optional<Band> band_of_limit(const std::string& symbol, double limit) {
    if (symbol == "<=" || symbol == "<")
        return band_between(-no_limit, symbol == "<" ? std::ceil(limit) - 1.0 : std::floor(limit));
    if (symbol == ">=" || symbol == ">")
        return band_between(symbol == ">" ? std::floor(limit) + 1.0 : std::ceil(limit), no_limit);
    return symbol == "=" && limit == std::floor(limit) ? std::optional(band_between(limit, limit)) : std::nullopt;
}

std::string turned(const std::string& symbol) {
    return symbol == "<" ? ">" : symbol == "<=" ? ">=" : symbol == ">" ? "<" : symbol == ">=" ? "<=" : symbol;
}

/// The distance q - k of "abs(q - k)" and "abs(k - q)" without more.
bool is_absolute_distance(const Node& node) {
    if (node.kind != Node::Kind::Call || node.name != "abs")
        return false;
    const auto form = linear_form(node.children[0]);
    return form && form->constant == 0.0 && std::abs(form->query) == 1.0 && form->query == -form->key;
}

std::optional<Band> band_of_distance(const Node& distance, const std::string& symbol, const Node& limit) {
    const auto number = linear_form(limit);
    if (!is_absolute_distance(distance) || !number || !is_number(*number) || (symbol != "<" && symbol != "<="))
        return std::nullopt;
    const double reach = symbol == "<" ? std::ceil(number->constant) - 1.0 : std::floor(number->constant);
    return band_between(-reach, reach);
}

std::optional<Band> band_of_comparison(const Node& node) {
    if (node.kind != Node::Kind::Compare)
        return std::nullopt;
    const auto& symbol = node.operators.front();
    if (auto band = band_of_distance(node.children[0], symbol, node.children[1]))
        return band;
    if (auto band = band_of_distance(node.children[1], turned(symbol), node.children[0]))
        return band;
    const auto a = linear_form(node.children[0]), b = linear_form(node.children[1]);
    if (!a || !b)
        return std::nullopt;
    const auto left = sum_of(*a, scaled_by(-1.0, *b)); // left OP 0
    if (left.query == 0.0 || left.query != -left.key || !std::isfinite(left.constant))
        return std::nullopt;
    return band_of_limit(left.query > 0.0 ? symbol : turned(symbol), -left.constant / left.query);
}

/// "doc[b, q] == doc[b, k]" or "doc[q] == doc[k]"; null for anything else. The array must have an element for each
/// query and key.
const Node* documents_of(const Node& node) {
    if (node.kind != Node::Kind::Compare || node.operators.front() != "=")
        return nullptr;
    const auto &a = node.children[0], &b = node.children[1];
    if (a.kind != Node::Kind::Index || b.kind != Node::Kind::Index ||
        a.children.front().name != b.children.front().name || a.subscripts.size() != b.subscripts.size() ||
        a.subscripts.size() > 2)
        return nullptr;
    const auto is_variable = [](const Node::Subscript& subscript, std::string_view name) {
        const auto& index = subscript.first.front();
        return index.kind == Node::Kind::Constant && index.name == name;
    };
    const auto &of_a = a.subscripts, &of_b = b.subscripts;
    const bool pairs = (is_variable(of_a.back(), "q") && is_variable(of_b.back(), "k")) ||
                       (is_variable(of_a.back(), "k") && is_variable(of_b.back(), "q"));
    const bool by_batch = of_a.size() == 1 || (is_variable(of_a.front(), "b") && is_variable(of_b.front(), "b"));
    return pairs && by_batch ? &a : nullptr;
}

/// The conditions that "and" joins at the top.
std::vector<const Node*> conjuncts_of(const Node& root) {
    if (root.kind != Node::Kind::And)
        return {&root};
    std::vector<const Node*> all;
    for (const auto& child : root.children)
        for (const auto* one : conjuncts_of(child))
            all.push_back(one);
    return all;
}

/// The rule of "doc[b, q] == doc[b, k]"; nullopt where the array is too small.
std::optional<KeyIntervals> document_rule(const Node& indexed, const IntervalSource& source) {
    const auto& c = source.sizes;
    const auto found = source.tensors.find(indexed.children.front().name);
    const auto& ids = found->second;
    const auto width = ids.dim(-1);
    const bool many = ids.rank() == 2;
    if (width < c.L || width < c.S || (many && ids.dim(0) < c.B))
        return std::nullopt;
    KeyIntervals::Axis axis;
    axis.place_stride = many ? c.L : 0;
    axis.key_stride = many ? c.S : 0;
    for (std::int64_t b = 0; b < (many ? c.B : 1); ++b) {
        const auto row = ids.values().subspan(static_cast<std::size_t>(b * width), static_cast<std::size_t>(width));
        axis.places.insert(axis.places.end(), row.begin(), row.begin() + c.L);
        axis.first.insert(axis.first.end(), row.begin(), row.begin() + c.S);
    }
    axis.last = axis.first;
    return KeyIntervals{.axes = std::make_shared<const std::vector<KeyIntervals::Axis>>(
                            std::vector<KeyIntervals::Axis>{std::move(axis)})};
}

/// nullopt where a part of the expression has neither form.
std::optional<std::vector<MaskRule>> plain_rules(const Node& root, const IntervalSource& source) {
    std::vector<MaskRule> rules;
    Band band;
    bool has_band = false;
    for (const auto* part : conjuncts_of(root)) {
        if (const auto one = band_of_comparison(*part)) {
            band.before = std::min(band.before, one->before);
            band.after = std::min(band.after, one->after);
            has_band = true;
            continue;
        }
        const auto* documents = documents_of(*part);
        auto rule = documents ? document_rule(*documents, source) : std::nullopt;
        if (!rule)
            return std::nullopt;
        rules.emplace_back(std::move(*rule));
    }
    if (has_band)
        rules.emplace_back(band);
    return rules;
}

} // namespace

void check_expression_text(const std::string& text) { CellExpression(text, Meaning::Mask); }

CellContext cell_context(const MaskContext& sizes, const QueryOffsets& offsets, const TensorMap& tensors) {
    CellContext context{.B = sizes.B, .H = sizes.H, .L = sizes.L, .S = sizes.S, .offsets = {}, .tensors = &tensors};
    const bool one = offsets.common().has_value();
    for (std::int64_t b = 0; b < (one ? 1 : sizes.B); ++b)
        context.offsets.push_back(static_cast<double>(one ? *offsets.common() : offsets.of(b)));
    return context;
}

void check_expression_cells(const IntervalSource& source) {
    const auto expression = expression_of(source.parameters);
    const auto& c = source.sizes;
    const BoundExpression bound(expression, cell_context(c, source.offsets, source.tensors));
    constexpr double most_operations = 1e6;
    const double cells =
        static_cast<double>(c.B) * static_cast<double>(c.H) * static_cast<double>(c.L) * static_cast<double>(c.S);
    if (expression.arrays().empty() || cells * static_cast<double>(bound.operations()) > most_operations)
        return;
    for (std::int64_t b = 0; b < c.B; ++b)
        for (std::int64_t h = 0; h < c.H; ++h)
            for (std::int64_t i = 0; i < c.L; ++i)
                for (std::int64_t j = 0; j < c.S; ++j)
                    bound.keeps({.b = b, .h = h, .i = i, .j = j});
}

bool is_bands_and_documents(const Selection& mask) {
    if (!mask_kind(mask.id).rules)
        return false;
    const auto expression = expression_of(complete_mask(mask).parameters);
    return std::ranges::all_of(conjuncts_of(expression.root()), [](const Node* part) {
        return band_of_comparison(*part).has_value() || documents_of(*part);
    });
}

std::vector<MaskRule> expression_rules(const IntervalSource& source) {
    const auto expression = expression_of(source.parameters);
    const BoundExpression bound(expression, cell_context(source.sizes, source.offsets, source.tensors));
    if (auto rules = plain_rules(expression.root(), source))
        return std::move(*rules);
    return {ComputedCells{[bound](std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
        return bound.keeps({.b = b, .h = h, .i = i, .j = j});
    }}};
}

NameInCode names_of_cell(const IntervalCode& code, std::string offsets) {
    return [sizes = code.sizes, offset = code.offset, offsets = std::move(offsets)](const std::string& name) {
        const auto number = [](std::int64_t value) { return std::to_string(value); };
        if (name == "B" || name == "H" || name == "L" || name == "S")
            return number(name == "B" ? sizes.B : name == "H" ? sizes.H : name == "L" ? sizes.L : sizes.S);
        if (name == "offset")
            return !offset ? offsets : *offset < 0 ? "(" + number(*offset) + ")" : number(*offset);
        return name == "q" ? std::string("i") : name == "k" ? std::string("j") : name;
    };
}

std::string expression_python(const IntervalCode& code) {
    const auto expression = expression_of(code.parameters);
    const auto text = in_python(expression, names_of_cell(code, "query_offset[:, None, None, None]"));
    const auto reads = [&](const char* name) { return expression.reads(name); };
    const bool varies = reads("b") || reads("h") || reads("q") || reads("k") || (reads("offset") && !code.offset);
    return varies ? text : "(j >= 0) & (" + text + ")"; // an array also where the condition is one for all cells
}

std::string expression_latex(const IntervalCode& code) {
    return in_latex(expression_of(code.parameters), names_of_cell(code, "o_b"));
}

namespace {

/// The text for the life of the program: Input refers to its texts.
std::string_view kept_text(std::string text) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> texts;
    const std::lock_guard lock(mutex);
    return *texts.insert(std::move(text)).first;
}

/// "B S | B L" for the axes b and qk.
std::string dims_of_array(const ArrayInExpression& array) {
    const auto alternative = [&](const char* both) {
        std::string dims;
        for (std::size_t axis = 0; axis < array.axes.size(); ++axis) {
            const auto& index = array.axes[axis];
            const std::string dim = index == "b"    ? "B"
                                    : index == "h"  ? "H"
                                    : index == "q"  ? "L"
                                    : index == "k"  ? "S"
                                    : index == "qk" ? both
                                                    : array.name + "." + std::to_string(axis);
            dims += (dims.empty() ? "" : " ") + dim;
        }
        return dims;
    };
    const auto by_keys = alternative("S"), by_queries = alternative("L");
    return by_keys == by_queries ? by_keys : by_queries + " | " + by_keys;
}

void add_inputs(const std::string& text, Meaning meaning, std::vector<Input>& inputs) {
    try {
        const CellExpression expression(text, meaning);
        for (const auto& array : expression.arrays())
            if (!lookup(inputs, array.name, &Input::name))
                inputs.push_back({.name = kept_text(array.name),
                                  .dims = kept_text(dims_of_array(array)),
                                  .fill = InputFill::Zeros,
                                  .help = ATTNLAB_TEXT("An array that an expression reads")});
        if (expression.reads("offset") && !lookup(inputs, query_offset_input.name, &Input::name))
            inputs.push_back(query_offset_input);
    } catch (const Error&) { // reported where it is set
    }
}

} // namespace

std::vector<Input> expression_inputs(const AttentionSpec& spec) {
    std::vector<Input> inputs;
    for (const auto& mask : spec.masks)
        if (const auto* text = mask.parameters.find("expression"); text && mask.id == expression_mask.id)
            add_inputs(to_text(*text), Meaning::Mask, inputs);
    if (!spec.score_mod.empty())
        add_inputs(spec.score_mod, Meaning::ScoreMod, inputs);
    return inputs;
}

void check_score_mod(const AttentionSpec& spec) {
    if (!spec.score_mod.empty())
        CellExpression(spec.score_mod, Meaning::ScoreMod);
}

BoundExpression bound_score_mod(const ResolvedProblem& problem) {
    const CellExpression expression(problem.spec.score_mod, Meaning::ScoreMod);
    const auto offsets = expression.reads("offset") ? query_offsets(problem.spec, problem.tensors) : QueryOffsets();
    return BoundExpression(expression, cell_context(mask_context(problem.sizes), offsets, problem.tensors));
}

Tensor modified_scores(const ResolvedProblem& problem, const Tensor& scores, std::int64_t appended,
                       const RunControl& control) {
    const auto bound = bound_score_mod(problem);
    Tensor modified = scores;
    const auto H = scores.dim(1), L = scores.dim(2), keys = scores.dim(3);
    const auto cells = modified.mutable_values();
    for (std::int64_t row = 0; keys > 0 && row < scores.size() / keys; ++row) {
        control.checkpoint();
        for (std::int64_t j = 0; j < keys - appended; ++j) {
            auto& cell = cells[static_cast<std::size_t>(row * keys + j)];
            cell = bound.number({.b = row / L / H, .h = row / L % H, .i = row % L, .j = j, .score = cell});
        }
    }
    return modified;
}

} // namespace attnlab
