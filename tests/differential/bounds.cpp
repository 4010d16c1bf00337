#include "tests/differential/bounds.h"
#include "core/tensor.h"

#include "core/mechanisms.h"
#include "core/stages/mask.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnlab::differential {
namespace {

/// From about here on a row is far: core/flash/far_rows.cpp.
constexpr double near = 64.0;

const Tensor& stage(const Trace& trace, const char* name) { return trace.find(name)->value; }

double size_of_row(std::span<const double> row) {
    double sum = 0.0;
    for (const double number : row)
        sum += std::abs(number);
    return sum;
}

double size_of_terms(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c)
        sum += std::abs(a[c] * b[c]);
    return sum;
}

/// True when an infinite number of one row meets a number of the other that underflows in float32.
bool meet_closely(std::span<const double> a, std::span<const double> b, double floor) {
    for (std::size_t c = 0; c < std::min(a.size(), b.size()); ++c)
        if ((std::isinf(a[c]) && b[c] != 0.0 && std::abs(b[c]) <= floor) ||
            (std::isinf(b[c]) && a[c] != 0.0 && std::abs(a[c]) <= floor))
            return true;
    return false;
}

/// The derivative of a scaled score by its score, at most.
double factor_of(const Selection& scale, const ScaleContext& context, const Tensor& scores) {
    const auto& mode = scale_mode(scale.id);
    if (mode.factor)
        return std::abs(mode.factor(context, scale.parameters));
    if (mode.cell) // of slope 1 / sqrt d at 0 and less elsewhere
        return 1.0 / std::sqrt(static_cast<double>(std::max<std::int64_t>(1, context.head_width)));
    // The scores are divided by a function of a matrix or row: the smallest divisor.
    double least = infinity, largest = 0.0;
    const bool by_row = scale.parameters.find("norm") && scale.parameters.choice("norm") == "row";
    const bool by_range = scale.parameters.find("norm") && scale.parameters.choice("norm") == "minmax";
    const auto columns = scores.dim(3), group = by_row ? columns : scores.dim(2) * columns;
    double low = infinity, high = -infinity;
    for (std::int64_t k = 0; k < scores.size(); ++k) {
        const double s = scores.data()[k];
        largest = std::max(largest, std::abs(s));
        low = std::min(low, s);
        high = std::max(high, s);
        if ((k + 1) % group != 0)
            continue;
        const double divisor = by_range ? high - low : largest;
        if (divisor > 0.0)
            least = std::min(least, divisor);
        largest = 0.0, low = infinity, high = -infinity;
    }
    return 4.0 / least; // of the score itself, and of the divisor, which depends on it
}

/// The number of entries that equal an earlier one.
double alike(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return static_cast<double>(numbers.end() - std::unique(numbers.begin(), numbers.end()));
}

/// An upper bound of any scaled score's magnitude.
double largest_scaled(const Selection& scale) {
    if (scale.id == "softcap")
        return scale.parameters.real("c");
    return scale.id == "score_norm" ? 1.0 : infinity;
}

} // namespace

double roundings(std::int64_t n) {
    const auto count = static_cast<double>(n);
    return std::min(count, 6.0 * std::sqrt(count)) + 8.0;
}

Arithmetic float64() {
    return {
        .unit = 0x1p-52, .input = 0.0, .input_floor = 0x1p-1070, .weight_floor = 0x1p-1070, .meeting_floor = 0x1p-1070};
}
Arithmetic float32() { return {}; }
// 3xTF32 keeps 22 bits of a product; a split loses parts below the smallest number.
Arithmetic device_float32() {
    return {.input_floor = 0x1p-110,
            .product = 0x1p-21,
            .weight_floor = 0x1p-110,
            .base = 0x1p-23,
            .meeting_floor = 0x1p-110};
}
Arithmetic device_bfloat16() { return {.input = 0x1p-8, .weight = 0x1p-8, .base = 0x1p-23}; }
// Below 2^-14 numbers come in steps of 2^-24.
Arithmetic device_float16() {
    return {.input = 0x1p-11,
            .input_floor = 0x1p-25,
            .weight = 0x1p-11,
            .weight_floor = 0x1p-24,
            .base = 0x1p-23,
            .meeting_floor = 0x1p-25};
}

Arithmetic careful(Arithmetic arithmetic) {
    arithmetic.output_floor = 0x1p-148;
    arithmetic.small_value = 0x1p-80;
    arithmetic.small_floor = 0x1p-149;
    arithmetic.meeting_floor = 0.0;
    arithmetic.first_underflow = 744.9;
    arithmetic.last_underflow = 745.4;
    return arithmetic;
}

// Products and sums below 2^-126 are 0.
Arithmetic matrices_split() { return {.product = 0x1p-15}; }
Arithmetic matrices_bfloat16() { return {.input = 0x1p-8, .weight = 0x1p-8}; }

