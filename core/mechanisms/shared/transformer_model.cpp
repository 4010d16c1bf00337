// The other parts of a transformer: layer normalisation, the feed-forward part, sinusoidal positions.
#include "core/mechanisms/shared/transformer_model.h"

#include "core/attention.h"
#include "core/lookup.h"
#include "core/mechanisms/shared/multi_head_family.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/softmax.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>

namespace attnlab {

/// (x - mean) / sqrt(variance + eps) * gain + shift, row by row; the variance is the population's. x (..., D), gain and
/// shift (D).
Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& shift, double eps);

enum class Activation {
    Relu, ///< max(0, x)
    Gelu, ///< x (1 + erf(x / √2)) / 2
};
Tensor activated(Tensor x, Activation activation);

/// (rows, width): sin(i / 10000^(c/width)) in even columns c, the cosine of the same angle in the next column.
Tensor sinusoidal_positions(std::int64_t rows, std::int64_t width);

/// a + b, of one shape.
Tensor sum_of(Tensor a, const Tensor& b);

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& shift, double eps) {
    Tensor result = x;
    const auto width = static_cast<std::size_t>(x.dim(-1));
    const auto values = result.mutable_values();
    for (std::size_t first = 0; first < values.size(); first += width) {
        const auto row = values.subspan(first, width);
        double mean = 0.0, variance = 0.0;
        for (const double value : row)
            mean += value / static_cast<double>(width);
        for (const double value : row)
            variance += (value - mean) * (value - mean) / static_cast<double>(width);
        const double deviation = std::sqrt(variance + eps);
        for (std::size_t c = 0; c < width; ++c)
            row[c] = (row[c] - mean) / deviation * gain.data()[c] + shift.data()[c];
    }
    return result;
}

Tensor activated(Tensor x, Activation activation) {
    for (double& value : x.mutable_values())
        value = activation == Activation::Relu ? (value < 0.0 ? 0.0 : value)
                                               : value * (1.0 + std::erf(value / std::numbers::sqrt2)) / 2.0;
    return x;
}

Tensor sinusoidal_positions(std::int64_t rows, std::int64_t width) {
    Tensor positions({rows, width});
    const auto out = positions.mutable_values();
    std::size_t next = 0;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t c = 0; c < width; ++c) {
            const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(width);
            const double angle = static_cast<double>(i) / std::pow(10000.0, exponent);
            out[next++] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    return positions;
}

Tensor sum_of(Tensor a, const Tensor& b) {
    const auto out = a.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] += b.values()[k];
    return a;
}

namespace {

/// Parses "encoder.layers.3.linear1.weight".
struct LayerName {
    std::string_view stack; ///< "encoder.layers."
    std::int64_t layer = 0;
    std::string_view rest; ///< "linear1.weight"
};

std::optional<LayerName> layer_name(std::string_view name) {
    for (const std::string_view stack : {"encoder.layers.", "decoder.layers."}) {
        if (!name.starts_with(stack))
            continue;
        const auto number = name.substr(stack.size());
        std::int64_t layer = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), layer);
        const auto digits = static_cast<std::size_t>(end - number.data());
        if (error == std::errc{} && layer >= 0 && digits < number.size() && number[digits] == '.')
            return LayerName{stack, layer, number.substr(digits + 1)};
    }
    return std::nullopt;
}

std::string joined(std::string_view stack, std::int64_t layer, std::string_view rest) {
    return std::string(stack) + std::to_string(layer) + "." + std::string(rest);
}

Tensor stacked(const std::vector<const Tensor*>& layers) {
    Shape shape = layers.front()->shape();
    shape.insert(shape.begin(), static_cast<std::int64_t>(layers.size()));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(element_count(shape)));
    for (const Tensor* layer : layers)
        values.insert(values.end(), layer->values().begin(), layer->values().end());
    return Tensor(shape, std::move(values), layers.front()->dtype());
}

