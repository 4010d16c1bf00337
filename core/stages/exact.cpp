#include "core/stages/exact.h"

#include "core/mechanisms.h"
#include "core/rounding.h"
#include "core/stages/decay.h"
#include "core/stages/expression_mask.h"
#include "core/stages/gradients.h"
#include "core/stages/mask.h"
#include "core/stages/normaliser.h"
#include "core/stages/notes.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "core/stages/softmax.h"
#include "core/statistics.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>

namespace attnlab {
namespace {

const std::vector<Axis> query_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Feature};
const std::vector<Axis> key_axes = {Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};
const std::vector<Axis> cell_axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
const std::vector<Axis> row_axes = {Axis::Batch, Axis::Head, Axis::Query};

/// Throws before allocation where the pass would not fit into memory.
void require_memory(const ExactInputs& inputs, const AttentionSpec& spec, const RunControl& control) {
    const auto B = inputs.query.dim(0), H = inputs.query.dim(1), L = inputs.query.dim(2), S = inputs.key.dim(2);
    const bool biased = !spec.position.id.empty() && position_term(spec.position.id).bias;
    // scores, scaled, masked, weights, optionally modified, blocked, bias, position_bias and its sum with the bias,
    // cells out of order, decay and its logarithm, weights_dropped; the mean is as large as one head.
    const double matrices = 4.0 + (spec.masks.empty() ? 0.0 : 2.0) + (spec.score_mod.empty() ? 0.0 : 1.0) +
                            (biased ? 2.0 : 0.0) + (implies_order(spec) ? 1.0 : 0.0) +
                            (spec.decay.id.empty() ? 0.0 : 2.0) + (dropout_of(spec.parameters).on() ? 1.0 : 0.0) +
                            1.0 / static_cast<double>(std::max<std::int64_t>(1, H));
    control.require_memory("scores", {B, H, L, S}, matrices);
    control.require_memory(inputs.output_name, {B, H, L, inputs.value.dim(3)}, 1.0);
}

/// The title of what is added or blocked; of several, their ids.
Message mask_operation(const AttentionSpec& spec, bool biased) {
    if (biased && spec.masks.empty())
        return position_term(spec.position.id).title;
    if (!biased && spec.masks.size() == 1)
        return mask_kind(spec.masks.front().id).title;
    std::string names = biased ? spec.position.id : "";
    for (const auto& mask : spec.masks)
        names += (names.empty() ? "" : " + ") + mask.id;
    return names.empty() ? Message(ATTNLAB_TEXT("no mask")) : Message("%1", {names});
}

std::string mask_formula(const AttentionSpec& spec, bool biased) {
    const bool modified = !spec.score_mod.empty();
    const std::string open = modified ? "modified_ij" : biased ? "scaled_ij + position_bias_ij" : "scaled_ij";
    if (spec.masks.empty())
        return modified ? "m = modified" : biased ? "m_ij = " + open : "m = scaled";
    const auto fill = spec.mask_fill.value == -infinity ? std::string("−∞") : to_text(spec.mask_fill.value);
    return spec.mask_fill.mode == MaskFill::Mode::Replace ? "m_ij = " + fill + " where blocked, else " + open
                                                          : "m_ij = " + open + " + " + fill + " where blocked";
}

/// Cells (B,H,L,S) extended by the appended keys, where they are 0: masks let these keys through, and they have no
/// position.
Tensor with_appended(const Tensor& cells, std::int64_t appended) {
    if (appended == 0 || cells.size() == 0)
        return cells;
    auto shape = cells.shape();
    const auto keys = shape.back();
    shape.back() += appended;
    Tensor wide(shape, 0.0, cells.dtype());
    const auto out = wide.mutable_values();
    for (std::int64_t row = 0; row < cells.size() / std::max<std::int64_t>(1, keys); ++row)
        for (std::int64_t j = 0; j < keys; ++j)
            out[static_cast<std::size_t>(row * shape.back() + j)] = cells.data()[row * keys + j];
    return wide;
}

/// True where either is; shape (0) is all False.
Tensor either(const Tensor& a, const Tensor& b) {
    if (a.size() == 0 || b.size() == 0)
        return a.size() == 0 ? b : a;
    Tensor both = a;
    const auto out = both.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = out[k] != 0.0 || b.values()[k] != 0.0 ? 1.0 : 0.0;
    return both;
}

/// The sum; shape (0) is all 0.
Tensor sum_of(const Tensor& a, const Tensor& b) {
    if (a.size() == 0 || b.size() == 0)
        return a.size() == 0 ? b : a;
    Tensor both = a;
    const auto out = both.mutable_values();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] += b.values()[k];
    return both;
}

