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

/// The results of some bins of one panel by lane: (bin, width) each.
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

/// Keys first .. last of half a panel, written to `at`. Two independent maxima, since each waits for its previous one.
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

/// Merges lanes into one row of bins, from `column` on, where the row has many lanes.
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

/// The score with the effect of blocked cells applied, key by key.
template <bool Masked>
HWY_INLINE V score_of(const ScoreTile& t, std::int64_t j, std::int64_t half, V& kept) {
    return Masked ? masked_score(t, j, half, kept) : hn::Load(f32, t.scores + j * width + half);
}

/// The largest scores of the keys first .. last in a column of bins; raises max0 and max1 to them.
template <bool Masked>
HWY_INLINE void raise_column(const ScoreTile& t, std::int64_t first, std::int64_t last, std::int64_t column,
                             const FirstPass& pass, V& max0, V& max1) {
    float* at = pass.score_max + column * width;
    V m0 = hn::Load(f32, at), m1 = hn::Load(f32, at + lanes);
    V kept0 = hn::Zero(f32), kept1 = kept0;
    for (auto j = first; j < last; ++j) {
        m0 = hn::Max(score_of<Masked>(t, j, 0, kept0), m0);
        m1 = hn::Max(score_of<Masked>(t, j, lanes, kept1), m1);
    }
    hn::Store(m0, f32, at);
    hn::Store(m1, f32, at + lanes);
    max0 = hn::Max(m0, max0);
    max1 = hn::Max(m1, max1);
    if constexpr (Masked) {
        float* kept = pass.kept + column * width;
        hn::Store(hn::Add(hn::Load(f32, kept), kept0), f32, kept);
        hn::Store(hn::Add(hn::Load(f32, kept + lanes), kept1), f32, kept + lanes);
    } else {
        pass.open[column] += last - first;
    }
}

/// Adds exp2(score - base) of the keys first .. last to the sums. Four keys at a time are added to each other first:
/// adding many equal numbers to one sum would repeat the same rounding error.
template <bool Masked>
HWY_INLINE void add_weights(const ScoreTile& t, std::int64_t first, std::int64_t last, V base0, V base1, V& sum0,
                            V& sum1) {
    V kept = hn::Zero(f32);
    for (auto j = first; j < last;) {
        V four0 = hn::Zero(f32), four1 = four0;
        for (const auto stop = std::min(j + 4, last); j < stop; ++j) {
            four0 = hn::Add(four0, exp2(hn::Sub(score_of<Masked>(t, j, 0, kept), base0)));
            four1 = hn::Add(four1, exp2(hn::Sub(score_of<Masked>(t, j, lanes, kept), base1)));
        }
        sum0 = hn::Add(sum0, four0);
        sum1 = hn::Add(sum1, four1);
    }
}

void take_first(const ScoreTile& t, std::int64_t first_key, const FirstPass& pass) {
    V max0 = hn::Set(f32, minus_infinity), max1 = max0;
    for (std::int64_t first = 0; first < t.count;) {
        const auto column = (first_key + first) / pass.bin_columns;
        const auto last = std::min(t.count, (column + 1) * pass.bin_columns - first_key);
        if (first < t.special_last && t.special_first < last)
            raise_column<true>(t, first, last, column, pass, max0, max1);
        else
            raise_column<false>(t, first, last, column, pass, max0, max1);
        first = last;
    }
    const Shift shift0 = raise_max(pass.row_max, max0), shift1 = raise_max(pass.row_max + lanes, max1);
    V sum0 = hn::Zero(f32), sum1 = sum0;
    const auto special_first = std::min(t.special_first, t.special_last);
    add_weights<false>(t, 0, special_first, shift0.base, shift1.base, sum0, sum1);
    add_weights<true>(t, special_first, t.special_last, shift0.base, shift1.base, sum0, sum1);
    add_weights<false>(t, t.special_last, t.count, shift0.base, shift1.base, sum0, sum1);
    const auto add = [](float* row_sum, V rescale, V sum)
                         HWY_ATTR { hn::Store(hn::MulAdd(hn::Load(f32, row_sum), rescale, sum), f32, row_sum); };
    add(pass.row_sum, shift0.rescale, sum0);
    add(pass.row_sum + lanes, shift1.rescale, sum1);
}

void settle(const FirstPass& pass, const float* base, const float* log2_sum, const BinRows& bins) {
    for (std::int64_t column = 0; column < pass.columns;) {
        Lanes some;
        const auto first = column;
        for (; some.count < Lanes::most && column < pass.columns; ++column, ++some.count) {
            some.keys[some.count] = pass.open[column];
            for (std::int64_t half = 0; half < width; half += lanes) {
                const auto from = column * width + half, to = some.count * width + half;
                const V score = hn::Load(f32, pass.score_max + from);
                hn::Store(hn::Sub(hn::Sub(score, hn::Load(f32, base + half)), hn::Load(f32, log2_sum + half)), f32,
                          some.log2_max + to);
                if (pass.has_special)
                    hn::Store(
                        hn::Add(hn::Load(f32, pass.kept + from), hn::Set(f32, static_cast<float>(pass.open[column]))),
                        f32, some.kept + to);
            }
        }
        if (pass.has_special)
            fold<true, false>(some, bins, first);
        else
            fold<false, false>(some, bins, first);
    }
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

PoolKernel pool_kernel_here() { return {pool, take_first, settle, weigh}; }

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(pool_kernel_here);

PoolKernel pool_kernel() { return HWY_DYNAMIC_DISPATCH(pool_kernel_here)(); }

} // namespace attnlab::flash
#endif
