// What the labs say of one setting in numbers: how its scores spread and what softmax makes of them.
#pragma once

#include "core/attention.h"
#include "core/statistics.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::lab {

struct SettingNumbers {
    std::optional<double> variance; ///< of the finite scaled scores; none where there are no such scores
    std::optional<double>
        theory;         ///< of the scaled scores, for independent entries of variance 1; none: it says nothing
    RowStatistics rows; ///< means over the rows that have keys
};

/// Of head `head` of batch `batch`, or of all heads together for none. `spec` is the one that `trace` was computed
/// with. Throws Error for a trace without `weights` (B,H,L,S) and for a batch or head that is not there.
SettingNumbers numbers_of(const Trace& trace, const AttentionSpec& spec, std::int64_t batch = 0,
                          std::optional<std::int64_t> head = std::nullopt);

/// What a curve can show.
enum class CurveMeasure { Entropy, EffectiveKeys, MaxWeight, JacobianNorm, Variance };
/// Their names in files and expressions, in this order: "entropy", "effective_keys", "max_weight", "jacobian_norm",
/// "variance".
std::span<const std::string_view> measure_ids();
/// Throws Error for an unknown name.
CurveMeasure measure_called(std::string_view name);
/// NaN where the numbers have none.
double measure_of(const SettingNumbers& numbers, CurveMeasure measure);

struct Histogram {
    double low = 0.0;
    double high = 1.0;
    std::vector<std::int64_t> counts; ///< bins of equal width from low to high
    std::int64_t finite = 0;          ///< how many numbers were finite, those beyond low and high included
    std::int64_t left_out = 0;        ///< how many were not

    double bin_width() const { return (high - low) / static_cast<double>(counts.size()); }
    /// Height of the normal curve of mean 0 at `x` in counts of a bin: what theory predicts for a bin there.
    double predicted(double x, double variance) const;
};

/// The finite numbers of `values` in `bins` bins between the ends of `range`; the last bin has its upper end. What lies
/// beyond the range is in no bin; an empty range is made one of width 2.
Histogram histogram(std::span<const double> values, std::pair<double, double> range, std::size_t bins = 40);

/// A range around 0 that holds the finite numbers of all of `sets`: histograms over it can be compared.
std::pair<double, double> common_range(std::span<const std::span<const double>> sets);

/// Head `head` of batch `batch` of a stage (B,H,L,S), or all heads of the batch for none, in row-major order. Valid
/// while the stage is. Throws Error for a stage of another rank and for a batch or head that is not there.
std::span<const double> cells_of(const Stage& stage, std::int64_t batch, std::optional<std::int64_t> head);

} // namespace attnlab::lab