/// True when a constant along a row of scores is still constant after the scale. False where each row has its own
/// divisor, or where a curve maps each score.
bool keeps_row_constants(const Selection& scale) { return !scale_mode(scale.id).cell && !code_of(scale).norm_of_rows; }

Note decoupled_note() {
    return {
        Note::Severity::Info,
        {ATTNLAB_TEXT("Decoupled: the query adds the same number to its whole row of scores, which softmax cancels. "
                      "Queries that may read the same keys get the same weights")}};
}

} // namespace

std::vector<std::string> key_labels(const ResolvedProblem& problem, std::int64_t queries, std::int64_t keys,
                                    std::int64_t appended) {
    const bool same = problem.key_tokens.empty() && queries == keys;
    auto labels = same ? problem.query_tokens : problem.key_tokens;
    if (labels.empty() && appended == 0)
        return labels;
    for (auto j = static_cast<std::int64_t>(labels.size()); j < keys; ++j)
        labels.push_back(std::to_string(j));
    labels.resize(static_cast<std::size_t>(keys));
    for (std::int64_t extra = 0; extra < appended; ++extra)
        labels.push_back("+" + std::to_string(extra + 1));
    return labels;
}

Tensor mix_values(const Tensor& weights, const Tensor& value, const RunControl& control, const Tensor* masked) {
    const auto B = weights.dim(0), H = weights.dim(1), L = weights.dim(2), S = weights.dim(3), Ev = value.dim(3);
    const auto group = H / value.dim(1);
    Tensor output({B, H, L, Ev});
    if (output.size() == 0)
        return output;
    const auto out = output.mutable_values();
    for (std::int64_t b = 0; b < B; ++b) {
        for (std::int64_t h = 0; h < H; ++h) {
            const auto a = matrix_at(weights, b * H + h);
            const auto v = matrix_at(value, b * value.dim(1) + h / group);
            for (std::int64_t i = 0; i < L; ++i) {
                control.checkpoint();
                const auto row =
                    out.subspan(static_cast<std::size_t>(((b * H + h) * L + i) * Ev), static_cast<std::size_t>(Ev));
                const double* scores = masked ? masked->data() + ((b * H + h) * L + i) * S : nullptr;
                for (std::int64_t j = 0; j < S; ++j)
                    for (std::int64_t c = 0; c < Ev && !(scores && scores[j] == -infinity); ++c)
                        row[static_cast<std::size_t>(c)] += a(i, j) * v(j, c);
            }
            control.report(0.5 + 0.5 * static_cast<double>(b * H + h + 1) / static_cast<double>(B * H));
        }
    }
    return output;
}

Tensor mean_over_heads(const Tensor& weights) {
    const auto B = weights.dim(0), H = weights.dim(1), L = weights.dim(2), S = weights.dim(3);
    Tensor mean({B, L, S});
    if (mean.size() == 0)
        return mean;
    const auto out = mean.mutable_values();
    const auto cells = static_cast<std::size_t>(L * S);
    for (std::int64_t b = 0; b < B; ++b) {
        const auto into = out.subspan(static_cast<std::size_t>(b) * cells, cells);
        for (std::int64_t h = 0; h < H; ++h) {
            const auto head = weights.values().subspan(static_cast<std::size_t>(b * H + h) * cells, cells);
            for (std::size_t k = 0; k < cells; ++k)
                into[k] += head[k] / static_cast<double>(H);
        }
    }
    return mean;
}