Bounds::Bounds(const AttentionProblem& problem, const Trace& trace, const Arithmetic& arithmetic)
    : problem_(problem), trace_(trace), arithmetic_(arithmetic) {
    const auto& masked = stage(trace, "masked");
    masked_ = masked.data();
    values_ = stage(trace, "value").data();
    outputs_ = stage(trace, trace.find("head_output") ? "head_output" : "output").data();
    B_ = masked.dim(0), H_ = masked.dim(1), L_ = masked.dim(2), S_ = masked.dim(3);
    const auto& spec = problem.spec;
    const auto scale = effective_scale(spec);
    const auto prepared =
        prepared_rows(scale_mode(scale.id), stage(trace, "query"), stage(trace, "key"), problem.tensors);
    query_ = trace.find("rotated_query") ? stage(trace, "rotated_query") : prepared.query;
    key_ = trace.find("rotated_key") ? stage(trace, "rotated_key") : prepared.key;
    Hkv_ = key_.dim(1), E_ = query_.dim(3), Ev_ = stage(trace, "value").dim(3);
    largest_scaled_ = largest_scaled(scale);
    const ScaleContext context{E_, S_};
    (spec.scale_after_softmax ? after_ : factor_) = factor_of(scale, context, stage(trace, "scores"));
    if (spec.scale_after_softmax) // with its sign
        after_ = scale_mode(scale.id).factor ? scale_mode(scale.id).factor(context, scale.parameters) : 1.0;
    if (const Stage* blocked = trace.find("blocked"))
        blocked_ = blocked->value;
    // The terms added to scores: the content of `attn_bias`, for as many keys as it has.
    appended_ = spec.parameters.find("add_zero_attn") && spec.parameters.boolean("add_zero_attn") ? 1 : 0;
    bias_ = attention_bias(resolve(problem));
}

ReferenceRow Bounds::row(std::int64_t b, std::int64_t h, std::int64_t i) const {
    const auto& a = arithmetic_;
    const auto& spec = problem_.spec;
    const auto at = ((b * H_ + h) * L_ + i) * S_;
    const auto keys = S_ - appended_;
    const double fill = spec.mask_fill.value;
    const bool replaces = spec.mask_fill.mode == MaskFill::Mode::Replace;
    ReferenceRow row;
    row.lse = stage(trace_, "lse").data()[(b * H_ + h) * L_ + i];
    double highest_shift = -infinity, highest_read = -infinity, highest_scored = -infinity;
    std::vector<double> shifts(static_cast<std::size_t>(S_), 0.0);
    std::vector<bool> replaced(shifts.size(), false);
    for (std::int64_t j = 0; j < S_; ++j) {
        const auto k = static_cast<std::size_t>(j);
        const double masked = masked_[at + j];
        const bool blocked = blocked_.size() > 0 && blocked_.data()[at + j] != 0.0;
        const double bias = bias_.size() > 0 && j < keys ? bias_.data()[((b * H_ + h) * L_ + i) * keys + j] : 0.0;
        row.masked.push_back(masked);
        row.kept.push_back(!blocked && bias != -infinity);
        row.has_nan = row.has_nan || !(masked < infinity);
        replaced[k] = blocked && replaces;
        shifts[k] = std::abs(bias) + (blocked && !replaces ? std::abs(fill) : 0.0);
        if (!replaced[k]) {
            const double shift = bias + (blocked && !replaces ? fill : 0.0);
            highest_shift = std::max(highest_shift, shift);
            if (masked != -infinity)
                highest_read = std::max(highest_read, shift);
            highest_scored = std::max(highest_scored, masked);
        }
    }
    const auto q = matrix_at(query_, b * H_ + h).row(i);
    const auto k_matrix = matrix_at(key_, b * Hkv_ + h / (H_ / Hkv_));
    for (std::int64_t j = 0; j < S_; ++j)
        row.is_close_call = row.is_close_call || meet_closely(q, k_matrix.row(j), a.meeting_floor);
    if (row.has_nan || row.lse == -infinity) {
        row.weight.assign(shifts.size(), row.has_nan ? std::numeric_limits<double>::quiet_NaN() : 0.0);
        row.allowed.assign(shifts.size(), 0.0);
        return row;
    }
    // Within 1 of the border either computation is allowed: uses the larger tolerance.
    const bool far = a.far_rows_are_exact && highest_read != -infinity && std::abs(highest_read) > near &&
                     std::abs(row.lse) > near + 1.0 && (std::abs(highest_shift) > near || row.lse < -near - 1.0);
    const double unit = far ? 0x1p-51 : a.unit, input = far ? std::min(a.input, 0x1p-24) : a.input;
    const double product = far ? 0.0 : a.product;
    const bool fill_leads = fill >= highest_scored - 1.0;
    const double query_size = size_of_row(q);
    std::vector<double> off(shifts.size(), 0.0);
    for (std::size_t j = 0; j < off.size(); ++j) {
        if (row.masked[j] == -infinity)
            continue;
        const double of_fill = 2.0 * unit * std::abs(fill);
        if (replaced[j]) {
            off[j] = fill_leads ? 0.0 : of_fill;
            continue;
        }
        const auto k = k_matrix.row(static_cast<std::int64_t>(j));
        const double terms = factor_ * size_of_terms(q, k);
        const double of_score = terms * (2.0 * input + product + unit * roundings(E_)) +
                                a.input_floor * (factor_ * query_size + factor_ * size_of_row(k) + size_of_row(k));
        // Terms may overflow doubles: min() returns the first where the other is NaN.
        off[j] = std::min(2.0 * largest_scaled_, of_score) + 2.0 * unit * shifts[j] +
                 2.0 * unit * std::abs(row.masked[j]) + a.base * std::abs(row.lse) +
                 (fill_leads && std::isfinite(fill) ? of_fill : 0.0);
    }
    bound_weights(row, off, unit);
    return row;
}

