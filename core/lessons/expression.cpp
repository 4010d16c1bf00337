// Evaluates the expressions of expression.h.
#include "core/lessons/expression.h"

#include "core/lab/setting_numbers.h"
#include "core/lessons/expression_parser.h"
#include "core/lookup.h"
#include "core/stages/softmax.h"
#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

namespace attnlab::lessons {
namespace {

Value value_of(const Tensor& tensor, std::size_t optional) {
    const auto cells = tensor.values();
    Value value{tensor.shape(), {cells.begin(), cells.end()}, tensor.dtype() == DType::Bool, 0};
    const auto leading = std::span(tensor.shape()).first(std::min(optional, tensor.shape().size()));
    if (std::ranges::all_of(leading, [](std::int64_t size) { return size == 1; }))
        value.optional = leading.size();
    return value;
}

std::size_t leading_axes(const Stage& stage) {
    const auto not_leading = [](Axis axis) { return axis != Axis::Batch && axis != Axis::Head; };
    return static_cast<std::size_t>(std::ranges::find_if(stage.axes, not_leading) - stage.axes.begin());
}

[[noreturn]] void fail_to_find(std::string_view setting, std::string_view what, std::string_view name,
                               const std::string& known) {
    throw Error({ATTNLAB_TEXT("'%1' has no %2 '%3', it has: %4"),
                 {std::string(setting), std::string(what), std::string(name), known}});
}

std::int64_t weights_of(const Trace& trace) {
    const Stage* weights = trace.find("weights");
    return weights ? weights->value.size() : 0;
}

/// "query" of "tensor.query"; nullopt for other names.
std::optional<std::string_view> after(std::string_view prefix, std::string_view name) {
    return name.starts_with(prefix) ? std::optional(name.substr(prefix.size())) : std::nullopt;
}

} // namespace

void Evaluation::spend(std::int64_t cells) const {
    control_.checkpoint();
    if (cells > cells_left_)
        throw Error({ATTNLAB_TEXT("handles more than %1 numbers, too many for a text"), {std::to_string(most_cells_)}});
    cells_left_ -= cells;
}

const lab::SceneSetting& Evaluation::setting(std::string_view id) const {
    const auto* found = lookup(scene_.settings, id);
    if (!found)
        throw Error({ATTNLAB_TEXT("there is no setting '%1', expected one of %2"),
                     {std::string(id), listed(scene_.settings, &lab::SceneSetting::id)}});
    return *found;
}

const Trace& Evaluation::trace(std::string_view id) const {
    const auto& found = setting(id);
    if (const Trace* trace = result_.trace_of(scene_, id))
        return *trace;
    const auto place = static_cast<std::size_t>(&found - scene_.settings.data());
    const bool failed = place < result_.settings.size() && result_.settings[place].error;
    throw Error({ATTNLAB_TEXT("'%1' could not be computed: %2"),
                 {found.id, failed ? *result_.settings[place].error : Message(ATTNLAB_TEXT("it was not run"))}});
}

const std::vector<double>& Evaluation::losses(std::string_view id) const {
    return result_.settings.at(static_cast<std::size_t>(&setting(id) - scene_.settings.data())).loss;
}

AttentionProblem Evaluation::problem(std::string_view id) const {
    return lab::problem_of(scene_, setting(id), result_.drawn);
}

Value Evaluation::constant(std::string_view name) const {
    if (name == "inf")
        return Value::number(std::numeric_limits<double>::infinity());
    if (name == "pi")
        return Value::number(std::numbers::pi);
    if (scene_.draw) {
        const auto& draw = *scene_.draw;
        return Value::number(static_cast<double>(name == "E" ? draw.E : name == "L" ? draw.L : draw.S));
    }
    // Without a draw the sizes are those of the first setting.
    const auto& first = trace(scene_.settings.at(0).id);
    const Stage* stage = first.find(name == "E" ? "query" : "weights");
    if (!stage || stage->value.rank() < 2)
        throw Error({ATTNLAB_TEXT("%1 is not known: there is no draw"), {std::string(name)}});
    return Value::number(static_cast<double>(stage->value.dim(name == "L" ? -2 : -1)));
}

Value Evaluation::part(std::string_view id, std::string_view name) const {
    if (const auto tensor = after("tensor.", name)) {
        const auto tensors = problem(id).tensors;
        const auto found = tensors.find(*tensor);
        if (found == tensors.end())
            fail_to_find(id, "tensor", *tensor, listed(tensors, &TensorMap::value_type::first));
        spend(found->second.size());
        const auto rank = static_cast<std::size_t>(found->second.rank());
        return value_of(found->second, rank > 2 ? rank - 2 : 0);
    }
    if (const auto& given = setting(id).given; given.contains(name))
        return value_of(given.find(name)->second, 0);
    const auto& computed = trace(id);
    if (name == "loss")
        if (const auto& loss = losses(id); !loss.empty())
            return value_of(Tensor({std::ssize(loss)}, loss), 0);
    if (const auto measure = after("measure.", name)) {
        const auto* found = lookup(computed.measures, *measure, &Measure::name);
        if (!found)
            fail_to_find(id, "measure", *measure, listed(computed.measures, &Measure::name));
        return Value::number(found->value);
    }
    const Stage* stage = computed.find(name);
    if (!stage)
        fail_to_find(id, "stage", name, listed(computed.stages, &Stage::name));
    spend(stage->value.size());
    return value_of(stage->value, leading_axes(*stage));
}

Value Evaluation::number(std::string_view id, std::string_view name) const {
    spend(weights_of(trace(id)));
    const auto numbers = lab::numbers_of(trace(id), setting(id).spec);
    if (name != "theory")
        return Value::number(lab::measure_of(numbers, lab::measure_called(name)));
    if (!numbers.theory)
        throw Error({ATTNLAB_TEXT("theory predicts no variance for '%1'"), {std::string(id)}});
    return Value::number(*numbers.theory);
}

Value Evaluation::gradients(std::string_view id) const {
    spend(weights_of(trace(id)));
    auto rows = lab::row_gradients(trace(id), setting(id).spec);
    if (rows.empty())
        throw Error({ATTNLAB_TEXT("'%1' has no gradients: its scale is not a factor of q . k"), {std::string(id)}});
    const auto count = static_cast<std::int64_t>(rows.size());
    return {{count}, std::move(rows)};
}

const lab::TokenEffect& Evaluation::effect(std::string_view id, std::int64_t token) const {
    const auto key = std::pair(std::string(id), token);
    auto found = effects_.find(key);
    if (found == effects_.end()) {
        constexpr std::int64_t runs = 16; // an attention is more work than a look at each of its weights
        spend(runs * weights_of(trace(id)));
        found = effects_.emplace(key, lab::effect_of_token(problem(id), token, control_, setting(id).precision)).first;
    }
    return found->second;
}

Value Evaluation::moved(std::string_view id, std::int64_t token) const {
    const auto& rows = effect(id, token).moved;
    return {{std::ssize(rows)}, rows};
}

Value Evaluation::moved_by_reading(std::string_view id, std::int64_t token) const {
    const auto& found = effect(id, token);
    auto rows = found.moved;
    if (found.own)
        rows[static_cast<std::size_t>(*found.own)] =
            found.own_by_reading.value_or(std::numeric_limits<double>::quiet_NaN());
    return {{std::ssize(rows)}, std::move(rows)};
}

namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;
using Cells = std::span<const double>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double sum_of(Cells cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); }
double mean_of(Cells cells) { return sum_of(cells) / static_cast<double>(cells.size()); }
double variance_of(Cells cells) {
    const double mean = mean_of(cells);
    double squares = 0.0;
    for (const double cell : cells)
        squares += (cell - mean) * (cell - mean);
    return squares / static_cast<double>(cells.size());
}
bool any_nan(Cells cells) {
    return std::ranges::any_of(cells, [](double cell) { return std::isnan(cell); });
}
double middle_of(Cells cells) { return any_nan(cells) ? not_a_number : lab::median_of({cells.begin(), cells.end()}); }
double max_of(Cells cells) { return any_nan(cells) ? not_a_number : std::ranges::max(cells); }
double min_of(Cells cells) { return any_nan(cells) ? not_a_number : std::ranges::min(cells); }

