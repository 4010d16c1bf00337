#include "core/explain/row.h"

#include "core/explain/trace_numbers.h"
#include "core/lookup.h"
#include "core/rounding.h"
#include "core/stages/mask.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>

namespace attnlab::explain {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool ends_with(const Stage& stage, Axis rows, Axis columns) {
    const auto count = stage.axes.size();
    return count >= 2 && stage.axes[count - 2] == rows && stage.axes[count - 1] == columns;
}

bool has_heads(const Stage& stage) { return std::ranges::find(stage.axes, Axis::Head) != stage.axes.end(); }

const Stage* find(const Trace& trace, const PassPlace& place, const char* name) {
    return trace.find(place.prefix + name);
}

/// True for one matrix of weights per head that contains the row.
bool is_matrix_of_heads(const Stage* stage) {
    return stage && ends_with(*stage, Axis::Query, Axis::Key) && stage->value.rank() == 4 && stage->value.size() > 0;
}

/// The stage of the mixed values: per head where heads are merged later.
const Stage* mixed_stage(const Trace& trace, const PassPlace& place) {
    const Stage* output = find(trace, place, "head_output");
    return output ? output : find(trace, place, "output");
}

/// True for values of these keys, one matrix per key head.
bool are_values_of(const Stage* value, const Stage& weights) {
    return value && value->value.rank() == 4 && value->value.dim(-2) == weights.value.dim(-1) &&
           value->value.dim(0) == weights.value.dim(0) && value->value.dim(1) > 0;
}

bool is_output_of(const Stage* output, const Stage& weights, const Stage& value) {
    if (!output || !ends_with(*output, Axis::Query, Axis::Feature))
        return false;
    const auto& shape = output->value.shape();
    return shape.size() >= 2 && shape[shape.size() - 2] == weights.value.dim(-2) &&
           shape.back() == value.value.dim(-1) && (has_heads(*output) || weights.value.dim(1) == 1);
}

bool differs(double a, double b) { return a != b && !(std::isnan(a) && std::isnan(b)); }

} // namespace

bool is_whole(const Trace& trace, const PassPlace& place) {
    const Stage* weights = find(trace, place, "weights");
    if (!is_matrix_of_heads(weights))
        return false;
    const bool carries_state = find(trace, place, "state_output") != nullptr;
    for (const char* name : {"scores", "scaled", "masked"}) {
        const Stage* stage = find(trace, place, name);
        if (!stage && carries_state && name != std::string_view("scores"))
            continue;
        if (!is_matrix_of_heads(stage) || stage->value.shape() != weights->value.shape())
            return false;
    }
    const Stage* value = find(trace, place, "value");
    return are_values_of(value, *weights) && is_output_of(mixed_stage(trace, place), *weights, *value);
}

Row::Row(const Trace& trace, PassPlace place, std::int64_t query)
    : trace_(&trace), pass_(&trace.pass(place.prefix)), place_(std::move(place)), query_(query) {
    const Stage* weights = find(trace, place_, "weights");
    if (!is_matrix_of_heads(weights))
        return;
    const auto& shape = weights->value.shape();
    if (place_.batch < 0 || place_.batch >= shape[0] || place_.head < 0 || place_.head >= shape[1] || query_ < 0 ||
        query_ >= shape[2])
        return;
    queries_ = shape[2];
    keys_ = shape[3];
    weights_.stage = weights; // row_of() compares shapes with it
    weights_ = row_of("weights");
    read_scores();
    read_softmax();
    read_values();
}

Row::StageRow Row::row_of(const char* name) const {
    const Stage* stage = find(*trace_, place_, name);
    const auto& shape = weights_.stage->value.shape();
    if (!stage || !ends_with(*stage, Axis::Query, Axis::Key) || stage->value.shape() != shape)
        return {};
    return {stage, stage->value.data() + ((place_.batch * shape[1] + place_.head) * shape[2] + query_) * keys_};
}

void Row::read_scores() {
    scores_ = row_of("scores");
    scaled_ = row_of("scaled");
    position_ = row_of("position_bias");
    modified_ = row_of("modified");
    masked_ = row_of("masked");
    blocked_ = row_of("blocked");
    for (std::int64_t key = 0; key < keys_; ++key)
        blocked_keys_ += is_blocked(key);
    if (const auto kept = keys_ - blocked_keys_;
        blocked_keys_ > 0 && kept > 0 && blocked_.numbers &&
        std::all_of(blocked_.numbers, blocked_.numbers + kept, [](double blocked) { return blocked == 0.0; }))
        last_kept_ = kept - 1;
    if (scores_.stage)
        add(Operation::Score, scores_.stage);
    if (scaled_.stage)
        add(Operation::Scale, scaled_.stage);
    softmax_of_ = masked_.stage ? masked_ : scaled_.stage ? scaled_ : scores_;
    if (masked_.stage)
        read_masked();
}

