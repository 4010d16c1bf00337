// The first pass over a head, which finds the lse of its rows and, with the maxima of bins kept row by row until their
// lse is known, the pooled maxima too.
#pragma once

#include "core/flash/forward.h"
#include "core/map/attention_map.h"

namespace attnlab {

/// One number for each row of a head, see AttentionMap.
struct RowNumbers {
    double* lse = nullptr;
    float* base = nullptr;
    float* log2_sum = nullptr;
    float* factor = nullptr;

    /// From the largest score in base 2 and the sum of 2^(score - it), either of them NaN or +inf where a score was:
    /// such a row is NaN from now on.
    void set(std::int64_t row, double max, double sum, double output_scale) const;
};

/// Whether one pass can tell both, and is worth it.
bool opens_in_one_pass(const flash::Problem& head, std::int64_t bin_rows, std::int64_t bin_columns);

/// Fills `rows`, and hands over every strip of bins but those with a row that is NaN or far (see far_rows.h); returns
/// the first rows of bins of these. `head` has one batch entry and one head. Throws Cancelled.
std::vector<std::int64_t> open_in_one_pass(const flash::Problem& head, const FirstBins& bins, const RowNumbers& rows,
                                           const RunControl& control, int threads);

} // namespace attnlab
