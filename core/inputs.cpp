#include "core/inputs.h"

#include "core/lookup.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/resolved_problem.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"
#include "core/stages/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>

namespace attnlab {
namespace {

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

} // namespace

std::vector<std::vector<Dim>> dims_of(const Input& input) {
    std::vector<std::vector<Dim>> alternatives;
    for (const auto alternative : split(input.dims, '|')) {
        auto& dims = alternatives.emplace_back();
        for (auto text : split(alternative, ' ')) {
            const bool or_one = text.ends_with('?');
            if (or_one)
                text.remove_suffix(1);
            dims.push_back({split(text, '*'), or_one});
        }
    }
    return alternatives;
}

Bindings bind(std::span<const Input> declared, const TensorMap& tensors, const ParameterValues& parameters) {
    Binder binder(parameters);
    binder.bind_all(declared, tensors);
    binder.settle_defaults();
    return binder.sizes();
}

std::vector<std::span<const Input>> further_inputs(const AttentionSpec& spec) {
    std::vector<std::span<const Input>> inputs;
    inputs.push_back(
        scale_mode(spec.scale.id.empty() ? mechanism_of(spec.variant).default_scale : spec.scale.id).inputs);
    if (!spec.position.id.empty())
        inputs.push_back(position_term(spec.position.id).inputs);
    for (const auto& mask : spec.masks)
        inputs.push_back(mask_kind(mask.id).inputs);
    if (const auto implied = mechanism_of(spec.variant).implied_mask; !implied.empty())
        inputs.push_back(mask_kind(implied).inputs);
    inputs.push_back(inputs_of_order(spec));
    if (!spec.view.empty())
        inputs.push_back(view_of(spec.view).inputs);
    return inputs;
}

std::vector<Input> inputs_of(const AttentionSpec& spec) {
    auto inputs = inputs_of(mechanism_of(spec.variant), spec.parameters);
    for (const auto further : further_inputs(spec))
        for (const auto& input : further)
            if (!find_input(inputs, input.name))
                inputs.push_back(input);
    for (const auto& input : expression_inputs(spec))
        if (!find_input(inputs, input.name))
            inputs.push_back(input);
    return inputs;
}

std::optional<Axis> row_tokens(const Input& input) {
    const auto last = dims_of(input).back();
    for (const auto& dim : last) {
        if (dim.factors.size() != 1)
            continue;
        if (dim.factors[0] == "L")
            return Axis::Query;
        if (dim.factors[0] == "S")
            return Axis::Key;
    }
    return std::nullopt;
}

// Implements the part of core/inputs.h that creates tensors: missing inputs, of shapes that fit the present ones.

namespace {

/// True for queries, keys, values and embeddings; weights, biases and masks follow them in shape.
bool is_data(const Input& input) {
    return input.fill == InputFill::Normal || input.fill == InputFill::Ids || input.fill == InputFill::Weights;
}

/// A default size for a symbol that no tensor has settled.
std::int64_t suggested(const Binder& binder, std::string_view symbol) {
    if (symbol == "E" || symbol == "Ek" || symbol == "Ev") {
        for (const auto other : {"E", "Ek", "Ev"})
            if (const auto width = binder.known(other))
                return *width;
        const auto heads = binder.known("num_heads");
        const auto width = binder.known("D");
        return heads && width ? std::max<std::int64_t>(1, (*width + *heads - 1) / *heads) : 4;
    }
    if (symbol == "S" || symbol == "L" || symbol == "P")
        return 4;
    if (symbol == "N") // pages of a pool, half of them in use
        return 6;
    if (symbol == "n")
        return (binder.known("N").value_or(6) + 1) / 2;
    if (symbol == "num_encoder_layers" || symbol == "num_decoder_layers")
        return 2;
    if (symbol == "src_vocabulary" || symbol == "tgt_vocabulary" || symbol == "out_vocabulary")
        return 12;
    if (symbol == "dim_feedforward")
        return 16;
    if (symbol == "num_buckets")
        return 32;
    if (symbol == "H")
        return binder.known("Hkv").value_or(1);
    if (symbol == "B" || symbol == "Hkv")
        return 1;
    if (symbol == "HI" || symbol == "rope" || symbol == "En") // heads of an indexer; features in pairs; half a row
        return 2;
    if (symbol == "EI" || symbol == "nope" || symbol == "vd" || symbol == "rank")
        return 4;
    for (const auto other : {"D", "Dk", "Dv"})
        if (const auto width = binder.known(other))
            return *width;
    return 8;
}

Shape new_shape(Binder& binder, const Input& input) {
    const auto alternatives = binder.alternatives_of(input);
    // The last one; for data one that does not leave out a batch or head axis that other tensors have.
    const auto size_there = [&](std::string_view symbol) {
        return binder.known(symbol) || symbol != "H" ? binder.known(symbol).value_or(1) : suggested(binder, symbol);
    };
    const auto too_short = [&](const std::vector<Dim>& dims) {
        return is_data(input) &&
               std::any_of(std::begin(leading_axes), std::end(leading_axes), [&](std::string_view symbol) {
                   return size_there(symbol) > 1 && leaves_out(alternatives, dims, symbol);
               });
    };
    auto chosen = alternatives.rbegin();
    while (std::next(chosen) != alternatives.rend() && too_short(*chosen))
        ++chosen;
    Shape shape;
    for (const auto& dim : *chosen) {
        for (const auto factor : dim.factors)
            for (const auto term : terms_of(factor))
                if (!binder.known(term))
                    binder.settle(term, suggested(binder, term));
        shape.push_back(*binder.size(dim));
    }
    return shape;
}

/// A tensor of value_at(0), value_at(1), ... The memory grows with the numbers, because clearing all of it first would
/// take a second for each few GB.
template <class ValueAt>
Tensor tensor_of(Shape shape, DType dtype, const RunControl& control, ValueAt value_at) {
    constexpr std::size_t between_checkpoints = 1 << 16;
    const auto count = static_cast<std::size_t>(element_count(shape));
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        if (k % between_checkpoints == 0)
            control.checkpoint();
        values.push_back(value_at(k));
    }
    return {std::move(shape), std::move(values), dtype};
}

Tensor normal_numbers(Shape shape, std::uint64_t seed, double deviation, const RunControl& control) {
    return tensor_of(std::move(shape), DType::Float64, control,
                     [random = Random(seed), deviation](std::size_t) mutable { return deviation * random.normal(); });
}

/// Zeros that take no memory.
class OutlinedNumbers : public NumberSource {
public:
    explicit OutlinedNumbers(std::int64_t size) : size_(size) {}

