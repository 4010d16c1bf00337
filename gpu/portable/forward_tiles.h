// The forward of one block of query rows on tensor cores: key tile by key tile with an online softmax.
// Dao et al. 2022, FlashAttention; Dao 2023, FlashAttention-2.
//
// reference: o_i = sum_j exp(s_ij - lse_i) v_j with lse_i = log sum_j exp(s_ij), in core/stages/exact.cpp
// and flash::deviation.
#pragma once

#include "gpu/portable/products.h"
#include "gpu/portable/tile_mask.h"

namespace attnlab::gpu {

/// The query tile, the key tile and the value tile in bytes of shared memory.
template <class Products>
constexpr int forward_shared_memory() {
    return (Products::rows + 2 * Products::keys) * Products::width * Products::element_bytes;
}

template <class Products>
ATTNLAB_HOST_DEVICE constexpr int forward_blocks_of_a_head(int L) {
    return (L + Products::rows - 1) / Products::rows;
}

template <class Machine, class Products>
class ForwardBlock {
public:
    ATTNLAB_DEVICE explicit ForwardBlock(const ForwardArguments& arguments)
        : a_(arguments), block_(block_of(arguments)), mask_(arguments, block_.batch, block_.head, block_.first_row) {
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m) {
            ATTNLAB_UNROLL
            for (int half = 0; half < 2; ++half) {
                max_[m][half] = minus_infinity();
                sum_[m][half] = 0.0f;
            }
            ATTNLAB_UNROLL
            for (int n = 0; n < columns; ++n)
                ATTNLAB_UNROLL
            for (int part = 0; part < 4; ++part)
                output_[m][n][part] = 0.0f;
        }
    }

    ATTNLAB_DEVICE void run() {
        int key = mask_.first();
        copy<Products::rows>(query_at, a_.query, block_.head, block_.first_row, a_.L);
        copy_keys(a_.key, key_at, key);
        while (key < mask_.end()) {
            Machine::template wait<0>();
            Machine::sync_block(); // the keys are loaded, and no thread reads the last values any more
            copy_keys(a_.value, value_at, key);
            float scores[row_tiles][key_tiles][4] = {};
            Products::scores(query_at, key_at, first_row_of_warp(), scores);
            Machine::template wait<0>();
            Machine::sync_block(); // the values are loaded, and no thread reads these keys any more
            const int next = mask_.next(key);
            copy_keys(a_.key, key_at, next);
            online_softmax_step(key, scores);
            Products::output(value_at, scores, output_);
            key = next;
        }
        finish();
    }

private:
    static constexpr int row_tiles = Products::row_tiles, key_tiles = Products::key_tiles, columns = Products::columns;
    static constexpr int threads = Products::warps * lanes_of_a_warp;
    static constexpr int tile_row_bytes = Products::width * Products::element_bytes;
    static constexpr int query_at = 0, key_at = Products::rows * tile_row_bytes,
                         value_at = key_at + Products::keys * tile_row_bytes;

    struct Block {
        int batch, head, first_row;
    };

    /// Blocks of one head are adjacent, since they read the same keys; the last rows, which have the most work under a
    /// causal mask, come first.
    static ATTNLAB_DEVICE Block block_of(const ForwardArguments& a) {
        const int blocks = forward_blocks_of_a_head<Products>(a.L);
        const int head = Machine::block() / blocks, row = blocks - 1 - Machine::block() % blocks;
        return {head / a.H, head % a.H, row * Products::rows};
    }

    static ATTNLAB_DEVICE int lane() { return Machine::thread() % lanes_of_a_warp; }
    static ATTNLAB_DEVICE int first_row_of_warp() { return Machine::thread() / lanes_of_a_warp * row_tiles * 16; }
    /// This lane's first row and column within an accumulator.
    static ATTNLAB_DEVICE int row_of_lane() { return lane() / 4; }
    static ATTNLAB_DEVICE int column_of_lane() { return lane() % 4 * 2; }

    template <int rows>
    ATTNLAB_DEVICE void copy(int to, const Rows& from, int head, int first, int count) const {
        const auto* data = static_cast<const unsigned char*>(from.data) +
                           (block_.batch * from.batch_stride + head * from.head_stride) * Products::element_bytes;
        copy_tile<Machine, Products::width, Products::element_bytes, rows, threads>(to, data, from.row_stride, first,
                                                                                    count);
    }

