// softmax(scale(Q (EᵀK)ᵀ)) FᵀV: k mixtures of all keys and values replace the S keys and values.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/projection.h"
#include "core/random.h"
#include "core/stages/approximation.h"
#include "core/stages/notes.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"

#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    key_input,
    value_input,
    {.name = "linformer_e",
     .dims = "S projected",
     .fill = InputFill::Sketch,
     .nonempty = true,
     .required = false,
     .required_with = "linformer_f",
     .help = ATTNLAB_TEXT("Each column mixes all keys into one; drawn at random where it is not given")},
    {.name = "linformer_f",
     .dims = "S projected",
     .fill = InputFill::Sketch,
     .nonempty = true,
     .required = false,
     .required_with = "linformer_e",
     .help = ATTNLAB_TEXT("Each column mixes all values into one; drawn at random where it is not given")},
};

const Parameter parameters[] = {
    {.name = "k",
     .type = ParameterType::Integer,
     .default_text = "4",
     .title = ATTNLAB_TEXT("projected keys k"),
     .help = ATTNLAB_TEXT("How many mixtures of keys a query reads, where linformer_e is not given"),
     .minimum = 1,
     .maximum = 65536,
     .unit = "keys"},
    {.name = "seed",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("seed"),
     .help = ATTNLAB_TEXT("The same seed draws the same projections, where linformer_e is not given"),
     .minimum = 0,
     .maximum = 1e9},
    dropout_parameter(),
    dropout_seed_parameter("dropout_seed"),
};

const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
// The k projected keys are not tokens: they are numbered like features.
const std::vector<Axis> projected_axes = {Axis::Batch, Axis::Head, Axis::Feature, Axis::Feature};

struct Projections {
    Tensor e, f; ///< (S,k)
};

/// The arrays if given, else N(0, 1/k): first all of E, then all of F.
Projections projections_of(const ResolvedProblem& problem, const ParameterValues& values, std::int64_t S,
                           const RunControl& control) {
    if (const auto e = problem.tensors.find("linformer_e"); e != problem.tensors.end())
        return {e->second, problem.tensors.at("linformer_f")};
    const auto k = values.integer("k");
    control.require_memory("linformer_e", {S, k}, 2.0);
    Projections drawn{Tensor({S, k}), Tensor({S, k})};
    Random random(static_cast<std::uint64_t>(values.integer("seed")));
    const double deviation = 1.0 / std::sqrt(static_cast<double>(k));
    for (Tensor* projection : {&drawn.e, &drawn.f})
        for (double& entry : projection->mutable_values())
            entry = deviation * random.normal();
    return drawn;
}

/// (S,k)ᵀ times the rows (B,Hkv,S,E): (B,Hkv,k,E).
Tensor mixed_rows(const Tensor& projection, const Tensor& rows, const RunControl& control) {
    const auto B = rows.dim(0), H = rows.dim(1), S = rows.dim(2), E = rows.dim(3), k = projection.dim(1);
    Tensor mixed({B, H, k, E});
    if (mixed.size() == 0)
        return mixed;
    const auto out = mixed.mutable_values();
    for (std::int64_t head = 0; head < B * H; ++head)
        for (std::int64_t j = 0; j < S; ++j) {
            control.checkpoint();
            const auto row = matrix_at(rows, head).row(j);
            for (std::int64_t p = 0; p < k; ++p)
                for (std::int64_t c = 0; c < E; ++c)
                    out[static_cast<std::size_t>((head * k + p) * E + c)] +=
                        matrix_at(projection)(j, p) * row[static_cast<std::size_t>(c)];
        }
    return mixed;
}

Cost cost_of(const ExactInputs& full, std::int64_t k) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const double widths = size(full.query.dim(3)) + size(full.value.dim(3));
    const double heads = size(full.query.dim(0)) * size(full.query.dim(1));
    const double key_heads = size(full.key.dim(0)) * size(full.key.dim(1));
    const double cells = heads * size(full.query.dim(2)) * size(k);
    return {key_heads * size(k) * size(full.key.dim(2)) * 2.0 * widths + cells * (2.0 * widths + 3.0),
            4.0 * (key_heads * size(k) * widths + cells)};
}

