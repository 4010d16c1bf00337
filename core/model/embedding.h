// The input of the first block: tokens, positions, patches of an image, frames of a sound.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::model {

/// Rows that take the place of a token wherever it stands, one after the other.
struct PlacedRows {
    const Matrix* rows = nullptr; ///< null: none
    std::int64_t token = 0;
};
/// The input of the first block, for the positions from `first` on.
Matrix embed(const Embedding& embedding, const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& types,
             const std::optional<Pixels>& image, const std::optional<Sound>& sound, std::int64_t first,
             const RunControl& control, const PlacedRows& placed = {});

} // namespace attnlab::model
