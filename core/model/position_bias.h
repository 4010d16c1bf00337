// What the positions of a query and a key add to a score, and which patches may read one another.
#pragma once

#include "core/model/description.h"
#include "core/model/pass.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attnlab::model {

/// (heads, queries + keys - 1), at j - i + queries - 1.
std::vector<float> values_by_distance(const DistanceBuckets& buckets, std::int64_t heads, std::int64_t queries,
                                      std::int64_t keys);
/// The same of slope * (j - i).
std::vector<float> slopes_by_distance(std::span<const float> slopes, std::int64_t queries, std::int64_t keys);
/// (1, heads, positions, positions): values_by_distance() times what the gate makes of each row of `x`.
Tensor gated_scores_of_distances(const DistanceGate& gate, std::shared_ptr<const std::vector<float>> by_distance,
                                 const Matrix& x, std::int64_t heads, const RunControl& control);
/// (1, heads, queries, keys): what distances add to the scaled scores of a pass. Computed where it is read.
Tensor scores_of_distances(const Disentangled& form, const Pass& pass, const RunControl& control);
/// (1, 1, patches, patches): 1 where a patch may read another, else 0. Computed where it is read.
Tensor cells_of_windows(const PatchWindows& windows, std::int64_t count);
/// (heads, 1 + patches, 1 + patches): what is added to the scores of the class token and the patches.
std::vector<double> values_by_patch(const PatchDistances& distances, std::int64_t heads);

} // namespace attnlab::model