/// The tensors `rest` of all layers in order.
std::vector<const Tensor*> collect(const TensorMap& tensors, std::string_view stack, std::string_view rest,
                                   const std::string& sample, std::int64_t count) {
    const auto& expected = tensors.find(sample)->second;
    std::vector<const Tensor*> layers;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto name = joined(stack, i, rest);
        const auto found = tensors.find(name);
        if (found == tensors.end())
            throw Error({ATTNLAB_TEXT("%1: is missing, expected an array of shape %2 as %3 has"),
                         {name, to_string(expected.shape()), sample}});
        if (found->second.shape() != expected.shape())
            throw Error({ATTNLAB_TEXT("%1: has shape %2, expected %3 as %4 has"),
                         {name, to_string(found->second.shape()), to_string(expected.shape()), sample}});
        layers.push_back(&found->second);
    }
    return layers;
}

} // namespace

void adopt_torch_transformer(TensorMap& tensors) {
    std::map<std::string, std::int64_t, std::less<>> counts; // "encoder.layers." -> number of layers
    std::map<std::string, std::string, std::less<>> samples; // "encoder.layers.linear1.weight" -> its first tensor
    for (const auto& [name, tensor] : tensors)
        if (const auto part = layer_name(name)) {
            auto& count = counts[std::string(part->stack)];
            count = std::max(count, part->layer + 1);
            samples.emplace(std::string(part->stack) + std::string(part->rest), name);
        }
    TensorMap stacks;
    for (const auto& [name, sample] : samples) {
        if (tensors.contains(name))
            throw Error({ATTNLAB_TEXT("%1: is given together with %2, expected one of the two"), {sample, name}});
        const auto part = *layer_name(sample);
        stacks.emplace(name, stacked(collect(tensors, part.stack, part.rest, sample, counts.find(part.stack)->second)));
    }
    std::erase_if(tensors, [](const auto& entry) { return layer_name(entry.first).has_value(); });
    tensors.merge(stacks);
}

Tensor layer_of(const Tensor& stack, std::int64_t index) {
    const Shape shape(stack.shape().begin() + 1, stack.shape().end());
    const auto size = element_count(shape);
    return Tensor(shape, std::vector<double>(stack.data() + index * size, stack.data() + (index + 1) * size));
}

namespace {

using Labels = std::shared_ptr<const TokenLabels>;

const std::vector<Axis> row_axes = {Axis::Batch, Axis::Query, Axis::Feature};

/// (S) -> (1,S)
Tensor batched_ids(const Tensor& ids) { return ids.rank() == 1 ? ids.reshaped({1, ids.dim(0)}) : ids; }

Tensor padding_of(const Tensor& ids) {
    Tensor padded(ids.shape(), 0.0, DType::Bool);
    const auto out = padded.mutable_values();
    std::ranges::transform(ids.values(), out.begin(), [](double id) { return id == 0.0 ? 1.0 : 0.0; });
    return padded;
}

/// Encoder or decoder: a stack of layers over one sequence of tokens.
struct Side {
    std::string name;
    Tensor padding; ///< Bool (B,tokens)
    bool causal = false;
    Labels self_labels;  ///< its tokens on both axes
    Labels cross_labels; ///< its tokens against the memory's
};

class Transformer {
public:
    Transformer(const ResolvedProblem& problem, const RunControl& control)
        : problem_(problem), tensors_(problem.tensors), parameters_(problem.spec.parameters), control_(control),
          source_(batched_ids(tensors_.at("src"))), target_(batched_ids(tensors_.at("tgt"))),
          width_(tensors_.at("src_embedding.weight").dim(1)), encoder_layers_(layers("encoder")),
          decoder_layers_(layers("decoder")) {}

    Trace run();

private:
    std::int64_t layers(const std::string& side) const { return weight(side + ".layers.linear1.weight").dim(0); }
    const Tensor& weight(const std::string& name) const { return tensors_.find(name)->second; }
    void require_memory() const;
    void add(std::string name, const Tensor& value, const std::vector<Axis>& axes, StageRole role, Message operation,
             std::string formula, const Labels& labels = nullptr);

    Tensor embedded(const Side& side, const Tensor& ids, const std::string& table, const Tensor& positions);
    Tensor linear(const Tensor& x, const Tensor& torch_weight, const Tensor& bias) const;
    Tensor norm(const Tensor& x, const std::string& name, std::optional<std::int64_t> layer) const;
    Tensor attention(const Side& side, std::int64_t layer, const Tensor& x, const Tensor* memory);
    Tensor feed_forward(const Side& side, std::int64_t layer, const Tensor& x);
    template <class Part>
    Tensor residual(const Side& side, std::int64_t layer, int number, const char* stage, const Tensor& x, Part part);
    Tensor encode(const Side& side, Tensor x);
    Tensor decode(const Side& side, Tensor x, const Tensor& memory);
    void generate(const Tensor& output);
    void note_padding();
    void take_over(Trace pass, const std::string& prefix, const Labels& labels);

