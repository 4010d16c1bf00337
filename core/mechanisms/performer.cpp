// D⁻¹ φ(Q) (φ(K)ᵀ V) with positive random features φ (FAVOR+): softmax attention without the L x S table.
#include "core/mechanisms/shared/by_score.h"
#include "core/stages/approximation.h"
#include "core/stages/notes.h"
#include "core/stages/random_features.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

const Input inputs[] = {
    query_input,
    key_input,
    value_input,
    {.name = "performer_omega",
     .dims = "m E",
     .fill = InputFill::Draw,
     .nonempty = true,
     .required = false,
     .help = ATTNLAB_TEXT("One row a random direction; drawn where it is not given")},
};

const Parameter parameters[] = {
    {.name = "features",
     .type = ParameterType::Integer,
     .default_text = "64",
     .title = ATTNLAB_TEXT("features m"),
     .help = ATTNLAB_TEXT("How many random directions, where performer_omega is not given"),
     .minimum = 1,
     .maximum = 65536,
     .unit = "features"},
    {.name = "seed",
     .type = ParameterType::Integer,
     .default_text = "0",
     .title = ATTNLAB_TEXT("seed"),
     .help = ATTNLAB_TEXT("The same seed draws the same directions, where performer_omega is not given"),
     .minimum = 0,
     .maximum = 1e9},
    {.name = "weights",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("form the weights"),
     .help = ATTNLAB_TEXT("Off: no table of queries and keys is made, neither the implied weights nor the exact ones, "
                          "so no error is known either")},
};

const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};

/// The factor whose square root multiplies queries and keys. Throws Error where it is negative.
double factor_of(const Selection& scale, const ScaleContext& sizes) {
    const double factor = scale_mode(scale.id).factor(sizes, scale.parameters);
    if (factor < 0.0)
        throw Error({ATTNLAB_TEXT("scale: %1 multiplies the scores by %2, expected a factor above 0, whose root goes "
                                  "into the features of performer"),
                     {scale.id, to_text(factor)}});
    return factor;
}

void check(const AttentionSpec& spec) {
    if (const auto c = spec.scale.parameters.find("c"); c && spec.scale.id == "custom" && std::get<double>(*c) <= 0.0)
        throw Error(Message(ATTNLAB_TEXT("scale: parameter c is '%1', expected a number above 0: its root goes into "
                                         "the features of performer"),
                            {to_text(*c)}));
    if (spec.statistics && !spec.parameters.boolean("weights"))
        throw Error(Message(ATTNLAB_TEXT("performer: parameter weights is 'false', expected true where statistics of "
                                         "the weights are asked for")));
}

/// The data of one run.
struct Setting {
    ExactInputs full;    ///< query, key and value as given
    Tensor query, key;   ///< of length 1 if the scale requires it
    double factor = 1.0; ///< the scale
    FirstKeys keys;
    Tensor omega; ///< (m,E)

    std::int64_t B() const { return query.dim(0); }
    std::int64_t H() const { return query.dim(1); }
    std::int64_t L() const { return query.dim(2); }
    std::int64_t S() const { return key.dim(2); }
};

void require_memory(const ResolvedProblem& problem, const Setting& s, std::int64_t m, bool weights,
                    const RunControl& control) {
    control.require_memory("performer_omega", {m, s.query.dim(3)}, 1.0);
    control.require_memory("query_features", {s.B(), s.H(), s.L(), m}, 2.0);
    control.require_memory("key_features", {s.B(), s.key.dim(1), s.S(), m}, 2.0);
    control.require_memory("output", {s.B(), s.H(), s.L(), s.full.value.dim(3)}, weights ? 3.0 : 1.0);
    if (weights) // the weights, the difference, the exact pass
        control.require_memory("weights", {s.B(), s.H(), s.L(), s.S()}, problem.spec.masks.empty() ? 8.0 : 10.0);
}