namespace {

/// Of weights that are the shares of a normaliser times the same factor in a row.
RowStatistics statistics_of_scaled(std::span<const double> weights) {
    auto result = row_statistics(weights);
    if (result.sum == 0.0 || !std::isfinite(result.sum))
        return result;
    std::vector<double> shares(weights.begin(), weights.end());
    for (double& share : shares)
        share /= result.sum;
    const auto of_shares = row_statistics(shares);
    result.entropy = of_shares.entropy;
    result.effective_keys = of_shares.effective_keys;
    result.jacobian_norm = std::abs(result.sum) * of_shares.jacobian_norm;
    return result;
}

} // namespace

void add_statistics(Trace& trace, const Tensor& weights, const Selection& normaliser, const Tensor* masked,
                    bool are_scaled) {
    Shape rows = weights.shape();
    const auto columns = static_cast<std::size_t>(rows.back());
    rows.pop_back();
    Tensor entropy(rows), effective(rows), largest(rows), jacobian(rows), sum(rows), support(rows);
    for (std::size_t row = 0; row < static_cast<std::size_t>(entropy.size()); ++row) {
        const auto of_row = [&](const Tensor& cells) { return cells.values().subspan(row * columns, columns); };
        const auto s = masked       ? statistics_of(of_row(weights), of_row(*masked), normaliser, are_scaled)
                       : are_scaled ? statistics_of_scaled(of_row(weights))
                                    : row_statistics(of_row(weights));
        entropy.mutable_values()[row] = s.entropy;
        effective.mutable_values()[row] = s.effective_keys;
        largest.mutable_values()[row] = s.max_weight;
        jacobian.mutable_values()[row] = s.jacobian_norm;
        sum.mutable_values()[row] = s.sum;
        support.mutable_values()[row] = s.support;
    }
    const auto add = [&](const char* name, Tensor value, Message operation, const char* formula) {
        trace.stages.push_back({name, std::move(value), row_axes, StageRole::Summary, std::move(operation), formula});
    };
    add("row_sum", sum, {ATTNLAB_TEXT("sum of the row")}, "Σ_j a_ij");
    add("support", support, {ATTNLAB_TEXT("weights that are not 0")}, "|{j : a_ij ≠ 0}|");
    const bool are_shares_of_1 = !masked && !are_scaled;
    add("entropy", entropy, {ATTNLAB_TEXT("entropy in nats")},
        are_shares_of_1 ? "H_i = −Σ_j a_ij log a_ij" : "H_i = −Σ_j p_ij log p_ij, p_ij = a_ij / Σ_k a_ik");
    add("effective_keys", effective, {ATTNLAB_TEXT("effective keys")}, "exp(H_i)");
    add("max_weight", largest, {ATTNLAB_TEXT("largest weight")}, "max_j a_ij");
    if (masked)
        add("jacobian_norm", jacobian, {ATTNLAB_TEXT("slope of the normaliser")}, "‖∂a_i / ∂m_i‖");
    else
        add("jacobian_norm", jacobian, {ATTNLAB_TEXT("slope of softmax")},
            are_scaled ? "‖∂a_i / ∂m_i‖" : "‖diag(a_i) − a_i a_iᵀ‖");
}

namespace {

ExactInputs with_rounded_rows(ExactInputs inputs, const AttentionSpec& spec) {
    if (rounds(spec.rounding, Rounding::Where::Inputs))
        for (auto* rows : {&inputs.query, &inputs.key, &inputs.value})
            *rows = rounded(*rows, spec.rounding->format);
    return inputs;
}

/// One run of the pass; each member function adds its stages to the trace.
class ExactPass {
public:
    ExactPass(const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
              const RunControl& control)
        : problem_(problem), spec_(problem.spec), inputs_(with_rounded_rows(inputs, problem.spec)), score_(score),
          control_(control), scale_(problem.spec.scale), mode_(scale_mode(scale_.id)),
          position_(problem.spec.position), sizes_{inputs.query.dim(3), inputs.key.dim(2)},
          scale_operation_(mode_.operation(sizes_, scale_.parameters)) {}

