// Why a query's weights and output are what they are: its row of a trace, operation by operation, from the products of
// its scores to the mixed values. What is one number here is the number of one key.
#pragma once

#include "core/attention.h"
#include "core/infinity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnlab::explain {

/// What happens to a row, in this order. Products, RowSum and Mix are of the whole row; all others make a number for
/// each key and are among Row::lines().
enum class Operation {
    Products,    ///< the terms of each score
    Score,       ///< their sum, or the score as the mechanism gives it
    Scale,       ///< scores -> scaled
    Position,    ///< + position_bias
    Bias,        ///< + an additive mask
    Mask,        ///< the fill in blocked cells
    Shift,       ///< − the largest of the row
    Exponential, ///< its exponential
    RowSum,      ///< their sum
    Divide,      ///< over that sum
    Weights, ///< the weights where they are not that share: scaled after softmax, or made by a schedule of their own
    Dropout, ///< weights -> weights_dropped
    Mix,     ///< weights times values
};

/// Which pass of a trace, and which of its matrices.
struct PassPlace {
    std::string prefix; ///< of its stages (see prefix_of); empty for most traces
    int batch = 0;
    int head = 0; ///< query head
    bool operator==(const PassPlace&) const = default;
};

/// The pass has a whole way: scores, scaled, masked, weights and an output made of values, each with batch and head.
bool is_whole(const Trace& trace, const PassPlace& place);

/// One number for each key after an operation.
struct Line {
    Operation operation;
    const Stage* stage = nullptr; ///< whose row it is; null for what lies between two stages
};

/// One row. What stages hold is read off them, exactly; what lies between two of them (a position, a bias, the shift,
/// the exponentials, their sum) is computed from them and from what the trace records (see Pass). A trace with weights
/// alone has one line; scores, value and output are explained where they are there.
///
/// Making one takes time in the number of keys, and no memory in it. value() and part() take constant time.
class Row {
public:
    Row() = default;
    /// Empty where the pass has no weights (B,H,L,S) or no such batch, head or query. `trace` must outlive the row, and
    /// stay as it is.
    Row(const Trace& trace, PassPlace place, std::int64_t query);

    bool empty() const { return !weights_.stage; }
    const PassPlace& place() const { return place_; }
    std::int64_t query() const { return query_; }
    std::int64_t queries() const { return queries_; }
    std::int64_t keys() const { return keys_; }
    const Stage* weights_stage() const { return weights_.stage; }
    const Stage* scores_stage() const { return scores_.stage; } ///< null: there is none
    const Stage* output_stage() const { return output_; } ///< per head where heads are merged; null: there is none

    /// In the order of the operations.
    const std::vector<Line>& lines() const { return lines_; }
    /// Null when this row has no such operation.
    const Line* line(Operation operation) const;
    /// The line that an operation starts from; null for the first.
    const Line* before(Operation operation) const;
    /// The line whose numbers the row of a stage of this pass has; null for a stage that is not on the way.
    const Line* line_of(const Stage& stage) const;
    /// NaN where the row has no such line.
    double value(Operation operation, std::int64_t key) const;
    std::vector<double> values(Operation operation) const;

    /// Empty where the score is no sum of terms.
    std::vector<ScoreTerm> terms(std::int64_t key) const;
    /// The terms are q_c k_c: left and right are the query's and the key's own entries.
    bool has_products() const { return pass_ && pass_->dot_product_scores && pass_->score_terms; }

    /// What Position or Bias adds to the score; a bias of -inf blocks.
    double added(Operation operation, std::int64_t key) const;

    bool is_blocked(std::int64_t key) const { return blocked_.numbers && blocked_.numbers[key] != 0.0; }
    std::int64_t blocked_keys() const { return blocked_keys_; }
    /// Where the mask blocks some of the keys and those are the last ones: the last key before them.
    std::optional<std::int64_t> last_kept() const { return last_kept_; }
    /// Every score is -inf: there is nothing to take an exponential of, and all weights are 0.
    bool is_fully_masked() const { return fully_masked_; }
    /// How many of the last keys the mechanism appended to those it was given.
    std::int64_t appended_keys() const { return pass_ ? pass_->appended_keys : 0; }

    /// Whether the softmax of this row is one sum over its keys.
    bool has_row_sum() const { return line(Operation::Exponential) != nullptr; }
    double maximum() const { return maximum_; } ///< NaN where a score is NaN
    double row_sum() const { return sum_; }
    /// Of the exponentials of the first `reached` keys; row_sum() for all.
    double row_sum_of(std::int64_t reached) const;
    /// What the trace's own sum has beyond the exponentials of the keys: a sink. 0 for most.
    double sum_beyond_keys() const { return beyond_keys_; }
    /// Before dropout.
    std::span<const double> weights() const { return {weights_.numbers, static_cast<std::size_t>(keys_)}; }
    double weight_sum() const;
    /// That sum is 1 but for rounding.
    bool is_distribution() const;

    /// The weight that the value of a key is mixed with: after dropout where there is dropout.
    double mixed(std::int64_t key) const { return mixed_.numbers[key]; }
    std::span<const double> mixed() const { return {mixed_.numbers, static_cast<std::size_t>(keys_)}; }
    /// Columns of the values; 0 where the pass has no stage `value` for these keys.
    std::int64_t features() const { return features_; }
    double feature(std::int64_t key, std::int64_t feature) const { return values_[key * features_ + feature]; }
    /// What a key adds to a feature of the output: its weight times its value, or 0 where it is not read.
    double part(std::int64_t key, std::int64_t feature) const;
    /// Sum of the parts of the first `reached` keys; for all the trace's own output, NaN where it has none.
    double output(std::int64_t feature, std::int64_t reached) const;
    /// The output is the sum of the parts, in every feature; not so where a mechanism has another schedule. Takes time
    /// in keys and features.
    bool is_mixed() const;
    /// The same of one feature of a stage (.., query, feature) of this pass.
    bool is_mix(const Stage& stage, std::int64_t feature) const;
    /// How many query heads share a key and value head; 1 for most.
    std::int64_t heads_of_a_group() const { return group_; }

private:
    struct StageRow {
        const Stage* stage = nullptr;
        const double* numbers = nullptr; ///< keys() of them
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
    StageRow scores_, scaled_, position_, masked_, blocked_, weights_, mixed_;
    StageRow softmax_of_;            ///< the last row before the weights
    const double* bias_ = nullptr;   ///< of this row, as recorded
    const double* values_ = nullptr; ///< (keys, features)
    const Stage* output_ = nullptr;
    std::vector<Line> lines_;
    Operation last_sum_ = Operation::Products; ///< Position or Bias: its numbers are those of `masked`, but for fills
    std::optional<std::int64_t> last_kept_;
    bool fully_masked_ = false;
    double maximum_ = 0.0, sum_ = 0.0, beyond_keys_ = 0.0;
};

} // namespace attnlab::explain