void require_memory(const ExactInputs& full, std::int64_t k, const RunControl& control) {
    const auto B = full.query.dim(0), H = full.query.dim(1), L = full.query.dim(2), S = full.key.dim(2);
    control.require_memory("projected_key", {B, full.key.dim(1), k, full.key.dim(3) + full.value.dim(3)}, 1.0);
    control.require_memory("scores", {B, H, L, k}, 3.0);
    control.require_memory("implied_weights", {B, H, L, S}, 7.0); // itself, the exact pass and the difference
    control.require_memory("output", {B, H, L, full.value.dim(3)}, 2.0);
}

/// scores, scaled, weights, lse, output over the projected keys.
void add_attention(Trace& trace, const ResolvedProblem& problem, const ExactInputs& full, const Tensor& key,
                   const Tensor& value, const RunControl& control) {
    const auto& spec = problem.spec;
    const auto add = [&](const char* name, const Tensor& tensor, StageRole role, Message operation,
                         std::string formula) {
        control.checkpoint();
        auto axes = query_axes;
        axes.resize(tensor.shape().size());
        trace.stages.push_back({name, tensor, axes, role, std::move(operation), std::move(formula)});
    };
    const auto& scale = spec.scale;
    const auto& mode = scale_mode(scale.id);
    const ScaleContext sizes{full.query.dim(3), full.key.dim(2)};
    const auto operation = mode.operation(sizes, scale.parameters);
    const bool after = spec.scale_after_softmax;
    const auto rows = prepared_rows(mode, full.query, key, problem.tensors);
    const auto scores = all_scores(dot_product(), rows.query, rows.key, control);
    add("scores", scores, StageRole::Step, normalised_operation(mode.row_norm, "Q·K′ᵀ"), "s_ip = q_i · k′_p");
    const auto scaled = after ? scores : apply_scale(scores, scale, sizes);
    add("scaled", scaled, StageRole::Step, after ? Message(ATTNLAB_TEXT("as is")) : operation,
        after ? "s" : std::string(mode.formula));
    auto [weights, lse] = softmax_rows(scaled);
    if (after)
        weights = apply_scale(weights, scale, sizes);
    add("weights", weights, StageRole::Step,
        after ? Message(ATTNLAB_TEXT("softmax, then %1"), {operation}) : Message("softmax"),
        after ? "a_ip = scale(exp(s_ip) / Σ_r exp(s_ir))" : "a_ip = exp(s_ip) / Σ_r exp(s_ir)");
    add("lse", lse, StageRole::Summary, {"log Σ exp"}, "lse_i = log Σ_p exp(s_ip)");
    auto mixed = weights;
    if (const auto dropout = dropout_of(spec.parameters); dropout.on()) {
        auto stage = dropped_stage(weights, dropout);
        mixed = stage.value;
        add("weights_dropped", mixed, StageRole::Step, std::move(stage.operation), std::move(stage.formula));
    }
    add("output", mix_values(mixed, value, control), StageRole::Step, {"× V′"}, "o_i = Σ_p a_ip v′_p");
}

