// The layout of numbers in shared memory and registers for Hopper's tensor cores (wgmma) and copy engine (TMA).
// PTX ISA, "Asynchronous warpgroup-level matrix shared memory layout" and "Tensor swizzling modes". 16-bit numbers.
//
// A tile of R rows and C columns is stored in shared memory as C / 64 panels, each of R rows of 128 bytes; it starts at
// a multiple of 1024 bytes, and within each 1024 bytes the copy engine permutes pieces of 16 bytes: the index of a
// piece in its row is XORed with the index of the row in its group of eight.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define ATTNLAB_BOTH __host__ __device__
#else
#define ATTNLAB_BOTH
#endif

namespace attnlab::gpu::hopper {

inline constexpr int panel_columns = 64; ///< the widest box of 16-bit numbers with a 128-byte swizzle
inline constexpr int panel_row_bytes = 128;
inline constexpr int atom_bytes = 1024; ///< eight rows: the period of the swizzle
inline constexpr int atom_rows = 8;
inline constexpr int mma_depth = 16;      ///< products summed by one wgmma of 16-bit numbers
inline constexpr int warpgroup_rows = 64; ///< of A and D in one wgmma
inline constexpr int warpgroup_threads = 128;

/// The swizzled position of the byte at `address`: bits 4 to 6 are XORed with bits 7 to 9.
ATTNLAB_BOTH constexpr std::uint32_t swizzled(std::uint32_t address) { return address ^ ((address & 0x380u) >> 3); }

/// Bytes of a tile.
ATTNLAB_BOTH constexpr int tile_bytes(int rows, int columns) { return rows * columns * 2; }

/// The byte offset of a cell from the start of its tile.
ATTNLAB_BOTH constexpr std::uint32_t cell_offset(int row, int column, int rows) {
    return swizzled(static_cast<std::uint32_t>((column / panel_columns) * rows * panel_row_bytes +
                                               row * panel_row_bytes + (column % panel_columns) * 2));
}

/// A matrix descriptor: bits 0-13 start, 16-29 leading offset, 32-45 stride offset, all in units of 16 bytes; bits
/// 49-51 base offset, 0 as every tile starts at a multiple of 1024; bits 62-63 swizzle, 1 for 128 bytes.
ATTNLAB_BOTH constexpr std::uint64_t descriptor(std::uint32_t address, std::uint32_t leading, std::uint32_t stride) {
    return static_cast<std::uint64_t>((address & 0x3FFFFu) >> 4) |
           static_cast<std::uint64_t>((leading & 0x3FFFFu) >> 4) << 16 |
           static_cast<std::uint64_t>((stride & 0x3FFFFu) >> 4) << 32 | std::uint64_t{1} << 62;
}

/// Q or K: the row of the tile is the row (or column) of the product, its columns are summed over. The stride is from
/// eight rows to the next eight; the leading offset is unused with a swizzle.
ATTNLAB_BOTH constexpr std::uint64_t k_major(std::uint32_t tile) { return descriptor(tile, 16, atom_bytes); }

/// V: rows of the tile are summed over, its columns are columns of the product. The leading offset is from one panel of
/// 64 columns to the next, the stride from eight rows to the next eight.
ATTNLAB_BOTH constexpr std::uint64_t mn_major(std::uint32_t tile, int rows) {
    return descriptor(tile, static_cast<std::uint32_t>(rows * panel_row_bytes), atom_bytes);
}

/// The offset of the `step`-th 16 columns of a K-major tile: 32 bytes within a panel.
ATTNLAB_BOTH constexpr std::uint32_t k_major_step(int step, int rows) {
    constexpr int steps = panel_columns / mma_depth;
    return static_cast<std::uint32_t>((step / steps) * rows * panel_row_bytes + (step % steps) * mma_depth * 2);
}

/// The offset of the `step`-th 16 rows of an MN-major tile.
ATTNLAB_BOTH constexpr std::uint32_t mn_major_step(int step) {
    return static_cast<std::uint32_t>(step * mma_depth * panel_row_bytes);
}

/// A descriptor whose start is advanced by `bytes`, which must not overflow the start's 14 bits.
ATTNLAB_BOTH constexpr std::uint64_t advanced(std::uint64_t matrix, std::uint32_t bytes) {
    return matrix + (bytes >> 4);
}

/// The row, of 64, of accumulator number `r` of a thread of the warpgroup.
ATTNLAB_BOTH constexpr int accumulator_row(int thread, int r) {
    return thread / 32 * 16 + thread % 32 / 4 + (r / 2 % 2) * 8;
}
ATTNLAB_BOTH constexpr int accumulator_column(int thread, int r) { return r / 4 * 8 + thread % 4 * 2 + r % 2; }

/// An operand A in registers is 4 registers of two numbers; number `e` of 8 is at this row of 64 and column of 16.
ATTNLAB_BOTH constexpr int fragment_row(int thread, int e) {
    return thread / 32 * 16 + thread % 32 / 4 + (e / 2 % 2) * 8;
}
ATTNLAB_BOTH constexpr int fragment_column(int thread, int e) { return e / 4 * 8 + thread % 4 * 2 + e % 2; }

/// An array (batches, heads, rows, columns) in device memory, and the box that one copy loads into shared memory.
struct TileSource {
    const void* numbers = nullptr;                                  ///< of 16 bits; rows start at multiples of 16 bytes
    bool bfloat16 = true;                                           ///< float16 otherwise
    std::int64_t columns = 0, rows = 0, heads = 0, batches = 0;     ///< cells outside read as 0
    std::int64_t row_stride = 0, head_stride = 0, batch_stride = 0; ///< in numbers
    int box_rows = 0;                                               ///< at most 256; a box is 64 columns wide
};

} // namespace attnlab::gpu::hopper