    const ResolvedProblem& problem_;
    const TensorMap& tensors_;
    const ParameterValues& parameters_;
    const RunControl& control_;
    const Tensor source_, target_;
    const std::int64_t width_;
    const std::int64_t encoder_layers_, decoder_layers_;
    std::int64_t passes_done_ = 0;
    Tensor source_padding_;
    Trace trace_;
};

/// Throws before allocation where the run would not fit into memory: a pass keeps its scores four times, its mask and
/// its mean.
void Transformer::require_memory() const {
    const auto number = [](std::int64_t n) { return static_cast<double>(n); };
    const auto heads = parameters_.integer("num_heads");
    const auto longest = std::max(source_.dim(1), target_.dim(1));
    const double B = number(source_.dim(0)), S = number(source_.dim(1)), L = number(target_.dim(1));
    const double D = number(width_), V = number(weight("generator.weight").dim(0));
    const double hidden = number(
        std::max(weight("encoder.layers.linear1.weight").dim(1), weight("decoder.layers.linear1.weight").dim(1)));
    const double cells = number(encoder_layers_) * S * S + number(decoder_layers_) * (L * L + L * S);
    const double rows = number(encoder_layers_) * S * 9.0 + number(decoder_layers_) * (L * 16.0 + S * 2.0) + S + L;
    const double doubles = B * (cells * ((dropout_of(parameters_).on() ? 6.0 : 5.0) * number(heads) + 1.0) + rows * D +
                                number(longest) * hidden + 2.0 * L * V);
    const Shape shape = {source_.dim(0), heads, longest, longest};
    const double one = B * number(heads) * number(longest) * number(longest);
    if (one > 0.0)
        control_.require_memory(longest == source_.dim(1) ? "encoder.0.self.scores" : "decoder.0.self.scores", shape,
                                doubles / one);
}

void Transformer::add(std::string name, const Tensor& value, const std::vector<Axis>& axes, StageRole role,
                      Message operation, std::string formula, const Labels& labels) {
    control_.checkpoint();
    trace_.stages.push_back({std::move(name), value, axes, role, std::move(operation), std::move(formula), labels});
}

/// Moves the stages of one attention under their prefix.
void Transformer::take_over(Trace pass, const std::string& prefix, const Labels& labels) {
    for (auto& stage : pass.stages) {
        stage.name.insert(0, prefix);
        stage.tokens = labels;
        trace_.stages.push_back(std::move(stage));
    }
    trace_.layers.push_back(prefix + "weights");
    auto own = pass.pass();
    own.keys_are_queries = !prefix.ends_with(".cross.");
    trace_.passes.emplace(prefix, std::move(own));
    trace_.rounding = pass.rounding;
    for (auto& note : pass.notes)
        if (!lookup(trace_.notes, note.message, &Note::message))
            trace_.notes.push_back(std::move(note));
}

Tensor Transformer::embedded(const Side& side, const Tensor& ids, const std::string& table, const Tensor& positions) {
    const auto B = ids.dim(0), rows = ids.dim(1);
    const bool scaled = parameters_.boolean("scale_embedding");
    const double factor = scaled ? std::sqrt(static_cast<double>(width_)) : 1.0;
    Tensor embedding({B, rows, width_}), sum({B, rows, width_});
    const auto out = embedding.mutable_values(), with_positions = sum.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto flat = static_cast<std::int64_t>(k);
        const auto token = static_cast<std::int64_t>(ids.data()[flat / width_]);
        out[k] = factor * weight(table).data()[token * width_ + flat % width_];
        with_positions[k] = out[k] + positions.data()[flat % (rows * width_)];
    }
    add(side.name + ".embedding", embedding, row_axes, StageRole::Input,
        scaled ? Message(ATTNLAB_TEXT("embedding × √%1"), {std::to_string(width_)})
               : Message(ATTNLAB_TEXT("embedding")),
        scaled ? "e_i = √d E[id_i]" : "e_i = E[id_i]", side.self_labels);
    add(side.name + ".input", sum, row_axes, StageRole::Step, {ATTNLAB_TEXT("+ positions")}, "x_i = e_i + p_i",
        side.self_labels);
    return sum;
}

