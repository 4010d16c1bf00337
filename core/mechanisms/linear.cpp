// Linear attention: the softmax's exponential is replaced by a product of features, so that sums over keys are enough.
#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/carried_gradients.h"
#include "core/mechanisms/shared/carried_state.h"
#include "core/stages/approximation.h"
#include "core/stages/gradients.h"
#include "core/stages/notes.h"
#include "core/stages/random_features.h"
#include "core/stages/scale.h"
#include "core/stages/score.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnlab {
namespace {

const Input inputs[] = {query_input, key_input, value_input, carried_output_gradient};

constexpr std::string_view feature_choices[] = {"elu", "relu", "identity"};

const Parameter parameters[] = {
    {.name = "features",
     .type = ParameterType::Choice,
     .default_text = "elu",
     .title = ATTNLAB_TEXT("features φ"),
     .help = ATTNLAB_TEXT("elu: x + 1 above 0, else exp(x), never negative; relu: max(x, 0); identity: x itself"),
     .choices = feature_choices},
    {.name = "normalise",
     .type = ParameterType::Boolean,
     .default_text = "true",
     .title = ATTNLAB_TEXT("normalise the rows"),
     .help = ATTNLAB_TEXT("Divides each row of weights by its sum")},
    gradients_parameter(),
};

const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

void check(const AttentionSpec& spec) {
    const bool shares = spec.parameters.boolean("normalise") && spec.parameters.choice("features") != "identity";
    if (spec.statistics && !shares)
        throw Error(
            Message(ATTNLAB_TEXT("linear: statistics are of rows that are shares of 1, expected normalise = true "
                                 "and features = elu or relu")));
}

Tensor featured(Tensor rows, const std::string& features) {
    if (features == "identity")
        return rows;
    const bool elu = features == "elu";
    for (double& x : rows.mutable_values())
        if (elu)
            x = x > 0.0 ? x + 1.0 : std::exp(x);
        else if (x < 0.0) // NaN stays
            x = 0.0;
    return rows;
}

const char* formula_of(const std::string& features) {
    return features == "elu" ? "φ(x) = elu(x) + 1" : features == "relu" ? "φ(x) = max(x, 0)" : "φ(x) = x";
}

/// The data of one run.
struct Setting {
    ExactInputs given;
    PreparedRows rows; ///< before the features
    Tensor query, key; ///< φ(q) (B,H,L,E), φ(k) (B,Hkv,S,E)
    FirstKeys keys;
    bool normalises = true;
    double factor = 1.0; ///< of the weights, where rows are not normalised

