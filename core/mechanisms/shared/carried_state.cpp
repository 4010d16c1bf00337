#include "core/mechanisms/shared/carried_state.h"

#include "core/mechanisms/shared/by_score.h"
#include "core/mechanisms/shared/carried_gradients.h"
#include "core/mechanisms/shared/projection.h"
#include "core/stages/approximation.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/notes.h"
#include "core/stages/random_features.h"
#include "core/stages/scale.h"
#include "core/stages/score.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace attnlab {
namespace {

using Row = std::span<const double>;

const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
const std::vector<Axis> row_axes = {Axis::Batch, Axis::Head, Axis::Query};
const std::vector<Axis> state_axes = {Axis::Batch, Axis::Head, Axis::Feature, Axis::Feature};

double dot(Row a, Row b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The recurrence of one head.
class Head {
public:
    Head(const Recurrence& all, std::int64_t index)
        : all_(all), index_(index), batch_(index / all.H()), q_(matrix_at(all.query, index)),
          k_(matrix_at(all.key, key_head())), v_(matrix_at(all.value, key_head())) {}

    std::int64_t L() const { return q_.rows; }
    std::int64_t E() const { return q_.columns; }
    std::int64_t Ev() const { return v_.columns; }
    Row query(std::int64_t t) const { return q_.row(t); }
    Row key(std::int64_t t) const { return k_.row(t); }
    Row value(std::int64_t t) const { return v_.row(t); }
    double written(std::int64_t t) const {
        return all_.written.size() == 0 ? 1.0 : all_.written.data()[index_ * L() + t];
    }
    bool is_padded(std::int64_t t) const { return !all_.padded.empty() && all_.padded[at(batch_ * L() + t)]; }
    bool erases() const { return all_.erases; }

    /// Multiplies each row of a matrix (E,columns) by f_t of its feature.
    void decay(std::int64_t t, std::span<double> rows) const {
        if (all_.kept.size() == 0 || E() == 0)
            return;
        const auto columns = rows.size() / at(E());
        for (std::int64_t e = 0; e < E(); ++e) {
            const double f =
                all_.kept.data()[all_.has_decay_of_heads() ? index_ * L() + t : (index_ * L() + t) * E() + e];
            for (double& x : rows.subspan(at(e) * columns, columns))
                x *= f;
        }
    }

    /// sum_e row_e k_je prod_{l=j+1..i} f_le for j = i .. first, in products[j - first]. Leaves in `row` what reads the
    /// state before `first`: row_e prod_{l=first..i} f_le.
    void products(std::span<double> row, std::int64_t i, std::int64_t first, std::span<double> products) const {
        for (std::int64_t j = i; j >= first; --j) {
            products[at(j - first)] = dot(row, key(j));
            decay(j, row);
        }
    }

private:
    std::int64_t key_head() const {
        const auto own = all_.key.dim(1);
        return batch_ * own + index_ % all_.H() / (all_.H() / own);
    }

    const Recurrence& all_;
    std::int64_t index_, batch_;
    MatrixView q_, k_, v_;
};

/// S (E,Ev).
class State {
public:
    explicit State(const Head& head) : width_(at(head.Ev())), values_(at(head.E() * head.Ev()), 0.0) {}

    /// Adds k uᵀ.
    void add(Row key, Row written) {
        for (std::size_t e = 0; e < key.size(); ++e)
            for (std::size_t c = 0; c < width_; ++c)
                values_[e * width_ + c] += key[e] * written[c];
    }
    /// Adds factor Sᵀ row.
    void read(Row row, double factor, std::span<double> sum) const {
        for (std::size_t e = 0; e < row.size(); ++e)
            for (std::size_t c = 0; c < width_; ++c)
                sum[c] += factor * row[e] * values_[e * width_ + c];
    }
    std::span<double> values() { return values_; }
    double norm() const { return std::sqrt(dot(values_, values_)); }

private:
    std::size_t width_;
    std::vector<double> values_;
};

/// Calls `visit` with every head and its number.
template <class Visit>
void each_head(const Recurrence& recurrence, const RunControl& control, Visit visit) {
    const auto heads = recurrence.B() * recurrence.H();
    for (std::int64_t index = 0; index < heads; ++index) {
        visit(Head(recurrence, index), index);
        control.report(static_cast<double>(index + 1) / static_cast<double>(heads));
    }
}

std::span<double> matrix_of_head(Tensor& tensor, std::int64_t index) {
    const auto size = at(tensor.dim(-1) * tensor.dim(-2));
    return tensor.mutable_values().subspan(at(index) * size, size);
}

} // namespace

Recurrence recurrence_of(const ResolvedProblem& problem) {
    const auto given = given_inputs(problem);
    const auto& scale = problem.spec.scale;
    const auto& mode = scale_mode(scale.id);
    auto rows = prepared_rows(mode, given.query, given.key, problem.tensors);
    const ScaleContext sizes{given.query.dim(3), given.key.dim(2)};
    return {.query = std::move(rows.query),
            .key = std::move(rows.key),
            .value = given.value,
            .factor = mode.factor(sizes, scale.parameters),
            .padded = problem.spec.masks.empty() ? std::vector<bool>() : first_keys(problem).dropped};
}

Tensor decay_of(const Recurrence& recurrence, const RunControl& control) {
    const auto L = recurrence.L();
    Tensor decay({recurrence.B(), recurrence.H(), L, L});
    each_head(recurrence, control, [&](const Head&, std::int64_t index) {
        const auto out = matrix_of_head(decay, index);
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            double product = 1.0;
            for (std::int64_t j = i; j >= 0; --j) {
                out[at(i * L + j)] = product;
                product *= recurrence.kept.data()[index * L + j];
            }
        }
    });
    return decay;
}

