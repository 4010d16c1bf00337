// Scores of a tile in the registers of a warpgroup: masks, and the softmax over tiles.
// Milakov & Gimelshein 2018, Online normalizer calculation for softmax; Dao 2023, FlashAttention-2.
//
// A thread holds two rows of a tile, 8 apart; number 4 i + 2 r + e of its scores lies in its row r and in column
// 8 i + 2 (lane % 4) + e. Four neighbouring lanes share a row.
#pragma once

#include "gpu/hopper/forward_plan.h"

namespace attnlab::gpu::hopper {

__device__ __forceinline__ constexpr float minus_infinite() { return -__builtin_huge_valf(); }

/// The query rows of a thread.
struct ThreadRows {
    int head; ///< b H + h
    int row;  ///< of the first; the other is row + 8. May lie beyond the last row.
    int keys; ///< the number for this batch

    /// The column of the first score in a tile.
    __device__ __forceinline__ int column() const { return accumulator_column(thread_index(), 0); }
    /// For limits: rows beyond the last are computed like the last and discarded.
    __device__ __forceinline__ int row_within(const ForwardPlan& plan, int r) const {
        return smaller_of(row + 8 * r, plan.L - 1);
    }
};

/// Largest score so far and the sum of 2^(score - largest) over this thread's columns only.
struct RowState {
    float largest[2] = {minus_infinite(), minus_infinite()};
    float sum[2] = {0.0f, 0.0f};
};

/// The columns of each row that the band keeps: [first, end) relative to this thread's first.
__device__ __forceinline__ void kept_columns(const ForwardPlan& plan, const ThreadRows& rows, int first_key, int r,
                                             int& first, int& end) {
    const int row = rows.row_within(plan, r);
    const int start = first_key + rows.column();
    first = row - plan.band.before - start;
    end = smaller_of(rows.keys, larger_of(row + plan.band.after + 1, plan.band.prefix)) - start;
}

template <int count>
__device__ __forceinline__ void mask_band(const ForwardPlan& plan, const ThreadRows& rows, int first_key,
                                          float (&scores)[count]) {
    ATTNLAB_UNROLL
    for (int r = 0; r < 2; ++r) {
        int first, end;
        kept_columns(plan, rows, first_key, r, first, end);
        ATTNLAB_UNROLL
        for (int k = 0; k < count / 2; ++k) {
            const int column = k / 2 * 8 + k % 2;
            if (column < first || column >= end)
                scores[k / 2 * 4 + r * 2 + k % 2] = minus_infinite();
        }
    }
}

/// The arrays of one row.
struct CellRow {
    const std::uint32_t* padding = nullptr;
    const std::uint32_t* kept = nullptr;
    const float* bias = nullptr;
    int keys;