/// The weights over the tokens implied by those over the projected keys: weights Fᵀ.
void add_implied(Trace& trace, const Tensor& f, const RunControl& control) {
    const auto& weights = trace.find("weights")->value;
    const auto B = weights.dim(0), H = weights.dim(1), L = weights.dim(2), k = weights.dim(3), S = f.dim(0);
    auto implied = project(weights.reshaped({B * H, L, k}), transposed(f), nullptr, control).reshaped({B, H, L, S});
    trace.stages.push_back({"implied_weights",
                            std::move(implied),
                            {Axis::Batch, Axis::Head, Axis::Query, Axis::Key},
                            StageRole::Exact,
                            {ATTNLAB_TEXT("weights × Fᵀ")},
                            "Σ_p a_ip F_jp"});
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    auto full = given_inputs(problem);
    const auto projections = projections_of(problem, values, full.key.dim(2), control);
    const auto k = projections.e.dim(1);
    require_memory(full, k, control);

    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, full.query.dim(2), full.key.dim(2));
    trace.stages = {{"query", full.query, query_axes, StageRole::Input, {}, "Q"},
                    {"key", full.key, key_axes, StageRole::Input, {}, "K"},
                    {"value", full.value, key_axes, StageRole::Input, {}, "V"}};
    const auto key = mixed_rows(projections.e, full.key, control);
    const auto value = mixed_rows(projections.f, full.value, control);
    trace.stages.push_back({"projected_key", key, projected_axes, StageRole::Step, {"Eᵀ·K"}, "K′ = Eᵀ K"});
    trace.stages.push_back({"projected_value", value, projected_axes, StageRole::Step, {"Fᵀ·V"}, "V′ = Fᵀ V"});
    add_attention(trace, problem, full, key, value, control.part(0.0, 0.5));
    if (problem.spec.statistics)
        add_statistics(trace, trace.find("weights")->value, {}, nullptr, problem.spec.scale_after_softmax);
    trace.notes = notes_on_inputs(trace);
    for (const auto* name : {"linformer_e", "linformer_f"})
        note_values_of(name, problem, trace.notes);
    if (problem.tensors.contains("linformer_e") && (problem.given.find("k") || problem.given.find("seed")))
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("linformer_e and linformer_f are given, with %1 projected keys: k and "
                                             "seed are not used"),
                                {std::to_string(k)}}});
    add_implied(trace, projections.f, control);
    add_exact(trace, problem, full, dot_product(), "implied_weights", control.part(0.5, 1.0));
    add_cost(trace, cost_of(full, k), exact_cost(full));
    return trace;
}

} // namespace

Mechanism linformer_mechanism() {
    return {
        .id = "linformer",
        .place = 16,
        .title = ATTNLAB_TEXT("Linformer"),
        .family = ATTNLAB_TEXT("Approximations"),
        .formula = "softmax(Q (Eᵀ K)ᵀ / √d_k) Fᵀ V",
        .help = ATTNLAB_TEXT("Mixes the S keys and values into k of each before anything is compared. A row of scores "
                             "then has k numbers instead of S, and the cost grows with S k instead of S². Also shows "
                             "the weights that this implies for the tokens, weights × Fᵀ, and the exact ones."),
        .source = "Wang et al. 2020, Linformer: Self-Attention with Linear Complexity",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .refuses = {.masks = ATTNLAB_TEXT("Its columns are mixtures of all keys, no longer tokens that a mask could "
                                          "block."),
                    .position = ATTNLAB_TEXT("Its columns are mixtures of all keys, which stand nowhere.")},
        .approximates = true,
        .drawn =
            {R"(\begin{aligned} K' &= E^{\mathsf{T}} K \quad\; V' = F^{\mathsf{T}} V \quad\; E, F \in \mathbb{R}^{S)"
             R"( \times k} \\)"
             R"( \mathrm{output} &= \mathrm{softmax}\left( {\color{accent} \mathrm{scale}}\left( Q K'^{\mathsf{T}})"
             R"( \right) \right) V' \end{aligned})",
             "K′ = Eᵀ K, V′ = Fᵀ V with E, F (S, k), output = softmax(scale(Q K′ᵀ)) V′"},
        .look_for = ATTNLAB_TEXT(
            "Every row of implied weights is a mixture of k fixed patterns, the columns of F, and may be negative. "
            "Drawn projections show the shapes and the cost, not the quality: their error stays large whatever k, "
            "which is why E and F are trained. With k = S and both the identity, the weights are the exact ones.")};
}

} // namespace attnlab
