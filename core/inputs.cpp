#include "core/inputs.h"

#include "core/random.h"
#include "core/stages/mask.h"
#include "core/variants.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace attnlab {
namespace {

/// Axes that lower ranks leave out: they count as 1 then.
constexpr std::string_view leading_axes[] = {"B", "H", "Hkv"};

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(separator);
        if (const auto part = text.substr(0, end); !part.empty())
            parts.push_back(part);
        if (end == text.npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Sizes known so far and which tensor said so.
struct Binder {
    const ParameterValues& parameters;
    Bindings sizes;
    std::map<std::string, std::string, std::less<>> origin;

    std::optional<std::int64_t> known(std::string_view factor) const {
        if (const auto* value = parameters.find(factor))
            return std::get<std::int64_t>(*value);
        if (std::int64_t number = 0;
            std::from_chars(factor.data(), factor.data() + factor.size(), number).ec == std::errc{})
            return number;
        const auto found = sizes.find(factor);
        return found == sizes.end() ? std::nullopt : std::optional(found->second);
    }

    /// The size of a dim if all its factors are known.
    std::optional<std::int64_t> size(const Dim& dim) const {
        std::int64_t product = 1;
        for (const auto factor : dim.factors) {
            const auto value = known(factor);
            if (!value)
                return std::nullopt;
            product *= *value;
        }
        return product;
    }

    bool matches(const Dim& dim, std::int64_t size_there, std::string_view tensor) {
        std::int64_t product = 1;
        std::string_view unknown;
        for (const auto factor : dim.factors) {
            const auto value = known(factor);
            if (!value)
                unknown = factor; // declarations have at most one that can be unknown
            else
                product *= *value;
        }
        if (unknown.empty())
            return product == size_there || (dim.or_one && size_there == 1);
        if (product == 0 || size_there % product != 0)
            return false;
        sizes.emplace(unknown, size_there / product);
        origin.emplace(unknown, tensor);
        return true;
    }

    /// "(B, S, num_heads*E) with B = 2 (query), num_heads = 2".
    std::string expectation(const std::vector<std::vector<Dim>>& alternatives, std::size_t rank) const {
        std::string text;
        std::vector<std::string_view> mentioned;
        const bool rank_fits = std::any_of(alternatives.begin(), alternatives.end(),
                                           [&](const auto& dims) { return dims.size() == rank; });
        for (const auto& dims : alternatives) {
            if (rank_fits && dims.size() != rank)
                continue;
            text += text.empty() ? "(" : " or (";
            for (std::size_t i = 0; i < dims.size(); ++i) {
                text += i ? ", " : "";
                for (std::size_t f = 0; f < dims[i].factors.size(); ++f) {
                    text += (f ? "*" : "") + std::string(dims[i].factors[f]);
                    mentioned.push_back(dims[i].factors[f]);
                }
            }
            text += dims.size() == 1 ? ",)" : ")";
        }
        std::string with;
        std::sort(mentioned.begin(), mentioned.end());
        mentioned.erase(std::unique(mentioned.begin(), mentioned.end()), mentioned.end());
        for (const auto factor : mentioned) {
            const auto value = known(factor);
            if (!value || std::isdigit(static_cast<unsigned char>(factor.front())))
                continue;
            with += (with.empty() ? " with " : ", ") + std::string(factor) + " = " + std::to_string(*value);
            if (const auto found = origin.find(factor); found != origin.end())
                with += " as in " + found->second;
        }
        return text + with;
    }

    void bind(const Input& input, const Tensor& tensor, std::string_view name) {
        const auto alternatives = dims_of(input);
        const auto saved = *this;
        for (const auto& dims : alternatives) {
            if (dims.size() != tensor.shape().size())
                continue;
            bool fits = true;
            for (std::size_t i = 0; fits && i < dims.size(); ++i)
                fits = matches(dims[i], tensor.shape()[i], name);
            for (const auto omitted : leading_axes)
                fits = fits && (!omits(alternatives, dims, omitted) || matches({{omitted}, false}, 1, name));
            if (fits)
                return;
            sizes = saved.sizes;
            origin = saved.origin;
        }
        throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3"),
                     {std::string(name), to_string(tensor.shape()), expectation(alternatives, tensor.shape().size())}});
    }

    /// A leading axis of size 1 that this alternative leaves out. Broadcast axes and flattened ones say nothing.
    static bool omits(const std::vector<std::vector<Dim>>& alternatives, const std::vector<Dim>& dims,
                      std::string_view symbol) {
        const auto names = [&](const Dim& dim) {
            return !dim.or_one && std::find(dim.factors.begin(), dim.factors.end(), symbol) != dim.factors.end();
        };
        const auto& longest = alternatives.front();
        return std::any_of(longest.begin(), longest.end(), names) && std::none_of(dims.begin(), dims.end(), names);
    }
};

