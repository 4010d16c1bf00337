#include "core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnlab {

RowStatistics row_statistics(std::span<const double> weights) {
    RowStatistics result;
    double& largest = result.max_weight;
    double rest = 0.0, squares = 0.0, cubes = 0.0; // sums of a, a^2 and a^3 over all other weights
    bool nan = false, is_negative = false;
    for (const double a : weights) {
        result.sum += a;
        result.support += a != 0.0 ? 1.0 : 0.0;
        if (a > 0.0)
            result.entropy -= a * std::log(a);
        nan = nan || std::isnan(a);
        is_negative = is_negative || a < 0.0;
        double other = a;
        if (a > largest)
            std::swap(largest, other);
        rest += other;
        squares += other * other;
        cubes += other * other * other;
    }
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    if (nan)
        return {none, none, none, none, none, none};
    if (is_negative) {
        result.entropy = result.effective_keys = result.jacobian_norm = none;
        return result;
    }
    constexpr double rounding = 1e-6;
    if (result.sum > 0.0 && std::abs(result.sum - 1.0) > rounding)
        result.entropy = std::log(result.sum) + result.entropy / result.sum; // of a / sum a
    result.effective_keys = std::exp(result.entropy);
    if (result.support > 0.0 && !are_shares(weights)) {
        result.jacobian_norm = none;
        return result;
    }
    // In a saturated row 1 minus the largest weight m is 0 in floating point, but the sum of the others is not.
    const double lacking = std::abs(largest + rest - 1.0) <= rounding ? rest : 1.0 - largest;
    // |diag(a) - a a^T|^2 = sum a_i^2 (1 - a_i)^2 + sum_{i != j} a_i^2 a_j^2
    //                     = m^2 (1 - m)^2 + 2 m^2 sum a^2 + sum a^2 - 2 sum a^3 + (sum a^2)^2, sums over the others.
    const double m2 = largest * largest;
    result.jacobian_norm =
        std::sqrt(std::max(0.0, m2 * (lacking * lacking + 2.0 * squares) + squares - 2.0 * cubes + squares * squares));
    return result;
}

bool are_shares(std::span<const double> weights) {
    constexpr double tolerance = 0.01;
    double sum = 0.0;
    for (const double weight : weights) {
        if (!(weight >= 0.0))
            return false;
        sum += weight;
    }
    return std::abs(sum - 1.0) < tolerance;
}

RowStatistics mean_statistics(const MatrixView& weights) {
    RowStatistics mean;
    std::int64_t rows = 0;
    for (std::int64_t i = 0; i < weights.rows; ++i) {
        if (std::ranges::all_of(weights.row(i), [](double weight) { return weight == 0.0; }))
            continue;
        auto row = row_statistics(weights.row(i));
        if (!are_shares(weights.row(i)))
            row.entropy = row.effective_keys = row.jacobian_norm = std::numeric_limits<double>::quiet_NaN();
        ++rows;
        mean.entropy += row.entropy;
        mean.effective_keys += row.effective_keys;
        mean.max_weight += row.max_weight;
        mean.jacobian_norm += row.jacobian_norm;
    }
    if (rows > 0)
        for (double* sum : {&mean.entropy, &mean.effective_keys, &mean.max_weight, &mean.jacobian_norm})
            *sum /= static_cast<double>(rows);
    return mean;
}

Moments moments(std::span<const double> values) {
    double sum = 0.0;
    double count = 0.0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            sum += value;
            count += 1.0;
        }
    }
    if (count == 0.0)
        return {};
    Moments result{sum / count, 0.0};
    for (const double value : values)
        if (std::isfinite(value))
            result.variance += (value - result.mean) * (value - result.mean) / count;
    return result;
}

} // namespace attnlab