    std::int64_t size() const override { return size_; }
    void read(std::int64_t, std::span<double> values) const override { std::ranges::fill(values, 0.0); }
    void read(std::int64_t, std::span<float> values) const override { std::ranges::fill(values, 0.0f); }

private:
    std::int64_t size_;
};

/// What a new tensor holds.
enum class Making {
    Numbers,
    Outline, ///< of large ones only the shape
};

/// Drawn within a few milliseconds.
constexpr std::int64_t largest_beside_outlines = 1 << 16;

bool is_outlined(Making making, const Shape& shape) {
    return making == Making::Outline && element_count(shape) > largest_beside_outlines;
}

/// x (B,L,H*E) from query (B,H,L,E), query (B,1,L,D) from x, or the source itself where neither applies.
Tensor converted(const Tensor& source, std::size_t rank, Making making, const RunControl& control) {
    if (rank == 4 && source.rank() == 2)
        return source.reshaped({1, 1, source.dim(0), source.dim(1)});
    if (rank == 4 && source.rank() == 3)
        return source.reshaped({source.dim(0), 1, source.dim(1), source.dim(2)});
    if (rank != 3 || source.rank() != 4)
        return source;
    const auto B = source.dim(0), H = source.dim(1), L = source.dim(2), E = source.dim(3);
    if (is_outlined(making, source.shape()))
        return outlined_tensor({B, L, H * E}, DType::Float64);
    return tensor_of({B, L, H * E}, DType::Float64, control, [&](std::size_t k) {
        const auto flat = static_cast<std::int64_t>(k);
        const auto c = flat % E, h = flat / E % H, i = flat / (E * H) % L, b = flat / (E * H * L);
        return source.value(((b * H + h) * L + i) * E + c);
    });
}

/// A shuffle of 0 .. pages - 1, repeated where more are needed.
Tensor mixed_pages(Shape shape, std::int64_t pages, std::uint64_t seed, DType dtype, const RunControl& control) {
    constexpr std::size_t between_checkpoints = 1 << 16;
    std::vector<double> order(static_cast<std::size_t>(std::max<std::int64_t>(1, pages)));
    std::iota(order.begin(), order.end(), 0.0);
    Random random(seed);
    for (std::size_t last = order.size(); last > 1; --last) {
        if (last % between_checkpoints == 0)
            control.checkpoint();
        std::swap(order[last - 1], order[static_cast<std::size_t>(random.uniform() * static_cast<double>(last))]);
    }
    return tensor_of(std::move(shape), dtype, control, [&](std::size_t k) { return order[k % order.size()]; });
}

/// The softmax of rows of N(0, 1).
Tensor random_weights(Shape shape, std::uint64_t seed, const RunControl& control) {
    auto weights = normal_numbers(std::move(shape), seed, 1.0, control);
    const auto numbers = weights.mutable_values();
    const auto columns = static_cast<std::size_t>(weights.dim(-1));
    std::vector<double> row(columns);
    for (std::size_t first = 0; first < numbers.size(); first += columns) {
        control.checkpoint();
        softmax_row(numbers.subspan(first, columns), row);
        std::ranges::copy(row, numbers.begin() + static_cast<std::ptrdiff_t>(first));
    }
    return weights;
}

/// Different inputs of one mechanism must get different numbers.
std::uint64_t seed_of(const Input& input, std::uint64_t seed) {
    for (const char c : input.name)
        seed = seed * 1099511628211u + static_cast<unsigned char>(c);
    return seed;
}

/// Of the random numbers in a tensor of this shape; nullopt: it holds others.
std::optional<double> deviation_of(const Input& input, const Shape& shape) {
    const auto over = [](std::int64_t count) {
        return 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, count)));
    };
    switch (input.fill) {
    case InputFill::Normal:
    case InputFill::Draw:
        return 1.0;
    case InputFill::Projection:
        return over(shape.front());
    case InputFill::Sketch:
    case InputFill::Linear:
        return over(shape.back());
    default:
        return std::nullopt;
    }
}