Tensor matrix_of(const Recurrence& recurrence, const RunControl& control) {
    const auto L = recurrence.L();
    Tensor matrix({recurrence.B(), recurrence.H(), L, L});
    each_head(recurrence, control, [&](const Head& head, std::int64_t index) {
        const auto out = matrix_of_head(matrix, index);
        std::vector<double> between(at(head.erases() ? L * L : 0)); // N
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            const auto row = out.subspan(at(i * L), at(L));
            std::vector<double> q(head.query(i).begin(), head.query(i).end());
            head.products(q, i, 0, row);
            if (head.erases()) {
                const auto n = std::span(between).subspan(at(i * L), at(L));
                std::vector<double> k(head.key(i).begin(), head.key(i).end());
                head.products(k, i, 0, n);
                for (double& x : n)
                    x *= head.written(i);
                // The row of X = P (I + N)^{-1}, from the diagonal to the left.
                for (std::int64_t m = i; m > 0; --m)
                    if (!head.is_padded(m))
                        for (std::int64_t j = 0; j < m; ++j)
                            row[at(j)] -= row[at(m)] * between[at(m * L + j)];
            }
            for (std::int64_t j = 0; j <= i; ++j)
                row[at(j)] = head.is_padded(j) ? 0.0 : row[at(j)] * recurrence.factor * head.written(j);
        }
    });
    return matrix;
}

Tensor mixed_by(const Tensor& matrix, const Recurrence& recurrence, const RunControl& control) {
    const auto L = recurrence.L(), Ev = recurrence.value.dim(3);
    Tensor output({recurrence.B(), recurrence.H(), L, Ev});
    each_head(recurrence, control, [&](const Head& head, std::int64_t index) {
        const auto out = matrix_of_head(output, index);
        const auto weights = matrix_at(matrix, index);
        for (std::int64_t i = 0; i < L; ++i) {
            control.checkpoint();
            for (std::int64_t j = 0; j <= i; ++j)
                if (!head.is_padded(j))
                    for (std::int64_t c = 0; c < Ev; ++c)
                        out[at(i * Ev + c)] += weights(i, j) * head.value(j)[at(c)];
        }
    });
    return output;
}