Setting setting_of(const ResolvedProblem& problem, const ParameterValues& values, const RunControl& control) {
    Setting s;
    s.full = given_inputs(problem);
    const auto& scale = problem.spec.scale;
    const auto rows = prepared_rows(scale_mode(scale.id), s.full.query, s.full.key, problem.tensors);
    s.query = rows.query;
    s.key = rows.key;
    s.factor = factor_of(scale, {s.query.dim(3), s.S()});
    const auto given = problem.tensors.find("performer_omega");
    const bool drawn = given == problem.tensors.end();
    const auto m = drawn ? values.integer("features") : given->second.dim(0);
    require_memory(problem, s, m, values.boolean("weights"), control);
    s.keys = first_keys(problem);
    const auto seed = static_cast<std::uint64_t>(values.integer("seed"));
    s.omega = drawn ? orthogonal_directions(m, s.query.dim(3), seed, control) : given->second;
    return s;
}

/// Features of queries and keys: (2 E + 3) m a row; sums over keys: (2 Ev + 1) m a key; a query's result: (2 Ev + 2) m
/// + Ev. In memory: the features and the sums.
Cost cost_of(const Setting& s) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const double m = size(s.omega.dim(0)), E = size(s.query.dim(3)), Ev = size(s.full.value.dim(3));
    const double rows = size(s.B()) * size(s.H()) * size(s.L());
    const double key_heads = size(s.B()) * size(s.key.dim(1)), keys = key_heads * size(s.S());
    return {(rows + keys) * m * (2.0 * E + 3.0) + keys * m * (2.0 * Ev + 1.0) + rows * (m * (2.0 * Ev + 2.0) + Ev),
            4.0 * ((rows + keys) * m + key_heads * m * (Ev + 1.0))};
}

double norm(std::span<const double> values) {
    double squares = 0.0;
    for (const double x : values)
        squares += x * x;
    return std::sqrt(squares);
}

/// ‖output − exact‖ / ‖exact‖ of the first m features.
double error_of(const Setting& s, const Tensor& query, const Tensor& key, std::int64_t m, const Tensor& exact,
                const RunControl& control) {
    auto output = attend_by_features(first_features(query, m), first_features(key, m), s.full.value, s.keys, control);
    const auto values = output.mutable_values();
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] -= exact.values()[k];
    return norm(values) / norm(exact.values());
}

constexpr std::int64_t fewest = 4, most = 1024;
constexpr std::uint64_t curve_seeds[] = {1, 2, 3};

/// The error as a function of the number of features: a mean over a few draws of its own, independent of the seed. Only
/// where all its points together take less than 5e7 operations (a fraction of a second), and where the error is not
/// negligible.
void add_curve(Trace& trace, Setting s, const RunControl& whole) {
    const auto& exact = trace.find("exact_output")->value;
    const auto present =
        std::find_if(trace.measures.begin(), trace.measures.end(), [](auto& m) { return m.name == "output_error"; });
    const auto control = whole.silent();
    Curve curve{{ATTNLAB_TEXT("Error of the output by the number of features")},
                {ATTNLAB_TEXT("features m")},
                {ATTNLAB_TEXT("relative error, mean of %1 draws"), {std::to_string(std::size(curve_seeds))}},
                {},
                {static_cast<double>(s.omega.dim(0)), present->value},
                true,
                true};
    s.omega = Tensor({2 * most - fewest, s.query.dim(3)}); // all the points together
    constexpr double limit = 5e7;
    const auto sound = [](double error) { return std::isfinite(error) && error > 1e-12; };
    if (cost_of(s).operations * static_cast<double>(std::size(curve_seeds)) > limit || !sound(present->value))
        return;
    for (auto m = fewest; m <= most; m *= 2)
        curve.points.push_back({static_cast<double>(m), 0.0});
    for (const auto seed : curve_seeds) {
        const auto omega = orthogonal_directions(most, s.query.dim(3), seed, control);
        const auto query = log_features(s.query, omega, s.factor, control);
        const auto key = log_features(s.key, omega, s.factor, control);
        for (auto& point : curve.points)
            point.y += error_of(s, query, key, static_cast<std::int64_t>(point.x), exact, control) /
                       static_cast<double>(std::size(curve_seeds));
    }
    if (std::all_of(curve.points.begin(), curve.points.end(), [&](const auto& point) { return sound(point.y); }))
        trace.exhibits.push_back(std::move(curve));
}

