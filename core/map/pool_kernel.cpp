#include "core/map/pool_kernel.h"

#include "core/flash/targets.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/map/pool_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

/// What some bins of one panel come to, lane by lane: (bin, width) each.
struct Lanes {
    static constexpr std::int64_t most = 16;
    HWY_ALIGN float log2_max[most * width];
    HWY_ALIGN float sum[most * width];
    HWY_ALIGN float kept[most * width];
    std::int64_t keys[most];
    std::int64_t count = 0;
};

using M = hn::Mask<Float>;

HWY_INLINE M is_blocked(V cell) { return hn::Not(hn::Gt(cell, hn::Set(f32, minus_infinity))); }

/// The score of key j in half a panel with its mask, -inf where blocked; counts those that are not.
HWY_INLINE V masked_score(const ScoreTile& t, std::int64_t j, std::int64_t half, V& kept) {
    const V score = hn::Load(f32, t.scores + j * width + half);
    if (j < t.special_first || j >= t.special_last) {
        kept = hn::Add(kept, hn::Set(f32, 1.0f));
        return score;
    }
    const V cell = hn::Load(f32, t.cells + (j - t.special_first) * width + half);
    const M blocked = is_blocked(cell);
    kept = hn::Add(kept, hn::IfThenZeroElse(blocked, hn::Set(f32, 1.0f)));
    return hn::IfThenElse(blocked, hn::Set(f32, minus_infinity), hn::Add(score, cell));
}

/// Keys first .. last of half a panel, written to `at`. Two keys a step, since the maximum of one waits for that before
/// it.
template <bool Masked, bool Sums>
HWY_INLINE void reduce_half(const ScoreTile& t, std::int64_t first, std::int64_t last, std::int64_t half,
                            std::int64_t at, Lanes& out) {
    const V base = hn::Load(f32, t.base + half);
    V max0 = hn::Set(f32, minus_infinity), max1 = max0;
    V sum0 = hn::Zero(f32), sum1 = sum0, kept = sum0;
    const auto take = [&](std::int64_t j, V& max, V& sum) HWY_ATTR {
        const V score = Masked ? masked_score(t, j, half, kept) : hn::Load(f32, t.scores + j * width + half);
        max = hn::Max(score, max);
        if constexpr (Sums)
            sum = hn::Add(sum, exp2(hn::Sub(score, base)));
    };
    std::int64_t j = first;
    for (; j + 2 <= last; j += 2) {
        take(j, max0, sum0);
        take(j + 1, max1, sum1);
    }
    if (j < last)
        take(j, max0, sum0);
    const V log2_weight = hn::Sub(hn::Sub(hn::Max(max0, max1), base), hn::Load(f32, t.log2_sum + half));
    hn::Store(log2_weight, f32, out.log2_max + at);
    if constexpr (Sums)
        hn::Store(hn::Mul(hn::Add(sum0, sum1), hn::Load(f32, t.factor + half)), f32, out.sum + at);
    hn::Store(Masked ? kept : hn::Set(f32, static_cast<float>(last - first)), f32, out.kept + at);
}

template <bool Masked, bool Sums>
HWY_NOINLINE void reduce(const ScoreTile& t, std::int64_t first, std::int64_t last, Lanes& out) {
    for (std::int64_t half = 0; half < width; half += lanes)
        reduce_half<Masked, Sums>(t, first, last, half, out.count * width + half, out);
    out.keys[out.count++] = last - first;
}

/// The vector where first <= lane < last, `other` elsewhere.
HWY_INLINE V within(V v, std::int64_t half, int first, int last, V other) {
    const V lane = hn::Iota(f32, static_cast<float>(half));
    const M in = hn::And(hn::Ge(lane, hn::Set(f32, static_cast<float>(first))),
                         hn::Lt(lane, hn::Set(f32, static_cast<float>(last))));
    return hn::IfThenElse(in, v, other);
}

HWY_INLINE float max_of(const float* values, int first, int last) {
    const V none = hn::Set(f32, minus_infinity);
    V max = none;
    for (std::int64_t half = 0; half < width; half += lanes)
        max = hn::Max(max, within(hn::Load(f32, values + half), half, first, last, none));
    return hn::GetLane(hn::MaxOfLanes(f32, max));
}

HWY_INLINE float sum_of(const float* values, int first, int last) {
    V sum = hn::Zero(f32);
    for (std::int64_t half = 0; half < width; half += lanes)
        sum = hn::Add(sum, within(hn::Load(f32, values + half), half, first, last, hn::Zero(f32)));
    return hn::GetLane(hn::SumOfLanes(f32, sum));
}