Carried carried_by(const Recurrence& recurrence, std::int64_t chunk, const RunControl& control) {
    const auto B = recurrence.B(), H = recurrence.H(), L = recurrence.L();
    const auto E = recurrence.query.dim(3), Ev = recurrence.value.dim(3);
    Carried carried{Tensor({B, H, L, Ev}), Tensor({B, H, L}), Tensor({B, H, E, Ev}), Tensor(Shape{0})};
    if (chunk > 0) {
        const Shape shape{(L + chunk - 1) / chunk, B, H, E, Ev};
        control.require_memory("chunk_states", shape, 1.0);
        carried.chunk_states = Tensor(shape);
    }
    each_head(recurrence, control, [&](const Head& head, std::int64_t index) {
        State state(head);
        const auto out = matrix_of_head(carried.output, index);
        for (std::int64_t t = 0; t < L; ++t) {
            control.checkpoint();
            head.decay(t, state.values());
            if (!head.is_padded(t)) {
                std::vector<double> written(head.value(t).begin(), head.value(t).end());
                if (head.erases())
                    state.read(head.key(t), -1.0, written);
                for (double& x : written)
                    x *= head.written(t);
                state.add(head.key(t), written);
            }
            state.read(head.query(t), recurrence.factor, out.subspan(at(t * Ev), at(Ev)));
            carried.norm.mutable_values()[at(index * L + t)] = state.norm();
            if (chunk > 0 && ((t + 1) % chunk == 0 || t + 1 == L))
                std::ranges::copy(state.values(),
                                  matrix_of_head(carried.chunk_states, t / chunk * B * H + index).begin());
        }
        std::ranges::copy(state.values(), matrix_of_head(carried.state, index).begin());
    });
    return carried;
}

Tensor output_by_chunks(const Recurrence& recurrence, std::int64_t chunk, const RunControl& control) {
    const auto L = recurrence.L(), Ev = recurrence.value.dim(3);
    Tensor output({recurrence.B(), recurrence.H(), L, Ev});
    each_head(recurrence, control, [&](const Head& head, std::int64_t index) {
        State state(head);
        const auto out = matrix_of_head(output, index);
        std::vector<double> products(at(std::min(chunk, L))), written(products.size() * at(Ev));
        const auto written_at = [&](std::int64_t j) { return std::span(written).subspan(at(j * Ev), at(Ev)); };
        for (std::int64_t first = 0; first < L; first += chunk) {
            const auto end = std::min(first + chunk, L);
            // What each token writes. One that erases reads its key from the state before the chunk, and from what the
            // tokens before it in the chunk have written.
            for (std::int64_t i = first; i < end; ++i) {
                control.checkpoint();
                const auto u = written_at(i - first);
                std::ranges::fill(u, 0.0);
                if (head.is_padded(i))
                    continue;
                std::ranges::copy(head.value(i), u.begin());
                if (head.erases()) {
                    std::vector<double> k(head.key(i).begin(), head.key(i).end());
                    head.products(k, i, first, products);
                    state.read(k, -1.0, u);
                    for (std::int64_t j = first; j < i; ++j)
                        for (std::int64_t c = 0; c < Ev && !head.is_padded(j); ++c)
                            u[at(c)] -= products[at(j - first)] * written_at(j - first)[at(c)];
                }
                for (double& x : u)
                    x *= head.written(i);
            }
            for (std::int64_t i = first; i < end; ++i) {
                control.checkpoint();
                const auto o = out.subspan(at(i * Ev), at(Ev));
                std::vector<double> q(head.query(i).begin(), head.query(i).end());
                head.products(q, i, first, products);
                state.read(q, recurrence.factor, o);
                for (std::int64_t j = first; j <= i; ++j)
                    for (std::int64_t c = 0; c < Ev && !head.is_padded(j); ++c)
                        o[at(c)] += recurrence.factor * products[at(j - first)] * written_at(j - first)[at(c)];
            }
            for (std::int64_t t = first; t < end; ++t) {
                head.decay(t, state.values());
                if (!head.is_padded(t))
                    state.add(head.key(t), written_at(t - first));
            }
        }
    });
    return output;
}