Tensor Transformer::linear(const Tensor& x, const Tensor& torch_weight, const Tensor& bias) const {
    return project(x, transposed(torch_weight), &bias, control_);
}

/// `name` is encoder.layers.norm1 with a layer, encoder.norm without.
Tensor Transformer::norm(const Tensor& x, const std::string& name, std::optional<std::int64_t> layer) const {
    const auto part = [&](const char* what) {
        const auto& whole = weight(name + what);
        return layer ? layer_of(whole, *layer) : whole;
    };
    return layer_norm(x, part(".weight"), part(".bias"), parameters_.real("layer_norm_eps"));
}

/// One multi-head attention: of `x` to itself, or to the memory if given.
Tensor Transformer::attention(const Side& side, std::int64_t layer, const Tensor& x, const Tensor* memory) {
    const auto& labels = memory ? side.cross_labels : side.self_labels;
    AttentionProblem problem;
    problem.spec = problem_.spec;
    problem.spec.view.clear(); // of the whole
    problem.spec.variant = "multi_head";
    problem.spec.parameters = {};
    problem.spec.parameters.set("num_heads", parameters_.integer("num_heads"));
    const auto dropout = dropout_of(parameters_);
    problem.spec.parameters.set("dropout", dropout.rate);
    constexpr std::uint64_t seeds = 1'000'000'000; // each attention drops others
    problem.spec.parameters.set("seed",
                                static_cast<std::int64_t>((dropout.seed + std::uint64_t(passes_done_)) % seeds));
    problem.spec.masks = {{"key_padding", {}}};
    if (!memory && side.causal)
        problem.spec.masks.push_back({"causal", {}});
    problem.query_tokens = labels->query;
    problem.key_tokens = labels->key;
    problem.tensors = {{"x", x}, {"key_padding_mask", memory ? source_padding_ : side.padding}};
    if (memory)
        problem.tensors.emplace("context", *memory);
    const auto module = side.name + ".layers." + (memory ? "multihead_attn." : "self_attn.");
    for (const char* name : {"in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"})
        problem.tensors.emplace(name, layer_of(weight(module + name), layer));

    const auto passes = static_cast<double>(encoder_layers_ + 2 * decoder_layers_);
    const auto part =
        control_.part(static_cast<double>(passes_done_) / passes, static_cast<double>(passes_done_ + 1) / passes);
    ++passes_done_;
    auto pass = run_multi_head(resolve(problem), parameters_.integer("num_heads"), part);
    auto output = pass.find("output")->value;
    take_over(std::move(pass), side.name + "." + std::to_string(layer) + (memory ? ".cross." : ".self."), labels);
    return output;
}

Tensor Transformer::feed_forward(const Side& side, std::int64_t layer, const Tensor& x) {
    const auto part = [&](const char* what) { return layer_of(weight(side.name + ".layers." + what), layer); };
    const bool relu = parameters_.choice("activation") == "relu";
    const auto hidden =
        activated(linear(x, part("linear1.weight"), part("linear1.bias")), relu ? Activation::Relu : Activation::Gelu);
    auto output = linear(hidden, part("linear2.weight"), part("linear2.bias"));
    add(side.name + "." + std::to_string(layer) + ".feed_forward", output, row_axes, StageRole::Step,
        {ATTNLAB_TEXT("feed-forward")}, relu ? "max(0, x W_1 + b_1) W_2 + b_2" : "gelu(x W_1 + b_1) W_2 + b_2",
        side.self_labels);
    return output;
}

/// `part` of a layer with its residual connection, and its normalisation (the `number`th of the layer) after or before.
template <class Part>
Tensor Transformer::residual(const Side& side, std::int64_t layer, int number, const char* stage, const Tensor& x,
                             Part part) {
    const auto name = side.name + ".layers.norm" + std::to_string(number);
    const bool first = parameters_.boolean("norm_first");
    auto result = first ? sum_of(x, part(norm(x, name, layer))) : norm(sum_of(x, part(x)), name, layer);
    add(side.name + "." + std::to_string(layer) + "." + stage, result, row_axes, StageRole::Step,
        first ? Message(ATTNLAB_TEXT("add")) : Message(ATTNLAB_TEXT("add & norm")),
        first ? "x + part(LayerNorm(x))" : "LayerNorm(x + part(x))", side.self_labels);
    return result;
}

