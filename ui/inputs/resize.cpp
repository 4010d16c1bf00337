#include "ui/inputs/resize.h"

#include "core/inputs.h"
#include "core/variants.h"
#include "ui/inputs/declared_inputs.h"
#include "ui/inputs/tensor_edits.h"

#include <algorithm>
#include <charconv>

namespace attnlab::ui {
namespace {

std::vector<std::string> factorsOf(const std::string& size) {
    std::vector<std::string> factors;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= size.size(); ++i) {
        if (i < size.size() && size[i] != '*')
            continue;
        factors.push_back(size.substr(start, i - start));
        start = i + 1;
    }
    return factors;
}

ParameterValues parametersOf(const AttentionSpec& spec) {
    try {
        const auto& chosen = variant(spec.variant);
        return with_defaults(chosen.parameters, spec.parameters, chosen.id);
    } catch (const Error&) {
        return {}; // A parameter out of range: products that need it stay as they are.
    }
}

/// The numbers behind the symbols, parameters included.
Bindings sizesOf(const AttentionProblem& problem, const std::vector<Input>& declared,
                 const ParameterValues& parameters) {
    Bindings sizes;
    for (const auto& [name, value] : parameters.all())
        if (const auto* number = std::get_if<std::int64_t>(&value))
            sizes.emplace(name, *number);
    for (const auto& input : declared) {
        const auto tensor = problem.tensors.find(input.name);
        if (tensor == problem.tensors.end())
            continue;
        const auto axes = axisSizes(input, tensor->second.rank());
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            sizes.emplace(axes[axis], tensor->second.shape()[axis]);
    }
    return sizes;
}

std::optional<std::int64_t> factorSize(const std::string& factor, const Bindings& sizes) {
    std::int64_t number = 0;
    const auto* end = factor.data() + factor.size();
    if (const auto read = std::from_chars(factor.data(), end, number); read.ec == std::errc() && read.ptr == end)
        return number;
    const auto known = sizes.find(factor);
    return known == sizes.end() ? std::nullopt : std::optional(known->second);
}

std::optional<std::int64_t> productOf(const std::string& size, const Bindings& sizes) {
    std::int64_t product = 1;
    for (const auto& factor : factorsOf(size)) {
        const auto known = factorSize(factor, sizes);
        if (!known)
            return std::nullopt;
        product *= *known;
    }
    return product;
}

/// The symbols that must change for `size` to come to `wanted`: a symbol itself, or the last factor of a product that is
/// neither a number nor a parameter.
void solve(const std::string& size, std::int64_t wanted, const ParameterValues& parameters, const Bindings& sizes,
           Bindings& changes) {
    const auto factors = factorsOf(size);
    std::int64_t others = 1;
    std::string symbol;
    for (const auto& factor : factors) {
        const bool fixed = parameters.find(factor) || (factor.front() >= '0' && factor.front() <= '9');
        if (!fixed && symbol.empty())
            symbol = factor;
        else
            others *= factorSize(factor, sizes).value_or(1);
    }
    if (!symbol.empty() && others > 0 && wanted % others == 0)
        changes.emplace(symbol, wanted / others);
}

/// Keys that no input brings are the queries: masks speak of S, but only keys and contexts make it differ from L.
bool keysFollowQueries(const AttentionProblem& problem, const std::vector<Input>& declared) {
    return std::none_of(declared.begin(), declared.end(), [&](const Input& input) {
        const auto tensor = problem.tensors.find(input.name);
        if (tensor == problem.tensors.end() || input.fill != InputFill::Normal)
            return false;
        const auto axes = axisSizes(input, tensor->second.rank());
        return std::find(axes.begin(), axes.end(), "S") != axes.end();
    });
}

void cutTokens(AttentionProblem& problem, const AttentionProblem& before, const std::vector<Input>& declared) {
    const auto queries = tokenCount(problem, declared, Axis::Query);
    const auto keys = tokenCount(problem, declared, Axis::Key);
    // Keys that were the same tokens as the queries keep their labels when only one of the two grows or shrinks.
    if (keysAreQueries(before, declared) && queries != keys)
        problem.key_tokens = before.query_tokens;
    if (static_cast<std::int64_t>(problem.query_tokens.size()) > queries)
        problem.query_tokens.resize(static_cast<std::size_t>(queries));
    if (static_cast<std::int64_t>(problem.key_tokens.size()) > keys)
        problem.key_tokens.resize(static_cast<std::size_t>(keys));
}

} // namespace

AttentionProblem resizedAlone(AttentionProblem problem, const QString& tensor, const Shape& shape) {
    const auto found = problem.tensors.find(tensor.toStdString());
    if (found == problem.tensors.end() || found->second.shape() == shape)
        return problem;
    const auto before = problem;
    found->second = resizedTensor(found->second, shape);
    cutTokens(problem, before, declaredInputs(problem.spec));
    return problem;
}

AttentionProblem resized(const AttentionProblem& problem, const QString& tensor, const Shape& shape) {
    const auto declared = declaredInputs(problem.spec);
    const auto name = tensor.toStdString();
    const auto* input = findInput(declared, name);
    const auto found = problem.tensors.find(name);
    if (!input || found == problem.tensors.end())
        return resizedAlone(problem, tensor, shape);

    const auto parameters = parametersOf(problem.spec);
    const auto before = sizesOf(problem, declared, parameters);
    const auto own_axes = axisSizes(*input, static_cast<int>(shape.size()));
    Bindings changes;
    for (std::size_t axis = 0; axis < own_axes.size(); ++axis)
        if (shape[axis] != found->second.shape()[axis])
            solve(own_axes[axis], shape[axis], parameters, before, changes);
    if (keysFollowQueries(problem, declared)) {
        if (const auto queries = changes.find("L"); queries != changes.end())
            changes.emplace("S", queries->second);
        else if (const auto keys = changes.find("S"); keys != changes.end())
            changes.emplace("L", keys->second);
    }
    auto after = before;
    for (const auto& [symbol, size] : changes)
        after.insert_or_assign(symbol, size);

    auto result = problem;
    for (const auto& other : declared) {
        const auto one = result.tensors.find(other.name);
        if (one == result.tensors.end() || other.name == name)
            continue;
        auto fitting = one->second.shape();
        const auto axes = axisSizes(other, one->second.rank());
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            // An axis that did not have the declared size (a mask of 1 that is broadcast) has no reason to follow.
            const auto now = productOf(axes[axis], after);
            if (now && productOf(axes[axis], before) == fitting[axis])
                fitting[axis] = *now;
        }
        if (fitting != one->second.shape())
            one->second = resizedTensor(one->second, fitting);
    }
    result.tensors.find(name)->second = resizedTensor(found->second, shape);
    cutTokens(result, problem, declared);
    return result;
}

} // namespace attnlab::ui
