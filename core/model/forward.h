// The forward pass over a description.
#pragma once

#include "core/model/model.h"

namespace attnlab::model {

Result forward(const Description& description, Input input, const Options& options, const RunControl& control,
               const Result* previous);

/// The logits of the head, without a pooling, for rows that the last norm of the stack has normalized.
Matrix logits_of(const Head& head, Matrix x, const RunControl& control);

/// What the heads of a pass give before they are projected: (queries, heads * width). Throws Cancelled.
Matrix outputs_of(const Pass& pass, const RunControl& control);

/// Rows that take the place of a token wherever it stands, one after the other.
struct PlacedRows {
    const Matrix* rows = nullptr; ///< null: none
    std::int64_t token = 0;
};
/// The input of the first block, for the positions from `first` on.
Matrix embed(const Embedding& embedding, const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& types,
             const std::optional<Pixels>& image, const std::optional<Sound>& sound, std::int64_t first,
             const RunControl& control, const PlacedRows& placed = {});

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
