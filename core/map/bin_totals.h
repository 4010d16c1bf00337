// Accumulators of bins: one bin, and the rows of bins of a task.
#pragma once

#include "core/flash/panel_mask.h"
#include "core/map/attention_map.h"
#include "core/map/pool_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace attnlab {

/// The larger one; NaN where either is NaN.
inline float larger(float a, float b) { return std::isnan(b) || b > a ? b : a; }

struct BinTotal {
    float log2_max = -std::numeric_limits<float>::infinity();
    double sum = 0.0, kept = 0.0;

    void take(const MapBins& bins, std::size_t bin) {
        if (bins.masked(bin))
            return;
        take({bins.log2_max[bin], bins.sum.empty() ? 0.0 : static_cast<double>(bins.sum[bin]),
              static_cast<double>(bins.kept[bin])});
    }

    void take(const BinTotal& other) {
        log2_max = larger(log2_max, other.log2_max);
        sum += other.sum;
        kept += other.kept;
    }

    void put(MapBins& bins, std::size_t bin) const {
        bins.log2_max[bin] = kept > 0.0 ? log2_max : std::numeric_limits<float>::quiet_NaN();
        bins.kept[bin] = static_cast<float>(kept);
        if (!bins.sum.empty())
            bins.sum[bin] = static_cast<float>(sum);
    }
};

/// Uninitialized space for rows x columns bins.
MapBins bins_of(std::int64_t rows, std::int64_t columns, bool sums);

// The accumulated rows of bins of a thread's task.

class BinTotals {
public:
    void start(std::int64_t rows, std::int64_t columns, bool sums) {
        // An odd number of cache lines: with a power of two the rows of a panel would compete for the same cache sets.
        stride_ = ((columns + 15) / 16 | 1) * 16;
        const auto count = static_cast<std::size_t>(rows * stride_);
        log2_max_.assign(count, -std::numeric_limits<float>::infinity());
        sum_.assign(sums ? count : 0, 0.0);
        kept_.assign(count, 0);
    }

    BinTotal bin(std::int64_t row, std::int64_t column) const {
        const auto at = static_cast<std::size_t>(row * stride_ + column);
        return {log2_max_[at], sum_.empty() ? 0.0 : sum_[at], static_cast<double>(kept_[at])};
    }

    /// Assigns the rows of a panel to rows of bins; `first_row` is relative to the first cell. Fills `out`, from the
    /// bin in `column` on, and returns their number.
    int rows_of_bins(std::int64_t first_row, int rows, std::int64_t bin_rows, std::int64_t column,
                     std::array<flash::BinRow, flash::widest_panel>& out) {
        int count = 0;
        for (int lane = 0; lane < rows; ++count) {
            const auto bin = (first_row + lane) / bin_rows;
            const auto last = static_cast<int>(std::min<std::int64_t>(rows, (bin + 1) * bin_rows - first_row));
            const auto at = static_cast<std::size_t>(bin * stride_ + column);
            out[static_cast<std::size_t>(count)] = {lane, last, &log2_max_[at], sum_.empty() ? nullptr : &sum_[at],
                                                    &kept_[at]};
            lane = last;
        }
        return count;
    }

private:
    std::int64_t stride_ = 0;
    std::vector<float> log2_max_;
    std::vector<double> sum_;
    std::vector<std::int64_t> kept_;
};

} // namespace attnlab