void bind_defaults(Binder& binder) {
    auto& sizes = binder.sizes;
    sizes.emplace("B", 1);
    if (!sizes.contains("H"))
        sizes.emplace("H", binder.known("num_heads").value_or(1));
    sizes.emplace("L", 1);
    sizes.emplace("S", sizes["L"]);
    if (const auto kv = sizes.find("Hkv"); kv != sizes.end() && (kv->second == 0 || sizes["H"] % kv->second != 0))
        throw Error({ATTNLAB_TEXT("%1: has %2 heads, expected a divisor of the %3 query heads"),
                     {binder.origin["Hkv"], std::to_string(kv->second), std::to_string(sizes["H"])}});
}

bool is_required(const Input& input, const ParameterValues& parameters) {
    return input.required || (!input.required_if.empty() && parameters.boolean(input.required_if));
}

const Input* find(std::span<const Input> inputs, std::string_view name) {
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Input& i) { return i.name == name; });
    return found == inputs.end() ? nullptr : &*found;
}

/// The tensor that an input reads: its own, or the one that stands in for it.
std::pair<std::string_view, const Tensor*> tensor_for(std::span<const Input> inputs, const Input& input,
                                                      const TensorMap& tensors) {
    for (const Input* candidate = &input; candidate; candidate = find(inputs, candidate->fallback)) {
        if (const auto found = tensors.find(candidate->name); found != tensors.end())
            return {found->first, &found->second};
    }
    return {};
}

void bind_present(Binder& binder, std::span<const Input> inputs, const TensorMap& tensors) {
    for (const auto& input : inputs)
        if (const auto [name, tensor] = tensor_for(inputs, input, tensors); tensor)
            binder.bind(input, *tensor, name);
}

/// A size for a symbol that no tensor has settled: what a newcomer would like to see.
std::int64_t suggested(const Binder& binder, std::string_view symbol) {
    const auto same_as = [&](std::string_view other) { return binder.known(other); };
    if (symbol == "E" || symbol == "Ev") {
        if (const auto width = same_as(symbol == "Ev" ? "E" : "Ev"))
            return *width;
        const auto heads = binder.known("num_heads");
        const auto width = same_as("D");
        return heads && width ? std::max<std::int64_t>(1, (*width + *heads - 1) / *heads) : 4;
    }
    if (symbol == "S" || symbol == "L")
        return 4;
    if (symbol == "B" || symbol == "H" || symbol == "Hkv")
        return 1;
    for (const auto other : {"D", "Dk", "Dv"})
        if (const auto width = same_as(other))
            return *width;
    return 8;
}

Shape new_shape(Binder& binder, const Input& input) {
    const auto alternatives = dims_of(input);
    // The shortest one that does not leave out a batch or head axis that the other tensors have.
    auto chosen = alternatives.rbegin();
    if (input.fill == InputFill::Normal) {
        const auto leaves_out = [&](const std::vector<Dim>& dims) {
            return std::any_of(std::begin(leading_axes), std::end(leading_axes), [&](std::string_view symbol) {
                return binder.known(symbol).value_or(1) > 1 && Binder::omits(alternatives, dims, symbol);
            });
        };
        while (std::next(chosen) != alternatives.rend() && leaves_out(*chosen))
            ++chosen;
    }
    Shape shape;
    for (const auto& dim : *chosen) {
        for (const auto factor : dim.factors)
            if (!binder.known(factor))
                binder.sizes.emplace(factor, suggested(binder, factor));
        shape.push_back(*binder.size(dim));
    }
    return shape;
}

/// x (B,L,H*E) from query (B,H,L,E), or query (B,1,L,D) from x; nothing when the shapes do not allow it.
std::optional<Tensor> converted(const Tensor& source, std::size_t rank) {
    if (static_cast<std::size_t>(source.rank()) == rank || source.rank() < 2)
        return source;
    const auto columns = source.dim(-1);
    const auto rows = source.dim(-2);
    if (source.rank() != 4)
        return rank == 4 ? source.reshaped({source.size() / (rows * columns), 1, rows, columns}) : source;
    const auto batches = source.dim(0);
    const auto heads = source.dim(1);
    Tensor result({batches, rows, heads * columns});
    const auto out = result.mutable_values();
    std::size_t next = 0;
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t h = 0; h < heads; ++h)
                for (const double value : matrix_at(source, b * heads + h).row(i))
                    out[next++] = value;
    return result;
}

Tensor filled(const Binder& binder, const Input& input, Shape shape, std::uint64_t seed) {
    // Inputs of one mechanism must not all hold the same draw.
    for (const char c : input.name)
        seed = seed * 1099511628211u + static_cast<unsigned char>(c);
    switch (input.fill) {
    case InputFill::Normal:
        return random_normal(std::move(shape), seed);
    case InputFill::Projection: {
        const auto rows = static_cast<double>(std::max<std::int64_t>(1, shape.front()));
        return random_normal(std::move(shape), seed, 0.0, 1.0 / std::sqrt(rows));
    }
    case InputFill::Zeros:
        return Tensor(std::move(shape), 0.0, input.dtype);
    case InputFill::KeyCount:
        return Tensor(std::move(shape), static_cast<double>(binder.known("S").value_or(0)), input.dtype);
    }
    return {};
}

} // namespace

