// The arithmetic of a tile on a unit that multiplies small matrices of bfloat16 and adds in float32 (AMX), compiled for
// each instruction set. As in TileKernel, rows of a result are keys or value columns, and columns are query rows.
//
// With one part, numbers are rounded to bfloat16. With two, x is about x1 + x2, of 8 bits each, and the three products
// x1 y1 + x1 y2 + x2 y1 are off by about 2^-17 of |x| |y|: enough for the scores of a map. Values and weights have one
// part.
#pragma once

#include "core/flash/tile_kernel.h"

#include <cstdint>

namespace attnlab::flash {

/// A matrix of the unit: 16 rows of 64 bytes, 32 bfloat16 each.
inline constexpr std::int64_t rows_of_a_matrix = 16, numbers_of_a_matrix_row = 32,
                              numbers_of_a_matrix = rows_of_a_matrix * numbers_of_a_matrix_row;
/// Keys and values are packed by blocks of this many keys; a tile lies within one.
inline constexpr std::int64_t keys_of_a_block = 128;

/// Sizes of packed numbers in bfloat16, for each part; numbers beyond an array are 0.
struct PackedSizes {
    static constexpr std::int64_t matrices(std::int64_t count, std::int64_t of_a_matrix) {
        return (count + of_a_matrix - 1) / of_a_matrix;
    }
    /// Of a panel: (E / 32, width / 16) matrices, whose row r holds the features 2 r and 2 r + 1 of each query.
    static constexpr std::int64_t queries(std::int64_t E, int width) {
        return matrices(E, numbers_of_a_matrix_row) * matrices(width, rows_of_a_matrix) * numbers_of_a_matrix;
    }
    /// Of a block: (128 / 16, E / 32) matrices, whose rows are keys.
    static constexpr std::int64_t keys(std::int64_t E) {
        return keys_of_a_block / rows_of_a_matrix * matrices(E, numbers_of_a_matrix_row) * numbers_of_a_matrix;
    }
    /// Of a block: (Ev / 16, 128 / 32) matrices, whose rows are value columns.
    static constexpr std::int64_t values(std::int64_t Ev) {
        return matrices(Ev, rows_of_a_matrix) * keys_of_a_block / numbers_of_a_matrix_row * numbers_of_a_matrix;
    }
    /// Of the weights of a panel for a block: (128 / 32, width / 16) matrices, as those of queries.
    static constexpr std::int64_t weights(int width) { return queries(keys_of_a_block, width); }
};

/// A Tile within one block. `scores` has the rows of the whole block and `output` is rounded up to whole matrices:
/// (Ev / 16 * 16, width). `queries`, `keys` and `values` are not read.
struct MatrixTile : Tile {
    int parts = 1;             ///< of queries and keys: 1, or 2 if Ev is 0
    std::int64_t offset = 0;   ///< of the first key of the tile in its block
    float score_factor = 1.0f; ///< with one part: makes scores base 2, where the packed queries do not
    const std::uint16_t* packed_queries = nullptr;
    const std::uint16_t* packed_keys = nullptr;
    const std::uint16_t* packed_values = nullptr;
    std::uint16_t* packed_weights = nullptr; ///< scratch
};

/// What is multiplied. A number in float32 is split exactly into three of 8 bits: x = x1 + x2 + x3.
enum class Factors {
    BFloat16,        ///< x and w are bfloat16
    BFloat16Weights, ///< x in three parts and w in one: three products, as exact as products in float32
    Float32,         ///< both in three; the six products xi wj with i + j <= 4 are off by about 2^-24 of |x| |w|
};
constexpr int parts_of_x(Factors factors) { return factors == Factors::BFloat16 ? 1 : 3; }
constexpr int parts_of_weights(Factors factors) { return factors == Factors::Float32 ? 3 : 1; }

/// out[row][output] = sum over k of x[row][k] w[output][k], with sums in float32.
struct WeightProduct {
    std::int64_t rows = 0, inputs = 0, outputs = 0;
    Factors factors = Factors::BFloat16;
    const std::uint16_t* packed_x = nullptr;        ///< by pack_activations
    const std::uint16_t* rounded_weights = nullptr; ///< in one part: (outputs, inputs), as the bits of bfloat16
    const float* weights = nullptr;                 ///< in three: (outputs, inputs), or (inputs, outputs)
    std::int64_t weight_stride = 0;                 ///< of `weights`, from one row to the next
    bool inputs_first = false;                      ///< of `weights`
    float* out = nullptr;                           ///< rows `out_stride` apart
    std::int64_t out_stride = 0;
    std::uint16_t* packed_weights = nullptr; ///< scratch, aligned
    float* sums = nullptr;                   ///< scratch, aligned

