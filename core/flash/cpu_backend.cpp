#include "core/flash/cpu_backend.h"

#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

Tensor from_float32(Shape shape, const std::vector<float>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()), DType::Float32);
}

/// The largest finite size in a tensor.
double largest_size(const Tensor& tensor) {
    // Piece by piece: a large array may stay in its file.
    double largest = 0.0;
    std::vector<double> piece(static_cast<std::size_t>(std::min<std::int64_t>(tensor.size(), 1 << 16)));
    for (std::int64_t first = 0; first < tensor.size(); first += std::ssize(piece)) {
        const auto count = std::min(std::ssize(piece), tensor.size() - first);
        const auto part = std::span(piece).first(static_cast<std::size_t>(count));
        tensor.read(first, part);
        for (const double value : part)
            if (const double size = std::abs(value); size > largest && std::isfinite(size))
                largest = size;
    }
    return largest;
}

/// No number that is made of these rows is larger.
double largest_made(const ProjectedRows& made) {
    const double rows = largest_size(made.rows);
    if (!made.weight)
        return rows;
    return rows * largest_size(*made.weight) * static_cast<double>(made.weight->dim(0)) +
           (made.bias ? largest_size(*made.bias) : 0.0);
}

/// Numbers of which a product or sum might leave the range of float32, where float64 stays within its own.
std::optional<Message> refused_numbers(const AttentionProblem& problem, const DotProductForm& form) {
    constexpr double most = 1e37;
    const auto shape = flash::shape_of(problem, form);
    const auto scale = effective_scale(problem.spec);
    const auto& mode = scale_mode(scale.id);
    const auto size = [](std::int64_t count) { return static_cast<double>(std::max<std::int64_t>(1, count)); };
    const double query = largest_made(form.query), key = largest_made(form.key);
    const double cosine_or_product = mode.row_norm == RowNorm::Length ? 1.0 : query * key * size(shape.E);
    // No factor is larger than the one for a single feature and key.
    const double factor = std::max(1.0, std::abs(mode.factor({1, 1}, scale.parameters)));
    const double value = largest_made(form.value) * factor * size(shape.S);
    if (const double largest = std::max({query * factor, key, cosine_or_product * factor, value}); !(largest < most))
        return Message(ATTNLAB_TEXT("The cpu backend computes in float32; values up to %1 may leave its range"),
                       {to_text(largest)});
    return std::nullopt;
}

std::optional<Message> refused_scale(const AttentionSpec& spec) {
    if (spec.scale.id.empty())
        return std::nullopt;
    const auto& mode = scale_mode(spec.scale.id);
    if (!mode.factor || mode.row_norm == RowNorm::RootMeanSquare)
        return Message(ATTNLAB_TEXT("The cpu backend multiplies scores by one number; the scale %1 is more than that"),
                       {spec.scale.id});
    return std::nullopt;
}

std::optional<Message> refused_choices(const AttentionSpec& spec) {
    if (!spec.position.id.empty())
        return Message(ATTNLAB_TEXT("The cpu backend knows no positions; the problem has %1"), {spec.position.id});
    if (spec.statistics)
        return Message(ATTNLAB_TEXT("The cpu backend keeps no weights, so it has no statistics of them"));
    if (const auto scale = refused_scale(spec))
        return scale;
    return flash::refused_masks(spec);
}

std::optional<Message> refused_form(const DotProductForm& form) {
    if (form.appends_keys)
        return Message(ATTNLAB_TEXT("The cpu backend appends no keys; the problem has bias_k or add_zero_attn"));
    if (form.drops_weights)
        return Message(ATTNLAB_TEXT("The cpu backend drops no weights; the problem has dropout"));
    return std::nullopt;
}