    std::int64_t B() const { return query.dim(0); }
    std::int64_t H() const { return query.dim(1); }
    std::int64_t L() const { return query.dim(2); }
    std::int64_t S() const { return key.dim(2); }
    std::int64_t E() const { return query.dim(3); }
    std::int64_t Ev() const { return given.value.dim(3); }
    std::int64_t key_head(std::int64_t head) const { return head / H() * key.dim(1) + head % H() / (H() / key.dim(1)); }
    std::int64_t count(std::int64_t head, std::int64_t i) const { return keys.count[at(head / H() * L() + i)]; }
    bool is_dropped(std::int64_t head, std::int64_t j) const { return keys.dropped[at(head / H() * S() + j)]; }
};

/// φ(q_i) · φ(k_j) over the keys that the row may read, divided by their sum, or times the factor.
Tensor weights_of(const Setting& s, const Tensor& scores, const RunControl& control) {
    Tensor weights(scores.shape());
    const auto out = weights.mutable_values();
    for (std::int64_t row = 0; row < s.B() * s.H() * s.L(); ++row) {
        control.checkpoint();
        const auto head = row / s.L();
        double sum = 0.0;
        for (std::int64_t j = 0; j < s.count(head, row % s.L()); ++j)
            if (!s.is_dropped(head, j))
                sum += out[at(row * s.S() + j)] = scores.data()[row * s.S() + j];
        for (double& weight : out.subspan(at(row * s.S()), at(s.S())))
            weight = !s.normalises ? weight * s.factor : sum == 0.0 ? 0.0 : weight / sum;
    }
    return weights;
}

Tensor mixed(const Setting& s, const Tensor& weights, const RunControl& control) {
    Tensor output({s.B(), s.H(), s.L(), s.Ev()});
    const auto out = output.mutable_values();
    for (std::int64_t row = 0; row < s.B() * s.H() * s.L(); ++row) {
        control.checkpoint();
        const auto head = row / s.L();
        const auto values = matrix_at(s.given.value, s.key_head(head));
        for (std::int64_t j = 0; j < s.count(head, row % s.L()); ++j)
            for (std::int64_t c = 0; c < s.Ev() && !s.is_dropped(head, j); ++c)
                out[at(row * s.Ev() + c)] += weights.data()[row * s.S() + j] * values(j, c);
    }
    return output;
}

/// What the sums over keys give.
struct BySums {
    Tensor output; ///< (B,H,L,Ev)
    Tensor norm;   ///< (B,H,L): the Frobenius norm of the sum that row i reads
    Tensor state;  ///< (B,H,E,Ev): the sum that the last row reads
};

/// S = Σ_j φ(k_j) v_jᵀ and z = Σ_j φ(k_j), grown key by key in the order in which rows read them.
BySums by_sums(const Setting& s, const RunControl& control) {
    BySums result{Tensor({s.B(), s.H(), s.L(), s.Ev()}), Tensor({s.B(), s.H(), s.L()}),
                  Tensor({s.B(), s.H(), s.E(), s.Ev()})};
    for (std::int64_t head = 0; head < s.B() * s.H(); ++head) {
        const auto q = matrix_at(s.query, head), k = matrix_at(s.key, s.key_head(head));
        const auto v = matrix_at(s.given.value, s.key_head(head));
        std::vector<std::int64_t> rows(at(s.L()));
        std::iota(rows.begin(), rows.end(), std::int64_t{0});
        std::ranges::stable_sort(rows, {}, [&](std::int64_t i) { return s.count(head, i); });
        std::vector<double> sums(at(s.E() * s.Ev()), 0.0), total(at(s.E()), 0.0);
        std::int64_t next = 0;
        for (const auto i : rows) {
            control.checkpoint();
            for (; next < s.count(head, i); ++next)
                for (std::int64_t e = 0; e < s.E() && !s.is_dropped(head, next); ++e) {
                    total[at(e)] += k(next, e);
                    for (std::int64_t c = 0; c < s.Ev(); ++c)
                        sums[at(e * s.Ev() + c)] += k(next, e) * v(next, c);
                }
            const auto output = result.output.mutable_values().subspan(at((head * s.L() + i) * s.Ev()), at(s.Ev()));
            double sum = 0.0, squares = 0.0;
            for (std::int64_t e = 0; e < s.E(); ++e) {
                sum += q(i, e) * total[at(e)];
                for (std::int64_t c = 0; c < s.Ev(); ++c)
                    output[at(c)] += q(i, e) * sums[at(e * s.Ev() + c)];
            }
            for (const double x : sums)
                squares += x * x;
            for (double& x : output)
                x = !s.normalises ? x * s.factor : sum == 0.0 ? 0.0 : x / sum;
            result.norm.mutable_values()[at(head * s.L() + i)] = std::sqrt(squares);
            if (i + 1 == s.L())
                std::ranges::copy(sums, result.state.mutable_values().begin() + head * s.E() * s.Ev());
        }
        control.report(static_cast<double>(head + 1) / static_cast<double>(s.B() * s.H()));
    }
    return result;
}

/// The gradient with respect to x, from the gradient with respect to its features φ(x): the chain rule, cell by cell.
Tensor by_rows(Tensor by_features, const Tensor& rows, const std::string& features) {
    const auto values = by_features.mutable_values();
    for (std::size_t k = 0; k < values.size() && features != "identity"; ++k)
        if (const double x = rows.values()[k]; x <= 0.0)
            values[k] *= features == "elu" ? std::exp(x) : 0.0;
    return by_features;
}

/// With s_ij = φ(q_i) · φ(k_j) and a_ij = s_ij / Σ_k s_ik:  ∂ℓ/∂s_ij = (∂ℓ/∂a_ij − Σ_k a_ik ∂ℓ/∂a_ik) / Σ_k s_ik.
void add_linear_gradients(Trace& trace, const ResolvedProblem& problem, const Setting& s, const Tensor& scores,
                          const Tensor& weights, const RunControl& control) {
    control.require_memory("grad_query", s.query.shape(), 2.0);
    control.require_memory("grad_key", s.key.shape(), 3.0);
    const auto by_output = output_gradient(problem, trace.find("output")->value.shape());
    Tensor by_query(s.query.shape()), by_key(s.key.shape()), by_value(s.given.value.shape());
    const auto add = [&](Tensor& sums, std::int64_t row, double factor, std::span<const double> values) {
        const auto out = sums.mutable_values().subspan(at(row) * values.size(), values.size());
        for (std::size_t c = 0; c < values.size(); ++c)
            out[c] += factor * values[c];
    };
    for (std::int64_t row = 0; row < s.B() * s.H() * s.L(); ++row) {
        control.checkpoint();
        const auto head = row / s.L(), i = row % s.L(), key_head = s.key_head(head);
        const auto q = matrix_at(s.query, head).row(i), o = matrix_at(by_output, head).row(i);
        const auto k = matrix_at(s.key, key_head), v = matrix_at(s.given.value, key_head);
        std::vector<double> by_weights(at(s.S()), 0.0);
        double mean = 0.0, sum = 0.0;
        const auto each_key = [&](auto visit) {
            for (std::int64_t j = 0; j < s.count(head, i); ++j)
                if (!s.is_dropped(head, j))
                    visit(j, row * s.S() + j);
        };
        each_key([&](std::int64_t j, std::int64_t cell) {
            by_weights[at(j)] = std::inner_product(o.begin(), o.end(), v.row(j).begin(), 0.0);
            mean += weights.data()[cell] * by_weights[at(j)];
            sum += scores.data()[cell];
            add(by_value, key_head * s.S() + j, weights.data()[cell], o);
        });
        each_key([&](std::int64_t j, std::int64_t) {
            const double by_score = !s.normalises ? s.factor * by_weights[at(j)]
                                    : sum == 0.0  ? 0.0
                                                  : (by_weights[at(j)] - mean) / sum;
            add(by_query, row, by_score, k.row(j));
            add(by_key, key_head * s.S() + j, by_score, q);
        });
    }
    const auto& features = problem.spec.parameters.choice("features");
    const auto& mode = scale_mode(problem.spec.scale.id);
    add_gradient(trace, "output", by_output, {ATTNLAB_TEXT("gradient of the output")}, "∂ℓ/∂o_i");
    add_gradient(trace, "value", std::move(by_value), {ATTNLAB_TEXT("gradient of the values")},
                 "∂ℓ/∂v_j = Σ_i a_ij ∂ℓ/∂o_i");
    add_gradient(trace, "query",
                 gradient_of_rows(by_rows(std::move(by_query), s.rows.query, features), mode, s.given.query,
                                  "query_gain", problem.tensors),
                 {ATTNLAB_TEXT("gradient of the queries")});
    add_gradient(trace, "key",
                 gradient_of_rows(by_rows(std::move(by_key), s.rows.key, features), mode, s.given.key, "key_gain",
                                  problem.tensors),
                 {ATTNLAB_TEXT("gradient of the keys")});
}

/// A key multiplies its features with its values and adds them, a query multiplies its features with the sums: 2 E Ev
/// each, and 2 E each for the sum of features. In memory: the sums.
Cost cost_of(const Setting& s) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const double E = size(s.E()), Ev = size(s.Ev()), key_heads = size(s.B()) * size(s.key.dim(1));
    const double rows = size(s.B()) * size(s.H()) * size(s.L());
    return {(rows + key_heads * size(s.S())) * (2.0 * E * Ev + 2.0 * E), 4.0 * key_heads * E * (Ev + 1.0)};
}