/// The number of unusual rows, and the first of them.
template <class Unusual>
std::vector<Argument> rows_where(const Setting& s, const std::vector<std::string>& tokens, Unusual unusual) {
    std::int64_t count = 0, first = 0;
    for (std::int64_t row = s.B() * s.H() * s.L(); row-- > 0;)
        if (unusual(row)) {
            ++count;
            first = row % s.L();
        }
    const auto at = static_cast<std::size_t>(first);
    const bool named = at < tokens.size() && !tokens[at].empty();
    return {std::to_string(count), named ? "“" + tokens[at] + "”" : std::to_string(first)};
}

void note_rows(Trace& trace, const Setting& s) {
    const auto empty = rows_where(s, trace.query_tokens, [&](std::int64_t row) {
        const auto b = row / (s.H() * s.L());
        auto left = s.keys.count[static_cast<std::size_t>(b * s.L() + row % s.L())];
        while (left > 0 && s.keys.dropped[static_cast<std::size_t>(b * s.S() + left - 1)])
            --left;
        return left == 0;
    });
    if (s.S() == 0)
        trace.notes.push_back({Note::Severity::Warning, {ATTNLAB_TEXT("There are no keys: the output is 0")}});
    else if (empty.front().text() != "0")
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("Rows with every key blocked: %1 (first: %2). Their weights and output "
                                             "are 0, whatever the mask fill"),
                                empty}});
    const auto& output = trace.find("output")->value;
    const auto nan = rows_where(s, trace.query_tokens, [&](std::int64_t row) {
        const auto values = matrix_at(output, row / s.L()).row(row % s.L());
        return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
    });
    if (nan.front().text() != "0")
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("Rows whose output is NaN: %1 (first: %2). A number there is NaN, "
                                             "infinite or too large for the features"),
                                nan}});
}

void add_notes(Trace& trace, const ResolvedProblem& problem, const Setting& s) {
    trace.notes = notes_on_inputs(trace);
    note_values_of("performer_omega", problem, trace.notes);
    note_rows(trace, s);
    if (const double fill = problem.spec.mask_fill.value; std::isfinite(fill) && !problem.spec.masks.empty())
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("Blocked keys are left out of the sums: the mask fill %1 counts in the "
                                             "exact weights only"),
                                {to_text(fill)}}});
    const auto& set = problem.given;
    if (problem.tensors.contains("performer_omega") && (set.find("features") || set.find("seed")))
        trace.notes.push_back({Note::Severity::Info,
                               {ATTNLAB_TEXT("performer_omega is given, with %1 features: features and seed are not "
                                             "used"),
                                {std::to_string(s.omega.dim(0))}}});
}