    Trace run() {
        trace_.query_tokens = problem_.query_tokens;
        trace_.key_tokens = key_labels(problem_, inputs_.query.dim(2), inputs_.key.dim(2) - inputs_.appended_keys,
                                       inputs_.appended_keys);
        add("query", inputs_.query, query_axes, StageRole::Input, {}, "Q");
        add("key", inputs_.key, key_axes, StageRole::Input, {}, "K");
        add("value", inputs_.value, key_axes, StageRole::Input, {}, "V");
        const auto scores = add_scores();
        const auto scaled = add_scaled(scores);
        const auto masked = add_masked(scaled);
        const auto made = add_weights(masked);
        add_output(made, masked);
        if (wants_gradients(spec_.parameters)) {
            const auto& given = inputs_.grad_output;
            const auto shape = trace_.stages.back().value.shape();
            add_gradients(trace_, problem_, score_, given.rank() == 4 ? given : output_gradient(problem_, shape),
                          control_);
        }
        if (spec_.statistics)
            add_statistics(trace_, made.weights, spec_.normaliser,
                           spec_.normaliser.id.empty() && spec_.decay.id.empty() ? nullptr : &masked,
                           spec_.scale_after_softmax && spec_.decay.id.empty());
        trace_.notes = notes_on(trace_, spec_);
        if (spec_.rounding)
            trace_.notes.push_back(note_of(*spec_.rounding));
        trace_.rounding = spec_.rounding;
        if (score_.decoupled && keeps_row_constants(scale_) && !trace_.find("position_bias"))
            trace_.notes.insert(trace_.notes.begin(), decoupled_note());
        return std::move(trace_);
    }

private:
    void add(std::string name, const Tensor& value, const std::vector<Axis>& axes, StageRole role, Message operation,
             std::string formula) {
        control_.checkpoint();
        trace_.stages.push_back({std::move(name), value, axes, role, std::move(operation), std::move(formula)});
    }

    Pass& pass() { return trace_.passes[""]; }

    /// The numbers as stored in the spec's format.
    Tensor stored(Tensor numbers, Rounding::Where where) const {
        if (rounds(spec_.rounding, where))
            return rounded(numbers, spec_.rounding->format);
        return numbers;
    }

    PositionContext positions() const {
        return {inputs_.query.dim(0), inputs_.query.dim(1),
                inputs_.query.dim(2), inputs_.key.dim(2) - inputs_.appended_keys,
                inputs_.query.dim(3), inputs_.key.dim(3)};
    }

    /// Rotates rows by their position, if the spec's position does so.
    void add_rotated(Tensor& query, Tensor& key) {
        if (position_.id.empty() || !position_term(position_.id).rotate)
            return;
        check_position(problem_, positions());
        query = rotated_rows(query, position_, position_offsets(problem_));
        key = rotated_rows(key, position_, QueryOffsets(0), inputs_.appended_keys);
        const Message operation(ATTNLAB_TEXT("turned by its position"));
        add("rotated_query", query, query_axes, StageRole::Input, operation, "R(i) q_i");
        add("rotated_key", key, key_axes, StageRole::Input, operation, "R(j) k_j");
    }

