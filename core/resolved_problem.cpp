#include "core/resolved_problem.h"

#include "core/lookup.h"
#include "core/mechanisms.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

namespace attnlab {
namespace {

std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return b != 0 && a > most / b ? most : a * b;
}

Message text_of(const std::vector<Dim>& dims) {
    std::vector<Message> sizes;
    for (const auto& dim : dims) {
        std::string product;
        for (const auto factor : dim.factors) {
            const bool is_sum = dim.factors.size() > 1 && factor.find('+') != factor.npos;
            product += (product.empty() ? "" : "*") + (is_sum ? "(" + std::string(factor) + ")" : std::string(factor));
        }
        sizes.push_back(dim.or_one ? Message(ATTNLAB_TEXT("%1 or %2"), {product, "1"}) : Message("%1", {product}));
    }
    return {dims.size() == 1 ? "(%1,)" : "(%1)", {joined(sizes, "%1, %2")}};
}

} // namespace

std::optional<std::int64_t> Binder::known(std::string_view factor) const {
    if (const auto* value = parameters_.find(factor); value && std::get<std::int64_t>(*value) != 0)
        return std::get<std::int64_t>(*value);
    if (std::int64_t number = 0;
        std::from_chars(factor.data(), factor.data() + factor.size(), number).ec == std::errc{})
        return number;
    std::int64_t sum = 0;
    for (const auto term : terms_of(factor)) {
        const auto found = sizes_.find(term);
        if (found == sizes_.end())
            return std::nullopt;
        sum += found->second;
    }
    return sum;
}

std::optional<std::int64_t> Binder::size(const Dim& dim) const {
    std::int64_t product = 1;
    for (const auto factor : dim.factors) {
        const auto value = known(factor);
        if (!value)
            return std::nullopt;
        product = saturated_product(product, *value);
    }
    return product;
}

void Binder::settle_defaults() {
    settle("B", 1);
    settle("H", known("num_heads").value_or(1));
    settle("L", 1);
    settle("S", sizes_["L"]);
    if (const auto width = known("E"))
        settle("Ek", *width);
    if (const auto kv = sizes_.find("Hkv"); kv != sizes_.end() && (kv->second == 0 || sizes_["H"] % kv->second != 0))
        throw Error({ATTNLAB_TEXT("%1: has %2 heads, expected a divisor of the %3 query heads"),
                     {origins_["Hkv"], std::to_string(kv->second), std::to_string(sizes_["H"])}});
}

void Binder::settle_rest(const Mechanism& variant, const TensorMap& tensors) {
    if (variant.key_count)
        settle("S", variant.key_count(parameters_, tensors));
    settle_defaults();
}

bool Binder::matches(const Dim& dim, std::int64_t size_there, std::string_view tensor) {
    std::int64_t product = 1;
    std::string_view unknown; // declarations have at most one in a dim
    for (const auto factor : dim.factors) {
        if (const auto value = known(factor))
            product = saturated_product(product, *value);
        else
            unknown = factor;
    }
    if (unknown.empty())
        return product == size_there || (dim.or_one && size_there == 1);
    if (product == 0 || size_there % product != 0)
        return false;
    return settle_factor(unknown, size_there / product, tensor);
}

/// In a sum, the single unknown term is the remainder of the others; with two unknown terms nothing is settled.
bool Binder::settle_factor(std::string_view factor, std::int64_t size_there, std::string_view tensor) {
    std::string_view unknown;
    for (const auto term : terms_of(factor)) {
        if (const auto size = known(term))
            size_there -= *size;
        else if (unknown.empty())
            unknown = term;
        else
            return true;
    }
    if (size_there < 0)
        return false;
    settle(unknown, size_there);
    origins_.emplace(unknown, tensor);
    return true;
}

bool Binder::matches(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims,
                     const Tensor& tensor, std::string_view name) {
    if (dims.size() != tensor.shape().size())
        return false;
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (!matches(dims[i], tensor.shape()[i], name))
            return false;
    return std::all_of(std::begin(leading_axes), std::end(leading_axes), [&](std::string_view symbol) {
        return !leaves_out(alternatives, dims, symbol) || matches(Dim{{symbol}, false}, 1, name);
    });
}

