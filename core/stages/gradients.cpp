#include "core/stages/gradients.h"

#include "core/stages/decay.h"
#include "core/stages/expression_mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace attnlab {
namespace {

const std::vector<Axis> query_row_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_row_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
const std::vector<Axis> score_cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};

double dot_of(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c)
        sum += a[c] * b[c];
    return sum;
}

void add_times(std::span<double> sum, double factor, std::span<const double> row) {
    for (std::size_t c = 0; c < sum.size(); ++c)
        sum[c] += factor * row[c];
}

/// The derivative of `scaled` with respect to its score.
double slope_of(const Selection& scale, const ScaleContext& sizes, double score) {
    const auto& mode = scale_mode(scale.id);
    return mode.factor ? mode.factor(sizes, scale.parameters) : mode.slope(score, sizes, scale.parameters);
}

/// Undoes rotated_rows(): a rotation's transpose turns the other way.
Tensor turned_back(Tensor rows, const Selection& position, const QueryOffsets& first, std::int64_t appended) {
    const auto& term = position_term(position.id);
    const auto n = rows.dim(2), E = rows.dim(3);
    const auto values = rows.mutable_values();
    for (std::int64_t head = 0; head < rows.dim(0) * rows.dim(1); ++head)
        for (std::int64_t i = 0; i < n - appended; ++i)
            term.rotate(values.subspan(static_cast<std::size_t>((head * n + i) * E), static_cast<std::size_t>(E)),
                        -(first.of(head / rows.dim(1)) + i), position.parameters);
    return rows;
}

/// The forward stages of a pass, and the gradients as they are made.
class Backward {
public:
    Backward(const Trace& trace, const ResolvedProblem& problem, const ScoreFunction& score, const Tensor& upstream,
             const RunControl& control)
        : problem_(problem), spec_(problem.spec), score_(score), control_(control),
          query_(compared(trace, "query", score.prepare_query)), key_(compared(trace, "key", score.prepare_key)),
          value_(trace.find("value")->value), scores_(trace.find("scores")->value),
          masked_(trace.find("masked")->value), weights_(trace.find("weights")->value), blocked_(trace.find("blocked")),
          position_bias_(trace.find("position_bias")), decay_(trace.find("decay")),
          scaled_(trace.find("scaled")->value), bias_(trace.pass().bias), appended_(trace.pass().appended_keys),
          upstream_(upstream), dropout_(dropout_of(spec_.parameters)), B_(weights_.dim(0)), H_(weights_.dim(1)),
          L_(weights_.dim(2)), S_(weights_.dim(3)),
          group_(H_ / key_.dim(1)), sizes_{trace.find("query")->value.dim(3), S_}, by_weights_(weights_.shape()),
          by_masked_(weights_.shape()), by_scores_(weights_.shape()), by_query_(query_.shape()), by_key_(key_.shape()),
          by_value_(value_.shape()) {}

    void run() {
        if (!spec_.score_mod.empty())
            score_mod_ = bound_score_mod(problem_);
        if (dropout_.on())
            kept_ = kept_weights(weights_.shape(), dropout_);
        // Obtained once: each call of mutable_values checks whether the storage is shared.
        weights_out_ = by_weights_.mutable_values();
        masked_out_ = by_masked_.mutable_values();
        scores_out_ = by_scores_.mutable_values();
        query_out_ = by_query_.mutable_values();
        key_out_ = by_key_.mutable_values();
        value_out_ = by_value_.mutable_values();
        for (std::int64_t head = 0; head < B_ * H_; ++head)
            for (std::int64_t i = 0; i < L_; ++i) {
                control_.checkpoint();
                row(head, i);
            }
    }