/// Adds the implied weights and the stages based on them, which the output does not require.
void add_weights(Trace& trace, const ResolvedProblem& problem, const Setting& s, const Tensor& weights,
                 const RunControl& control) {
    if (problem.spec.statistics)
        add_statistics(trace, weights);
    if (s.H() > 1)
        trace.stages.push_back({"weights_mean",
                                mean_over_heads(weights),
                                {Axis::Batch, Axis::Query, Axis::Key},
                                StageRole::Summary,
                                {ATTNLAB_TEXT("mean over heads")},
                                "1/H Σ_h a^(h)"});
    add_exact(trace, problem, s.full, dot_product(), "weights", control.part(0.0, 0.7));
    add_curve(trace, s, control);
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto& values = problem.spec.parameters;
    const auto s = setting_of(problem, values, control);
    const bool wants_weights = values.boolean("weights");
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, s.L(), s.S());
    const auto add = [&](const char* name, Tensor value, const std::vector<Axis>& axes, StageRole role,
                         Message operation, std::string formula) {
        control.checkpoint();
        trace.stages.push_back({name, std::move(value), axes, role, std::move(operation), std::move(formula)});
    };
    add("query", s.full.query, query_axes, StageRole::Input, {}, "Q");
    add("key", s.full.key, key_axes, StageRole::Input, {}, "K");
    add("value", s.full.value, key_axes, StageRole::Input, {}, "V");
    const auto query = log_features(s.query, s.omega, s.factor, control);
    const auto key = log_features(s.key, s.omega, s.factor, control);
    const auto* const formula = "φ(x) = exp(Ω x′ − ‖x′‖² / 2) / √m, x′ = √c x";
    add("query_features", features_of(query), query_axes, StageRole::Step, {"φ(Q)"}, formula);
    add("key_features", features_of(key), key_axes, StageRole::Step, {"φ(K)"}, formula);
    Tensor weights;
    if (wants_weights) {
        weights = weights_of_features(query, key, s.keys, control.part(0.0, 0.2));
        const auto blocked = blocked_cells(problem);
        if (blocked.size() > 0)
            add("blocked", blocked, cell_axes, StageRole::Mask, {ATTNLAB_TEXT("which cells are blocked")}, "");
        add("weights", weights, cell_axes, StageRole::Step, {ATTNLAB_TEXT("rows of φ(Q)·φ(K)ᵀ to sum 1")},
            "a_ij = φ(q_i) · φ(k_j) / Σ_j φ(q_i) · φ(k_j)");
    }
    add("output", attend_by_features(query, key, s.full.value, s.keys, control.part(0.2, wants_weights ? 0.4 : 1.0)),
        query_axes, StageRole::Step, {"D⁻¹ φ(Q) (φ(K)ᵀ V)"}, "o_i = φ(q_i) · Σ_j φ(k_j) v_j / φ(q_i) · Σ_j φ(k_j)");
    add_notes(trace, problem, s);
    if (wants_weights)
        add_weights(trace, problem, s, weights, control.part(0.4, 1.0));
    add_cost(trace, cost_of(s), exact_cost(s.full));
    return trace;
}

} // namespace

Mechanism performer_mechanism() {
    return {
        .id = "performer",
        .place = 17,
        .title = ATTNLAB_TEXT("Performer"),
        .family = ATTNLAB_TEXT("Approximations"),
        .formula = "D⁻¹ φ(Q) (φ(K)ᵀ V),  φ(x) = exp(Ω x′ − ‖x′‖² / 2) / √m,  x′ = √c x",
        .help = ATTNLAB_TEXT("Uses random features φ whose products are exp(q·k) on average. The sums over keys are "
                             "computed once for all queries. So the table of L × S weights is never needed, and the "
                             "cost grows with (L + S) m. Causal masks become running sums."),
        .source = "Choromanski et al. 2021, Rethinking Attention with Performers (FAVOR+)",
        .default_scale = "sqrt_dk",
        .inputs = inputs,
        .parameters = parameters,
        .run = run,
        .check = check,
        .refuses = {.masks = ATTNLAB_TEXT("The sums over keys grow key by key. So a row can read its first keys, "
                                          "without those that no row reads, but no other choice of keys."),
                    .but_masks = first_key_masks(),
                    .position = ATTNLAB_TEXT("The features are of queries and keys as they are given."),
                    .scale_after_softmax = ATTNLAB_TEXT("The scale is part of the features."),
                    .scale_of_many_factors = ATTNLAB_TEXT("The features hold the root of one factor for all "
                                                          "scores, which this scale does not have.")},
        .approximates = true,
        .drawn = {R"(\begin{aligned} \mathrm{output} &= D^{-1} \phi(Q) \left( \phi(K)^{\mathsf{T}} V \right) \\)"
                  R"( D &= \mathrm{diag}\left( \phi(Q)\, \phi(K)^{\mathsf{T}} 1 \right) \quad\; x' = \sqrt{c}\, x \\)"
                  R"( \phi(x) &= m^{-1/2} \exp\left( \Omega x' - \Vert x' \Vert^2 / 2 \right) \end{aligned})",
                  "output = D⁻¹ φ(Q) (φ(K)ᵀ V), D = diag(φ(Q) φ(K)ᵀ 1), φ(x) = exp(Ω x′ − ‖x′‖² / 2) / √m, x′ = "
                  "√c x"},
        .look_for = ATTNLAB_TEXT("Raise the number of features and watch the difference fade: where weights are flat "
                                 "the error falls as 1/√m. Then multiply the queries by three: sharp weights need "
                                 "far more features. Under the causal mask the output costs no more than without.")};
}

} // namespace attnlab
