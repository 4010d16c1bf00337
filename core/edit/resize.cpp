#include "core/edit/resize.h"

#include "core/edit/cells.h"
#include "core/edit/declared_inputs.h"
#include "core/inputs.h"
#include "core/variants.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace attnlab {
namespace {

ParameterValues parameters_of(const AttentionSpec& spec) {
    try {
        const auto& chosen = variant(spec.variant);
        return with_defaults(chosen.parameters, spec.parameters, chosen.id);
    } catch (const Error&) {
        return {}; // a parameter out of range: products with it are unchanged
    }
}

std::optional<std::int64_t> fixed_factor(std::string_view factor, const ParameterValues& parameters) {
    if (const auto* value = parameters.find(factor))
        if (const auto* number = std::get_if<std::int64_t>(value))
            return *number;
    std::int64_t number = 0;
    const auto* end = factor.data() + factor.size();
    const auto read = std::from_chars(factor.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// An axis of size one that is broadcast does not determine the size of its symbol.
bool broadcasts(const Dim& dim, std::int64_t size) { return dim.or_one && size == 1; }

/// The sizes of tensors while a change propagates along shared symbols.
class Resizing {
public:
    Resizing(const AttentionProblem& problem, std::vector<Input> declared)
        : problem_(problem), declared_(std::move(declared)), parameters_(parameters_of(problem.spec)) {
        for (const auto& [name, tensor] : problem.tensors)
            shapes_.emplace(name, tensor.shape());
        for (const auto& input : declared_)
            visit(input, [&](const Dim& dim, std::int64_t before, std::int64_t&) {
                if (!broadcasts(dim, before))
                    solve(dim, before, before_);
            });
        keys_are_queries_ = !keys_have_input();
    }

    void start(const std::string& name, const Shape& shape) {
        if (const auto found = shapes_.find(name); found != shapes_.end())
            found->second = shape;
    }

    std::map<std::string, Shape> spread() {
        // Each pass settles at least one more symbol.
        for (bool news = true; news;) {
            const auto known = changes_.size();
            for (const auto& input : declared_)
                visit(input, [this](const Dim& dim, std::int64_t before, std::int64_t& now) {
                    if (now != before && !broadcasts(dim, before) && !broadcasts(dim, now))
                        solve(dim, now, changes_);
                });
            tie_keys();
            for (const auto& input : declared_)
                visit(input, [this](const Dim& dim, std::int64_t before, std::int64_t& now) {
                    // An axis without the declared size does not follow, nor does a broadcast 1.
                    const auto wanted = product_of(dim, changes_);
                    if (now == before && wanted && product_of(dim, {}) == before && !broadcasts(dim, before))
                        now = *wanted;
                });
            news = changes_.size() > known;
        }
        return shapes_;
    }

private:
    /// Calls `see(dim, old size, new size)` for each axis of the input's tensor.
    template <typename See>
    void visit(const Input& input, See&& see) {
        const Input* read = &input;
        while (read && !problem_.tensors.contains(read->name))
            read = find_input(declared_, read->fallback);
        if (!read)
            return;
        const auto name = std::string(read->name);
        const auto& before = problem_.tensors.find(name)->second.shape();
        const auto dims = dims_at(input, static_cast<int>(before.size()));
        for (std::size_t axis = 0; axis < dims.size(); ++axis)
            see(dims[axis], before[axis], shapes_[name][axis]);
    }

    /// Masks use S too, but only an input of the mechanism itself makes keys distinct from the queries.
    bool keys_have_input() const {
        if (declared_.empty())
            return false;
        const auto inputs = variant(problem_.spec.variant).inputs;
        return std::any_of(inputs.begin(), inputs.end(), [](const Input& input) {
            for (const auto& dims : dims_of(input))
                for (const auto& dim : dims)
                    if (tokens_along(dim) == Axis::Key)
                        return true;
            return false;
        });
    }

    void tie_keys() {
        if (!keys_are_queries_)
            return;
        if (const auto queries = changes_.find("L"); queries != changes_.end())
            changes_.emplace("S", queries->second);
        else if (const auto keys = changes_.find("S"); keys != changes_.end())
            changes_.emplace("L", keys->second);
    }

    /// Solves for the only unknown symbol that gives the product `dim` the size `wanted`.
    void solve(const Dim& dim, std::int64_t wanted, Bindings& sizes) const {
        std::int64_t fixed = 1;
        std::string_view symbol;
        for (const auto factor : dim.factors) {
            if (const auto number = fixed_factor(factor, parameters_))
                fixed *= *number;
            else if (symbol.empty())
                symbol = factor;
            else
                return;
        }
        if (!symbol.empty() && fixed > 0 && wanted % fixed == 0)
            sizes.emplace(symbol, wanted / fixed);
    }

    std::optional<std::int64_t> product_of(const Dim& dim, const Bindings& changes) const {
        std::int64_t product = 1;
        for (const auto factor : dim.factors) {
            if (const auto number = fixed_factor(factor, parameters_))
                product *= *number;
            else if (const auto changed = changes.find(factor); changed != changes.end())
                product *= changed->second;
            else if (const auto known = before_.find(factor); known != before_.end())
                product *= known->second;
            else
                return std::nullopt;
        }
        return product;
    }

    const AttentionProblem& problem_;
    std::vector<Input> declared_;
    ParameterValues parameters_;
    std::map<std::string, Shape> shapes_;
    Bindings before_;
    Bindings changes_;
    bool keys_are_queries_ = false;
};

void cut_tokens(AttentionProblem& problem, const AttentionProblem& before, const std::vector<Input>& declared) {
    const auto queries = token_count(problem, declared, Axis::Query);
    const auto keys = token_count(problem, declared, Axis::Key);
    // Keys that were the same tokens as the queries keep their labels when only one of the two is resized.
    if (keys_are_queries(before, declared) && queries != keys)
        problem.key_tokens = before.query_tokens;
    if (static_cast<std::int64_t>(problem.query_tokens.size()) > queries)
        problem.query_tokens.resize(static_cast<std::size_t>(queries));
    if (static_cast<std::int64_t>(problem.key_tokens.size()) > keys)
        problem.key_tokens.resize(static_cast<std::size_t>(keys));
}

} // namespace

AttentionProblem resized_alone(const AttentionProblem& problem, std::string_view tensor, const Shape& shape) {
    auto result = problem;
    const auto found = result.tensors.find(tensor);
    if (found == result.tensors.end())
        return result;
    found->second = resized_tensor(found->second, shape);
    cut_tokens(result, problem, declared_inputs(problem.spec));
    return result;
}

std::map<std::string, Shape> resized_shapes(const AttentionProblem& problem, std::string_view tensor,
                                            const Shape& shape) {
    Resizing resizing(problem, declared_inputs(problem.spec));
    resizing.start(std::string(tensor), shape);
    return resizing.spread();
}

AttentionProblem resized(const AttentionProblem& problem, std::string_view tensor, const Shape& shape) {
    if (!problem.tensors.contains(tensor))
        return problem;
    auto result = problem;
    for (const auto& [name, fitting] : resized_shapes(problem, tensor, shape)) {
        auto& changed = result.tensors.find(name)->second;
        if (changed.shape() != fitting)
            changed = resized_tensor(changed, fitting);
    }
    cut_tokens(result, problem, declared_inputs(problem.spec));
    return result;
}

} // namespace attnlab
