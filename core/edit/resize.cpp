#include "core/edit/resize.h"

#include "core/edit/cells.h"
#include "core/inputs.h"
#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/message.h"
#include "core/resolved_problem.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
    return lookup(declared, name, &Input::name);
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

namespace {

ParameterValues parameters_of(const AttentionSpec& spec) {
    try {
        const auto& chosen = mechanism_of(spec.variant);
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
        const auto inputs = mechanism_of(problem_.spec.variant).inputs;
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

AttentionProblem with_leading_axes(const AttentionProblem& problem) {
    auto next = problem;
    const auto declared = declared_inputs(problem.spec);
    if (declared.empty())
        return next;
    for (const auto& own : mechanism_of(problem.spec.variant).inputs) {
        const auto* input = find_input(declared, own.name);
        const auto found = next.tensors.find(own.name);
        if (!input || found == next.tensors.end())
            continue;
        auto shape = found->second.shape();
        const auto leads_with_batches = [&](const std::vector<Dim>& dims) {
            const auto leading = std::span(dims).first(dims.size() - std::min(dims.size(), shape.size()));
            return std::ranges::all_of(leading, [](const Dim& dim) {
                return is_symbol(dim, "B") || is_symbol(dim, "H") || is_symbol(dim, "Hkv");
            });
        };
        auto axes = shape.size();
        for (const auto& dims : dims_of(*input))
            if (leads_with_batches(dims))
                axes = std::max(axes, dims.size());
        shape.insert(shape.begin(), axes - shape.size(), 1);
        found->second = found->second.reshaped(shape);
    }
    return next;
}

AttentionProblem resized_alone(const AttentionProblem& problem, std::string_view tensor, const Shape& shape,
                               const RunControl& control) {
    auto result = problem;
    const auto found = result.tensors.find(tensor);
    if (found == result.tensors.end())
        return result;
    found->second = resized_tensor(found->second, shape, control);
    cut_tokens(result, problem, declared_inputs(problem.spec));
    return result;
}

std::map<std::string, Shape> resized_shapes(const AttentionProblem& problem, std::string_view tensor,
                                            const Shape& shape) {
    Resizing resizing(problem, declared_inputs(problem.spec));
    resizing.start(std::string(tensor), shape);
    return resizing.spread();
}

AttentionProblem resized(const AttentionProblem& problem, std::string_view tensor, const Shape& shape,
                         const RunControl& control) {
    if (!problem.tensors.contains(tensor))
        return problem;
    auto result = problem;
    for (const auto& [name, fitting] : resized_shapes(problem, tensor, shape)) {
        auto& changed = result.tensors.find(name)->second;
        if (changed.shape() != fitting)
            changed = resized_tensor(changed, fitting, control);
    }
    cut_tokens(result, problem, declared_inputs(problem.spec));
    return result;
}

namespace {

/// The sizes settled by the inputs of the mechanism itself.
class Sizes {
public:
    explicit Sizes(const AttentionProblem& problem) {
        const auto& chosen = mechanism_of(problem.spec.variant);
        parameters_ = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
        own_ = inputs_of(chosen, parameters_);
        sizes_ = attnlab::bind(std::span<const Input>(own_), problem.tensors, parameters_);
    }

    bool is_own(std::string_view name) const { return lookup(own_, name, &Input::name) != nullptr; }

    /// The tensor with settled sizes; other sizes, and broadcast axes, are unchanged.
    Tensor fitted(const Input& input, const Tensor& tensor, const RunControl& control) const {
        const auto shape = fitted_shape(input, tensor);
        return shape == tensor.shape() ? tensor : resized_tensor(tensor, shape, control);
    }

    /// As fitted(), but a large tensor takes no memory and reads as 0.
    Tensor outlined(const Input& input, const Tensor& tensor) const {
        constexpr std::int64_t largest_fitted = 1 << 16; // within a millisecond
        auto shape = fitted_shape(input, tensor);
        return element_count(shape) <= largest_fitted ? fitted(input, tensor, {})
                                                      : outlined_tensor(std::move(shape), tensor.dtype());
    }

private:
    Shape fitted_shape(const Input& input, const Tensor& tensor) const {
        // Of several alternatives of its rank, the first one that changes the fewest axes.
        std::optional<Shape> nearest;
        std::ptrdiff_t stayed = -1;
        for (const auto& dims : dims_of(input)) {
            if (dims.size() != tensor.shape().size())
                continue;
            const auto shape = fitted_shape(dims, tensor.shape());
            const auto same = std::inner_product(shape.begin(), shape.end(), tensor.shape().begin(), std::ptrdiff_t{0},
                                                 std::plus<>(), std::equal_to<>());
            if (same > stayed)
                nearest = shape;
            stayed = std::max(stayed, same);
        }
        return nearest.value_or(tensor.shape());
    }

    Shape fitted_shape(const std::vector<Dim>& dims, Shape shape) const {
        for (std::size_t axis = 0; axis < shape.size(); ++axis)
            if (const auto size = size_of(dims[axis]); size && !(dims[axis].or_one && shape[axis] == 1))
                shape[axis] = *size;
        return shape;
    }

    std::optional<std::int64_t> size_of(const Dim& dim) const {
        std::int64_t product = 1;
        for (const auto factor : dim.factors) {
            const auto size = size_of(factor);
            if (!size)
                return std::nullopt;
            product *= *size;
        }
        return product;
    }

    std::optional<std::int64_t> size_of(std::string_view factor) const {
        if (const auto known = sizes_.find(factor); known != sizes_.end())
            return known->second;
        std::int64_t number = 0;
        const auto* end = factor.data() + factor.size();
        const auto read = std::from_chars(factor.data(), end, number);
        return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
    }

    ParameterValues parameters_;
    std::vector<Input> own_;
    Bindings sizes_;
};

/// `complete` adds what is missing; `resize` gives an array of a mask or position the size that fits.
template <class Complete, class Resize>
std::optional<FittedInputs> fitted_by(const AttentionProblem& problem, const Complete& complete, const Resize& resize) {
    FittedInputs fitted{problem, {}, {}, {}};
    try {
        const auto changed = complete(fitted.problem);
        const Sizes sizes(fitted.problem);
        for (const auto& name : changed) {
            const auto before = problem.tensors.find(name);
            const bool own = sizes.is_own(name);
            if (before == problem.tensors.end()) {
                fitted.made.push_back(name);
                continue;
            }
            (own ? fitted.remade : fitted.resized).push_back(name);
            if (own)
                continue;
            // Typed or trained numbers are more valuable than a new array.
            const auto inputs = inputs_of(problem.spec);
            const auto input = std::ranges::find(inputs, name, &Input::name);
            auto kept = fitted.problem;
            if (input != inputs.end())
                kept.tensors.insert_or_assign(name, resize(sizes, *input, before->second));
            if (issues_in(kept).empty())
                fitted.problem = std::move(kept);
        }
        if (changed.empty() || !issues_in(fitted.problem).empty())
            return std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
    return fitted;
}

} // namespace

std::optional<FittedInputs> fitted_inputs(const AttentionProblem& problem, const RunControl& control) {
    return fitted_by(
        problem, [&](AttentionProblem& next) { return complete_inputs(next, input_seed, true, control); },
        [&](const Sizes& sizes, const Input& input, const Tensor& tensor) {
            return sizes.fitted(input, tensor, control);
        });
}

std::optional<FittedInputs> outline_fitted_inputs(const AttentionProblem& problem) {
    return fitted_by(
        problem, [](AttentionProblem& next) { return outline_inputs(next, input_seed, true); },
        [](const Sizes& sizes, const Input& input, const Tensor& tensor) { return sizes.outlined(input, tensor); });
}

namespace {

/// One entry of an axis, which keeps its place with the size 1.
Tensor entry_of(const Tensor& tensor, int axis, std::int64_t index) {
    Shape shape = tensor.shape();
    std::int64_t before = 1, after = 1;
    for (int i = 0; i < tensor.rank(); ++i)
        if (i != axis)
            (i < axis ? before : after) *= tensor.dim(i);
    const auto count = tensor.dim(axis);
    shape[static_cast<std::size_t>(axis)] = 1;
    Tensor part(shape, 0.0, tensor.dtype());
    auto numbers = part.mutable_values();
    for (std::int64_t i = 0; i < before; ++i)
        std::copy_n(tensor.data() + (i * count + index) * after, after, numbers.begin() + i * after);
    return part;
}

/// True where a head may be computed alone: nothing depends on its number.
bool has_equal_heads(const AttentionSpec& spec) {
    const auto& parameters = spec.parameters;
    const bool projects = parameters.find("num_heads") != nullptr;
    const auto* dropout = parameters.find("dropout");
    const bool drops = dropout && parameters.real("dropout") > 0.0;
    const bool by_position = !spec.position.id.empty() && spec.position.id != "rope" && spec.position.id != "none";
    return !projects && !drops && !by_position && spec.score_mod.empty() && spec.decay.id.empty() &&
           std::ranges::none_of(spec.masks, [](const Selection& mask) { return mask.id == "expression"; });
}

} // namespace

std::optional<AttentionProblem> only_head(const AttentionProblem& problem, std::int64_t batch, std::int64_t head,
                                          std::int64_t most) {
    AttentionProblem part = problem;
    part.compared_with.reset();
    part.tensors.clear();
    std::vector<Input> inputs;
    Bindings sizes;
    try {
        const auto spec = complete_spec(problem.spec);
        if (!has_equal_heads(spec))
            return std::nullopt;
        inputs = inputs_of(spec);
        sizes = resolve(problem).sizes;
    } catch (const Error&) {
        return std::nullopt;
    }
    const auto size = [&](std::string_view symbol) {
        const auto found = sizes.find(symbol);
        return found == sizes.end() ? std::int64_t{1} : found->second;
    };
    const auto heads = std::max<std::int64_t>(1, size("H"));
    struct Choice {
        const Tensor* tensor;
        std::string_view name;
        std::vector<std::pair<int, std::int64_t>> entries; ///< axes of which one entry is taken
    };
    std::vector<Choice> choices;
    std::int64_t numbers = 0;
    for (const auto& input : inputs) {
        const auto found = problem.tensors.find(input.name);
        if (found == problem.tensors.end())
            continue;
        const Tensor& tensor = found->second;
        const auto alternatives = dims_of(input);
        const auto dims =
            std::ranges::find(alternatives, static_cast<std::size_t>(tensor.rank()), &std::vector<Dim>::size);
        if (dims == alternatives.end())
            return std::nullopt;
        Choice choice{&tensor, input.name, {}};
        auto count = tensor.size();
        for (int axis = 0; axis < tensor.rank(); ++axis) {
            const auto& factors = (*dims)[static_cast<std::size_t>(axis)].factors;
            const auto length = tensor.dim(axis);
            const bool is_batch = factors.size() == 1 && factors.front() == "B";
            const bool is_head = factors.size() == 1 && (factors.front() == "H" || factors.front() == "Hkv");
            if (!is_batch && !is_head) {
                const bool mixes = std::ranges::any_of(
                    factors, [](std::string_view factor) { return factor == "B" || factor.find('H') != factor.npos; });
                if (mixes)
                    return std::nullopt;
            } else if (length > 1) {
                choice.entries.emplace_back(axis, is_batch ? batch : head * length / heads);
                count /= length;
            }
        }
        numbers += count;
        choices.push_back(std::move(choice));
    }
    if (numbers > most)
        return std::nullopt;
    for (const auto& choice : choices) {
        Tensor tensor = *choice.tensor;
        for (const auto& [axis, index] : choice.entries)
            tensor = entry_of(tensor, axis, index);
        part.tensors.emplace(std::string(choice.name), std::move(tensor));
    }
    return part;
}

} // namespace attnlab