std::vector<std::vector<Dim>> Binder::alternatives_of(const Input& input) const {
    auto alternatives = dims_of(input);
    if (!input.longest_with.empty()) {
        if (bound_.contains(input.longest_with))
            alternatives.resize(1);
        else
            alternatives.erase(alternatives.begin());
    }
    return alternatives;
}

void Binder::bind(const Input& input, const Tensor& tensor, std::string_view name) {
    const auto alternatives = alternatives_of(input);
    std::vector<std::string_view> settled; // before this input
    settled.reserve(sizes_.size());
    for (const auto& [symbol, size] : sizes_)
        settled.push_back(symbol);
    const auto is_new = [&](const auto& entry) {
        return !std::ranges::binary_search(settled, std::string_view(entry.first));
    };
    for (const auto& dims : alternatives) {
        if (!(input.nonempty && tensor.size() == 0) && matches(alternatives, dims, tensor, name)) {
            bound_.emplace(input.name);
            return;
        }
        std::erase_if(sizes_, is_new);
        std::erase_if(origins_, is_new);
    }
    throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3"),
                 {std::string(name), to_string(tensor.shape()), expectation(input, tensor.shape().size())}});
}

void Binder::bind_all(std::span<const Input> inputs, const TensorMap& tensors) {
    for (const auto& input : inputs) {
        if (const auto [name, tensor] = tensor_for(inputs, input, tensors); tensor)
            bind(input, *tensor, name);
        else if (requires_input(input, tensors))
            throw missing(input, tensors);
    }
}

bool Binder::requires_input(const Input& input, const TensorMap& tensors) const {
    return input.required || (!input.required_if.empty() && parameters_.boolean(input.required_if)) ||
           (!input.required_with.empty() && tensors.contains(input.required_with));
}

Error Binder::missing(const Input& input, const TensorMap& tensors) const {
    if (!input.required_with.empty() && tensors.contains(input.required_with))
        return Error({ATTNLAB_TEXT("%1: is missing, expected it together with %2"),
                      {std::string(input.name), std::string(input.required_with)}});
    if (!input.when.empty())
        return Error({ATTNLAB_TEXT("%1: is missing, expected with %2 an array of shape %3"),
                      {std::string(input.name), std::string(input.when), expectation(input, 0)}});
    return Error({ATTNLAB_TEXT("%1: is missing, expected an array of shape %2"),
                  {std::string(input.name), expectation(input, 0)}});
}

bool Binder::omits_known(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims) const {
    return std::any_of(std::begin(leading_axes), std::end(leading_axes), [&](std::string_view symbol) {
        return leaves_out(alternatives, dims, symbol) && known(symbol).value_or(1) != 1;
    });
}

/// "(B, S, num_heads*E) with B = 2 as in x, num_heads = 2": the alternatives of this rank, or all if it has none. Those
/// that leave out an axis whose known size is not 1 are no alternatives.
Message Binder::expectation(const Input& input, std::size_t rank) const {
    const auto all = alternatives_of(input);
    auto alternatives = all;
    std::erase_if(alternatives, [&](const std::vector<Dim>& dims) { return omits_known(all, dims); });
    const auto other_rank = [&](const std::vector<Dim>& dims) { return dims.size() != rank; };
    if (!std::all_of(alternatives.begin(), alternatives.end(), other_rank))
        std::erase_if(alternatives, other_rank);
    std::vector<Message> shapes;
    std::vector<std::string_view> mentioned;
    for (const auto& dims : alternatives) {
        shapes.push_back(text_of(dims));
        for (const auto& dim : dims)
            for (const auto factor : dim.factors)
                for (const auto term : terms_of(factor))
                    mentioned.push_back(term);
    }
    std::sort(mentioned.begin(), mentioned.end());
    mentioned.erase(std::unique(mentioned.begin(), mentioned.end()), mentioned.end());
    std::vector<Message> sizes;
    for (const auto factor : mentioned) {
        const auto value = known(factor);
        if (!value || std::isdigit(static_cast<unsigned char>(factor.front())))
            continue;
        const auto name = std::string(factor), size = std::to_string(*value);
        if (const auto found = origins_.find(factor); found != origins_.end())
            sizes.push_back({ATTNLAB_TEXT("%1 = %2 as in %3"), {name, size, found->second}});
        else
            sizes.push_back({"%1 = %2", {name, size}});
    }
    auto text = joined(shapes, ATTNLAB_TEXT("%1 or %2"));
    if (!sizes.empty())
        text = {ATTNLAB_TEXT("%1 with %2"), {text, joined(sizes, "%1, %2")}};
    if (!input.longest_with.empty() && !bound_.contains(input.longest_with))
        text = {ATTNLAB_TEXT("%1, or together with %2 %3"),
                {text, std::string(input.longest_with), text_of(dims_of(input).front())}};
    return input.nonempty ? Message(ATTNLAB_TEXT("%1, no size 0"), {text}) : text;
}

