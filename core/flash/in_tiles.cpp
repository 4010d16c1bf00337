#include "core/flash/in_tiles.h"

#include "core/flash/cpu_backend.h"
#include "core/stages/exact.h"
#include "core/stages/mask.h"

#include <cmath>
#include <limits>

namespace attnlab::flash {
namespace {

Tensor from_float32(attnlab::Shape shape, const std::vector<float>& values) {
    return Tensor(std::move(shape), std::vector<double>(values.begin(), values.end()), DType::Float32);
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

Trace trace_of(const AttentionProblem& problem, const Shape& shape, const TileResult& result) {
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, shape.L, shape.S, 0);
    trace.stages.push_back({"lse",
                            from_float32({shape.B, shape.H, shape.L}, result.lse),
                            {Axis::Batch, Axis::Head, Axis::Query},
                            StageRole::Summary,
                            {"log Σ exp"},
                            "lse_i = log Σ_j exp(m_ij)"});
    trace.stages.push_back({"output",
                            from_float32({shape.B, shape.H, shape.L, shape.Ev}, result.output),
                            {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
                            StageRole::Step,
                            {"× V"},
                            "o_i = Σ_j a_ij v_j"});
    trace.notes = notes_on(trace.find("lse")->value, problem, shape.L, shape.S);
    return trace;
}

} // namespace

Trace in_tiles(const AttentionProblem& problem, const RunControl& control, const TileForward& forward) {
    const auto form = form_of(problem);
    const auto shape = shape_of(problem, form);
    control.require_memory("output", {shape.B, shape.H, shape.L, shape.Ev}, 1.0);
    auto plain = plain_problem(problem, form, true, control);
    check_masks(plain, {shape.B, shape.H, shape.L, shape.S});
    auto trace = trace_of(problem, shape, forward(plain, shape));
    if (form.concatenates) {
        trace.stages.back().name = "head_output";
        trace.stages.push_back(concatenated(form, trace.stages.back().value, control));
    }
    trace.notes.insert(trace.notes.end(), form.notes.begin(), form.notes.end());
    return trace;
}

} // namespace attnlab::flash