    void add_to(Trace& trace, const std::string& output_name, std::int64_t appended) {
        const auto add = [&](const std::string& name, const Tensor& value, const std::vector<Axis>& axes,
                             const char* operation, const char* formula) {
            trace.stages.push_back({"grad_" + name, value, axes, StageRole::Step, {operation}, formula});
        };
        add(output_name, upstream_, query_row_axes, ATTNLAB_TEXT("gradient of the output"), "∂ℓ/∂o_i");
        add("value", by_value_, key_row_axes, ATTNLAB_TEXT("gradient of the values"), "∂ℓ/∂v_j = Σ_i a_ij ∂ℓ/∂o_i");
        add("weights", by_weights_, score_cell_axes, ATTNLAB_TEXT("gradient of the weights"),
            "∂ℓ/∂a_ij = ∂ℓ/∂o_i · v_j");
        const bool softmax = spec_.normaliser.id.empty();
        add("masked", by_masked_, score_cell_axes,
            softmax ? ATTNLAB_TEXT("back through softmax") : ATTNLAB_TEXT("back through the normaliser"),
            softmax ? "∂ℓ/∂m_ij = a_ij (∂ℓ/∂a_ij − Σ_k a_ik ∂ℓ/∂a_ik)" : "∂ℓ/∂m_ij = Σ_k ∂ℓ/∂a_ik ∂a_ik/∂m_ij");
        add("scores", by_scores_, score_cell_axes, ATTNLAB_TEXT("back through mask and scale"),
            "∂ℓ/∂s_ij = ∂ℓ/∂m_ij · ∂m_ij/∂s_ij");
        const bool turns = trace.find("rotated_query") != nullptr;
        const auto& position = spec_.position;
        const auto& mode = scale_mode(spec_.scale.id);
        auto query = score_.back_query ? score_.back_query(by_query_, control_) : by_query_;
        auto key = score_.back_key ? score_.back_key(by_key_, control_) : by_key_;
        if (turns) {
            query = turned_back(std::move(query), position, position_offsets(problem_), 0);
            key = turned_back(std::move(key), position, QueryOffsets(0), appended);
        }
        query = gradient_of_rows(std::move(query), mode, trace.find("query")->value, "query_gain", problem_.tensors);
        key = gradient_of_rows(std::move(key), mode, trace.find("key")->value, "key_gain", problem_.tensors);
        const bool plain = score_.plain_dot_product && mode.row_norm == RowNorm::None;
        add("query", query, query_row_axes, ATTNLAB_TEXT("gradient of the queries"),
            plain ? "∂ℓ/∂q_i = Σ_j ∂ℓ/∂s_ij k_j" : "∂ℓ/∂q_i = Σ_j ∂ℓ/∂s_ij ∂s_ij/∂q_i");
        add("key", key, key_row_axes, ATTNLAB_TEXT("gradient of the keys"),
            plain ? "∂ℓ/∂k_j = Σ_i ∂ℓ/∂s_ij q_i" : "∂ℓ/∂k_j = Σ_i ∂ℓ/∂s_ij ∂s_ij/∂k_j");
    }

private:
    /// The rows that the score function got.
    Tensor compared(const Trace& trace, const std::string& name,
                    const std::function<Tensor(const Tensor&, const RunControl&)>& prepare) const {
        const Stage* rotated = trace.find("rotated_" + name);
        auto rows = rotated ? rotated->value : prepared(trace, name);
        return prepare ? prepare(rows, control_) : rows;
    }

    Tensor prepared(const Trace& trace, const std::string& name) const {
        const auto rows = prepared_rows(scale_mode(spec_.scale.id), trace.find("query")->value,
                                        trace.find("key")->value, problem_.tensors);
        return name == "query" ? rows.query : rows.key;
    }

    std::span<double> row_of(std::span<double> rows, std::int64_t row, std::int64_t width) const {
        return rows.subspan(static_cast<std::size_t>(row * width), static_cast<std::size_t>(width));
    }

    double dropout_factor(std::int64_t cell) const {
        return dropout_.on() ? kept_.data()[cell] / (1.0 - dropout_.rate) : 1.0;
    }

    bool replaced(std::int64_t cell) const {
        return blocked_ && blocked_->value.data()[cell] != 0.0 && spec_.mask_fill.mode == MaskFill::Mode::Replace;
    }

    /// Of a modified score with respect to the scaled one; 1 without score_mod and for appended keys.
    double slope_of_score_mod(std::int64_t head, std::int64_t i, std::int64_t j) const {
        if (!score_mod_ || j >= S_ - appended_)
            return 1.0;
        const auto cell = (head * L_ + i) * S_ + j;
        double score = scaled_.data()[cell];
        if (position_bias_)
            score = shifted(score, position_bias_->value.data()[cell]);
        if (bias_.size() > 0)
            score = shifted(score, bias_.data()[(head * L_ + i) * (S_ - appended_) + j]);
        return score_mod_->number_with_slope({.b = head / H_, .h = head % H_, .i = i, .j = j, .score = score}).slope;
    }

    void row(std::int64_t head, std::int64_t i) {
        const auto b = head / H_, h = head % H_;
        const auto key_head = b * key_.dim(1) + h / group_;
        const auto first = (head * L_ + i) * S_;
        const auto given = matrix_at(upstream_, head).row(i);
        const auto v = matrix_at(value_, key_head);
        for (std::int64_t j = 0; j < S_; ++j) {
            const auto cell = first + j;
            const double weight = weights_.data()[cell], dropping = dropout_factor(cell);
            const double slope = dropping == 0.0 ? 0.0 : dropping * dot_of(given, v.row(j));
            weights_out_[static_cast<std::size_t>(cell)] = slope;
            if (masked_.data()[cell] == -infinity)
                continue;
            add_times(row_of(value_out_, key_head * S_ + j, value_.dim(3)), weight * dropping, given);
        }
        back_through_normaliser(first);
        for (std::int64_t j = 0; j < S_; ++j)
            if (masked_.data()[first + j] != -infinity)
                cell(head, i, j, key_head);
    }