void Bounds::bound_weights(ReferenceRow& row, const std::vector<double>& off, double unit) const {
    // Relative to the largest: the lse of a far row loses the number of equal scores.
    const double largest = *std::max_element(row.masked.begin(), row.masked.end());
    double sum = 0.0, highest = 0.0, raised = 0.0, more = 0.0;
    for (std::size_t j = 0; j < off.size(); ++j)
        highest = std::max(highest, row.masked[j] - largest + off[j]);
    for (std::size_t j = 0; j < off.size(); ++j) {
        const double below = row.masked[j] - largest;
        sum += std::exp(below);
        more += off[j] < 1.0 ? std::exp(below) * std::expm1(off[j]) : std::exp(below + off[j]);
        raised += highest == infinity ? 1.0 : std::exp(below + off[j] - highest);
    }
    const double log_sum = std::log(sum);
    // Two equivalent forms: one for small numbers, one for numbers beyond doubles.
    const double by_scores = highest < 1.0 ? std::log1p(more / sum) : highest + std::log(raised) - log_sum;
    const double common = by_scores + unit * (roundings(S_) + alike(row.masked));
    row.allowed_lse = common + (4.0 * unit + arithmetic_.base) * std::abs(row.lse) + 4.0 * unit;
    for (std::size_t j = 0; j < off.size(); ++j) {
        const double log_weight = row.masked[j] - largest - log_sum, a = std::exp(log_weight);
        row.weight.push_back(a);
        if (row.masked[j] == -infinity) {
            row.allowed.push_back(0.0);
            continue;
        }
        const double moved = off[j] + common;
        const double of_scores = std::max(std::exp(std::min(log_weight + moved, 0.0)) - a, -a * std::expm1(-moved));
        const double rounding = a > 0.0 ? (20.0 + std::abs(log_weight)) * unit * a + arithmetic_.unit * a : 0.0;
        row.allowed.push_back(of_scores + rounding + arithmetic_.weight_floor);
    }
}

std::vector<Bounds::Output> Bounds::outputs(const ReferenceRow& row, std::int64_t b, std::int64_t h,
                                            std::int64_t i) const {
    const auto& a = arithmetic_;
    std::vector<Output> result(static_cast<std::size_t>(Ev_));
    const double* expected = outputs_ + ((b * H_ + h) * L_ + i) * Ev_;
    for (auto& output : result)
        output = {.expected = *expected++, .allowed = a.output_floor, .least = infinity, .most = -infinity};
    const double* value = values_ + (b * Hkv_ + h / (H_ / Hkv_)) * S_ * Ev_;
    const double rounded = a.input + a.weight + a.product + a.unit * roundings(S_);
    for (std::size_t j = 0; j < row.masked.size(); ++j, value += Ev_) {
        if (row.masked[j] == -infinity)
            continue;
        const double below = row.lse - row.masked[j];
        const bool is_close_call = a.first_underflow < below && below < a.last_underflow;
        const double of_value = row.allowed[j] + (row.weight[j] + row.allowed[j]) * rounded; // of the weight it may be
        for (std::size_t c = 0; c < result.size(); ++c) {
            auto& output = result[c];
            const double v = value[c] * after_;
            const double floor = std::abs(value[c]) < a.small_value ? a.small_floor : a.input_floor;
            output.least = std::min(output.least, v);
            output.most = std::max(output.most, v);
            if (std::isfinite(v))
                output.allowed += of_value * std::abs(v) + row.weight[j] * floor * std::abs(after_);
            else
                output.is_close_call = output.is_close_call || (is_close_call && std::isinf(v));
        }
    }
    return result;
}

} // namespace attnlab::differential