    /// Earlier copies join the same group.
    ATTNLAB_DEVICE void copy_keys(const Rows& from, int to, int key) const {
        if (key < mask_.end())
            copy<Products::keys>(to, from, block_.head / (a_.H / a_.Hkv), key, a_.S);
        Machine::commit();
    }

    /// Converts scores to weights relative to the largest score so far, and rescales earlier results to it.
    ATTNLAB_DEVICE void online_softmax_step(int key, float (&s)[row_tiles][key_tiles][4]) {
        float factor = a_.scale * log2_of_e;
        if (!mask_.leaves_alone(key)) {
            mask_.template apply<Machine>(key, block_.first_row + first_row_of_warp() + row_of_lane(), column_of_lane(),
                                          s);
            factor = 1.0f;
        }
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half)
            online_softmax_step_of_row(m, half, factor, s[m]);
    }

    ATTNLAB_DEVICE void online_softmax_step_of_row(int m, int half, float factor, float (&s)[key_tiles][4]) {
        float largest = minus_infinity();
        ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            largest = fmaxf(largest, fmaxf(s[n][2 * half], s[n][2 * half + 1]));
        // The four lanes of the row.
        largest = fmaxf(largest, Machine::shuffle_xor(largest, 1));
        largest = fmaxf(largest, Machine::shuffle_xor(largest, 2));
        const float max = fmaxf(max_[m][half], largest * factor);
        // A row without any key so far: -inf - -inf would be NaN.
        const float base = max == minus_infinity() ? 0.0f : max;
        const float rescale = Machine::exp2(max_[m][half] - base);
        max_[m][half] = max;
        float sum = 0.0f;
        ATTNLAB_UNROLL
        for (int n = 0; n < key_tiles; ++n)
            ATTNLAB_UNROLL
        for (int c = 0; c < 2; ++c) {
            float& weight = s[n][2 * half + c];
            weight = Machine::exp2(fmaf(weight, factor, -base));
            sum += weight;
        }
        sum_[m][half] = sum_[m][half] * rescale + sum;
        ATTNLAB_UNROLL
        for (int n = 0; n < columns; ++n) {
            output_[m][n][2 * half] *= rescale;
            output_[m][n][2 * half + 1] *= rescale;
        }
    }

    ATTNLAB_DEVICE void finish() {
        Machine::template wait<0>(); // a block without keys has not waited for its queries
        ATTNLAB_UNROLL
        for (int m = 0; m < row_tiles; ++m)
            ATTNLAB_UNROLL
        for (int half = 0; half < 2; ++half) {
            float sum = sum_[m][half];
            sum += Machine::shuffle_xor(sum, 1);
            sum += Machine::shuffle_xor(sum, 2);
            const int row = block_.first_row + first_row_of_warp() + 16 * m + 8 * half + row_of_lane();
            if (row < a_.L)
                put_row(row, m, half, sum);
        }
    }

    ATTNLAB_DEVICE void put_row(int row, int m, int half, float sum) const {
        const std::int64_t head = static_cast<std::int64_t>(block_.batch) * a_.H + block_.head;
        if (column_of_lane() == 0)
            a_.lse[head * a_.L + row] = (max_[m][half] + Machine::log2(sum)) * log_of_2;
        const float factor = sum == 0.0f ? 0.0f : a_.output_scale / sum;
        const std::int64_t first = block_.batch * a_.output.batch_stride + block_.head * a_.output.head_stride +
                                   row * a_.output.row_stride + column_of_lane();
        ATTNLAB_UNROLL
        for (int n = 0; n < columns; ++n) {
            const float low = output_[m][n][2 * half] * factor, high = output_[m][n][2 * half + 1] * factor;
            put_pair(first + 8 * n, low, high);
        }
    }

    ATTNLAB_DEVICE void put_pair(std::int64_t at, float low, float high) const {
        if constexpr (Products::precision != Precision::Float32)
            if (!a_.output_is_float32) {
                auto* to = static_cast<std::uint16_t*>(a_.output.data) + at;
                *reinterpret_cast<unsigned*>(to) = Machine::template pack<Products::precision>(low, high);
                return;
            }
        auto* to = static_cast<float*>(a_.output.data) + at;
        to[0] = low;
        to[1] = high;
    }

    const ForwardArguments& a_;
    const Block block_;
    const TileMask<Products::rows, Products::keys> mask_;
    float max_[row_tiles][2], sum_[row_tiles][2]; ///< in base 2; the sum is this lane's share
    float output_[row_tiles][columns][4];
};

} // namespace attnlab::gpu
