// Explains a query's weights and output: its row of a trace, operation by operation, from the products of its scores to
// the mixed values. Each line has one number per key.
#pragma once

#include "core/attention.h"
#include "core/tensor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnlab::explain {

/// The operations on a row, in order. Products, RowSum and Mix concern the whole row; all others give a number for each
/// key and are among Row::lines().
enum class Operation {
    Products,    ///< the terms of each score
    Score,       ///< their sum, or the score as the mechanism gives it
    Scale,       ///< scores -> scaled
    Position,    ///< + position_bias
    Bias,        ///< + an additive mask
    Modify,      ///< score_mod
    Mask,        ///< the fill in blocked cells
    Shift,       ///< − the largest of the row
    Exponential, ///< its exponential
    RowSum,      ///< their sum
    Divide,      ///< divided by that sum
    Weights,     ///< the weights where they are not that quotient: scaled after softmax, or by another algorithm
    Dropout,     ///< weights -> weights_dropped
    Mix,         ///< weights times values
};

/// Selects a pass of a trace and one of its matrices.
struct PassPlace {
    std::string prefix; ///< of its stages (see prefix_of); empty for most traces
    int batch = 0;
    int head = 0; ///< query head
    bool operator==(const PassPlace&) const = default;
};

/// True when the pass is complete: scores, scaled, masked, weights and an output made of values, each with batch and
/// head. Attention without a softmax, which has a stage state_output, has no scaled and masked ones.
bool is_whole(const Trace& trace, const PassPlace& place);

/// One number for each key after an operation.
struct Line {
    Operation operation;
    const Stage* stage = nullptr; ///< the stage that contains the row; null for a line between two stages
};

/// One row. Numbers of stages are read exactly; those between two stages (a position, a bias, the shift, the
/// exponentials, their sum) are computed from them and from the record of the trace (see Pass). A trace with weights
/// alone has one line; scores, value and output are explained where present.
///
/// Construction takes linear time in the number of keys and constant memory. value() and part() take constant time.
class Row {
public:
    Row() = default;
    /// Empty where the pass has no weights (B,H,L,S) or no such batch, head or query. `trace` must outlive the row
    /// unchanged.
    Row(const Trace& trace, PassPlace place, std::int64_t query);

    bool empty() const { return !weights_.stage; }
    const PassPlace& place() const { return place_; }
    std::int64_t query() const { return query_; }
    std::int64_t queries() const { return queries_; }
    std::int64_t keys() const { return keys_; }
    const Stage* weights_stage() const { return weights_.stage; }
    const Stage* scores_stage() const { return scores_.stage; } ///< null if absent
    const Stage* output_stage() const { return output_; }       ///< per head where heads are merged; null if absent

    /// In the order of the operations.
    const std::vector<Line>& lines() const { return lines_; }
    /// Null when this row has no such operation.
    const Line* line(Operation operation) const;
    /// The line that an operation starts from; null for the first.
    const Line* before(Operation operation) const;
    /// The line that has the numbers of a stage's row in this pass; null for a stage that is not on the way.
    const Line* line_of(const Stage& stage) const;
    /// NaN where the row has no such line.
    double value(Operation operation, std::int64_t key) const;
    std::vector<double> values(Operation operation) const;

    /// Empty where the score is not a sum of terms.
    std::vector<ScoreTerm> terms(std::int64_t key) const;
    /// The terms are q_c k_c: left and right are the query's and the key's own entries.
    bool has_products() const { return pass_ && pass_->dot_product_scores && pass_->score_terms; }

    /// The summand of Position or Bias; a bias of -inf blocks.
    double added(Operation operation, std::int64_t key) const;

    bool is_blocked(std::int64_t key) const { return blocked_.numbers && blocked_.numbers[key] != 0.0; }
    std::int64_t blocked_keys() const { return blocked_keys_; }
    /// Where the mask blocks exactly the last keys: the last key before them.
    std::optional<std::int64_t> last_kept() const { return last_kept_; }
    /// Every score is -inf: there are no exponentials, and all weights are 0.
    bool is_fully_masked() const { return fully_masked_; }
    /// The number of keys that the mechanism appended.
    std::int64_t appended_keys() const { return pass_ ? pass_->appended_keys : 0; }