/// The notes of the reference that output and lse alone can tell.
std::vector<Note> notes_on(const Tensor& lse, const AttentionProblem& problem, std::int64_t L, std::int64_t S) {
    struct Rows {
        std::int64_t count = 0, first = 0;
    } empty, nan;
    for (std::int64_t row = 0; row < lse.size(); ++row) {
        const double value = lse.data()[row];
        auto* rows = std::isnan(value) ? &nan : value == -std::numeric_limits<double>::infinity() ? &empty : nullptr;
        if (rows && rows->count++ == 0)
            rows->first = row % L;
    }
    const auto name = [&](const Rows& rows) {
        const auto i = static_cast<std::size_t>(rows.first);
        return i < problem.query_tokens.size() && !problem.query_tokens[i].empty() ? "“" + problem.query_tokens[i] + "”"
                                                                                   : std::to_string(i);
    };
    std::vector<Note> notes;
    const auto warn = [&](Message message) { notes.push_back({Note::Severity::Warning, std::move(message)}); };
    if (S == 0 && L > 0)
        warn({ATTNLAB_TEXT("There are no keys: the output is 0 and lse is -inf")});
    else if (empty.count > 0)
        warn({ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Their weights and output are 0; "
                           "torch.nn.MultiheadAttention gives NaN there"),
              {std::to_string(empty.count), name(empty)}});
    if (nan.count > 0)
        warn({ATTNLAB_TEXT("Rows whose weights are NaN: %1 (first: %2). A score there is NaN or infinite"),
              {std::to_string(nan.count), name(nan)}});
    return notes;
}

class Cpu : public Backend {
public:
    std::string_view id() const override { return "cpu"; }

    std::string title() const override {
        const auto threads = flash::thread_count();
        return "cpu · float32 · " + flash::instruction_set() + " · " + std::to_string(threads) +
               (threads == 1 ? " thread" : " threads");
    }

    bool gives_every_stage() const override { return false; }

    std::optional<Message> why_not(const AttentionProblem& problem) const override {
        try {
            if (auto refused = refused_choices(problem.spec))
                return refused;
            const auto form = flash::form_of(problem);
            if (auto refused = refused_form(form))
                return refused;
            return refused_numbers(problem, form);
        } catch (const Error& error) {
            return error.message(); // what run() would throw
        }
    }

    Trace run(const AttentionProblem& problem, const RunControl& control) const override {
        if (const auto refused = refused_choices(problem.spec))
            throw Error(*refused);
        const auto form = flash::form_of(problem);
        if (const auto refused = refused_form(form))
            throw Error(*refused);
        const auto shape = flash::shape_of(problem, form);
        control.require_memory("output", {shape.B, shape.H, shape.L, shape.Ev}, 1.0);
        auto plain = plain_problem(problem, form, true, control);
        check_masks(plain, {shape.B, shape.H, shape.L, shape.S});

        const auto scales = flash::scales_of(plain.spec, shape);
        const auto taken = [&](const char* name) {
            auto numbers = flash::in_float32(plain, name, control);
            plain.tensors.erase(name); // they need not be there twice
            return numbers;
        };
        const auto query = taken("query"), key = taken("key"), value = taken("value");
        std::vector<float> output(static_cast<std::size_t>(shape.B * shape.H * shape.L * shape.Ev));
        std::vector<float> lse(static_cast<std::size_t>(shape.B * shape.H * shape.L));
        flash::forward({.shape = shape,
                        .query = query.data(),
                        .key = key.data(),
                        .value = value.data(),
                        .scale = scales.scores,
                        .output_scale = scales.weights,
                        .masks = flash::masks_of(plain, shape)},
                       {output.data(), lse.data()}, control);
        auto trace = trace_of(problem, shape, output, lse);
        if (form.concatenates) {
            trace.stages.back().name = "head_output";
            trace.stages.push_back(concatenated(form, trace.stages.back().value, control));
        }
        trace.notes.insert(trace.notes.end(), form.notes.begin(), form.notes.end());
        return trace;
    }

private:
    static Trace trace_of(const AttentionProblem& problem, const flash::Shape& shape, const std::vector<float>& output,
                          const std::vector<float>& lse) {
        Trace trace;
        trace.query_tokens = problem.query_tokens;
        trace.key_tokens = key_labels(problem, shape.L, shape.S, 0);
        trace.stages.push_back({"lse",
                                from_float32({shape.B, shape.H, shape.L}, lse),
                                {Axis::Batch, Axis::Head, Axis::Query},
                                StageRole::Summary,
                                {"log Σ exp"},
                                "lse_i = log Σ_j exp(m_ij)"});
        trace.stages.push_back({"output",
                                from_float32({shape.B, shape.H, shape.L, shape.Ev}, output),
                                {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                                StageRole::Step,
                                {"× V"},
                                "o_i = Σ_j a_ij v_j"});
        trace.notes = notes_on(trace.find("lse")->value, problem, shape.L, shape.S);
        return trace;
    }
};

} // namespace

const Backend& cpu_backend() {
    static const Cpu cpu;
    return cpu;
}

} // namespace attnlab