Tensor Transformer::encode(const Side& side, Tensor x) {
    for (std::int64_t i = 0; i < encoder_layers_; ++i) {
        x = residual(side, i, 1, "attended", x, [&](const Tensor& in) { return attention(side, i, in, nullptr); });
        x = residual(side, i, 2, "output", x, [&](const Tensor& in) { return feed_forward(side, i, in); });
    }
    auto memory = norm(x, "encoder.norm", std::nullopt);
    add("memory", memory, {Axis::Batch, Axis::Key, Axis::Feature}, StageRole::Step, {ATTNLAB_TEXT("norm")},
        "LayerNorm(x)");
    return memory;
}

Tensor Transformer::decode(const Side& side, Tensor x, const Tensor& memory) {
    for (std::int64_t i = 0; i < decoder_layers_; ++i) {
        x = residual(side, i, 1, "attended", x, [&](const Tensor& in) { return attention(side, i, in, nullptr); });
        x = residual(side, i, 2, "cross_attended", x,
                     [&](const Tensor& in) { return attention(side, i, in, &memory); });
        x = residual(side, i, 3, "output", x, [&](const Tensor& in) { return feed_forward(side, i, in); });
    }
    auto output = norm(x, "decoder.norm", std::nullopt);
    add("output", output, row_axes, StageRole::Step, {ATTNLAB_TEXT("norm")}, "LayerNorm(x)");
    return output;
}

void Transformer::generate(const Tensor& output) {
    const std::vector<Axis> axes = {Axis::Batch, Axis::Query, Axis::Vocabulary};
    const auto logits = linear(output, weight("generator.weight"), weight("generator.bias"));
    add("logits", logits, axes, StageRole::Step, {ATTNLAB_TEXT("linear")}, "z = output Wᵀ + b");
    add("probabilities", softmax_rows(logits).weights, axes, StageRole::Step, {"softmax"},
        "p_iv = exp(z_iv) / Σ_u exp(z_iu)");
}

void Transformer::note_padding() {
    const auto padded = [](const Tensor& ids) { return std::ranges::count(ids.values(), 0.0); };
    if (padded(source_) + padded(target_) > 0)
        trace_.notes.insert(trace_.notes.begin(),
                            {Note::Severity::Info,
                             {ATTNLAB_TEXT("Padding (id 0) that no query reads: %1 source and %2 target positions"),
                              {std::to_string(padded(source_)), std::to_string(padded(target_))}}});
}

Trace Transformer::run() {
    require_memory();
    trace_.query_tokens = problem_.query_tokens;
    trace_.key_tokens = problem_.key_tokens;
    const auto &source = trace_.key_tokens, &target = trace_.query_tokens;
    const auto labels = [](std::vector<std::string> queries, std::vector<std::string> keys) {
        return std::make_shared<const TokenLabels>(TokenLabels{std::move(queries), std::move(keys)});
    };
    source_padding_ = padding_of(source_);
    const Side encoder{"encoder", source_padding_, false, labels(source, source), nullptr};
    const Side decoder{"decoder", padding_of(target_), true, labels(target, target), labels(target, source)};

    const auto positions = sinusoidal_positions(std::max(source_.dim(1), target_.dim(1)), width_);
    add("positions", positions, {Axis::Query, Axis::Feature}, StageRole::Input, {ATTNLAB_TEXT("sinusoidal positions")},
        "p_i,2c = sin(i / 10000^(2c/d)), p_i,2c+1 = cos(i / 10000^(2c/d))", labels({}, {}));
    const auto memory = encode(encoder, embedded(encoder, source_, "src_embedding.weight", positions));
    generate(decode(decoder, embedded(decoder, target_, "tgt_embedding.weight", positions), memory));
    note_padding();
    control_.report(1.0);
    return std::move(trace_);
}

} // namespace

Trace run_transformer(const ResolvedProblem& problem, const RunControl& control) {
    return Transformer(problem, control).run();
}

} // namespace attnlab
