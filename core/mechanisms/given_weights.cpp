// Attention weights computed elsewhere, for example by a model with output_attentions.
#include "core/mechanisms.h"
#include "core/stages/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attnlab {
namespace {

const Input inputs[] = {
    {.name = "weights",
     .dims = "layers B H L S | B H L S | H L S | L S",
     .fill = InputFill::Weights,
     .help = ATTNLAB_TEXT("The weights, a layer axis first where there are several layers")},
};

const char* const unknown = ATTNLAB_TEXT("The weights are given as they are: nothing before them is known.");

constexpr double tolerance = 1e-3; ///< half of float16's digits: the allowed deviation of a row sum from 1

/// (layers, B, H, L, S).
Tensor layers_of(const Tensor& weights) {
    auto shape = weights.shape();
    shape.insert(shape.begin(), static_cast<std::size_t>(5 - weights.rank()), 1);
    return weights.reshaped(std::move(shape));
}

Tensor layer_at(const Tensor& layers, std::int64_t index) {
    const Shape shape(layers.shape().begin() + 1, layers.shape().end());
    std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
    layers.read(index * element_count(shape), std::span(values));
    return Tensor(shape, std::move(values), layers.dtype());
}

/// Rows that are not a distribution, such as those after dropout, have no entropy and nothing that follows from it.
/// Returns their number; rows of zeros are not among them.
std::int64_t leave_out_entropy(Trace& trace, const Tensor& weights) {
    const auto S = static_cast<std::size_t>(weights.dim(-1));
    std::int64_t left_out = 0;
    for (std::size_t row = 0; S > 0 && row < weights.values().size() / S; ++row) {
        const auto own = weights.values().subspan(row * S, S);
        const double sum = std::accumulate(own.begin(), own.end(), 0.0);
        const bool below = std::ranges::any_of(own, [](double weight) { return weight < 0.0; });
        if (!below && (sum == 0.0 || std::abs(sum - 1.0) <= tolerance))
            continue;
        ++left_out;
        for (auto& stage : trace.stages)
            for (const char* name : {"entropy", "effective_keys", "jacobian_norm"})
                if (stage.name == name)
                    stage.value.mutable_values()[row] = std::numeric_limits<double>::quiet_NaN();
    }
    return left_out;
}

/// Rows that should be distributions and are not.
struct RowFaults {
    std::int64_t rows = 0, empty = 0, other_sums = 0, negative = 0, not_finite = 0;
    double farthest = 1.0; ///< the sum farthest from 1
};

RowFaults faults_in(const Tensor& weights) {
    RowFaults faults;
    const auto S = weights.dim(-1);
    if (weights.size() == 0)
        return faults;
    faults.rows = weights.size() / S;
    for (std::int64_t row = 0; row < faults.rows; ++row) {
        double sum = 0.0;
        bool below = false;
        for (std::int64_t j = 0; j < S; ++j) {
            const double weight = weights.data()[row * S + j];
            sum += weight;
            below = below || weight < 0.0;
        }
        faults.negative += below;
        if (!std::isfinite(sum))
            ++faults.not_finite;
        else if (sum == 0.0 && !below)
            ++faults.empty;
        else if (std::abs(sum - 1.0) > tolerance) {
            ++faults.other_sums;
            if (std::abs(sum - 1.0) > std::abs(faults.farthest - 1.0))
                faults.farthest = sum;
        }
    }
    return faults;
}

void note(std::vector<Note>& notes, const RowFaults& faults) {
    const auto rows = std::to_string(faults.rows);
    const auto warn = [&](std::int64_t count, const char* text, const std::vector<Argument>& more = {}) {
        if (count == 0)
            return;
        std::vector<Argument> holes{std::to_string(count), rows};
        holes.insert(holes.end(), more.begin(), more.end());
        notes.push_back({Note::Severity::Warning, {text, std::move(holes)}});
    };
    warn(faults.not_finite, ATTNLAB_TEXT("Rows with a weight that is not a finite number: %1 of %2"));
    warn(faults.negative, ATTNLAB_TEXT("Rows with a weight below 0: %1 of %2"));
    warn(faults.other_sums, ATTNLAB_TEXT("Rows that do not sum to 1: %1 of %2 (the farthest sums to %3)"),
         {to_text(faults.farthest)});
    warn(faults.empty, ATTNLAB_TEXT("Rows of zeros: %1 of %2; a fully masked query reads nothing"));
}

void add(RowFaults& all, const RowFaults& more) {
    all.rows += more.rows;
    all.empty += more.empty;
    all.other_sums += more.other_sums;
    all.negative += more.negative;
    all.not_finite += more.not_finite;
    if (std::abs(more.farthest - 1.0) > std::abs(all.farthest - 1.0))
        all.farthest = more.farthest;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto layers = layers_of(problem.tensors.at("weights"));
    const auto count = layers.dim(0), L = layers.dim(3), S = layers.dim(4);
    control.require_memory("weights", layers.shape(), problem.spec.statistics ? 1.5 : 1.2);
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, L, S);
    RowFaults faults;
    std::int64_t without_entropy = 0;
    for (std::int64_t layer = 0; layer < count; ++layer) {
        control.checkpoint();
        const auto report = [&](double part) {
            control.report((static_cast<double>(layer) + part) / static_cast<double>(count));
        };
        report(0.0);
        const auto weights = layer_at(layers, layer);
        report(0.5);
        control.checkpoint();
        add(faults, faults_in(weights));
        const auto prefix = count > 1 ? "layer." + std::to_string(layer) + "." : std::string();
        const auto push = [&](const char* name, Tensor value, std::vector<Axis> axes, StageRole role, Message operation,
                              std::string formula) {
            trace.stages.push_back(
                {prefix + name, std::move(value), std::move(axes), role, std::move(operation), std::move(formula)});
        };
        push("weights", weights, {Axis::Batch, Axis::Head, Axis::Query, Axis::Key}, StageRole::Step,
             {ATTNLAB_TEXT("as given")}, "a_ij");
        if (weights.dim(1) > 1)
            push("weights_mean", mean_over_heads(weights), {Axis::Batch, Axis::Query, Axis::Key}, StageRole::Summary,
                 {ATTNLAB_TEXT("mean over heads")}, "1/H Σ_h a^(h)");
        if (count > 1)
            trace.layers.push_back(prefix + "weights");
        else if (problem.spec.statistics) {
            add_statistics(trace, weights);
            without_entropy += leave_out_entropy(trace, weights);
        }
        report(1.0);
    }
    note(trace.notes, faults);
    if (without_entropy > 0)
        trace.notes.push_back(
            {Note::Severity::Info,
             {ATTNLAB_TEXT("%1 rows are not distributions, as after dropout: they have no entropy, no "
                           "number of effective keys and no slope of softmax"),
              {std::to_string(without_entropy)}}});
    trace.notes.push_back({Note::Severity::Info, {unknown}});
    return trace;
}

} // namespace

Mechanism given_weights_mechanism() {
    return {.id = "given_weights",
            .place = 23,
            .title = ATTNLAB_TEXT("Given weights"),
            .family = ATTNLAB_TEXT("Given"),
            .formula = "a_ij",
            .help =
                ATTNLAB_TEXT("Weights from elsewhere, such as a model's output_attentions: heads, rows, figures and "
                             "exports of what was saved. Nothing is computed but their statistics."),
            .source = "",
            .default_scale = "none",
            .inputs = inputs,
            .parameters = {},
            .run = run,
            .attention_line = "", // it has no softmax of scores
            .refuses = {.masks = unknown,
                        .position = unknown,
                        .scale_after_softmax = unknown,
                        .scale_of_many_factors = unknown,
                        .scale = unknown},
            .one_way = false,
            .drawn = {R"(a_{ij} \quad \mathrm{given} \quad\; \sum_j a_{ij} = 1)", "a_ij given, Σ_j a_ij = 1"},
            .look_for = ATTNLAB_TEXT("Sort the heads by entropy: heads that look at one token come first, heads that "
                                     "look everywhere last. Rows that do not sum to 1 have lost weights to dropout or "
                                     "to a mask that was applied after the softmax.")};
}

} // namespace attnlab