void record_scores(Trace& trace, const Setting& s, bool plain) {
    auto& pass = trace.passes[""];
    pass.dot_product_scores = plain;
    pass.score_terms = [query = s.query, key = s.key](std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
        const auto group = query.dim(1) / key.dim(1);
        return dot_product().terms(matrix_at(query, b * query.dim(1) + h).row(i),
                                   matrix_at(key, b * key.dim(1) + h / group).row(j));
    };
}

void note_rows(Trace& trace, const ResolvedProblem& problem, const Setting& s) {
    NotedRows empty;
    const auto& weights = trace.find("weights")->value;
    for (std::int64_t row = 0; row < s.B() * s.H() * s.L(); ++row) {
        const auto values = weights.values().subspan(at(row * s.S()), at(s.S()));
        if (std::ranges::all_of(values, [](double weight) { return weight == 0.0; }))
            empty.take(trace.query_tokens, row % s.L(), row / s.L());
    }
    if (empty.count > 0)
        trace.notes.push_back({Note::Severity::Warning,
                               {ATTNLAB_TEXT("Rows that read nothing: %1 (first: %2). Every key is blocked, or the "
                                             "features have no product, so their weights and output are 0"),
                                {empty.counted({s.B(), s.H()}), empty.first}}});
    if (const auto& mode = scale_mode(problem.spec.scale.id); s.normalises && s.factor != 1.0)
        trace.notes.push_back(
            {Note::Severity::Info,
             {ATTNLAB_TEXT("The scale %1 has no effect: each row is divided by its sum, which has the "
                           "same factor"),
              {std::string(mode.id)}}});
    note_row_sums(trace);
}