Tensor filled(const Binder& binder, const Input& input, Shape shape, std::uint64_t seed, const RunControl& control) {
    seed = seed_of(input, seed);
    if (const auto deviation = deviation_of(input, shape))
        return normal_numbers(std::move(shape), seed, *deviation, control);
    const auto of = [&](auto value_at) { return tensor_of(shape, input.dtype, control, value_at); };
    switch (input.fill) {
    case InputFill::Weights:
        return random_weights(std::move(shape), seed, control);
    case InputFill::Zeros:
        return of([](std::size_t) { return 0.0; });
    case InputFill::Pages:
        return mixed_pages(std::move(shape), binder.known("N").value_or(0), seed, input.dtype, control);
    case InputFill::Ones:
        return of([](std::size_t) { return 1.0; });
    case InputFill::KeyCount:
        return of([keys = static_cast<double>(binder.known("S").value_or(0))](std::size_t) { return keys; });
    case InputFill::Ids:
        return of([row = static_cast<std::size_t>(std::max<std::int64_t>(1, shape.back()))](std::size_t k) {
            return static_cast<double>(1 + k % row % 8);
        });
    case InputFill::Halves:
        return of([half = (static_cast<std::size_t>(element_count(shape)) + 1) / 2](std::size_t k) {
            return k < half ? 0.0 : 1.0;
        });
    case InputFill::RowHalves:
        return of([row = static_cast<std::size_t>(std::max<std::int64_t>(1, shape.back()))](std::size_t k) {
            return k % row < (row + 1) / 2 ? 0.0 : 1.0;
        });
    case InputFill::Tree:
        return of([row = static_cast<std::size_t>(std::max<std::int64_t>(1, shape.back()))](std::size_t k) {
            return k % row == 0 ? -1.0 : static_cast<double>((k % row - 1) / 2);
        });
    default:
        break;
    }
    return {};
}

/// The state of one complete_inputs() call.
struct Completion {
    Binder binder;
    TensorMap& tensors;
    std::uint64_t seed;
    bool remake_misfits;
    Making making;
    const RunControl& control;
    std::vector<std::string> changed;

    bool stays(const Input& input) const { return !remake_misfits || (is_data(input) && !input.remade_if_misfit); }

    /// Settles sizes by the tensors that are kept. Throws Error when they contradict each other.
    void bind_those_that_stay(std::span<const Input> inputs) {
        for (const auto& input : inputs)
            if (const auto [name, tensor] = tensor_for(inputs, input, tensors); tensor && stays(input))
                binder.bind(input, *tensor, name);
    }

    /// Converts data of another mechanism where it fits this one.
    void start_from_others(std::span<const Input> inputs) {
        for (const auto& input : inputs) {
            const auto source = tensors.find(input.starts_from);
            if (!input.required || input.starts_from.empty() || tensors.contains(input.name) || source == tensors.end())
                continue;
            auto start = converted(source->second, dims_of(input).front().size(), making, control);
            try {
                binder.bind(input, start, input.name);
            } catch (const Error&) {
                continue; // a new one will be made
            }
            tensors.emplace(input.name, std::move(start));
            changed.emplace_back(input.name);
        }
    }