Value softmax_of(const Value& value) {
    Value result = value;
    result.truth = false;
    const auto width = value.shape.empty() ? std::size_t{1} : static_cast<std::size_t>(value.shape.back());
    std::ranges::fill(result.cells, 0.0);
    for (std::size_t first = 0; width > 0 && first < result.cells.size(); first += width)
        softmax_row(Cells(value.cells).subspan(first, width), std::span(result.cells).subspan(first, width));
    return result;
}

/// Mean over the rows of weights.
double statistic_of(const std::string& name, const Value& weights) {
    const auto width = weights.shape.empty() ? 1 : weights.shape.back();
    const auto rows = width > 0 ? static_cast<std::int64_t>(weights.cells.size()) / width : 0;
    const auto all = mean_statistics({weights.cells.data(), rows, width});
    return name == "entropy"          ? all.entropy
           : name == "effective_keys" ? all.effective_keys
           : name == "max_weight"     ? all.max_weight
                                      : all.jacobian_norm;
}

std::optional<double (*)(Cells)> reducer(std::string_view name) {
    constexpr std::pair<std::string_view, double (*)(Cells)> table[] = {
        {"sum", sum_of},       {"mean", mean_of}, {"variance", variance_of},
        {"median", middle_of}, {"max", max_of},   {"min", min_of}};
    for (const auto& [id, function] : table)
        if (id == name)
            return function;
    return std::nullopt;
}

