// The two products of a tile on tensor cores, scores = Q K^T and output += weights V, for each precision. An
// accumulator of mma, 16 rows by 8 columns, gives lane l the rows l / 4 and l / 4 + 8 at the columns 2 (l % 4) and the
// next: c[0], c[1] of the upper row, c[2], c[3] of the lower one.
#pragma once

#include "gpu/portable/tiles.h"

namespace attnlab::gpu {

/// bfloat16 and float16: mma m16n8k16. The accumulators of a product with 16 keys, rounded, have exactly the layout of
/// the next product's left operand.
template <class Machine, Precision number, int dim, int warp_count, int row_tile_count, int key_count>
struct Products16 {
    static constexpr Precision precision = number;
    static constexpr int width = dim, element_bytes = 2;
    static constexpr int warps = warp_count, row_tiles = row_tile_count, keys = key_count;
    static constexpr int rows = warps * row_tiles * 16, key_tiles = keys / 8, columns = width / 8;
    using Layout = TileLayout<width, element_bytes>;

    /// `query` and `key` are the tiles' positions in shared memory, `row` is the warp's first within the query tile.
    static ATTNLAB_DEVICE void scores(int query, int key, int row, float (&s)[row_tiles][key_tiles][4]) {
        const int lane = Machine::thread() % lanes_of_a_warp;
        const int from_query = rows_first<Layout>(lane), from_key = pieces_first<Layout>(lane);
        query += row * Layout::row_bytes;
        ATTNLAB_UNROLL
        for (int k = 0; k < width / 16; ++k) {
            unsigned q[row_tiles][4];
            load_queries(query, from_query, k, q);
            multiply_keys(key, from_key, k, q, s);
        }
    }

    /// The queries of a warp in registers, for kernels with enough of them: this halves the reads for a product.
    struct Queries {
        unsigned q[width / 16][row_tiles][4];

        ATTNLAB_DEVICE void load(int query, int row) {
            const int from_query = rows_first<Layout>(Machine::thread() % lanes_of_a_warp);
            query += row * Layout::row_bytes;
            ATTNLAB_UNROLL
            for (int k = 0; k < width / 16; ++k)
                load_queries(query, from_query, k, q[k]);
        }
        ATTNLAB_DEVICE void scores(int key, float (&s)[row_tiles][key_tiles][4]) const {
            const int from_key = pieces_first<Layout>(Machine::thread() % lanes_of_a_warp);
            ATTNLAB_UNROLL
            for (int k = 0; k < width / 16; ++k)
                multiply_keys(key, from_key, k, q[k], s);
        }
    };
    static constexpr bool queries_stay_in_memory = false;

    static ATTNLAB_DEVICE void output(int value, const float (&weights)[row_tiles][key_tiles][4],
                                      float (&o)[row_tiles][columns][4]) {
        const int from_value = rows_first<Layout>(Machine::thread() % lanes_of_a_warp);
        ATTNLAB_UNROLL
        for (int k = 0; k < keys / 16; ++k) {
            unsigned w[row_tiles][4];
            ATTNLAB_UNROLL
            for (int m = 0; m < row_tiles; ++m)
                ATTNLAB_UNROLL
            for (int part = 0; part < 4; ++part) {
                const float(&c)[4] = weights[m][2 * k + part / 2];
                w[m][part] = Machine::template pack<precision>(c[part % 2 * 2], c[part % 2 * 2 + 1]);
            }
            ATTNLAB_UNROLL
            for (int n = 0; n < columns; n += 2) {
                unsigned both[4];
                Machine::load_matrices_transposed(both, value + Layout::moved(from_value, 16 * k, n));
                ATTNLAB_UNROLL
                for (int m = 0; m < row_tiles; ++m) {
                    Machine::template multiply<precision>(o[m][n], w[m], both[0], both[1]);
                    Machine::template multiply<precision>(o[m][n + 1], w[m], both[2], both[3]);
                }
            }
        }
    }

private:
    /// The k-th 16 columns; `from_query` and `from_key` are this lane's initial offsets.
    static ATTNLAB_DEVICE void load_queries(int query, int from_query, int k, unsigned (&q)[row_tiles][4]) {
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            Machine::load_matrices(q[m], query + Layout::moved(from_query, 16 * m, 2 * k));
    }
    static ATTNLAB_DEVICE void multiply_keys(int key, int from_key, int k, const unsigned (&q)[row_tiles][4],
                                             float (&s)[row_tiles][key_tiles][4]) {
        ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; n += 2) {
            unsigned both[4];
            Machine::load_matrices(both, key + Layout::moved(from_key, 8 * n, 2 * k));
            ATTNLAB_UNROLL
            for (int m = 0; m < row_tiles; ++m) {
                Machine::template multiply<precision>(s[m][n], q[m], both[0], both[1]);
                Machine::template multiply<precision>(s[m][n + 1], q[m], both[2], both[3]);
            }
        }
    }
};

/// float32 by three products of tf32: each number is split into a large part of 11 bits and a remainder, and only the
/// product of two remainders is dropped. Tensor cores truncate sums: over the columns of a wide head, and over the keys
/// of a tile, they accumulate little, and ordinary additions do the rest. (Ootomo and Yokota 2022, Recovering single
/// precision accuracy from tensor cores.)
template <class Machine, int dim, int warp_count, int key_count>
struct Products32 {
    static constexpr Precision precision = Precision::Float32;
    static constexpr int width = dim, element_bytes = 4;
    static constexpr int warps = warp_count, row_tiles = 1, keys = key_count;
    static constexpr int rows = warps * 16, key_tiles = keys / 8, columns = width / 8;
    using Layout = TileLayout<width, element_bytes>;