    /// Settles sizes by the others; removes what does not fit.
    void drop_misfits(std::span<const Input> inputs) {
        for (const auto& input : inputs) {
            const auto [name, tensor] = tensor_for(inputs, input, tensors);
            if (!tensor)
                continue;
            try {
                binder.bind(input, *tensor, name);
            } catch (const Error&) {
                if (stays(input))
                    throw;
                tensors.erase(tensors.find(name));
                if (!binder.requires_input(input, tensors))
                    changed.emplace_back(input.name);
            }
        }
    }

    void make_missing(std::span<const Input> inputs) {
        for (const auto& input : inputs) {
            if (tensor_for(inputs, input, tensors).second || !binder.requires_input(input, tensors))
                continue;
            auto shape = new_shape(binder, input);
            auto made = is_outlined(making, shape) ? outlined_tensor(std::move(shape), input.dtype)
                                                   : filled(binder, input, std::move(shape), seed, control);
            binder.bind(input, made, input.name);
            tensors.emplace(input.name, std::move(made));
            changed.emplace_back(input.name);
        }
    }

    void complete(std::span<const Input> inputs) {
        bind_those_that_stay(inputs);
        start_from_others(inputs);
        drop_misfits(inputs);
        make_missing(inputs);
    }
};

std::vector<std::string> completed_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits,
                                          Making making, const RunControl& control) {
    const auto& chosen = mechanism_of(problem.spec.variant);
    const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
    problem.tensors = adopted_tensors(problem);
    Completion completion{Binder(parameters), problem.tensors, seed, remake_misfits, making, control, {}};
    completion.complete(inputs_of(chosen, parameters));
    completion.binder.settle_rest(chosen, problem.tensors);
    // The others come second: their sizes follow from those of the mechanism.
    for (const auto inputs : further_inputs(problem.spec))
        completion.complete(inputs);
    auto of_expressions = expression_inputs(problem.spec); // which accept any array with the elements that they read
    std::erase_if(of_expressions, [&](const Input& input) { return problem.tensors.contains(input.name); });
    completion.complete(of_expressions);
    const auto reads_grid = [](const Selection& mask) { return mask_kind(mask.id).needs_key_grid; };
    const auto keys = completion.binder.known("S").value_or(0);
    if (std::ranges::any_of(problem.spec.masks, reads_grid))
        if (auto& grid = problem.key_grid; !grid || (remake_misfits && grid->rows * grid->columns != keys))
            grid = squarest_grid(keys);
    return completion.changed;
}

} // namespace

KeyGrid squarest_grid(std::int64_t keys) {
    auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(1, keys))));
    while (rows > 1 && keys % rows != 0)
        --rows;
    return {std::max<std::int64_t>(1, rows), std::max<std::int64_t>(1, keys / std::max<std::int64_t>(1, rows))};
}

std::vector<std::string> complete_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits,
                                         const RunControl& control) {
    return completed_inputs(problem, seed, remake_misfits, Making::Numbers, control);
}

std::vector<std::string> outline_inputs(AttentionProblem& problem, std::uint64_t seed, bool remake_misfits) {
    return completed_inputs(problem, seed, remake_misfits, Making::Outline, {});
}

bool is_drawn(const Input& input, const Tensor& tensor, std::uint64_t seed) {
    const bool is_of_method = input.fill == InputFill::Draw || input.fill == InputFill::Sketch;
    const auto deviation = tensor.rank() > 0 ? deviation_of(input, tensor.shape()) : std::nullopt;
    if (is_of_method || !deviation || !tensor.in_memory() || tensor.size() == 0)
        return false;
    constexpr std::int64_t most = 16;
    std::array<double, most> numbers;
    const auto begin = std::span(numbers).first(static_cast<std::size_t>(std::min(most, tensor.dim(-1))));
    tensor.read(0, begin); // values() would copy an edited array whole
    Random random(seed_of(input, seed));
    const auto same = std::ranges::count_if(begin, [&](double value) {
        return static_cast<float>(value) == static_cast<float>(random.normal() * *deviation);
    });
    return 2 * static_cast<std::size_t>(same) >= begin.size();
}

namespace {

/// The sizes that the tensors of the problem determine for `input`.
Binder sizes_for(const AttentionProblem& problem, const Input& input) {
    const auto& chosen = mechanism_of(problem.spec.variant);
    const auto parameters = with_defaults(chosen.parameters, problem.spec.parameters, chosen.id);
    const auto tensors = adopted_tensors(problem);
    Binder binder(parameters);
    const auto inputs = inputs_of(chosen, parameters);
    for (const auto& present : inputs)
        if (const auto [name, tensor] = tensor_for(inputs, present, tensors); tensor)
            binder.bind(present, *tensor, name);
    if (!is_data(input))
        binder.settle_rest(chosen, tensors);
    return binder;
}

} // namespace