bool leaves_out(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims,
                std::string_view symbol) {
    const auto has = [&](const Dim& dim) {
        return !dim.or_one && std::find(dim.factors.begin(), dim.factors.end(), symbol) != dim.factors.end();
    };
    const auto& longest = alternatives.front();
    return std::any_of(longest.begin(), longest.end(), has) && std::none_of(dims.begin(), dims.end(), has);
}

std::vector<std::string_view> terms_of(std::string_view factor) {
    std::vector<std::string_view> terms;
    for (auto plus = factor.find('+'); plus != factor.npos; plus = factor.find('+')) {
        terms.push_back(factor.substr(0, plus));
        factor.remove_prefix(plus + 1);
    }
    terms.push_back(factor);
    return terms;
}

const Input* find_input(std::span<const Input> inputs, std::string_view name) {
    return lookup(inputs, name, &Input::name);
}

std::pair<std::string_view, const Tensor*> tensor_for(std::span<const Input> inputs, const Input& input,
                                                      const TensorMap& tensors) {
    for (const Input* candidate = &input; candidate; candidate = find_input(inputs, candidate->fallback))
        if (const auto found = tensors.find(candidate->name); found != tensors.end())
            return {found->first, &found->second};
    return {};
}

ResolvedProblem resolve(const AttentionProblem& problem) {
    ResolvedProblem resolved;
    resolved.mechanism = &mechanism_of(problem.spec.variant);
    resolved.spec = complete_spec(problem.spec);
    resolved.given = problem.spec.parameters;
    resolved.tensors = adopted_tensors(problem);
    resolved.query_tokens = problem.query_tokens;
    resolved.key_tokens = problem.key_tokens;
    resolved.key_grid = problem.key_grid;

    Binder binder(resolved.spec.parameters);
    auto read = inputs_of(*resolved.mechanism, resolved.spec.parameters);
    binder.bind_all(read, resolved.tensors);
    binder.settle_rest(*resolved.mechanism, resolved.tensors);
    for (const auto inputs : further_inputs(resolved.spec)) {
        binder.bind_all(inputs, resolved.tensors);
        read.insert(read.end(), inputs.begin(), inputs.end());
    }
    // Their shapes are checked by the expression itself.
    const auto by_expressions = expression_inputs(resolved.spec);
    read.insert(read.end(), by_expressions.begin(), by_expressions.end());
    resolved.sizes = binder.sizes();
    if (problem.key_grid) {
        resolved.sizes["grid_rows"] = problem.key_grid->rows;
        resolved.sizes["grid_columns"] = problem.key_grid->columns;
    }
    // A position without an offset of its own follows the array, which has one for each sequence.
    if (resolved.tensors.contains("query_offset") && !problem.spec.query_offset &&
        !problem.spec.position.parameters.find("query_offset"))
        resolved.spec.position.parameters.erase("query_offset");
    std::erase_if(resolved.tensors, [&](const auto& named) { return !find_input(read, named.first); });
    if (resolved.mechanism->check_values)
        resolved.mechanism->check_values(resolved);
    return resolved;
}

AttentionProblem as_problem(const ResolvedProblem& resolved) {
    AttentionProblem problem;
    problem.spec = resolved.spec;
    problem.tensors = resolved.tensors;
    problem.key_grid = resolved.key_grid;
    problem.query_tokens = resolved.query_tokens;
    problem.key_tokens = resolved.key_tokens;
    return problem;
}

} // namespace attnlab