    static ATTNLAB_DEVICE void scores(int query, int key, int row, float (&s)[1][key_tiles][4]) {
        const int lane = Machine::thread() % lanes_of_a_warp;
        const int from_query = rows_first<Layout>(lane), from_key = pieces_first<Layout>(lane);
        query += row * Layout::row_bytes;
        ATTNLAB_UNROLL
        for (int k = 0; k < width / 8; ++k) {
            unsigned q[4], large[4], rest[4];
            Machine::load_matrices(q, query + Layout::moved(from_query, 0, 2 * k));
            split(q, large, rest);
            ATTNLAB_UNROLL
            for (int n = 0; n < key_tiles; n += 2) {
                unsigned both[4], key_large[4], key_rest[4];
                Machine::load_matrices(both, key + Layout::moved(from_key, 8 * n, 2 * k));
                split(both, key_large, key_rest);
                add_product(s[0][n], large, rest, key_large[0], key_large[1], key_rest[0], key_rest[1]);
                add_product(s[0][n + 1], large, rest, key_large[2], key_large[3], key_rest[2], key_rest[3]);
            }
        }
    }

    /// As in Products16, but in shared memory: they are split at each use.
    struct Queries {
        int query, row;

        ATTNLAB_DEVICE void load(int from_query, int from_row) { query = from_query, row = from_row; }
        ATTNLAB_DEVICE void scores(int key, float (&s)[1][key_tiles][4]) const {
            Products32::scores(query, key, row, s);
        }
    };
    static constexpr bool queries_stay_in_memory = true;

    /// The left operand holds keys t and t + 4 of eight where an accumulator holds 2 t and 2 t + 1. A sum does not
    /// depend on the order of keys, so weights stay in place and values are read in their order.
    static ATTNLAB_DEVICE void output(int value, const float (&weights)[1][key_tiles][4], float (&o)[1][columns][4]) {
        // Keys 2 t and 2 t + 1, column l / 4: four columns in a piece.
        const int lane = Machine::thread() % lanes_of_a_warp, key = lane % 4 * 2;
        const int from_value0 = Layout::piece(key, lane / 16) + lane / 4 % 4 * element_bytes;
        const int from_value1 = Layout::piece(key + 1, lane / 16) + lane / 4 % 4 * element_bytes;
        unsigned large[key_tiles][4], rest[key_tiles][4];
        ATTNLAB_UNROLL
        for (int k = 0; k < key_tiles; ++k) {
            const float(&c)[4] = weights[0][k];
            const unsigned w[4] = {bits(c[0]), bits(c[2]), bits(c[1]), bits(c[3])};
            split(w, large[k], rest[k]);
        }
        ATTNLAB_UNROLL
        for (int n = 0; n < columns; ++n) {
            float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
            ATTNLAB_UNROLL
            for (int k = 0; k < key_tiles; ++k) {
                const float v0 = Machine::template load<float>(value + Layout::moved(from_value0, 8 * k, 2 * n));
                const float v1 = Machine::template load<float>(value + Layout::moved(from_value1, 8 * k, 2 * n));
                const unsigned large0 = Machine::tf32(v0), large1 = Machine::tf32(v1);
                multiply(sum, large[k], rest[k], large0, large1, rest_of(v0, large0), rest_of(v1, large1));
            }
            ATTNLAB_UNROLL
            for (int part = 0; part < 4; ++part)
                o[0][n][part] += sum[part];
        }
    }

private:
    static ATTNLAB_DEVICE unsigned bits(float x) {
        unsigned y;
        __builtin_memcpy(&y, &x, sizeof y);
        return y;
    }
    static ATTNLAB_DEVICE float number(unsigned x) {
        float y;
        __builtin_memcpy(&y, &x, sizeof y);
        return y;
    }
    static ATTNLAB_DEVICE unsigned rest_of(float x, unsigned large) { return Machine::tf32(x - number(large)); }

    static ATTNLAB_DEVICE void split(const unsigned (&x)[4], unsigned (&large)[4], unsigned (&rest)[4]) {
        ATTNLAB_UNROLL
        for (int k = 0; k < 4; ++k) {
            large[k] = Machine::tf32(number(x[k]));
            rest[k] = rest_of(number(x[k]), large[k]);
        }
    }
    /// c += a b, where only the sum of the eight products of a step is truncated.
    static ATTNLAB_DEVICE void add_product(float (&c)[4], const unsigned (&large)[4], const unsigned (&rest)[4],
                                           unsigned large0, unsigned large1, unsigned rest0, unsigned rest1) {
        float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        multiply(sum, large, rest, large0, large1, rest0, rest1);
        ATTNLAB_UNROLL
        for (int part = 0; part < 4; ++part)
            c[part] += sum[part];
    }
    /// The small products first.
    static ATTNLAB_DEVICE void multiply(float (&c)[4], const unsigned (&large)[4], const unsigned (&rest)[4],
                                        unsigned large0, unsigned large1, unsigned rest0, unsigned rest1) {
        Machine::multiply_tf32(c, rest, large0, large1);
        Machine::multiply_tf32(c, large, rest0, rest1);
        Machine::multiply_tf32(c, large, large0, large1);
    }
};

} // namespace attnlab::gpu