Tensor outlined_tensor(Shape shape, DType dtype) {
    const auto size = element_count(shape);
    return Tensor::from(std::move(shape), std::make_shared<const OutlinedNumbers>(size), dtype);
}

Shape shape_of_new_input(const AttentionProblem& problem, const Input& input) {
    auto binder = sizes_for(problem, input);
    return new_shape(binder, input);
}

Tensor make_input(const AttentionProblem& problem, const Input& input, std::uint64_t seed, const RunControl& control) {
    auto binder = sizes_for(problem, input);
    auto shape = new_shape(binder, input);
    return filled(binder, input, std::move(shape), seed, control);
}

namespace {

/// Where an input enters the one way from queries and keys to an output.
enum class Entry { Anywhere, Query, Key, Scores, Value, Output };

struct EntryOfInput {
    std::string_view input;
    Entry entry;
};

constexpr std::array entries = {
    EntryOfInput{"query", Entry::Query},
    EntryOfInput{"w_q", Entry::Query},
    EntryOfInput{"b_q", Entry::Query},
    EntryOfInput{"key", Entry::Key},
    EntryOfInput{"key_pages", Entry::Key},
    EntryOfInput{"w_k", Entry::Key},
    EntryOfInput{"b_k", Entry::Key},
    EntryOfInput{"bias_k", Entry::Key},
    EntryOfInput{"bilinear_w", Entry::Scores},
    EntryOfInput{"additive_w_q", Entry::Scores},
    EntryOfInput{"additive_w_k", Entry::Scores},
    EntryOfInput{"additive_v", Entry::Scores},
    EntryOfInput{"additive_b", Entry::Scores},
    EntryOfInput{"concat_w", Entry::Scores},
    EntryOfInput{"concat_v", Entry::Scores},
    EntryOfInput{"sum_w", Entry::Scores},
    EntryOfInput{"linformer_e", Entry::Scores},
    EntryOfInput{"performer_omega", Entry::Scores},
    EntryOfInput{"gamma", Entry::Scores},
    EntryOfInput{"gate", Entry::Scores},
    EntryOfInput{"log_gate", Entry::Scores},
    EntryOfInput{"beta", Entry::Scores},
    EntryOfInput{"value", Entry::Value},
    EntryOfInput{"value_pages", Entry::Value},
    EntryOfInput{"value_context", Entry::Value},
    EntryOfInput{"w_v", Entry::Value},
    EntryOfInput{"b_v", Entry::Value},
    EntryOfInput{"bias_v", Entry::Value},
    EntryOfInput{"linformer_f", Entry::Value},
    EntryOfInput{"w_o", Entry::Output},
    EntryOfInput{"b_o", Entry::Output},
    EntryOfInput{"grad_output", Entry::Output},
};

/// Everything up to the weights, and what is counted of them.
constexpr std::array<std::string_view, 26> before_values = {
    "modified",        "rotated_query", "rotated_key",    "projected_key",   "query_features",
    "key_features",    "scores",        "scaled",         "position_bias",   "blocked",
    "masked",          "local_weights", "global_weights", "weights",         "lse",
    "weights_mean",    "entropy",       "effective_keys", "max_weight",      "jacobian_norm",
    "implied_weights", "exact_weights", "difference",     "weights_dropped", "page_lse",
    "decay",
};

Entry entry_of(std::string_view input) {
    const auto* found = std::ranges::find(entries, input, &EntryOfInput::input);
    return found == entries.end() ? Entry::Anywhere : found->entry;
}

} // namespace

bool stage_may_depend_on(const AttentionSpec& spec, std::string_view input, std::string_view stage) {
    const Entry entry = entry_of(input);
    if (entry == Entry::Anywhere)
        return true;
    const auto* mechanism = lookup(mechanisms(), spec.variant);
    if (!mechanism || !mechanism->one_way)
        return true;
    if (stage == "query")
        return entry == Entry::Query;
    if (stage == "key")
        return entry == Entry::Key || (entry == Entry::Query && mechanism->keys_from_queries);
    if (stage == "value" || stage == "projected_value")
        return entry == Entry::Value;
    const bool before = std::ranges::find(before_values, stage) != before_values.end();
    return !before || (entry != Entry::Value && entry != Entry::Output);
}

} // namespace attnlab
