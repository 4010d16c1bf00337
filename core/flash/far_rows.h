// Rows that masks move so far from 0 that float32 cannot tell their scores apart: beside a bias of -1e9 it knows a
// score to 64. They are computed in float64, cell by cell as the reference computes them.
#pragma once

#include "core/flash/cpu_backend.h"
#include "core/flash/forward.h"
#include "core/infinity.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace attnlab::flash {

/// The furthest from 0 that a fill or bias is taken to in float32: beyond every score, and with room for one.
inline constexpr double furthest_shift = 1e38;

/// -inf blocks a cell, what is finite does not.
inline double in_reach(double shift) {
    return std::isfinite(shift) ? std::clamp(shift, -furthest_shift, furthest_shift) : shift;
}

/// What masks do to the cells of row i of head h of batch b, as apply_masks() does it.
class MaskedRow {
public:
    MaskedRow(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i);

    std::int64_t keys() const { return keys_; }
    bool blocks(std::int64_t j) const;
    /// Whether neither a mask nor a bias of -inf blocks key j.
    bool keeps(std::int64_t j) const;
    /// Whether a fill stands in place of the score of key j.
    bool replaces(std::int64_t j) const { return !masks_.fill_is_added && blocks(j); }
    /// What stands in the cell of key j, whose scaled score is given; -inf: the key is not read.
    double operator()(std::int64_t j, double score) const;

private:
    const Masks& masks_;
    std::int64_t keys_, first_, last_; ///< by bands and lengths: first <= j < last
    const double* padding_ = nullptr;
    const double* bias_ = nullptr;
    std::vector<const double*> booleans_;
};

/// Whether any row can be.
bool can_be_far(const Masks& masks);

/// Whether float32 has lost what tells the scores of this row apart. `lse` is what float32 made of it.
bool is_far(const Masks& masks, const Shape& shape, std::int64_t b, std::int64_t h, std::int64_t i, double lse);

/// The lse of a row that is not far: that of a fill which float32 has no room for is the fill.
double lse_of_near_row(const Masks& masks, double lse);

/// One row of float32 queries and keys in float64.
class ExactRow {
public:
    /// `query` (E), `keys` (S,E), no number of which is larger than `largest_key`.
    ExactRow(const MaskedRow& row, const Scales& scales, std::span<const float> query, const float* keys,
             double largest_key);

    /// Natural logarithm; -inf where no key is read.
    double lse() const { return lse_; }
    bool reads(std::int64_t j) const { return masked_[static_cast<std::size_t>(j)] != -infinity; }
    double weight(std::int64_t j) const;
    /// weight() also where it is too small for a double.
    double log2_weight(std::int64_t j) const;
    /// The weighted sum of `values` (S,output.size()).
    void mix(const float* values, std::span<float> output) const;

private:
    std::vector<double> masked_;
    double largest_ = -infinity, sum_ = 0.0, lse_ = -infinity;
    double weight_scale_;
};

/// q · k of two rows in float32, in float64 as scales make it a score.
double scaled_score(std::span<const float> query, const float* key, const Scales& scales);

/// No score of the query is larger, with keys none of whose numbers is larger than `largest_key`; NaN or infinite where
/// a number is.
double score_bound(std::span<const float> query, double largest_key, const Scales& scales);

/// No number is larger; infinity where one is NaN.
double size_bound(std::span<const float> numbers);

} // namespace attnlab::flash