    Tensor add_scores() {
        auto [query, key] = prepared_rows(mode_, inputs_.query, inputs_.key, problem_.tensors);
        add_rotated(query, key);
        if (score_.prepare_query)
            query = score_.prepare_query(query, control_);
        if (score_.prepare_key)
            key = score_.prepare_key(key, control_);
        auto scores = stored(all_scores(score_, query, key, control_), Rounding::Where::Scores);
        add("scores", scores, cell_axes, StageRole::Step, normalised_operation(mode_.row_norm, score_.operation),
            score_.formula);
        pass().appended_keys = inputs_.appended_keys;
        pass().dot_product_scores = score_.plain_dot_product;
        if (score_.terms) {
            // Init captures, since clang 14 cannot capture structured bindings.
            pass().score_terms = [query = query, key = key, terms = score_.terms](std::int64_t b, std::int64_t h,
                                                                                  std::int64_t i, std::int64_t j) {
                const auto group = query.dim(1) / key.dim(1);
                return terms(matrix_at(query, b * query.dim(1) + h).row(i),
                             matrix_at(key, b * key.dim(1) + h / group).row(j));
            };
        }
        return scores;
    }

    Tensor add_scaled(const Tensor& scores) {
        const bool after = spec_.scale_after_softmax;
        auto scaled = after ? scores : stored(apply_scale(scores, scale_, sizes_), Rounding::Where::Scores);
        add("scaled", scaled, cell_axes, StageRole::Step, after ? Message(ATTNLAB_TEXT("as is")) : scale_operation_,
            after ? "s" : std::string(mode_.formula));
        trace_.stages.back().operation_follows = !after && mode_.operation_follows;
        return scaled;
    }

    Tensor add_masked(const Tensor& scaled) {
        const auto blocked = blocked_cells(problem_, control_);
        const auto by_position = position_bias(problem_, positions());
        const bool biased = by_position.size() > 0;
        if (biased)
            add("position_bias", with_appended(by_position, inputs_.appended_keys), cell_axes, StageRole::Input,
                Message("%1", {position_.id}), std::string(position_term(position_.id).rule));
        pass().bias = attention_bias(problem_);
        add_decay();
        auto bias = sum_of(by_position, pass().bias);
        auto open = scaled;
        if (!spec_.score_mod.empty()) {
            open = add_modified(scaled, bias);
            bias = Tensor();
        }
        const auto unread = either(cells_out_of_order(problem_, inputs_.appended_keys, control_), inputs_.unread);
        const auto closed = either(with_appended(blocked, inputs_.appended_keys), unread);
        if (closed.size() > 0)
            add("blocked", closed, cell_axes, StageRole::Mask, {ATTNLAB_TEXT("which cells are blocked")}, "");
        auto masked = apply_masks(open, bias, blocked, spec_.mask_fill, inputs_.appended_keys);
        if (unread.size() > 0)
            masked = apply_masks(masked, Tensor(), unread, MaskFill{});
        masked = stored(std::move(masked), Rounding::Where::Scores);
        add("masked", masked, cell_axes, StageRole::Step, mask_operation(spec_, biased), mask_formula(spec_, biased));
        return masked;
    }

    /// The stage `decay`; where its logarithm is added to the scores, it becomes a part of the bias.
    void add_decay() {
        pass().normaliser = spec_.normaliser;
        pass().decay = spec_.decay;
        if (spec_.decay.id.empty())
            return;
        const auto& row = decay_of(spec_.decay.id);
        auto [factor, logarithm] = decay_cells(problem_, inputs_.appended_keys, control_);
        decay_ = std::move(factor);
        if (!row.multiplies_weights)
            pass().bias = sum_of(pass().bias, logarithm);
        add("decay", decay_, cell_axes, StageRole::Input, {row.title}, std::string(row.rule));
    }

    /// score_mod on the scores with all that is added to them.
    Tensor add_modified(const Tensor& scaled, const Tensor& bias) {
        const auto appended = inputs_.appended_keys;
        auto modified =
            modified_scores(problem_, apply_masks(scaled, bias, Tensor(), MaskFill{}, appended), appended, control_);
        modified = stored(std::move(modified), Rounding::Where::Scores);
        add("modified", modified, cell_axes, StageRole::Step, {"score_mod"}, spec_.score_mod);
        return modified;
    }

