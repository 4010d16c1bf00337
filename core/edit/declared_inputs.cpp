#include "core/edit/declared_inputs.h"

#include <algorithm>

namespace attnlab {
namespace {

std::vector<std::string>& labels_in(AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    if (axis == Axis::Key && !keys_are_queries(problem, declared))
        return problem.key_tokens;
    return problem.query_tokens;
}

std::optional<std::int64_t> size_of_symbol(const AttentionProblem& problem, const std::vector<Input>& declared,
                                           std::string_view symbol) {
    for (const auto& input : declared) {
        const auto tensor = problem.tensors.find(input.name);
        if (tensor == problem.tensors.end())
            continue;
        const auto dims = dims_at(input, tensor->second.rank());
        for (std::size_t axis = 0; axis < dims.size(); ++axis)
            if (const auto size = tensor->second.shape()[axis];
                is_symbol(dims[axis], symbol) && !(dims[axis].or_one && size == 1))
                return size;
    }
    return std::nullopt;
}

} // namespace

std::vector<Input> declared_inputs(const AttentionSpec& spec) {
    try {
        return inputs_of(spec);
    } catch (const Error&) {
        return {}; // The run says what is wrong with the spec.
    }
}

const Input* find_input(const std::vector<Input>& declared, std::string_view name) {
    const auto found =
        std::find_if(declared.begin(), declared.end(), [&](const Input& one) { return one.name == name; });
    return found == declared.end() ? nullptr : &*found;
}

std::vector<Dim> dims_at(const Input& input, int rank) {
    for (auto& dims : dims_of(input))
        if (static_cast<int>(dims.size()) == rank)
            return dims;
    return {};
}

bool is_symbol(const Dim& dim, std::string_view symbol) { return dim.factors.size() == 1 && dim.factors[0] == symbol; }

std::optional<Axis> tokens_along(const Dim& dim) {
    if (is_symbol(dim, "L"))
        return Axis::Query;
    if (is_symbol(dim, "S"))
        return Axis::Key;
    return std::nullopt;
}

std::int64_t token_count(const AttentionProblem& problem, const std::vector<Input>& declared, Axis axis) {
    const auto queries = size_of_symbol(problem, declared, "L").value_or(0);
    return axis == Axis::Query ? queries : size_of_symbol(problem, declared, "S").value_or(queries);
}

bool keys_are_queries(const AttentionProblem& problem, const std::vector<Input>& declared) {
    return problem.key_tokens.empty() &&
           token_count(problem, declared, Axis::Query) == token_count(problem, declared, Axis::Key);
}

AttentionProblem with_own_key_labels(AttentionProblem problem, const std::vector<Input>& declared, bool own) {
    problem.key_tokens.clear();
    if (own) {
        problem.key_tokens = problem.query_tokens;
        // A full list, of blanks if need be: an empty one would mean the queries' labels.
        problem.key_tokens.resize(static_cast<std::size_t>(token_count(problem, declared, Axis::Key)));
    }
    return problem;
}

AttentionProblem with_token_labels(AttentionProblem problem, const std::vector<Input>& declared, Axis axis,
                                   std::int64_t first, const std::vector<std::string>& labels) {
    auto& tokens = labels_in(problem, declared, axis);
    const auto count = token_count(problem, declared, axis);
    for (std::size_t i = 0; i < labels.size() && first + static_cast<std::int64_t>(i) < count; ++i) {
        const auto at = static_cast<std::size_t>(first) + i;
        if (tokens.size() <= at)
            tokens.resize(at + 1);
        tokens[at] = labels[i];
    }
    // Not for keys: without any label of their own they would take the queries'.
    while (&tokens == &problem.query_tokens && !tokens.empty() && tokens.back().empty())
        tokens.pop_back();
    return problem;
}

} // namespace attnlab