// The trace.

namespace {

double largest_difference(const Tensor& a, const Tensor& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.values().size(); ++k)
        if (const double apart = std::abs(a.values()[k] - b.values()[k]); !(apart <= largest))
            largest = apart;
    return largest;
}

/// Each row of the last axis times its factor.
void multiply_rows(Tensor& rows, const Tensor& factors) {
    const auto values = rows.mutable_values();
    const auto width = at(rows.dim(-1));
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] *= factors.values()[k / width];
}

void require_memory(const ResolvedProblem& problem, const Recurrence& r, const RunControl& control) {
    const auto E = r.query.dim(3), Ev = r.value.dim(3);
    // scores, decay, blocked, weights, their mean; of one head two more
    control.require_memory("weights", {r.B(), r.H(), r.L(), r.L()}, r.erases ? 7.0 : 5.0);
    control.require_memory("output", {r.B(), r.H(), r.L(), Ev},
                           problem.spec.parameters.integer("chunk") > 0 ? 4.0 : 3.0);
    control.require_memory("state", {r.B(), r.H(), E, Ev}, 2.0);
}

/// True above the diagonal and for padded tokens.
Tensor unread_cells(const Recurrence& r) {
    const auto L = r.L();
    Tensor unread({r.B(), r.H(), L, L}, 0.0, DType::Bool);
    const auto out = unread.mutable_values();
    for (std::int64_t k = 0; k < unread.size(); ++k) {
        const auto j = k % L, i = k / L % L, b = k / (L * L * r.H());
        out[at(k)] = j > i || (!r.padded.empty() && r.padded[at(b * L + j)]) ? 1.0 : 0.0;
    }
    return unread;
}

/// A token multiplies its keys with values, adds them to the state, and multiplies the state with its query: 4 E Ev; a
/// decay takes E Ev more, reading what a key holds 2 E Ev + 2 Ev. In memory: the state.
Cost cost_of(const Recurrence& r) {
    const auto size = [](std::int64_t n) { return static_cast<double>(n); };
    const double cells = size(r.query.dim(3)) * size(r.value.dim(3)), heads = size(r.B()) * size(r.H());
    const double token = cells * (4.0 + (r.kept.size() > 0 ? 1.0 : 0.0) + (r.erases ? 2.0 : 0.0)) +
                         (r.erases ? 2.0 * size(r.value.dim(3)) : 0.0);
    return {heads * size(r.L()) * token, 4.0 * heads * cells};
}

void record_scores(Trace& trace, const Recurrence& r, bool plain) {
    auto& pass = trace.passes[""];
    pass.dot_product_scores = plain;
    pass.keys_are_queries = true;
    pass.score_terms = [query = r.query, key = r.key](std::int64_t b, std::int64_t h, std::int64_t i, std::int64_t j) {
        const auto group = query.dim(1) / key.dim(1);
        return dot_product().terms(matrix_at(query, b * query.dim(1) + h).row(i),
                                   matrix_at(key, b * key.dim(1) + h / group).row(j));
    };
}

} // namespace

void add_proof(Trace& trace, Tensor by_state, std::string formula) {
    trace.measures.push_back({"state_difference",
                              {ATTNLAB_TEXT("largest difference between A V and the output of the state")},
                              Measure::Unit::Number,
                              largest_difference(trace.find("output")->value, by_state)});
    trace.stages.push_back({"state_output",
                            std::move(by_state),
                            query_axes,
                            StageRole::Summary,
                            {ATTNLAB_TEXT("the output again, read from the state")},
                            std::move(formula)});
}

