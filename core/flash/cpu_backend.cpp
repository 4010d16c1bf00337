#include "core/flash/cpu_backend.h"

#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "core/variants.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

constexpr const char* input_names[] = {"query", "key", "value"};

Tensor from_float32(Shape shape, const std::vector<float>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()), DType::Float32);
}

std::optional<Message> refused_numbers(const AttentionProblem& problem) {
    const auto beyond = [](double value) {
        return std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max());
    };
    for (const auto* name : input_names)
        if (const auto found = problem.tensors.find(name); found != problem.tensors.end()) {
            const auto values = found->second.values();
            if (const auto at = std::find_if(values.begin(), values.end(), beyond); at != values.end())
                return Message(ATTNLAB_TEXT("%1: holds %2, which the cpu backend's float32 cannot hold"),
                               {name, to_text(*at)});
        }
    return std::nullopt;
}

std::optional<Message> refused_scale(const AttentionSpec& spec) {
    if (spec.scale.id.empty())
        return std::nullopt;
    const auto& mode = scale_mode(spec.scale.id);
    if (!mode.factor || (mode.normalises_inputs && mode.id != "pre_norm"))
        return Message(ATTNLAB_TEXT("The cpu backend multiplies scores by one number; the scale %1 is more than that"),
                       {spec.scale.id});
    return std::nullopt;
}

std::optional<Message> refused_choices(const AttentionSpec& spec) {
    if (spec.variant != "scaled_dot_product")
        return Message(ATTNLAB_TEXT("The cpu backend computes scaled_dot_product, not %1"), {spec.variant});
    if (!spec.position.id.empty())
        return Message(ATTNLAB_TEXT("The cpu backend knows no positions; the problem has %1"), {spec.position.id});
    if (spec.statistics)
        return Message(ATTNLAB_TEXT("The cpu backend keeps no weights, so it has no statistics of them"));
    if (const auto scale = refused_scale(spec))
        return scale;
    return flash::refused_masks(spec);
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
            return refused_numbers(problem);
        } catch (const Error& error) {
            return error.message(); // what run() would throw
        }
    }

    Trace run(const AttentionProblem& problem, const RunControl& control) const override {
        if (const auto refused = why_not(problem))
            throw Error(*refused);
        const auto shape = flash::shape_of(problem);
        check_masks(problem, {shape.B, shape.H, shape.L, shape.S});
        control.require_memory("output", {shape.B, shape.H, shape.L, shape.Ev}, 1.0);

        const auto scales = flash::scales_of(problem.spec, shape);
        const auto query = flash::in_float32(problem, "query"), key = flash::in_float32(problem, "key"),
                   value = flash::in_float32(problem, "value");
        std::vector<float> output(static_cast<std::size_t>(shape.B * shape.H * shape.L * shape.Ev));
        std::vector<float> lse(static_cast<std::size_t>(shape.B * shape.H * shape.L));
        flash::forward({.shape = shape,
                        .query = query.data(),
                        .key = key.data(),
                        .value = value.data(),
                        .scale = scales.scores,
                        .output_scale = scales.weights,
                        .masks = flash::masks_of(problem, shape)},
                       {output.data(), lse.data()}, control);
        return trace_of(problem, shape, output, lse);
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