Setting setting_of(const ResolvedProblem& problem, const RunControl& control) {
    Setting s;
    s.given = given_inputs(problem);
    const auto& scale = problem.spec.scale;
    const auto& mode = scale_mode(scale.id);
    const auto B = s.given.query.dim(0), H = s.given.query.dim(1), L = s.given.query.dim(2), S = s.given.key.dim(2);
    control.require_memory("query_features", s.given.query.shape(), 2.0);
    control.require_memory("key_features", s.given.key.shape(), 2.0);
    control.require_memory("weights", {B, H, L, S}, problem.spec.masks.empty() ? 3.0 : 4.0);
    control.require_memory("output", {B, H, L, s.given.value.dim(3)}, 2.0);
    s.rows = prepared_rows(mode, s.given.query, s.given.key, problem.tensors);
    const auto& features = problem.spec.parameters.choice("features");
    s.query = featured(s.rows.query, features);
    s.key = featured(s.rows.key, features);
    s.keys = first_keys(problem);
    s.normalises = problem.spec.parameters.boolean("normalise");
    s.factor = mode.factor({s.E(), s.S()}, scale.parameters);
    return s;
}

Trace run(const ResolvedProblem& problem, const RunControl& control) {
    const auto s = setting_of(problem, control);
    const auto& features = problem.spec.parameters.choice("features");
    const auto& mode = scale_mode(problem.spec.scale.id);
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, s.L(), s.S());
    const auto add = [&](const char* name, Tensor value, const std::vector<Axis>& axes, StageRole role,
                         Message operation, std::string formula) {
        control.checkpoint();
        trace.stages.push_back({name, std::move(value), axes, role, std::move(operation), std::move(formula)});
    };
    add("query", s.given.query, query_axes, StageRole::Input, {}, "Q");
    add("key", s.given.key, key_axes, StageRole::Input, {}, "K");
    add("value", s.given.value, key_axes, StageRole::Input, {}, "V");
    add("query_features", s.query, query_axes, StageRole::Step, normalised_operation(mode.row_norm, {"φ(Q)"}),
        formula_of(features));
    add("key_features", s.key, key_axes, StageRole::Step, normalised_operation(mode.row_norm, {"φ(K)"}),
        formula_of(features));
    auto scores = all_scores(dot_product(), s.query, s.key, control.part(0.0, 0.3));
    add("scores", scores, cell_axes, StageRole::Step, {"φ(Q)·φ(K)ᵀ"}, "s_ij = φ(q_i) · φ(k_j)");
    record_scores(trace, s, features == "identity" && mode.row_norm == RowNorm::None);
    if (const auto blocked = blocked_cells(problem); blocked.size() > 0)
        add("blocked", blocked, cell_axes, StageRole::Mask, {ATTNLAB_TEXT("which cells are blocked")}, "");
    const auto weights = weights_of(s, scores, control.part(0.3, 0.5));
    add("weights", weights, cell_axes, StageRole::Step,
        s.normalises      ? Message(ATTNLAB_TEXT("each row over its sum"))
        : s.factor != 1.0 ? mode.operation({s.E(), s.S()}, problem.spec.scale.parameters)
                          : Message(ATTNLAB_TEXT("as is")),
        s.normalises ? "a_ij = φ(q_i) · φ(k_j) / Σ_k φ(q_i) · φ(k_k)" : "a_ij = c φ(q_i) · φ(k_j)");
    add("output", mixed(s, weights, control.part(0.5, 0.7)), query_axes, StageRole::Step, {"× V"},
        "o_i = Σ_j a_ij v_j");
    if (problem.spec.statistics)
        add_statistics(trace, weights);
    if (s.H() > 1)
        add("weights_mean", mean_over_heads(weights), {Axis::Batch, Axis::Query, Axis::Key}, StageRole::Summary,
            {ATTNLAB_TEXT("mean over heads")}, "1/H Σ_h a^(h)");
    auto sums = by_sums(s, control.part(0.7, 1.0));
    add_proof(trace, std::move(sums.output),
              s.normalises ? "o_i = Sᵀ φ(q_i) / φ(q_i) · Σ_j φ(k_j), S = Σ_j φ(k_j) v_jᵀ"
                           : "o_i = c Sᵀ φ(q_i), S = Σ_j φ(k_j) v_jᵀ");
    const auto is_causal = [](const Selection& mask) { return mask.id == "causal"; };
    if (std::ranges::any_of(problem.spec.masks, is_causal)) {
        add("state_norm", std::move(sums.norm), {Axis::Batch, Axis::Head, Axis::Query}, StageRole::Summary,
            {ATTNLAB_TEXT("size of the state")}, "‖Sₜ‖");
        add("state", std::move(sums.state), {Axis::Batch, Axis::Head, Axis::Feature, Axis::Feature}, StageRole::Summary,
            {ATTNLAB_TEXT("the state after the last token")}, "Sₜ = Sₜ₋₁ + φ(kₜ) vₜᵀ");
    }
    if (wants_gradients(problem.spec.parameters))
        add_linear_gradients(trace, problem, s, scores, weights, control);
    trace.notes = notes_on_inputs(trace);
    note_rows(trace, problem, s);
    add_cost(trace, cost_of(s), exact_cost(s.given));
    return trace;
}