void note_row_sums(Trace& trace) {
    const auto& weights = trace.find("weights")->value;
    const auto S = at(weights.dim(-1));
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    std::int64_t negative = 0;
    for (std::size_t first = 0; S > 0 && first < weights.values().size(); first += S) {
        double sum = 0.0;
        for (const double weight : weights.values().subspan(first, S)) {
            sum += weight;
            negative += weight < 0.0;
        }
        lowest = std::min(lowest, sum);
        highest = std::max(highest, sum);
    }
    constexpr double rounding = 1e-9;
    if (!(lowest <= highest) || (lowest > 1.0 - rounding && highest < 1.0 + rounding))
        return;
    const auto text = [](double sum) { return to_text(std::round(sum * 1e3) / 1e3); };
    trace.notes.push_back(
        {Note::Severity::Info,
         {ATTNLAB_TEXT("Rows of weights sum to between %1 and %2, and %3 weights are negative: nothing "
                       "makes them shares of 1"),
          {text(lowest), text(highest), std::to_string(negative)}}});
}

Trace carried_trace(const ResolvedProblem& problem, const Recurrence& r, const CarriedTexts& texts,
                    const RunControl& control) {
    require_memory(problem, r, control);
    const auto& scale = problem.spec.scale;
    const auto& mode = scale_mode(scale.id);
    const auto chunk = problem.spec.parameters.integer("chunk");
    const auto given = given_inputs(problem);
    Trace trace;
    trace.query_tokens = problem.query_tokens;
    trace.key_tokens = key_labels(problem, r.L(), r.L());
    const auto add = [&](const char* name, Tensor value, const std::vector<Axis>& axes, StageRole role,
                         Message operation, std::string formula) {
        control.checkpoint();
        trace.stages.push_back({name, std::move(value), axes, role, std::move(operation), std::move(formula)});
    };
    add("query", given.query, query_axes, StageRole::Input, {}, "Q");
    add("key", given.key, key_axes, StageRole::Input, {}, "K");
    add("value", given.value, key_axes, StageRole::Input, {}, "V");
    const auto score = dot_product();
    add("scores", all_scores(score, r.query, r.key, control.part(0.0, 0.1)), cell_axes, StageRole::Step,
        normalised_operation(mode.row_norm, score.operation), score.formula);
    record_scores(trace, r, mode.row_norm == RowNorm::None);
    Tensor decay;
    if (r.has_decay_of_heads()) {
        decay = decay_of(r, control.part(0.1, 0.2));
        add("decay", decay, cell_axes, StageRole::Step, {ATTNLAB_TEXT("how much is kept from j to i")},
            "D_ij = Π_l f_l, l = j+1 … i");
    }
    add("blocked", unread_cells(r), cell_axes, StageRole::Mask, {ATTNLAB_TEXT("which cells are blocked")}, "");
    auto weights = matrix_of(r, control.part(0.2, 0.6));
    const auto factors = texts.row_factors ? texts.row_factors(weights, decay) : Tensor();
    if (texts.row_factors)
        multiply_rows(weights, factors);
    const auto operation = mode.operation({r.query.dim(3), r.L()}, scale.parameters);
    add("weights", weights, cell_axes, StageRole::Step,
        r.factor == 1.0 ? texts.weights : Message("%1, %2", {texts.weights, operation}), texts.formula);
    add("output", mixed_by(weights, r, control.part(0.6, 0.7)), query_axes, StageRole::Step, {"× V"},
        "o_i = Σ_j a_ij v_j");
    if (r.H() > 1)
        add("weights_mean", mean_over_heads(weights), {Axis::Batch, Axis::Query, Axis::Key}, StageRole::Summary,
            {ATTNLAB_TEXT("mean over heads")}, "1/H Σ_h a^(h)");
    auto carried = carried_by(r, chunk, control.part(0.7, chunk > 0 ? 0.9 : 1.0));
    if (texts.row_factors)
        multiply_rows(carried.output, factors);
    add_proof(trace, std::move(carried.output), "oₜ = c Sₜᵀ qₜ");
    add("state_norm", std::move(carried.norm), row_axes, StageRole::Summary, {ATTNLAB_TEXT("size of the state")},
        "‖Sₜ‖");
    add("state", std::move(carried.state), state_axes, StageRole::Summary,
        {ATTNLAB_TEXT("the state after the last token")}, texts.state_formula);
    if (chunk > 0) {
        auto by_chunks = output_by_chunks(r, chunk, control.part(0.9, 1.0));
        if (texts.row_factors)
            multiply_rows(by_chunks, factors);
        add("chunk_states", std::move(carried.chunk_states),
            {Axis::Tile, Axis::Batch, Axis::Head, Axis::Feature, Axis::Feature}, StageRole::Summary,
            {ATTNLAB_TEXT("the state after each chunk")}, texts.state_formula);
        trace.measures.push_back({"chunk_difference",
                                  {ATTNLAB_TEXT("largest difference between A V and the output by chunks")},
                                  Measure::Unit::Number,
                                  largest_difference(trace.find("output")->value, by_chunks)});
    }
    if (wants_gradients(problem.spec.parameters))
        add_carried_gradients(trace, problem, r, control);
    trace.notes = notes_on_inputs(trace);
    for (const char* name : {"gate", "log_gate", "beta", "gamma"})
        note_values_of(name, problem, trace.notes);
    note_row_sums(trace);
    add_cost(trace, cost_of(r), exact_cost(given));
    return trace;
}

