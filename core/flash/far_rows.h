// Rows that masks shift so far from 0 that float32 cannot distinguish their scores: at a bias of -1e9 its resolution is
// 64. They are computed in float64, cell by cell like the reference.
#pragma once

#include "core/flash/cpu_backend.h"
#include "core/flash/flash_forward.h"
#include "core/tensor.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace attnlab::flash {

/// The largest magnitude of a fill or bias in float32: beyond every score, with room to add one.
inline constexpr double largest_float32_shift = 1e38;

/// True for finite shifts; -inf blocks a cell.
inline double in_reach(double shift) {
    return std::isfinite(shift) ? std::clamp(shift, -largest_float32_shift, largest_float32_shift) : shift;
}

/// The effect of masks on the cells of row i of head h of batch b, as in apply_masks().
class MaskedRow {
public:
    MaskedRow(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i);

    std::int64_t keys() const { return keys_; }
    bool blocks(std::int64_t j) const;
    /// True when neither a mask nor a bias of -inf blocks key j.
    bool keeps(std::int64_t j) const;
    /// True when a fill replaces the score of key j.
    bool replaces(std::int64_t j) const { return !masks_.fill_is_added && blocks(j); }
    /// The masked score of key j for the given scaled score; -inf: the key is not read.
    double operator()(std::int64_t j, double score) const;

private:
    const Masks& masks_;
    std::int64_t keys_, first_, last_; ///< by bands and lengths: first <= j < last
    const double* padding_ = nullptr;
    const double* bias_ = nullptr;
    std::vector<KeyIntervals::Row> intervals_; ///< of each axis of each mask
    std::vector<const double*> booleans_;
};

/// True when some row may be far.
bool can_be_far(const Masks& masks);

/// True when float32 cannot distinguish the scores of this row. `lse` is the float32 result.
bool is_far(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i, double lse);

/// The lse of a row that is not far; a fill outside the range of float32 is its own lse.
double lse_of_near_row(const Masks& masks, double lse);

/// One row of float32 queries and keys in float64.
class ExactRow {
public:
    /// `query` (E), `keys` (S,E); no number in them is larger than `largest_key`.
    ExactRow(const MaskedRow& row, const Scales& scales, std::span<const float> query, const float* keys,
             double largest_key);

    /// Natural logarithm; -inf where no key is read.
    double lse() const { return lse_; }
    bool reads(std::int64_t j) const { return masked_[static_cast<std::size_t>(j)] != -infinity; }
    double weight(std::int64_t j) const;
    /// log2 of weight(), also where that underflows a double.
    double log2_weight(std::int64_t j) const;
    /// The weighted sum of `values` (S,output.size()).
    void mix(const float* values, std::span<float> output) const;
    void mix(const double* values, std::span<double> output) const;

private:
    template <class Number>
    std::vector<double> mixed(const Number* values, std::size_t columns) const;

    std::vector<double> masked_;
    double largest_ = -infinity, sum_ = 0.0, lse_ = -infinity;
    double weight_scale_;
};

/// q · k of two float32 rows, computed and scaled in float64.
double scaled_score(std::span<const float> query, const float* key, const Scales& scales);

/// An upper bound of the query's scores with keys whose numbers are at most `largest_key`; NaN or infinite where a
/// number is.
double score_bound(std::span<const float> query, double largest_key, const Scales& scales);

/// The largest magnitude; infinity where a number is NaN.
double size_bound(std::span<const float> numbers);

} // namespace attnlab::flash
