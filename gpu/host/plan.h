// Divides a forward into pieces that fit the device and keep it busy. Pure arithmetic.
#pragma once

#include "core/flash/flash_forward.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace attnlab::gpu {

/// The device memory of a problem.
struct Footprint {
    flash::Shape shape;            ///< E and Ev padded for the kernel
    std::size_t element_bytes = 4; ///< of queries, keys and values
    /// Arrays of cells, and whether each head or batch has its own: bytes of one row by one key, times 32.
    std::size_t cell_bytes_of_32_keys = 0; ///< 4 for bits, 128 for a bias
    bool cells_by_head = false, cells_by_batch = false;
    bool cells_by_row = true;                  ///< otherwise a piece has one row of them
    std::size_t scratch_bytes_of_a_number = 0; ///< required by the kernel for each number of queries, keys and values
    std::size_t staging_bytes = 0;             ///< of inputs on their way
};

/// The most bytes of a piece's cells: they are packed in ordinary memory first.
inline constexpr std::size_t most_cell_bytes = std::size_t{1} << 28;

/// Part of a forward: some batches, some key heads with all query heads that read them, some rows, some keys.
struct Piece {
    std::int64_t first_batch = 0, batches = 1;
    std::int64_t first_kv_head = 0, kv_heads = 1;
    std::int64_t first_row = 0, rows = 0;
    std::int64_t first_key = 0, keys = 0;
};

/// The largest piece; the last ones may be smaller.
struct Plan {
    std::int64_t batches = 1, kv_heads = 1, rows = 0, keys = 0;
    std::size_t bytes = 0; ///< of one piece, on the device
};

/// Bytes of a piece of this size on the device. Every array in it begins at a multiple of 256.
std::size_t bytes_of(const Footprint& footprint, const Plan& plan);

/// The smallest division; keys are divided in whole words of a mask.
struct Grain {
    std::int64_t rows = 128, keys = 4096;
};

/// Of the plans whose pieces take at most `budget` bytes, and most_cell_bytes of cells, the one with the largest
/// pieces: rows are halved when only one head is left, keys last. About `enough_rows` rows keep the device busy; a
/// piece does not need more heads than that. nullopt where no plan fits.
std::optional<Plan> plan_forward(const Footprint& footprint, std::size_t budget, std::int64_t enough_rows,
                                 const Grain& grain = {});

/// All pieces. Those that differ only in their keys are adjacent.
std::vector<Piece> pieces_of(const flash::Shape& shape, const Plan& plan);

} // namespace attnlab::gpu