Mechanism carried_mechanism(Mechanism row) {
    row.family = ATTNLAB_TEXT("With a carried state");
    if (row.parameters.empty())
        row.parameters = carried_parameters;
    row.attention_line = "";
    static constexpr std::string_view padding[] = {"key_padding"};
    row.refuses = {
        .masks = ATTNLAB_TEXT("The state holds all tokens up to the query. A padded token writes nothing in it; "
                              "no other cell can be left out."),
        .but_masks = padding,
        .position = ATTNLAB_TEXT("The state knows no distance but that of its own decay."),
        .scale_after_softmax = ATTNLAB_TEXT("There is no softmax."),
        .scale_of_many_factors = ATTNLAB_TEXT("The output is read from the state with one factor for all "
                                              "scores, which this scale does not have."),
        .statistics = ATTNLAB_TEXT("A row of these weights is no distribution: it may be negative and has any "
                                   "sum."),
        .finite_fill = ATTNLAB_TEXT("A padded token writes nothing in the state.")};
    return row;
}

// Gates and beta.

void check_gates(const ResolvedProblem& problem) {
    check_output_gradient(problem);
    const auto found = problem.tensors.find("log_gate");
    if (found == problem.tensors.end())
        return;
    if (problem.tensors.contains("gate"))
        throw Error(Message(ATTNLAB_TEXT("log_gate: is given beside gate, expected one of the two")));
    const auto values = found->second.values();
    const auto above = std::ranges::find_if(values, [](double value) { return value > 0.0; });
    if (above == values.end())
        return;
    Shape index(found->second.shape().size());
    auto flat = above - values.begin();
    for (auto axis = index.size(); axis-- > 0; flat /= found->second.shape()[axis])
        index[axis] = flat % found->second.shape()[axis];
    throw Error({ATTNLAB_TEXT("log_gate: has %1 at %2, expected the logarithm of a share, at most 0"),
                 {to_text(*above), to_string(index)}});
}

Tensor kept_of(const ResolvedProblem& problem) {
    const auto gate = problem.tensors.find("gate");
    Tensor kept = gate != problem.tensors.end() ? gate->second : problem.tensors.at("log_gate");
    const bool logits = gate != problem.tensors.end();
    for (double& x : kept.mutable_values())
        x = logits ? 1.0 / (1.0 + std::exp(-x)) : std::exp(x);
    return kept;
}

void add_written(Recurrence& recurrence, const ResolvedProblem& problem) {
    if (const auto beta = problem.tensors.find("beta"); beta != problem.tensors.end())
        recurrence.written = beta->second;
}

// Code.