    /// What is computed together, so that it stays in the caches of a core. A step has 32 inputs.
    static constexpr std::int64_t outputs_of_a_block = 256, rows_of_a_block = 512;
    static constexpr std::int64_t steps_of_a_block(Factors factors) { return factors == Factors::BFloat16 ? 8 : 4; }
    /// The scratch memory of a thread, in numbers.
    static constexpr std::int64_t scratch_weights = outputs_of_a_block * 12 * numbers_of_a_matrix_row;
    static constexpr std::int64_t scratch_sums = outputs_of_a_block * rows_of_a_block;
    /// Of x: (blocks of steps, rows / 16, steps of a block, parts) matrices, whose row r holds two inputs of each row
    /// of x: 2 r and 2 r + 1 of its 32 where weights have one part, r and r + 16 where they have three.
    static constexpr std::int64_t packed_numbers(std::int64_t rows, std::int64_t inputs, Factors factors) {
        return PackedSizes::matrices(rows, rows_of_a_matrix) * PackedSizes::matrices(inputs, numbers_of_a_matrix_row) *
               parts_of_x(factors) * numbers_of_a_matrix;
    }
};

/// Three parts hold finite numbers up to this, whose products have finite sums.
inline constexpr float largest_in_three_parts = 0x1p50f;

/// Finite numbers up to this can be packed. Values other than 0 must be at least the second one: the unit takes
/// products below the normal range for 0.
inline constexpr float largest_packed = 0x1p100f, smallest_packed_value = 0x1p-90f;

struct MatrixKernel {
    const char* name;      ///< "AMX"
    int width;             ///< query rows of a panel, as in TileKernel
    bool is_chosen_always; ///< without a measurement, see matrix_unit.h: for tests

    /// Prepare the unit for this thread, and free it. The other functions are called in between, packing excepted.
    void (*begin)();
    void (*end)();

    /// From (E, width).
    void (*pack_queries)(const float* queries, std::int64_t E, int parts, std::uint16_t* packed);
    /// From (count, E) and (count, Ev), with at most keys_of_a_block keys.
    void (*pack_keys)(const float* keys, std::int64_t count, std::int64_t E, int parts, std::uint16_t* packed);
    void (*pack_values)(const float* values, std::int64_t count, std::int64_t Ev, std::uint16_t* packed);

    /// As in TileKernel.
    void (*attend)(const MatrixTile& tile);
    void (*score)(const MatrixTile& tile);

    /// Packs the rows from `first` to the next 16 of x (rows, inputs) for a WeightProduct. `packed` is the memory of
    /// all rows. False if three parts cannot hold one of the numbers.
    bool (*pack_activations)(const float* x, std::int64_t first, std::int64_t rows, std::int64_t inputs,
                             Factors factors, std::uint16_t* packed);
    /// Prepares the unit by itself. False, with results of no meaning, if three parts cannot hold one of the weights.
    bool (*multiply)(const WeightProduct& product);
};

// AMX: amx_kernel.cpp.

/// Null where the instruction set in use is not AVX-512, or the program was built without AMX. To be called only after
/// the two functions below have returned true.
const MatrixKernel* amx_kernel();

/// True when the processor multiplies matrices of bfloat16, of the size that the kernel needs.
bool processor_has_amx();
/// Asks Linux (5.16 or later) to let this process use the registers of AMX.
bool system_permits_amx();

} // namespace attnlab::flash
