// The first pass over a head computes the lse of its rows. It can also compute the pooled maxima, by keeping maxima of
// bins for each row until its lse is known.
#pragma once

#include "core/flash/flash_forward.h"
#include "core/map/attention_map.h"

namespace attnlab {

/// One number for each row of a head, see AttentionMap.
struct RowNumbers {
    double* lse = nullptr;
    float* base = nullptr;
    float* log2_sum = nullptr;
    float* factor = nullptr;

    /// From the largest score in base 2 and the sum of 2^(score - max). A row with NaN or +inf in either becomes NaN.
    void set(std::int64_t row, double max, double sum, double output_scale) const;
};

/// True when one pass can compute both, and it is faster.
bool can_pool_in_opening_pass(const flash::Problem& head, std::int64_t bin_rows, std::int64_t bin_columns);

/// Fills `rows`, and passes on every strip of bins except those with a row that is NaN or far (see far_rows.h), whose
/// first rows of bins it returns. `head` has one batch entry and one head. Throws Cancelled.
std::vector<std::int64_t> open_in_one_pass(const flash::Problem& head, const FirstBins& bins, const RowNumbers& rows,
                                           const RunControl& control, int threads);

} // namespace attnlab