    Attended attended(const Tensor& masked) const {
        if (inputs_.attend)
            return inputs_.attend(masked, control_);
        const auto& normaliser = normaliser_of(spec_.normaliser);
        auto [weights, numbers] = normalised_rows(masked, spec_.normaliser, control_);
        Attended made{
            .weights = std::move(weights), .operation = {normaliser.title}, .formula = std::string(normaliser.formula)};
        (normaliser.number == RowNumber::Threshold ? made.threshold : made.lse) = std::move(numbers);
        return made;
    }

    /// A decay that multiplies weights.
    void decay_weights(Attended& made) const {
        if (spec_.decay.id.empty() || !decay_of(spec_.decay.id).multiplies_weights)
            return;
        const auto values = made.weights.mutable_values();
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] *= decay_.values()[k];
        made.operation = {ATTNLAB_TEXT("%1, × decay"), {made.operation}};
        made.formula += " · decay_ij";
    }

    Attended add_weights(const Tensor& masked) {
        auto made = attended(masked);
        const bool after = spec_.scale_after_softmax;
        decay_weights(made);
        if (after) {
            made.weights = apply_scale(made.weights, scale_, sizes_);
            if (made.output)
                made.output = apply_scale(*made.output, scale_, sizes_);
        }
        for (auto& stage : made.stages) {
            control_.checkpoint();
            trace_.stages.push_back(std::move(stage));
        }
        made.weights = stored(std::move(made.weights), Rounding::Where::Weights);
        const auto& weights = made.weights;
        add("weights", weights, cell_axes, StageRole::Step,
            after ? Message(ATTNLAB_TEXT("%1, then %2"), {made.operation, scale_operation_}) : made.operation,
            after ? "a_ij = scale(" + made.formula.substr(made.formula.find("= ") + 2) + ")" : made.formula);
        if (made.lse)
            add("lse", *made.lse, row_axes, StageRole::Summary, {"log Σ exp"},
                std::string(normaliser_of(spec_.normaliser).number_formula));
        if (made.threshold)
            add("threshold", *made.threshold, row_axes, StageRole::Summary, {ATTNLAB_TEXT("threshold τ")},
                std::string(normaliser_of(spec_.normaliser).number_formula));
        if (inputs_.always_mean || weights.dim(1) > 1)
            add("weights_mean", mean_over_heads(weights), {Axis::Batch, Axis::Query, Axis::Key}, StageRole::Summary,
                {ATTNLAB_TEXT("mean over heads")}, "1/H Σ_h a^(h)");
        return made;
    }

    void add_output(const Attended& made, const Tensor& masked) {
        auto mixed = made.weights;
        if (const auto dropout = dropout_of(spec_.parameters); dropout.on()) {
            control_.checkpoint();
            auto stage = dropped_stage(mixed, dropout);
            mixed = stage.value = stored(std::move(stage.value), Rounding::Where::Weights);
            trace_.stages.push_back(std::move(stage));
        }
        const auto output = made.output ? *made.output : mix_values(mixed, inputs_.value, control_, &masked);
        add(inputs_.output_name, stored(output, Rounding::Where::All), query_axes, StageRole::Step, {"× V"},
            "o_i = Σ_j a_ij v_j");
    }

    const ResolvedProblem& problem_;
    const AttentionSpec& spec_;
    const ExactInputs inputs_;
    const ScoreFunction& score_;
    const RunControl& control_;
    const Selection& scale_;
    const ScaleMode& mode_;
    const Selection& position_;
    const ScaleContext sizes_;
    const Message scale_operation_;
    Tensor decay_;
    Trace trace_;
};

} // namespace

Trace exact_attention(const ResolvedProblem& problem, const ExactInputs& inputs, const ScoreFunction& score,
                      const RunControl& control) {
    require_memory(inputs, problem.spec, control);
    return ExactPass(problem, inputs, score, control).run();
}

} // namespace attnlab
