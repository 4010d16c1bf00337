// The numbers that labs show for a setting, and their curves when one number of the setting is swept.
#pragma once

#include "core/attention.h"
#include "core/lab/scene.h"
#include "core/statistics.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnlab::lab {

struct SettingNumbers {
    std::optional<double> variance; ///< of the finite scaled scores; nullopt without any
    std::optional<double>
        theory;         ///< of the scaled scores, for independent entries of variance 1; nullopt: no prediction
    RowStatistics rows; ///< means over the rows that have keys
    std::optional<double> median_gradient; ///< of row_gradients(); nullopt without them
};

/// For head `head` of batch `batch`, or nullopt for all heads together. `spec` is the one that `trace` was computed
/// with. Throws Error for a trace without `weights` (B,H,L,S) and for a batch or head out of range.
SettingNumbers numbers_of(const Trace& trace, const AttentionSpec& spec, std::int64_t batch = 0,
                          std::optional<std::int64_t> head = std::nullopt);

/// For each row that has keys, the norm of the derivatives of its weights by the scores q . k before the scale: the
/// Jacobian norm of the softmax times the factor of the scale. Empty where theory does not know the scale as a factor.
std::vector<double> row_gradients(const Trace& trace, const AttentionSpec& spec, std::int64_t batch = 0,
                                  std::optional<std::int64_t> head = std::nullopt);

/// The middle one; the mean of the middle two. NaN of none.
double median_of(std::vector<double> values);

/// The measures of a curve.
enum class CurveMeasure { Entropy, EffectiveKeys, MaxWeight, JacobianNorm, Variance, MedianGradient, Loss };
/// Their names in files and expressions, in this order: "entropy", "effective_keys", "max_weight", "jacobian_norm",
/// "variance", "median_gradient", "loss". The loss is that of a training and runs over its steps.
std::span<const std::string_view> measure_ids();
/// Throws Error for an unknown name.
CurveMeasure measure_called(std::string_view name);
/// NaN where the numbers lack it.
double measure_of(const SettingNumbers& numbers, CurveMeasure measure);

struct Histogram {
    double low = 0.0;
    double high = 1.0;
    std::vector<std::int64_t> counts; ///< bins of equal width from low to high
    std::int64_t finite = 0;          ///< finite numbers, including those beyond low and high
    std::int64_t left_out = 0;        ///< numbers that are not finite
    std::int64_t beyond = 0;          ///< finite numbers that are in no bin

    double bin_width() const { return (high - low) / static_cast<double>(counts.size()); }
    /// Height at `x` of the normal curve of mean 0, in counts per bin: the theoretical prediction.
    double predicted(double x, double variance) const;
};

/// The finite numbers of `values` in `bins` bins between the ends of `range`; the last bin has its upper end. Numbers
/// beyond the range are in no bin; an empty range is widened to 2.
Histogram histogram(std::span<const double> values, std::pair<double, double> range, std::size_t bins = 40);

/// A range symmetric about 0 that contains the finite numbers of all `sets`, so that their histograms are comparable.
std::pair<double, double> common_range(std::span<const std::span<const double>> sets);

/// Head `head` of batch `batch` of a stage (B,H,L,S), or nullopt for all heads of the batch, in row-major order. Valid
/// as long as the stage. Throws Error for a stage of another rank and for a batch or head out of range.
std::span<const double> cells_of(const Stage& stage, std::int64_t batch, std::optional<std::int64_t> head);

// Computes a measure of every setting as a function of the width or the number of keys of a scene's draw.

struct SweepRequest {
    Scene scene; ///< must have a draw
    CurveMeasure measure = CurveMeasure::Entropy;
    DrawSize over = DrawSize::E;
    std::optional<std::int64_t> head = {}; ///< nullopt: all heads together
    int draws = 1;                         ///< values are means over so many seeds; medians where the measure is one
    bool operator==(const SweepRequest&) const = default;
};

/// One size and the computed values.
struct SweepPoint {
    std::int64_t size = 0;
    std::vector<double> values; ///< one for each setting; NaN where it cannot be computed at this size
};

/// 2, 3, 4, 6, 8, 11, 16, ... 4096 in half octaves, excluding sizes where the scores of a setting or the draw would
/// exceed 2^24 numbers.
std::vector<std::int64_t> sweep_sizes(const SweepRequest& request);

/// The scene at one of the sizes: the same draw, resized.
Scene scene_at(const SweepRequest& request, std::int64_t size);

/// Throws Error for a scene without a draw. Throws Cancelled.
SweepPoint sweep_point(const SweepRequest& request, std::int64_t size, const RunControl& control = {});

/// All points in order; calls `made`, if given, with each as soon as it is computed. Throws as sweep_point.
std::vector<SweepPoint> sweep(const SweepRequest& request, const RunControl& control = {},
                              const std::function<void(const SweepPoint&)>& made = nullptr);

} // namespace attnlab::lab
