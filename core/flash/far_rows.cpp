#include "core/flash/far_rows.h"

#include "core/flash/panel_mask.h"
#include "core/stages/mask.h"

#include <array>

namespace attnlab::flash {
namespace {

/// Beyond this, the rounding error of a float32 exceeds the scores of size 1 that are added to it.
constexpr double near = 64.0;

struct Shifts {
    double lowest = infinity, highest = -infinity;
};

/// The numbers added to scores of the row, except -inf.
Shifts shifts_of(const MaskedRow& row) {
    Shifts shifts;
    for (std::int64_t j = 0; j < row.keys(); ++j) {
        const double shift = row.replaces(j) ? -infinity : row(j, 0.0);
        if (shift == -infinity)
            continue;
        shifts.lowest = std::min(shifts.lowest, shift);
        shifts.highest = std::max(shifts.highest, shift);
    }
    return shifts;
}

double dot(std::span<const float> a, const float* b) {
    constexpr std::size_t chains = 8; // independent sums, which need not wait for each other
    std::array<double, chains> sums{};
    std::size_t c = 0;
    for (; c + chains <= a.size(); c += chains)
        for (std::size_t k = 0; k < chains; ++k)
            sums[k] += static_cast<double>(a[c + k]) * static_cast<double>(b[c + k]);
    double sum = 0.0;
    for (; c < a.size(); ++c)
        sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    for (const double part : sums)
        sum += part;
    return sum;
}

/// True when adding any score of this size does not change the number.
bool swallows(double number, double score_size) {
    return score_size < 0.25 * (std::nextafter(std::abs(number), infinity) - std::abs(number));
}

} // namespace

MaskedRow::MaskedRow(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i)
    : masks_(masks), keys_(shape.S) {
    const auto kept = kept_keys(masks, shape.S, b, i);
    first_ = kept.first;
    last_ = kept.last;
    if (masks.key_padding)
        padding_ = masks.key_padding.of(b);
    if (masks.bias.values)
        bias_ = masks.bias.row(b, h, i);
    for (const auto& intervals : masks.intervals)
        for (const auto& axis : *intervals.axes)
            intervals_.push_back(intervals.row(axis, b, i));
    for (const auto& mask : masks.booleans)
        booleans_.push_back(mask.cells.row(b, h, i));
}

bool MaskedRow::blocks(std::int64_t j) const {
    if (j < first_ || j >= last_ || (padding_ && padding_[j] != 0.0))
        return true;
    for (const auto& intervals : intervals_)
        if (!intervals.keeps(j))
            return true;
    for (std::size_t k = 0; k < booleans_.size(); ++k)
        if (booleans_[k][j * masks_.booleans[k].cells.key_stride] != masks_.booleans[k].kept)
            return true;
    return false;
}

bool MaskedRow::keeps(std::int64_t j) const {
    return !blocks(j) && !(bias_ && bias_[j * masks_.bias.key_stride] == -infinity);
}

double MaskedRow::operator()(std::int64_t j, double score) const {
    const double biased = bias_ ? shifted(score, bias_[j * masks_.bias.key_stride]) : score;
    if (!blocks(j))
        return biased;
    return masks_.fill_is_added ? shifted(biased, masks_.fill) : masks_.fill;
}

bool can_be_far(const Masks& masks) { return masks.bias.values || (masks.fill_is_added && std::isfinite(masks.fill)); }

bool is_far(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i, double lse) {
    if (!can_be_far(masks) || !(std::abs(lse) > near)) // NaN stays NaN
        return false;
    const auto shifts = shifts_of(MaskedRow(masks, shape, b, h, i));
    if (shifts.highest == -infinity)
        return false;
    // The highest shift determines the lse, unless its keys have scores of -inf.
    return !(std::abs(shifts.highest) <= near) || (lse < -near && shifts.lowest < -near);
}

double lse_of_near_row(const Masks& masks, double lse) {
    return std::isfinite(lse) && std::abs(lse) > 0.5 * largest_float32_shift ? masks.fill : lse;
}

double scaled_score(std::span<const float> query, const float* key, const Scales& scales) {
    const double scaled = dot(query, key) * scales.scores;
    return scales.softcap > 0.0 ? scales.softcap * std::tanh(scaled / scales.softcap) : scaled;
}

double score_bound(std::span<const float> query, double largest_key, const Scales& scales) {
    double length = 0.0;
    for (const float number : query)
        length += std::abs(static_cast<double>(number));
    return length * largest_key * std::abs(scales.scores);
}

double size_bound(std::span<const float> numbers) {
    double bound = 0.0;
    for (const float number : numbers)
        bound = std::max(bound, std::isnan(number) ? infinity : std::abs(static_cast<double>(number)));
    return bound;
}

ExactRow::ExactRow(const MaskedRow& row, const Scales& scales, std::span<const float> query, const float* keys,
                   double largest_key)
    : masked_(static_cast<std::size_t>(row.keys())), weight_scale_(scales.weights) {
    const double score_size = score_bound(query, largest_key, scales);
    for (std::size_t j = 0; j < masked_.size(); ++j) {
        const auto key = static_cast<std::int64_t>(j);
        const double shift = row(key, 0.0);
        const bool alone = shift == -infinity || row.replaces(key) || swallows(shift, score_size);
        masked_[j] = alone ? shift : row(key, scaled_score(query, keys + j * query.size(), scales));
        largest_ = masked_[j] > largest_ || std::isnan(masked_[j]) ? masked_[j] : largest_;
    }
    if (largest_ == -infinity)
        return;
    for (const double score : masked_)
        sum_ += std::exp(score - largest_);
    lse_ = largest_ + std::log(sum_);
}

double ExactRow::weight(std::int64_t j) const {
    if (!reads(j))
        return 0.0; // without keys there is no largest score
    return std::exp(masked_[static_cast<std::size_t>(j)] - largest_) / sum_ * weight_scale_;
}

double ExactRow::log2_weight(std::int64_t j) const {
    if (!reads(j))
        return -infinity;
    return (masked_[static_cast<std::size_t>(j)] - largest_) * log2_e - std::log2(sum_) + std::log2(weight_scale_);
}

template <class Number>
std::vector<double> ExactRow::mixed(const Number* values, std::size_t columns) const {
    std::vector<double> sums(columns, 0.0);
    for (std::size_t j = 0; j < masked_.size(); ++j, values += columns) {
        if (!reads(static_cast<std::int64_t>(j)))
            continue;
        const double a = weight(static_cast<std::int64_t>(j));
        for (std::size_t c = 0; c < columns; ++c)
            sums[c] += a * static_cast<double>(values[c]);
    }
    return sums;
}

void ExactRow::mix(const float* values, std::span<float> output) const {
    const auto sums = mixed(values, output.size());
    std::transform(sums.begin(), sums.end(), output.begin(), [](double sum) { return static_cast<float>(sum); });
}

void ExactRow::mix(const double* values, std::span<double> output) const {
    std::ranges::copy(mixed(values, output.size()), output.begin());
}

} // namespace attnlab::flash
