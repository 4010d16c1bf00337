// Implements the evaluation of expressions of expression.h.
#include "core/lab/leak.h"
#include "core/lab/numbers.h"
#include "core/lessons/expression.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

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

template <class List, class Name>
std::string names_in(const List& list, Name name) {
    std::string names;
    for (const auto& item : list)
        names += (names.empty() ? "" : ", ") + std::string(name(item));
    return names;
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
    const auto found = std::ranges::find(scene_.settings, id, &lab::SceneSetting::id);
    if (found == scene_.settings.end())
        throw Error({ATTNLAB_TEXT("there is no setting '%1', expected one of %2"),
                     {std::string(id), names_in(scene_.settings, [](const auto& s) { return s.id; })}});
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
            fail_to_find(id, "tensor", *tensor, names_in(tensors, [](const auto& t) { return t.first; }));
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
        const auto found = std::ranges::find(computed.measures, *measure, &Measure::name);
        if (found == computed.measures.end())
            fail_to_find(id, "measure", *measure, names_in(computed.measures, [](const auto& m) { return m.name; }));
        return Value::number(found->value);
    }
    const Stage* stage = computed.find(name);
    if (!stage)
        fail_to_find(id, "stage", name, names_in(computed.stages, [](const auto& s) { return s.name; }));
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
        throw Error({ATTNLAB_TEXT("'%1' has no gradients: its scale is no factor of q . k"), {std::string(id)}});
    const auto count = static_cast<std::int64_t>(rows.size());
    return {{count}, std::move(rows)};
}

Value Evaluation::moved(std::string_view id, std::int64_t token) const {
    const auto key = std::pair(std::string(id), token);
    auto found = moved_.find(key);
    if (found == moved_.end()) {
        constexpr std::int64_t runs = 16; // an attention is more work than a look at each of its weights
        spend(runs * weights_of(trace(id)));
        found = moved_.emplace(key, lab::moved_outputs(problem(id), token, control_, setting(id).precision)).first;
    }
    return {{static_cast<std::int64_t>(found->second.size())}, found->second};
}

} // namespace attnlab::lessons