    /// masked_out_ of a row from weights_out_.
    void back_through_normaliser(std::int64_t first) {
        const auto of_row = [&](auto cells) {
            return cells.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(S_));
        };
        const auto& normaliser = normaliser_of(spec_.normaliser);
        const auto& parameters = spec_.normaliser.parameters;
        const auto z = of_row(masked_.values());
        const auto& decay = spec_.decay.id;
        const bool decays = !decay.empty() && decay_of(decay).multiplies_weights;
        if (!spec_.scale_after_softmax && !decays)
            return normaliser.back(z, of_row(weights_.values()), of_row(weights_out_), of_row(masked_out_), parameters);
        // `weights` is the normaliser's result times the scale and the decay.
        const double after = spec_.scale_after_softmax ? slope_of(spec_.scale, sizes_, 0.0) : 1.0;
        const auto fading = decays ? of_row(decay_->value.values()) : std::span<const double>();
        std::vector<double> weights(z.size()), by_weights(z.size());
        normaliser.weigh(z, weights, parameters);
        for (std::size_t j = 0; j < by_weights.size(); ++j)
            by_weights[j] = after * (decays ? fading[j] : 1.0) * of_row(weights_out_)[j];
        normaliser.back(z, weights, by_weights, of_row(masked_out_), parameters);
    }

    void cell(std::int64_t head, std::int64_t i, std::int64_t j, std::int64_t key_head) {
        const auto at = (head * L_ + i) * S_ + j;
        const auto index = static_cast<std::size_t>(at);
        const double by_masked = masked_out_[index];
        if (replaced(at))
            return;
        const double by_scaled = by_masked == 0.0 ? 0.0 : by_masked * slope_of_score_mod(head, i, j);
        const double scale = spec_.scale_after_softmax ? 1.0 : slope_of(spec_.scale, sizes_, scores_.data()[at]);
        const double by_score = scores_out_[index] = by_scaled * scale;
        if (by_score == 0.0)
            return; // also where the other row is infinite
        score_.add_slopes(by_score, matrix_at(query_, head).row(i), matrix_at(key_, key_head).row(j),
                          row_of(query_out_, head * L_ + i, query_.dim(3)),
                          row_of(key_out_, key_head * S_ + j, key_.dim(3)));
    }

    const ResolvedProblem& problem_;
    const AttentionSpec& spec_;
    const ScoreFunction& score_;
    const RunControl& control_;
    const Tensor query_, key_, value_, scores_, masked_, weights_;
    const Stage* const blocked_;
    const Stage* const position_bias_;
    const Stage* const decay_;
    const Tensor scaled_, bias_;
    const std::int64_t appended_;
    const Tensor upstream_;
    const Dropout dropout_;
    const std::int64_t B_, H_, L_, S_, group_;
    const ScaleContext sizes_;
    std::optional<BoundExpression> score_mod_;
    Tensor kept_;
    Tensor by_weights_, by_masked_, by_scores_, by_query_, by_key_, by_value_;
    std::span<double> weights_out_, masked_out_, scores_out_, query_out_, key_out_, value_out_;
};

} // namespace

bool wants_gradients(const ParameterValues& parameters) {
    return parameters.find("gradients") && parameters.boolean("gradients");
}

void check_gradients(const AttentionSpec& spec) {
    if (!wants_gradients(spec.parameters))
        return;
    if (const auto& mode = scale_mode(spec.scale.id); !(mode.factor || mode.slope))
        throw Error({ATTNLAB_TEXT("%1: gradients with the scale %2 are not possible, expected one that maps each score "
                                  "by itself"),
                     {spec.variant, spec.scale.id}});
    if (!normaliser_of(spec.normaliser).back)
        throw Error({ATTNLAB_TEXT("%1: gradients with the normaliser %2 are not possible, expected another one"),
                     {spec.variant, spec.normaliser.id}});
    if (spec.rounding)
        throw Error(
            {ATTNLAB_TEXT("%1: gradients with rounding are not possible: rounding has no slope"), {spec.variant}});
}

Tensor output_gradient(const ResolvedProblem& problem, const Shape& output) {
    const auto found = problem.tensors.find("grad_output");
    if (found == problem.tensors.end())
        return Tensor(output, 1.0);
    return found->second.reshaped(output);
}

void add_gradients(Trace& trace, const ResolvedProblem& problem, const ScoreFunction& score, const Tensor& upstream,
                   const RunControl& control) {
    const auto& weights = trace.find("weights")->value;
    control.require_memory("grad_weights", weights.shape(), dropout_of(problem.spec.parameters).on() ? 4.0 : 3.0);
    const auto output_name = trace.stages.back().name;
    Backward backward(trace, problem, score, upstream, control);
    backward.run();
    backward.add_to(trace, output_name, trace.pass().appended_keys);
}

} // namespace attnlab