/// Position, bias and fill make `masked`, each if recorded. The last of them has the numbers of `masked`.
void Row::read_masked() {
    const auto& recorded = pass_->bias;
    const auto& shape = weights_.stage->value.shape();
    if (recorded.rank() == 4 && recorded.size() > 0 &&
        recorded.shape() == Shape{shape[0], shape[1], shape[2], keys_ - pass_->appended_keys})
        bias_ = recorded.data() +
                ((place_.batch * shape[1] + place_.head) * shape[2] + query_) * (keys_ - pass_->appended_keys);
    if (lines_.empty()) {
        add(Operation::Mask, masked_.stage);
        return;
    }
    const auto& before = scaled_.stage ? scaled_ : scores_;
    if (position_.stage)
        add(last_sum_ = Operation::Position);
    // A difference that nothing recorded explains counts as added.
    bool biased = bias_ != nullptr;
    for (std::int64_t key = 0; key < keys_ && !biased && !position_.stage; ++key)
        biased = !is_blocked(key) && differs(masked_.numbers[key], before.numbers[key]);
    if (biased && (bias_ || !modified_.stage))
        add(last_sum_ = Operation::Bias);
    if (modified_.stage) {
        add(Operation::Modify, modified_.stage);
        last_sum_ = Operation::Modify;
    }
    if (blocked_.stage)
        add(Operation::Mask);
    if (lines_.back().operation > Operation::Scale && lines_.back().operation != Operation::Modify)
        lines_.back().stage = masked_.stage;
}

void Row::read_softmax() {
    maximum_ = -infinity;
    for (std::int64_t key = 0; key < keys_ && softmax_of_.numbers; ++key)
        if (const double score = softmax_of_.numbers[key]; score > maximum_ || std::isnan(score))
            maximum_ = score;
    fully_masked_ = softmax_of_.numbers && maximum_ == -infinity;
    const Stage* lse = find(*trace_, place_, "lse");
    if (lse && softmax_of_.numbers && !fully_masked_) {
        add(Operation::Shift);
        add(Operation::Exponential);
        read_row_sum(*lse);
        const bool plain = weights_are_shares();
        add(Operation::Divide, plain ? weights_.stage : nullptr);
        if (!plain)
            add(Operation::Weights, weights_.stage);
    } else {
        add(Operation::Weights, weights_.stage);
    }
    mixed_ = row_of("weights_dropped");
    if (mixed_.stage)
        add(Operation::Dropout, mixed_.stage);
    else
        mixed_ = weights_;
}

/// The engine's sum may have more terms than the keys, which shows in its logarithm.
void Row::read_row_sum(const Stage& lse) {
    for (std::int64_t key = 0; key < keys_; ++key)
        sum_ += exponential(key);
    const auto logarithm = number_at(*trace_, lse, place_.batch, place_.head, query_, 0);
    if (!logarithm)
        return;
    const double recorded = std::exp(*logarithm - maximum_);
    // Rounding a logarithm changes its argument by as many units as its magnitude.
    const double size = sum_ * (1.0 + std::abs(*logarithm) + std::abs(maximum_));
    if (!same_number(recorded, sum_, precision_of({lse.value.dtype()}), keys_, size)) {
        beyond_keys_ = recorded - sum_;
        sum_ = recorded;
    }
}

bool Row::weights_are_shares() const {
    const auto precision = precision_of({softmax_of_.stage->value.dtype(), weights_.stage->value.dtype()});
    for (std::int64_t key = 0; key < keys_; ++key)
        if (!same_number(weights_.numbers[key], exponential(key) / sum_, precision, keys_, 1.0))
            return false;
    return true;
}

void Row::read_values() {
    const Stage* value = find(*trace_, place_, "value");
    if (!are_values_of(value, *weights_.stage))
        return;
    const auto heads = weights_.stage->value.dim(1), own_heads = value->value.dim(1);
    group_ = std::max<std::int64_t>(1, heads / own_heads);
    features_ = value->value.dim(-1);
    values_ = value->value.data() + (place_.batch * own_heads + place_.head * own_heads / heads) * keys_ * features_;
    const Stage* output = mixed_stage(*trace_, place_);
    if (is_output_of(output, *weights_.stage, *value))
        output_ = output;
}

const Line* Row::line(Operation operation) const { return lookup(lines_, operation, &Line::operation); }

const Line* Row::before(Operation operation) const {
    const Line* last = nullptr;
    for (const auto& line : lines_) {
        if (line.operation >= operation)
            break;
        last = &line;
    }
    return last;
}