std::optional<double (*)(double)> cell_function(std::string_view name) {
    constexpr std::pair<std::string_view, double (*)(double)> table[] = {
        {"abs", [](double x) { return std::abs(x); }},
        {"exp", [](double x) { return std::exp(x); }},
        {"log", [](double x) { return std::log(x); }},
        {"sqrt", [](double x) { return std::sqrt(x); }},
        {"cbrt", [](double x) { return std::cbrt(x); }},
        {"round", [](double x) { return std::round(x); }},
        {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
        {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
    };
    for (const auto& [id, function] : table)
        if (id == name)
            return function;
    return std::nullopt;
}

/// Functions of one value that work neither by cell nor along an axis.
Value of_whole(const std::string& name, const Value& x) {
    if (name == "size")
        return Value::number(static_cast<double>(x.cells.size()));
    if (name == "norm")
        return Value::number(std::sqrt(std::inner_product(x.cells.begin(), x.cells.end(), x.cells.begin(), 0.0)));
    if (name == "rank")
        return Value::number(static_cast<double>(rank_of(x)));
    if (name == "softmax")
        return softmax_of(x);
    const auto row = row_of(x, name);
    if (name == "sorted") {
        Value result{{static_cast<std::int64_t>(row.size())}, {row.begin(), row.end()}};
        if (any_nan(row)) // they have no order
            std::ranges::fill(result.cells, not_a_number);
        else
            std::ranges::sort(result.cells);
        return result;
    }
    if (any_nan(row))
        return Value::number(not_a_number);
    const auto place = name == "argmax" ? std::ranges::max_element(row) : std::ranges::min_element(row);
    return Value::number(static_cast<double>(place - row.begin()));
}

Value of_pair(const std::string& name, const Value& x, const Value& y) {
    const bool apart = name == "distance";
    const auto products = combined(x, y, [apart](double a, double b) { return apart ? (a - b) * (a - b) : a * b; });
    const double sum = sum_of(products.cells);
    return Value::number(apart ? std::sqrt(sum) : sum);
}

bool compares(const std::string& symbol, double a, double b) {
    return symbol == "=" ? a == b : symbol == "<" ? a < b : symbol == "<=" ? a <= b : symbol == ">" ? a > b : a >= b;
}

double computed(char symbol, double a, double b) {
    switch (symbol) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return std::pow(a, b);
    }
}

bool is_written_out(const Node& node) {
    if (node.kind == Kind::Number || node.kind == Kind::Constant)
        return true;
    return (node.kind == Kind::Negative || node.kind == Kind::Binary) &&
           std::ranges::all_of(node.children, is_written_out);
}

/// Evaluates one tree.
class Walker {
public:
    Walker(std::string_view text, const Evaluation& evaluation, std::vector<Measured>* measured)
        : text_(text), evaluation_(evaluation), measured_(measured) {}

    Value value(const Node& node) {
        try {
            return unguarded(node);
        } catch (const Placed&) {
            throw;
        } catch (const Error& error) {
            throw Placed(node.begin, error);
        }
    }

    Value truth(const Node& node) {
        auto found = value(node);
        if (!found.truth)
            throw Placed(node.begin, Error(Message(ATTNLAB_TEXT("is a number, expected a comparison"))));
        return found;
    }

private:
    /// An error that already has its column.
    class Placed : public Error {
    public:
        Placed(std::size_t begin, const Error& error)
            : Error({ATTNLAB_TEXT("column %1: %2"), {std::to_string(begin + 1), error.message()}}) {}
    };

    template <class Function>
    Value together(const Value& a, const Value& b, Function function) {
        evaluation_.spend(combined_cells(a, b));
        return combined(a, b, function);
    }

    Value unguarded(const Node& node) {
        switch (node.kind) {
        case Kind::Number:
            return Value::number(node.number);
        case Kind::Constant:
            return evaluation_.constant(node.name);
        case Kind::Setting:
        case Kind::Array: // of masks, not of lessons
            throw Error({ATTNLAB_TEXT("'%1' is not a number"), {node.name}});
        case Kind::Part:
            return evaluation_.part(node.name, node.part);
        case Kind::Index:
            return indexed(node);
        case Kind::Call:
            return call(node);
        case Kind::Negative:
            return cell_by_cell(value(node.children[0]), [](double x) { return -x; });
        case Kind::Binary:
            return together(value(node.children[0]), value(node.children[1]),
                            [symbol = node.name[0]](double a, double b) { return computed(symbol, a, b); });
        case Kind::Compare:
            return comparison(node);
        case Kind::Within:
            return within(node);
        case Kind::And:
        case Kind::Or:
        case Kind::Not:
            return logic(node);
        }
        return {};
    }

    Value indexed(const Node& node) {
        std::vector<Range> ranges;
        for (const auto& subscript : node.subscripts) {
            Range range;
            range.single = !subscript.range;
            if (!subscript.first.empty())
                range.first = integer_of(value(subscript.first[0]), "an index");
            if (!subscript.last.empty())
                range.last = integer_of(value(subscript.last[0]), "an index");
            ranges.push_back(range);
        }
        return part_of(value(node.children[0]), ranges);
    }

    Value call(const Node& node) {
        const auto& first = node.children[0];
        if (node.name == "moved")
            return evaluation_.moved(first.name, integer_of(value(node.children[1]), "a token"));
        if (node.name == "moved_by_reading")
            return evaluation_.moved_by_reading(first.name, integer_of(value(node.children[1]), "a token"));
        if (node.name == "gradients")
            return evaluation_.gradients(first.name);
        if (first.kind == Kind::Setting)
            return evaluation_.number(first.name, node.name);
        const auto x = value(first);
        evaluation_.spend(std::ssize(x.cells));
        if (const auto function = reducer(node.name)) {
            std::optional<std::int64_t> axis;
            if (node.children.size() > 1)
                axis = integer_of(value(node.children[1]), "an axis");
            return reduced(x, axis, *function);
        }
        if (const auto function = cell_function(node.name)) {
            auto result = cell_by_cell(x, *function);
            result.truth = node.name.starts_with("is");
            return result;
        }
        if (node.children.size() > 1) {
            const auto y = value(node.children[1]);
            evaluation_.spend(combined_cells(x, y));
            return of_pair(node.name, x, y);
        }
        if (expression_function(node.name)->takes == ExpressionFunction::Takes::SettingOrCells)
            return Value::number(statistic_of(node.name, x));
        return of_whole(node.name, x);
    }

    void note(const Node& node, const Value& found) {
        if (!measured_ || is_written_out(node))
            return;
        auto words = text_.substr(node.begin, node.end - node.begin);
        words = words.substr(0, words.find_last_not_of(' ') + 1);
        if (std::ranges::find(*measured_, words, &Measured::what) == measured_->end())
            measured_->push_back({std::string(words), found});
    }

    Value comparison(const Node& node) {
        bool all = true;
        auto left = value(node.children[0]);
        note(node.children[0], left);
        for (std::size_t k = 0; k < node.operators.size(); ++k) {
            auto right = value(node.children[k + 1]);
            note(node.children[k + 1], right);
            const auto& symbol = node.operators[k];
            all =
                together(left, right, [&](double a, double b) { return compares(symbol, a, b) ? 1.0 : 0.0; }).holds() &&
                all;
            left = std::move(right);
        }
        return Value::yes_or_no(all);
    }

    Value within(const Node& node) {
        const auto left = value(node.children[0]), right = value(node.children[1]);
        note(node.children[0], left);
        note(node.children[1], right);
        const double tolerance = number_of(value(node.children[2]), "a tolerance");
        const bool percent = node.percent;
        const auto near = together(left, right, [&](double a, double b) {
            const double most = percent ? tolerance / 100.0 * std::abs(b) : tolerance;
            return a == b || std::abs(a - b) <= most ? 1.0 : 0.0;
        });
        return Value::yes_or_no(near.holds());
    }

    Value logic(const Node& node) {
        if (node.kind == Kind::Not)
            return Value::yes_or_no(!truth(node.children[0]).holds());
        bool all = true, any = false;
        for (const auto& child : node.children) {
            const bool holds = truth(child).holds();
            all = all && holds;
            any = any || holds;
        }
        return Value::yes_or_no(node.kind == Kind::And ? all : any);
    }

    std::string_view text_;
    const Evaluation& evaluation_;
    std::vector<Measured>* measured_;
};

void collect_settings(const Node& node, std::map<std::string, int>& found) {
    if (node.kind == Kind::Setting || node.kind == Kind::Part)
        found.emplace(node.name, static_cast<int>(node.begin) + 1);
    for (const auto& child : node.children)
        collect_settings(child, found);
    for (const auto& subscript : node.subscripts)
        for (const auto* ends : {&subscript.first, &subscript.last})
            for (const auto& end : *ends)
                collect_settings(end, found);
}

/// The stage that a function of a setting reads.
std::string_view stage_read_by(std::string_view function) {
    return function == "moved" ? "output" : function == "theory" ? "scaled" : "weights";
}

void collect_parts(const Node& node, std::set<std::pair<std::string, std::string>>& found) {
    if (node.kind == Kind::Part)
        found.emplace(node.name, node.part);
    if (node.kind == Kind::Call && node.children.front().kind == Kind::Setting)
        found.emplace(node.children.front().name, stage_read_by(node.name));
    for (const auto& child : node.children)
        collect_parts(child, found);
    for (const auto& subscript : node.subscripts)
        for (const auto* ends : {&subscript.first, &subscript.last})
            for (const auto& end : *ends)
                collect_parts(end, found);
}

std::optional<std::int64_t> literal_index(const std::vector<Node>& end) {
    if (end.empty())
        return std::nullopt;
    const bool negative = end.front().kind == Kind::Negative;
    const Node& number = negative ? end.front().children.front() : end.front();
    if (number.kind != Kind::Number)
        return std::nullopt;
    const auto index = static_cast<std::int64_t>(number.number);
    return negative ? -index : index;
}

lab::CellRange literal_range(const Node::Subscript& subscript) {
    const auto first = literal_index(subscript.first), last = literal_index(subscript.last);
    const bool computed = first.has_value() == subscript.first.empty() || last.has_value() == subscript.last.empty();
    return computed ? lab::CellRange{} : lab::CellRange{.first = first, .last = last, .single = !subscript.range};
}

void collect_reads(const Node& node, std::vector<lab::HiddenPart>& found) {
    const bool is_index = node.kind == Kind::Index && node.children.front().kind == Kind::Part;
    if (is_index || node.kind == Kind::Part) {
        const Node& of = is_index ? node.children.front() : node;
        lab::HiddenPart part{.setting = of.name, .part = of.part};
        for (const auto& subscript : node.subscripts)
            part.cells.push_back(literal_range(subscript));
        found.push_back(std::move(part));
    }
    if (node.kind == Kind::Call && node.children.front().kind == Kind::Setting)
        found.push_back(
            {.setting = node.children.front().name, .part = std::string(stage_read_by(node.name)), .cells = {}});
    for (const auto& child : node.children)
        if (!is_index)
            collect_reads(child, found);
}

bool says_something(const Node& node) {
    switch (node.kind) {
    case Kind::Compare:
    case Kind::Within:
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
        return true;
    case Kind::Call:
        return node.name == "isnan" || node.name == "isfinite";
    case Kind::Part: // a mask, which must be found by the engine
    case Kind::Index:
        return true;
    default:
        return false;
    }
}

} // namespace

Expression::Expression(std::string text)
    : text_(std::move(text)), root_(std::make_shared<const ExpressionNode>(parse_expression(text_))) {}

std::map<std::string, int> Expression::settings() const {
    std::map<std::string, int> found;
    collect_settings(*root_, found);
    return found;
}

std::set<std::pair<std::string, std::string>> Expression::parts() const {
    std::set<std::pair<std::string, std::string>> found;
    collect_parts(*root_, found);
    return found;
}

std::vector<lab::HiddenPart> Expression::reads() const {
    std::vector<lab::HiddenPart> found;
    collect_reads(*root_, found);
    return found;
}

bool Expression::is_claim() const { return says_something(*root_); }

Value Expression::value(const Evaluation& evaluation) const { return Walker(text_, evaluation, nullptr).value(*root_); }

std::string text_of(std::span<const Measured> measured) {
    std::string text;
    for (const auto& one : measured)
        text += (text.empty() ? "" : "; ") + one.what + " is " + shown(one.value);
    return text;
}

bool Expression::holds(const Evaluation& evaluation, std::vector<Measured>* measured) const {
    return Walker(text_, evaluation, measured).truth(*root_).holds();
}

} // namespace attnlab::lessons