ScoreCode code(const ResolvedProblem& problem) {
    const auto& features = problem.spec.parameters.choice("features");
    const bool masked = !problem.spec.masks.empty();
    ScoreCode code;
    for (const std::string rows : {"query", "key"})
        if (features != "identity")
            code.python += rows + " = np.where(" + rows + " > 0, " + rows +
                           (features == "elu" ? " + 1.0, np.exp(" + rows + "))\n" : ", 0.0)\n");
    code.python += "scores = query @ key.swapaxes(-1, -2)\n";
    code.own_lines = {{"\\phi(x)", features == "elu"    ? "x + 1 \\text{ if } x > 0 \\text{, else } \\exp x"
                                   : features == "relu" ? "\\max(x, 0)"
                                                        : "x"},
                      {"s_{ij}<h>", "\\phi(<q>) \\cdot \\phi(<k>)", {}, true}};
    const std::string read = masked ? "np.where(keep, scores, 0.0)" : "scores";
    if (problem.spec.parameters.boolean("normalise")) {
        code.own_weights = "weights = " + read +
                           "\ntotal = weights.sum(axis=-1, keepdims=True)\n"
                           "weights = weights / (total + (total == 0))  # a row of sum 0 stays\n";
        code.own_lines.push_back({"a_{ij}<h>", "\\frac{s_{ij}<h>}{\\sum_{j'} s_{ij'}<h>}"});
    } else {
        code.own_weights = (masked ? "scores = " + read + "\n" : "") + "weights = <scores>\n";
        code.own_lines.push_back({"a_{ij}<h>", "<c>s_{ij}<h>"});
    }
    code.own_weights += "output = weights @ value\n";
    return code;
}

} // namespace