std::vector<std::vector<Dim>> dims_of(const Input& input) {
    std::vector<std::vector<Dim>> alternatives;
    for (const auto alternative : split(input.dims, '|')) {
        std::vector<Dim> dims;
        for (auto text : split(trimmed(alternative), ' ')) {
            Dim dim;
            dim.or_one = text.ends_with('?');
            if (dim.or_one)
                text.remove_suffix(1);
            dim.factors = split(text, '*');
            dims.push_back(std::move(dim));
        }
        alternatives.push_back(std::move(dims));
    }
    return alternatives;
}

Bindings bind(std::span<const Input> declared, const TensorMap& tensors, const ParameterValues& parameters) {
    Binder binder{parameters, {}, {}};
    for (const auto& input : declared) {
        const auto [name, tensor] = tensor_for(declared, input, tensors);
        if (tensor)
            binder.bind(input, *tensor, name);
        else if (is_required(input, parameters))
            throw Error({ATTNLAB_TEXT("%1: is missing, expected an array of shape %2"),
                         {std::string(input.name), binder.expectation(dims_of(input), 0)}});
    }
    bind_defaults(binder);
    return binder.sizes;
}

Bindings bind(const AttentionProblem& problem) {
    const auto& chosen = variant(problem.spec.variant);
    const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
    const auto tensors = adopted_tensors(problem);
    if (chosen.check)
        chosen.check(parameters);
    auto sizes = bind(chosen.inputs, tensors, parameters);
    Binder binder{parameters, sizes, {}};
    for (const auto& mask : problem.spec.masks) {
        const auto& inputs = mask_kind(mask.id).inputs;
        for (const auto& input : inputs) {
            const auto found = tensors.find(input.name);
            if (found == tensors.end())
                throw Error({ATTNLAB_TEXT("%1: is missing, expected an array of shape %2"),
                             {std::string(input.name), binder.expectation(dims_of(input), 0)}});
            binder.bind(input, found->second, input.name);
        }
    }
    return sizes;
}

std::vector<Input> inputs_of(const AttentionSpec& spec) {
    const auto& chosen = variant(spec.variant);
    std::vector<Input> inputs(chosen.inputs.begin(), chosen.inputs.end());
    for (const auto& mask : spec.masks)
        for (const auto& input : mask_kind(mask.id).inputs)
            if (!find(inputs, input.name))
                inputs.push_back(input);
    return inputs;
}

std::vector<std::string> complete_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits) {
    const auto& chosen = variant(problem.spec.variant);
    const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
    const auto inputs = inputs_of(problem.spec);
    problem.tensors = adopted_tensors(problem);
    auto& tensors = problem.tensors;

    std::vector<std::string> made;
    // Data that a newcomer brought from another mechanism goes first: it settles the sizes.
    for (const auto& input : inputs) {
        const auto source = tensors.find(input.starts_from);
        if (input.required && !tensors.contains(input.name) && source != tensors.end()) {
            if (auto start = converted(source->second, dims_of(input).front().size())) {
                tensors.emplace(input.name, std::move(*start));
                made.emplace_back(input.name);
            }
        }
    }
    Binder binder{parameters, {}, {}};
    const auto remakes = [&](const Input& input) { return remake_misfits && input.fill != InputFill::Normal; };
    for (const auto& input : inputs) {
        const auto [name, tensor] = tensor_for(inputs, input, tensors);
        if (!tensor)
            continue;
        try {
            binder.bind(input, *tensor, name);
        } catch (const Error&) {
            if (!remakes(input))
                throw;
            tensors.erase(tensors.find(name));
            if (!is_required(input, parameters))
                made.emplace_back(input.name); // an optional bias that no longer fits goes
        }
    }
    for (const auto& input : inputs) {
        if (tensor_for(inputs, input, tensors).second || !is_required(input, parameters))
            continue;
        if (input.name != "query" && input.name != "x" && !binder.sizes.contains("S") && binder.sizes.contains("L"))
            if (input.fill == InputFill::KeyCount || input.fill == InputFill::Zeros)
                binder.sizes.emplace("S", binder.sizes["L"]);
        tensors.emplace(input.name, filled(binder, input, new_shape(binder, input), seed));
        binder.bind(input, tensors.find(input.name)->second, input.name);
        made.emplace_back(input.name);
    }
    return made;
}

Tensor make_input(const AttentionProblem& problem, const Input& input, std::uint64_t seed) {
    const auto& chosen = variant(problem.spec.variant);
    const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
    const auto tensors = adopted_tensors(problem);
    Binder binder{parameters, {}, {}};
    bind_present(binder, chosen.inputs, tensors);
    if (input.fill != InputFill::Normal)
        bind_defaults(binder);
    return filled(binder, input, new_shape(binder, input), seed);
}

std::optional<Axis> row_tokens(const Input& input) {
    const auto dims = dims_of(input).back();
    for (const auto& dim : dims) {
        if (dim.factors.size() == 1 && dim.factors[0] == "L")
            return Axis::Query;
        if (dim.factors.size() == 1 && dim.factors[0] == "S")
            return Axis::Key;
    }
    return std::nullopt;
}

} // namespace attnlab