    __device__ __forceinline__ CellRow(const ForwardPlan& plan, const ThreadRows& rows, int row) : keys(rows.keys) {
        const int batch = rows.head / plan.H, head = rows.head % plan.H;
        if (plan.key_padding.words)
            padding = plan.key_padding.words + batch * plan.key_padding.batch_stride;
        if (plan.kept.words)
            kept = plan.kept.words + batch * plan.kept.batch_stride + head * plan.kept.head_stride +
                   row * plan.kept.row_stride;
        if (plan.bias.values)
            bias = plan.bias.values + batch * plan.bias.batch_stride + head * plan.bias.head_stride +
                   row * plan.bias.row_stride;
        const auto& lengths = plan.valid_lengths;
        if (lengths.lengths && lengths.row_stride != 0)
            keys = smaller_of(plan.S, lengths.lengths[batch * lengths.batch_stride + row * lengths.row_stride] -
                                          plan.first_key);
    }
    /// For the 32 keys of word `word`.
    __device__ __forceinline__ std::uint32_t bits(int word) const {
        return (padding ? padding[word] : 0xFFFFFFFFu) & (kept ? kept[word] : 0xFFFFFFFFu);
    }
};

/// Converts a product to the argument of the softmax in base 2; subtractions from it are exact for any magnitude.
__device__ __forceinline__ float score_of(const ForwardPlan& plan, const CellRow& cells, int key, bool kept,
                                          float product) {
    if (key >= plan.S || (!kept && plan.blocked == Blocked::Skipped))
        return minus_infinite();
    if (!kept && plan.blocked == Blocked::Replaced)
        return plan.fill;
    float score = product * plan.scale;
    if (plan.softcap > 0.0f)
        score = plan.softcap * log2_e * tanh_of(score / plan.softcap);
    if (cells.bias)
        score += cells.bias[key] * log2_e;
    return kept ? score : score + plan.fill;
}

/// Applies all that can happen to a score.
template <int count>
__device__ __forceinline__ void mask_cells(const ForwardPlan& plan, const ThreadRows& rows, int first_key,
                                           float (&scores)[count]) {
    ATTNLAB_UNROLL
    for (int r = 0; r < 2; ++r) {
        const CellRow cells(plan, rows, rows.row_within(plan, r));
        int first, end;
        kept_columns(plan, rows, first_key, r, first, end);
        end = smaller_of(end, cells.keys - first_key - rows.column());
        std::uint32_t bits = 0;
        ATTNLAB_UNROLL
        for (int k = 0; k < count / 2; ++k) {
            const int column = k / 2 * 8 + k % 2;
            const int key = first_key + rows.column() + column;
            if (k % 8 == 0)
                bits = first_key + column < plan.S ? cells.bits((first_key + column) / 32) : 0u;
            const bool kept = column >= first && column < end && (bits >> (key % 32) & 1u);
            float& score = scores[k / 2 * 4 + r * 2 + k % 2];
            score = score_of(plan, cells, key, kept, score);
        }
    }
}

/// The maximum over four neighbouring lanes.
__device__ __forceinline__ float largest_of_row(float value) {
    value = larger(value, from_lane_xor(value, 1));
    return larger(value, from_lane_xor(value, 2));
}
__device__ __forceinline__ float sum_of_row(float value) {
    value += from_lane_xor(value, 1);
    return value + from_lane_xor(value, 2);
}

/// Converts scores to weights 2^(to_log2 score - to_log2 largest). Earlier sums must be multiplied by `rescale`.
/// `guarded`, for rows that may have read nothing so far, avoids infinity minus infinity.
template <bool guarded, int count>
__device__ __forceinline__ void take_softmax(float to_log2, RowState& state, float (&scores)[count],
                                             float (&rescale)[2]) {
    ATTNLAB_UNROLL
    for (int r = 0; r < 2; ++r) {
        float largest = state.largest[r];
        ATTNLAB_UNROLL
        for (int i = r * 2; i < count; i += 4)
            largest = larger(largest, larger(scores[i], scores[i + 1]));
        largest = largest_of_row(largest);
        const float subtracted = guarded && largest == minus_infinite() ? 0.0f : largest;
        const float base = subtracted * to_log2;
        // Exactly 1 where the largest score is unchanged: a multiply-add with the rounded base would differ slightly
        // each time.
        rescale[r] = exp2_fast((state.largest[r] - subtracted) * to_log2);
        state.largest[r] = largest;
        float even = state.sum[r] * rescale[r], odd = 0.0f;
        ATTNLAB_UNROLL
        for (int i = r * 2; i < count; i += 4) {
            even += scores[i] = exp2_fast(multiply_add(scores[i], to_log2, -base));
            odd += scores[i + 1] = exp2_fast(multiply_add(scores[i + 1], to_log2, -base));
        }
        state.sum[r] = even + odd;
    }
}

/// Weights as the operand of the next product: 16 columns of sums are one operand of four registers. Each further part
/// contains the remainder of the previous ones.
template <class Number, int parts, int count>
__device__ __forceinline__ void pack_weights(const float (&weights)[count],
                                             std::uint32_t (&packs)[parts][count / 8][4]) {
    ATTNLAB_UNROLL
    for (int i = 0; i < count / 2; ++i) {
        float first = weights[2 * i], second = weights[2 * i + 1];
        ATTNLAB_UNROLL
        for (int part = 0; part < parts; ++part) {
            const auto pack = packed<Number>(first, second);
            packs[part][i / 4][i % 4] = pack;
            if constexpr (parts > 1) {
                first -= first_bfloat16(pack);
                second -= second_bfloat16(pack);
            }
        }
    }
}

template <int count>
__device__ __forceinline__ void rescale_sums(float (&sums)[count], const float (&rescale)[2]) {
    ATTNLAB_UNROLL
    for (int i = 0; i < count; ++i)
        sums[i] *= rescale[i / 2 % 2];
}

} // namespace attnlab::gpu::hopper