/// Lanes into one row of bins, from `column` on, where the row has many lanes.
template <bool Masked, bool Sums>
HWY_INLINE void fold_wide(const Lanes& in, const BinRow& row, std::int64_t column) {
    for (std::int64_t k = 0; k < in.count; ++k, ++column) {
        const auto at = k * width;
        row.log2_max[column] = std::max(row.log2_max[column], max_of(in.log2_max + at, row.first_lane, row.last_lane));
        if constexpr (Sums)
            row.sum[column] += static_cast<double>(sum_of(in.sum + at, row.first_lane, row.last_lane));
        row.kept[column] += Masked ? static_cast<std::int64_t>(sum_of(in.kept + at, row.first_lane, row.last_lane))
                                   : in.keys[k] * (row.last_lane - row.first_lane);
    }
}

/// The same where it has few.
template <bool Masked, bool Sums>
HWY_INLINE void fold_narrow(const Lanes& in, const BinRow& row, std::int64_t column) {
    for (std::int64_t k = 0; k < in.count; ++k, ++column) {
        const auto at = k * width;
        float max = row.log2_max[column], sum = 0.0f, kept = 0.0f;
        for (auto lane = at + row.first_lane; lane < at + row.last_lane; ++lane) {
            max = std::max(max, in.log2_max[lane]);
            if constexpr (Sums)
                sum += in.sum[lane];
            if constexpr (Masked)
                kept += in.kept[lane];
        }
        row.log2_max[column] = max;
        if constexpr (Sums)
            row.sum[column] += static_cast<double>(sum);
        row.kept[column] += Masked ? static_cast<std::int64_t>(kept) : in.keys[k] * (row.last_lane - row.first_lane);
    }
}

template <bool Masked, bool Sums>
HWY_NOINLINE void fold(const Lanes& in, const BinRows& bins, std::int64_t column) {
    constexpr int many = 8;
    for (int r = 0; r < bins.count; ++r) {
        const BinRow& row = bins.rows[r];
        if (row.last_lane - row.first_lane >= many)
            fold_wide<Masked, Sums>(in, row, column);
        else
            fold_narrow<Masked, Sums>(in, row, column);
    }
}

template <bool Sums>
HWY_INLINE void pool_as(const ScoreTile& t, const BinRows& bins) {
    std::int64_t first = 0, column = 0;
    auto last = bins.bin_columns - bins.first_in_bin;
    while (first < t.count) {
        Lanes some;
        bool masked = false;
        for (; some.count < Lanes::most && first < t.count; last += bins.bin_columns) {
            const auto stop = std::min(last, t.count);
            if (first < t.special_last && t.special_first < stop) {
                reduce<true, Sums>(t, first, stop, some);
                masked = true;
            } else {
                reduce<false, Sums>(t, first, stop, some);
            }
            first = stop;
        }
        if (masked)
            fold<true, Sums>(some, bins, column);
        else
            fold<false, Sums>(some, bins, column);
        column += some.count;
    }
}

void pool(const ScoreTile& t, const BinRows& bins) {
    if (bins.rows[0].sum)
        pool_as<true>(t, bins);
    else
        pool_as<false>(t, bins);
}

/// Weights of the keys first .. last, key-major.
HWY_INLINE void weigh_keys(const ScoreTile& t, bool log2, std::int64_t first, std::int64_t last,
                           float* HWY_RESTRICT out) {
    const V not_a_number = hn::Set(f32, std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t half = 0; half < width; half += lanes) {
        const V base = hn::Load(f32, t.base + half);
        const V log2_sum = hn::Load(f32, t.log2_sum + half), factor = hn::Load(f32, t.factor + half);
        for (std::int64_t j = first; j < last; ++j) {
            const bool special = t.special_first <= j && j < t.special_last;
            const V cell = special ? hn::Load(f32, t.cells + (j - t.special_first) * width + half) : hn::Zero(f32);
            const M blocked = is_blocked(cell);
            const V score = hn::Add(hn::Load(f32, t.scores + j * width + half), cell);
            const V above_base = hn::Sub(score, base);
            const V weight = log2 ? hn::Sub(above_base, log2_sum) : hn::Mul(exp2(above_base), factor);
            hn::Store(hn::IfThenElse(blocked, not_a_number, weight), f32, out + (j - first) * width + half);
        }
    }
}

void weigh(const ScoreTile& t, bool log2, int rows, float* HWY_RESTRICT out, std::int64_t stride) {
    constexpr std::int64_t some = 16; // a cache line of each row at a time
    HWY_ALIGN float weights[some * width];
    for (std::int64_t first = 0; first < t.count; first += some) {
        const auto last = std::min(first + some, t.count);
        weigh_keys(t, log2, first, last, weights);
        for (int q = 0; q < rows; ++q)
            for (std::int64_t j = first; j < last; ++j)
                out[q * stride + j] = weights[(j - first) * width + q];
    }
}

} // namespace

PoolKernel pool_kernel_here() { return {pool, weigh}; }

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(pool_kernel_here);

PoolKernel pool_kernel() { return HWY_DYNAMIC_DISPATCH(pool_kernel_here)(); }

} // namespace attnlab::flash
#endif