KeptCode kept_code_of_gates(const ResolvedProblem& problem) {
    const bool logits = problem.tensors.contains("gate");
    const bool of_features = problem.tensors.at(logits ? "gate" : "log_gate").rank() == 4;
    const std::string kept = logits ? "-np.log1p(np.exp(-gate))" : "log_gate", rest = of_features ? ", :" : "";
    const std::string index = of_features ? "le" : "l";
    KeptCode code;
    code.of_features = of_features;
    code.python = "total = np.cumsum(" + kept + ", axis=2)\ndecay = total[:, :, :, None" + rest +
                  "] - total[:, :, None, :" + rest + "]\ndecay = np.exp(np.where(" +
                  (of_features ? "(j <= i)[:, :, None]" : "j <= i") + ", decay, -np.inf))\n";
    code.latex = "\\prod_{l=j+1}^{i} f_{" + index + "}<h>";
    code.lines = {{"f_{" + index + "}<h>", logits ? "\\frac{1}{1 + \\exp(-\\mathrm{gate}_{" + index + "}<h>)}"
                                                  : "\\exp \\mathrm{log\\_gate}_{" + index + "}<h>"}};
    return code;
}

namespace {

/// The products of rows with keys and what is kept between them, in NumPy.
std::string products_code(const std::string& rows, const KeptCode& kept) {
    if (kept.of_features)
        return "(" + rows + "[:, :, :, None] * key[:, :, None] * decay).sum(axis=-1)";
    const auto products = rows == "query" ? std::string("scores") : rows + " @ key.swapaxes(-1, -2)";
    return kept.python.empty() ? products : products + " * decay";
}

/// The same for cell (i,j) in LaTeX; `row` is "q", or "k" for keys with keys.
std::string products_latex(const std::string& row, const KeptCode& kept) {
    if (kept.of_features)
        return "\\sum_e <" + row + "_ie> \\, <k_je> " + kept.latex;
    return (row == "q" ? "<q>" : "<k_i>") + std::string(" \\cdot <k>") +
           (kept.latex.empty() ? "" : " \\, " + kept.latex);
}

} // namespace

ScoreCode carried_code(const ResolvedProblem& problem, const KeptCode& kept, bool erases) {
    const bool masked = !problem.spec.masks.empty(), beta = problem.tensors.contains("beta");
    ScoreCode code{"scores = query @ key.swapaxes(-1, -2)\n", "<q> \\cdot <k>"};
    auto& lines = code.own_weights;
    lines = "i = np.arange(query.shape[-2])[:, None]\nj = np.arange(key.shape[-2])\n" + kept.python;
    code.own_lines = kept.lines;
    const auto line = [&](const std::string& left, const std::string& value, const std::string& condition = {},
                          bool of_masks = false) {
        code.own_lines.push_back({left, value, condition, of_masks});
    };
    if (!erases) {
        lines += "products = " + products_code("query", kept) + "\n";
        lines += "weights = np.where(" + std::string(masked ? "(j <= i) & keep" : "j <= i") + ", <products>, 0.0)\n";
        line("a_{ij}<h>", "<c>" + products_latex("q", kept), "j \\le i", true);
    } else {
        const std::string written = beta ? "beta[:, :, None, :]" : "np.ones((1, 1, 1, key.shape[-2]))";
        lines += "written = " + (masked ? "np.where(keep, " + written + ", 0.0)" : written) + "\n";
        lines += "products = np.where(j <= i, " + products_code("query", kept) + ", 0.0)\n";
        lines += "between = np.where(j < i, " + products_code("key", kept) + ", 0.0) * written.swapaxes(-1, -2)\n";
        lines += "weights = <products> @ np.linalg.inv(np.eye(key.shape[-2]) + between) * written\n";
        const std::string b = beta || masked ? "b_i<h> \\, " : "";
        if (!b.empty())
            line("b_j<h>", beta ? "\\mathrm{beta}_j<h>" : "1", {}, true);
        line("p_{ij}<h>", products_latex("q", kept), "j \\le i");
        line("n_{ij}<h>", b + products_latex("k", kept), "j < i");
        line("A<h>", "<c>P<h> \\left( I + N<h> \\right)^{-1}" + std::string(b.empty() ? "" : " \\mathrm{diag}(b<h>)"));
    }
    lines += "output = weights @ value\n";
    return code;
}

} // namespace attnlab
