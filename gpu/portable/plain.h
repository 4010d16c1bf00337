// The forward without tensor cores, for devices without them and widths without tiles: a warp for each query row, one
// pass over the keys for lse and one for each 128 columns of the output.
//
// reference: o_i = sum_j exp(s_ij - lse_i) v_j with lse_i = log sum_j exp(s_ij), in core/stages/exact.cpp
// and flash::deviation.
#pragma once

#include "gpu/portable/tile_mask.h"

namespace attnlab::gpu {

constexpr int plain_warps = 4;

inline std::int64_t plain_blocks(const ForwardArguments& a) {
    return (static_cast<std::int64_t>(a.B) * a.H * a.L + plain_warps - 1) / plain_warps;
}

template <class Machine, Precision precision>
class PlainRow {
public:
    ATTNLAB_DEVICE explicit PlainRow(const ForwardArguments& arguments)
        : a_(arguments),
          all_(static_cast<std::int64_t>(Machine::block()) * plain_warps + Machine::thread() / lanes_of_a_warp),
          row_(static_cast<int>(all_ % a_.L)), head_(static_cast<int>(all_ / a_.L % a_.H)),
          batch_(static_cast<int>(all_ / a_.L / a_.H)), lane_(Machine::thread() % lanes_of_a_warp) {}

    ATTNLAB_DEVICE void run() {
        if (batch_ >= a_.B)
            return;
        const Mask mask(a_, batch_, head_, row_);
        const Sum sum = summed(mask);
        if (lane_ == 0)
            a_.lse[all_] = (sum.max + Machine::log2(sum.weights)) * log_of_2;
        const float factor = sum.weights == 0.0f ? 0.0f : a_.output_scale / sum.weights;
        for (int first = 0; first < a_.Ev; first += columns_at_once)
            put_columns(mask, sum.max == minus_infinity() ? 0.0f : sum.max, factor, first);
    }

private:
    static constexpr int columns_of_a_lane = 4, columns_at_once = columns_of_a_lane * lanes_of_a_warp;
    using Mask = TileMask<1, lanes_of_a_warp>;

    struct Sum {
        float max, weights; ///< in base 2, relative to max
    };

    ATTNLAB_DEVICE std::int64_t key_row(const Rows& rows, int key) const {
        return batch_ * rows.batch_stride + head_ / (a_.H / a_.Hkv) * rows.head_stride + key * rows.row_stride;
    }

    /// The score in base 2, with the mask applied.
    ATTNLAB_DEVICE float score(const Mask& mask, int key) const {
        if (key >= a_.S)
            return minus_infinity();
        const std::int64_t q =
            batch_ * a_.query.batch_stride + head_ * a_.query.head_stride + row_ * a_.query.row_stride;
        const std::int64_t k = key_row(a_.key, key);
        float product = 0.0f;
        for (int c = 0; c < a_.E; ++c)
            product = fmaf(Machine::template number<precision>(a_.query.data, q + c),
                           Machine::template number<precision>(a_.key.data, k + c), product);
        return mask.template score<Machine>(row_, key, product);
    }

    ATTNLAB_DEVICE Sum summed(const Mask& mask) const {
        Sum own{minus_infinity(), 0.0f};
        for (int key = mask.first(); key < mask.end(); key = mask.next(key)) {
            const float s = score(mask, key + lane_), max = fmaxf(own.max, s);
            const float base = max == minus_infinity() ? 0.0f : max;
            own = {max, own.weights * Machine::exp2(own.max - base) + Machine::exp2(s - base)};
        }
        float max = own.max;
        for (int across = 1; across < lanes_of_a_warp; across *= 2)
            max = fmaxf(max, Machine::shuffle_xor(max, across));
        float sum = own.weights * Machine::exp2(own.max - (max == minus_infinity() ? 0.0f : max));
        for (int across = 1; across < lanes_of_a_warp; across *= 2)
            sum += Machine::shuffle_xor(sum, across);
        return {max, sum};
    }

    ATTNLAB_DEVICE void put_columns(const Mask& mask, float max, float factor, int first) const {
        float o[columns_of_a_lane] = {};
        for (int key = mask.first(); key < mask.end(); key = mask.next(key)) {
            const float own = Machine::exp2(score(mask, key + lane_) - max);
            const int count = least(lanes_of_a_warp, a_.S - key);
            for (int k = 0; k < count; ++k) {
                const float weight = Machine::shuffle(own, k);
                const std::int64_t v = key_row(a_.value, key + k);
                ATTNLAB_UNROLL
                for (int n = 0; n < columns_of_a_lane; ++n)
                    if (const int c = column(first, n); c < a_.Ev)
                        o[n] = fmaf(weight, Machine::template number<precision>(a_.value.data, v + c), o[n]);
            }
        }
        ATTNLAB_UNROLL
        for (int n = 0; n < columns_of_a_lane; ++n)
            if (const int c = column(first, n); c < a_.Ev)
                put(c, o[n] * factor);
    }

    ATTNLAB_DEVICE int column(int first, int n) const { return first + n * lanes_of_a_warp + lane_; }

    ATTNLAB_DEVICE void put(int c, float x) const {
        const std::int64_t at =
            batch_ * a_.output.batch_stride + head_ * a_.output.head_stride + row_ * a_.output.row_stride + c;
        if constexpr (precision != Precision::Float32)
            if (!a_.output_is_float32) {
                static_cast<std::uint16_t*>(a_.output.data)[at] =
                    static_cast<std::uint16_t>(Machine::template pack<precision>(x, 0.0f));
                return;
            }
        static_cast<float*>(a_.output.data)[at] = x;
    }

    const ForwardArguments& a_;
    const std::int64_t all_; ///< row index across all heads
    const int row_, head_, batch_, lane_;
};

} // namespace attnlab::gpu