const Line* Row::line_of(const Stage& stage) const {
    if (const auto* found = lookup(lines_, &stage, &Line::stage))
        return found;
    return &stage == masked_.stage ? before(Operation::Shift) : nullptr; // nothing was added or masked
}

double Row::exponential(std::int64_t key) const { return std::exp(softmax_of_.numbers[key] - maximum_); }

double Row::value(Operation operation, std::int64_t key) const {
    if (!line(operation))
        return nan;
    switch (operation) {
    case Operation::Score:
        return scores_.numbers[key];
    case Operation::Scale:
        return scaled_.numbers[key];
    case Operation::Position:
    case Operation::Bias:
        if (operation == last_sum_ && !is_blocked(key))
            return masked_.numbers[key];
        return shifted(value(before(operation)->operation, key), added(operation, key));
    case Operation::Modify:
        return modified_.numbers[key];
    case Operation::Mask:
        return masked_.numbers[key];
    case Operation::Shift:
        return softmax_of_.numbers[key] - maximum_;
    case Operation::Exponential:
        return exponential(key);
    case Operation::Divide:
        return line(operation)->stage ? weights_.numbers[key] : exponential(key) / sum_;
    case Operation::Weights:
        return weights_.numbers[key];
    case Operation::Dropout:
        return mixed_.numbers[key];
    case Operation::Products:
    case Operation::RowSum:
    case Operation::Mix:
        break;
    }
    return nan;
}

std::vector<double> Row::values(Operation operation) const {
    std::vector<double> all(static_cast<std::size_t>(keys_));
    for (std::int64_t key = 0; key < keys_; ++key)
        all[static_cast<std::size_t>(key)] = value(operation, key);
    return all;
}

std::vector<ScoreTerm> Row::terms(std::int64_t key) const {
    return pass_ && pass_->score_terms && scores_.stage ? pass_->score_terms(place_.batch, place_.head, query_, key)
                                                        : std::vector<ScoreTerm>();
}

double Row::added(Operation operation, std::int64_t key) const {
    if (operation == Operation::Position)
        return position_.numbers ? position_.numbers[key] : 0.0;
    if (operation != Operation::Bias || !line(Operation::Bias))
        return 0.0;
    if (bias_)
        return key < keys_ - appended_keys() ? bias_[key] : 0.0;
    return is_blocked(key) ? 0.0 : masked_.numbers[key] - value(before(Operation::Bias)->operation, key);
}

double Row::row_sum_of(std::int64_t reached) const {
    if (!has_row_sum() || reached >= keys_)
        return sum_;
    double sum = 0.0;
    for (std::int64_t key = 0; key < reached; ++key)
        sum += exponential(key);
    return sum;
}

double Row::weight_sum() const { return std::accumulate(weights_.numbers, weights_.numbers + keys_, 0.0); }

bool Row::is_distribution() const {
    return same_number(weight_sum(), 1.0, precision_of({weights_.stage->value.dtype()}), keys_, 1.0);
}

double Row::part(std::int64_t key, std::int64_t feature) const {
    return is_read(key) ? mixed_.numbers[key] * this->feature(key, feature) : 0.0;
}

double Row::sum_of_parts(std::int64_t feature, std::int64_t reached) const {
    double sum = 0.0;
    for (std::int64_t key = 0; key < reached; ++key)
        sum += part(key, feature);
    return sum;
}

double Row::output(std::int64_t feature, std::int64_t reached) const {
    if (reached < keys_)
        return sum_of_parts(feature, reached);
    return output_ ? number_at(*trace_, *output_, place_.batch, place_.head, query_, feature).value_or(nan) : nan;
}

bool Row::is_mixed() const {
    bool mixed = output_ != nullptr;
    for (std::int64_t feature = 0; feature < features_ && mixed; ++feature)
        mixed = is_mix(*output_, feature);
    return mixed;
}

bool Row::is_mix(const Stage& stage, std::int64_t feature) const {
    if (feature < 0 || feature >= features_ || !ends_with(stage, Axis::Query, Axis::Feature) ||
        (!has_heads(stage) && weights_.stage->value.dim(1) > 1))
        return false;
    const auto number = number_at(*trace_, stage, place_.batch, place_.head, query_, feature);
    double size = 0.0;
    for (std::int64_t key = 0; key < keys_; ++key)
        if (const double one = std::abs(part(key, feature)); std::isfinite(one))
            size += one;
    Precision precision = precision_of({mixed_.stage->value.dtype(), stage.value.dtype()});
    if (rounds(trace_->rounding, Rounding::Where::All))
        precision.stored = trace_->rounding->format;
    return number && same_number(*number, sum_of_parts(feature, keys_), precision, keys_, size);
}

} // namespace attnlab::explain
