// How a forward is cut into pieces that fit the device and keep it busy. Pure arithmetic.
#pragma once

#include "core/flash/forward.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::gpu {

/// What a problem takes on the device.
struct Footprint {
    flash::Shape shape;            ///< E and Ev as the kernel wants them
    std::size_t element_bytes = 4; ///< of queries, keys and values
    /// Arrays of cells, and whether each head or batch has its own: bytes of one row by one key, times 32.
    std::size_t cell_bytes_of_32_keys = 0; ///< 4 for bits, 128 for a bias
    bool cells_by_head = false, cells_by_batch = false;
    bool cells_by_row = true;                  ///< otherwise a piece has one row of them
    std::size_t scratch_bytes_of_a_number = 0; ///< what the kernel wants for each query, key and value number
};

/// Part of a forward: some batches, some key heads with all query heads that read them, some rows, some keys.
struct Piece {
    std::int64_t first_batch = 0, batches = 1;
    std::int64_t first_kv_head = 0, kv_heads = 1;
    std::int64_t first_row = 0, rows = 0;
    std::int64_t first_key = 0, keys = 0;
};

/// The largest piece; pieces at an end may be smaller.
struct Plan {
    std::int64_t batches = 1, kv_heads = 1, rows = 0, keys = 0;
    std::size_t bytes = 0; ///< on the device, for one of them
};

/// Bytes of a piece of this size on the device. Every array in it begins at a multiple of 256.
std::size_t bytes_of(const Footprint& footprint, const Plan& plan);

/// What pieces are not cut below; keys come in whole words of a mask.
struct Grain {
    std::int64_t rows = 128, keys = 4096;
};

/// Of the plans whose pieces take at most `budget` bytes, the one with the largest: rows are halved when there is one
/// head left, keys at last. About `enough_rows` rows keep the device busy, a piece has no need for more heads. Nothing
/// where no plan fits.
std::optional<Plan> plan_forward(const Footprint& footprint, std::size_t budget, std::int64_t enough_rows,
                                 const Grain& grain = {});

/// All pieces. Those that differ in their keys alone follow each other.
std::vector<Piece> pieces_of(const flash::Shape& shape, const Plan& plan);

} // namespace attnlab::gpu
