// Accumulates one bin.
#pragma once

#include "core/map/attention_map.h"

#include <cmath>

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

} // namespace attnlab