Mechanism linear_mechanism() {
    auto row = carried_mechanism(
        {.id = "linear",
         .place = 19,
         .title = ATTNLAB_TEXT("Linear attention"),
         .formula = "φ(Q) (φ(K)ᵀ V) / φ(Q) (φ(K)ᵀ 1),  φ(x) = elu(x) + 1;  S_t = S_{t−1} + φ(k_t) v_tᵀ",
         .help =
             ATTNLAB_TEXT("Replaces exp(q·k) by a product of features φ(q)·φ(k). Then the sums over keys can be "
                          "computed first, so the cost grows with L + S instead of L × S. Under a causal mask the sums "
                          "are a state that grows token by token: attention read as a recurrent network."),
         .source = "Katharopoulos et al. 2020, Transformers are RNNs, equations 4, 5 and 7, section 3.3",
         .inputs = inputs,
         .parameters = parameters,
         .run = run,
         .check_values = check_output_gradient,
         .check = check,
         .code = code,
         .drawn = {R"(\begin{aligned} o_i &= \frac{\sum_j \phi(q_i) \cdot \phi(k_j)\, v_j}{\sum_j \phi(q_i))"
                   R"( \cdot \phi(k_j)} = \frac{S^{\mathsf{T}} \phi(q_i)}{\phi(q_i) \cdot \sum_j \phi(k_j)} \\)"
                   R"( S &= \sum_j \phi(k_j)\, v_j^{\mathsf{T}} \quad\; \phi(x) = \mathrm{elu}(x) + 1 \end{aligned})",
                   "o_i = Σ_j φ(q_i) · φ(k_j) v_j / Σ_j φ(q_i) · φ(k_j) = Sᵀ φ(q_i) / φ(q_i) · Σ_j φ(k_j), S = Σ_j "
                   "φ(k_j) v_jᵀ, φ(x) = elu(x) + 1"},
         .look_for =
             ATTNLAB_TEXT("Compare it with the softmax on the same inputs: the rows are much flatter, since no "
                          "product of few features is as sharp as an exponential. Multiply the queries by three: "
                          "the softmax sharpens, linear attention hardly does. output and state_output are the "
                          "same numbers by two ways.")});
    row.parameters = parameters;
    row.refuses.masks =
        ATTNLAB_TEXT("The sums over keys grow key by key. So a row can read its first keys, without those "
                     "that no row reads, but no other choice of keys.");
    row.refuses.but_masks = first_key_masks();
    row.refuses.position = ATTNLAB_TEXT("The features are of queries and keys as they are given.");
    row.refuses.statistics = nullptr;
    row.refuses.finite_fill = ATTNLAB_TEXT("Blocked keys are left out of the sums.");
    return row;
}

} // namespace attnlab