    /// As in AttentionSpec; an empty id for softmax, and without a decay.
    std::string_view normaliser() const { return pass_ ? std::string_view(pass_->normaliser.id) : ""; }
    std::string_view decay() const { return pass_ ? std::string_view(pass_->decay.id) : ""; }
    /// True when the softmax of this row is one sum over its keys.
    bool has_row_sum() const { return line(Operation::Exponential) != nullptr; }
    double maximum() const { return maximum_; } ///< NaN where a score is NaN
    double row_sum() const { return sum_; }
    /// The sum of the exponentials of the first `reached` keys; row_sum() for all.
    double row_sum_of(std::int64_t reached) const;
    /// The part of the trace's own sum beyond the exponentials of the keys: a sink. 0 for most.
    double sum_beyond_keys() const { return beyond_keys_; }
    /// Before dropout.
    std::span<const double> weights() const { return {weights_.numbers, static_cast<std::size_t>(keys_)}; }
    double weight_sum() const;
    /// True when the weights sum to 1 except for rounding.
    bool is_distribution() const;

    /// The weight that multiplies the value of a key: after dropout, if any.
    double mixed(std::int64_t key) const { return mixed_.numbers[key]; }
    std::span<const double> mixed() const { return {mixed_.numbers, static_cast<std::size_t>(keys_)}; }
    /// Columns of the values; 0 where the pass has no stage `value` for these keys.
    std::int64_t features() const { return features_; }
    double feature(std::int64_t key, std::int64_t feature) const { return values_[key * features_ + feature]; }
    /// The contribution of a key to a feature of the output: weight times value, or 0 where the value is not read.
    double part(std::int64_t key, std::int64_t feature) const;
    /// Sum of the parts of the first `reached` keys; for all keys the trace's own output, NaN if absent.
    double output(std::int64_t feature, std::int64_t reached) const;
    /// True when the output is the sum of the parts in every feature; false for mechanisms with another algorithm.
    /// Takes linear time in keys times features.
    bool is_mixed() const;
    /// The same for one feature of a stage (.., query, feature) of this pass.
    bool is_mix(const Stage& stage, std::int64_t feature) const;
    /// The number of query heads that share a key and value head; 1 for most.
    std::int64_t heads_of_a_group() const { return group_; }

private:
    struct StageRow {
        const Stage* stage = nullptr;
        const double* numbers = nullptr; ///< keys() numbers
    };

    StageRow row_of(const char* name) const;
    void read_scores();
    void read_masked();
    void read_softmax();
    void read_row_sum(const Stage& lse);
    bool weights_are_shares() const;
    void read_values();
    double exponential(std::int64_t key) const;
    double sum_of_parts(std::int64_t feature, std::int64_t reached) const;
    bool is_read(std::int64_t key) const {
        return softmax_of_.numbers ? softmax_of_.numbers[key] != -infinity : !is_blocked(key);
    }
    void add(Operation operation, const Stage* stage = nullptr) { lines_.push_back({operation, stage}); }

    const Trace* trace_ = nullptr;
    const Pass* pass_ = nullptr;
    PassPlace place_;
    std::int64_t query_ = 0, queries_ = 0, keys_ = 0, features_ = 0, group_ = 1, blocked_keys_ = 0;
    StageRow scores_, scaled_, position_, masked_, modified_, blocked_, weights_, mixed_;
    StageRow softmax_of_;            ///< the last row before the weights
    const double* bias_ = nullptr;   ///< of this row, as recorded
    const double* values_ = nullptr; ///< (keys, features)
    const Stage* output_ = nullptr;
    std::vector<Line> lines_;
    Operation last_sum_ = Operation::Products; ///< Position or Bias: the last line before fills
    std::optional<std::int64_t> last_kept_;
    bool fully_masked_ = false;
    double maximum_ = 0.0, sum_ = 0.0, beyond_keys_ = 0.0;
};

} // namespace attnlab::explain
