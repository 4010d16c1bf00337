#include "core/flash/row_kernel.h"

#include "core/flash/targets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flash/row_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

constexpr int most_rows = width >= 16 ? 8 : width >= 4 ? static_cast<int>(width) / 2 : 1;

/// The vectors of a row of `count` numbers. A remainder is one more vector that ends with the row, whose first lanes
/// overlap the vector before it.
struct Row {
    explicit Row(std::int64_t count) : whole(count / lanes * lanes), rest(count < lanes ? 0 : count - whole) {}

    /// The lanes of the last vector that do not overlap.
    auto own_lanes() const { return hn::Not(hn::FirstN(f32, static_cast<std::size_t>(lanes - rest))); }

    std::int64_t whole; ///< numbers in full vectors; 0 for fewer numbers than lanes
    std::int64_t rest;  ///< numbers only in the overlapping vector
};

std::int64_t packed_width(std::int64_t E) { return (E + lanes - 1) / lanes * lanes; }

void pack(const float* queries, int rows, std::int64_t E, float factor, float* packed) {
    const Row row(E);
    for (int r = 0; r < rows; ++r, queries += E, packed += packed_width(E)) {
        std::fill_n(packed, packed_width(E), 0.0f);
        for (std::int64_t c = 0; c < E; ++c) {
            const auto overlap = c >= row.whole && row.rest > 0 ? lanes - row.rest : 0;
            packed[c + overlap] = queries[c] * factor;
        }
    }
}

/// Writes the lane sums of four vectors side by side.
HWY_INLINE void store_sums(const V (&v)[4], float* out) {
#if HWY_TARGET == HWY_SCALAR
    for (int k = 0; k < 4; ++k)
        out[k] = hn::GetLane(v[k]);
#else
    constexpr hn::Repartition<double, Float> pairs;
    const auto halves = [&](V a, V b) HWY_ATTR {
        return hn::BitCast(pairs, hn::Add(hn::InterleaveLower(f32, a, b), hn::InterleaveUpper(f32, a, b)));
    };
    const auto ab = halves(v[0], v[1]), cd = halves(v[2], v[3]);
    // The four sums over each block of 128 bits.
    const V blocks = hn::Add(hn::BitCast(f32, hn::InterleaveLower(pairs, ab, cd)),
                             hn::BitCast(f32, hn::InterleaveUpper(pairs, ab, cd)));
    constexpr hn::FixedTag<float, 4> four;
    const auto folded = [](auto whole, auto fold) HWY_ATTR {
        constexpr auto count = sizeof(whole) / sizeof(float);
        if constexpr (count == 4)
            return whole;
        else {
            constexpr hn::FixedTag<float, count / 2> half;
            return fold(hn::Add(hn::LowerHalf(half, whole), hn::UpperHalf(half, whole)), fold);
        }
    };
    hn::StoreU(folded(blocks, folded), four, out);
#endif
}

/// Scores of `Rows` queries from `row` on by `Keys` keys, 4 or 1.
template <int Rows, int Keys>
HWY_INLINE void score_keys(const RowTile& t, const Row& features, int row, std::int64_t first) {
    V sums[Rows][Keys];
    for (int r = 0; r < Rows; ++r)
        for (int k = 0; k < Keys; ++k)
            sums[r][k] = hn::Zero(f32);
    const float* HWY_RESTRICT key = t.keys + first * t.E;
    const auto stride = packed_width(t.E);
    const float* HWY_RESTRICT query = t.queries + row * stride;
    const auto take = [&](const float* at, std::int64_t c, auto load) HWY_ATTR {
#pragma GCC unroll 4
        for (int k = 0; k < Keys; ++k) {
            const V numbers = load(at + k * t.E);
#pragma GCC unroll 4
            for (int r = 0; r < Rows; ++r)
                sums[r][k] = hn::MulAdd(hn::LoadU(f32, query + r * stride + c), numbers, sums[r][k]);
        }
    };
    for (std::int64_t c = 0; c < features.whole; c += lanes)
        take(key + c, c, [](const float* at) HWY_ATTR { return hn::LoadU(f32, at); });
    if (features.rest > 0) // an infinite number must not be counted twice, not even times 0
        take(key + t.E - lanes, features.whole, [mask = features.own_lanes()](const float* at) HWY_ATTR {
            return hn::IfThenElseZero(mask, hn::LoadU(f32, at));
        });
#pragma GCC unroll 4
    for (int r = 0; r < Rows; ++r) {
        float* out = t.scores + (row + r) * t.stride + first;
        if constexpr (Keys == 4)
            store_sums(sums[r], out);
        else
            *out = hn::GetLane(hn::SumOfLanes(f32, sums[r][0]));
    }
}

/// Rows shorter than a vector.
template <int Rows>
void score_short_rows(const RowTile& t) {
    for (std::int64_t j = 0; j < t.count; ++j)
        for (int r = 0; r < Rows; ++r) {
            float sum = 0.0f;
            for (std::int64_t c = 0; c < t.E; ++c)
                sum += t.queries[r * packed_width(t.E) + c] * t.keys[j * t.E + c];
            t.scores[r * t.stride + j] = sum;
        }
}

template <int Rows, int Keys>
HWY_INLINE void score_all_rows(const RowTile& t, const Row& features, std::int64_t first) {
    constexpr int rows_at_once = lanes >= 16 ? 4 : 2; // four sums each, in registers
    constexpr int rest = Rows % rows_at_once;
    for (int row = 0; row + rows_at_once <= Rows; row += rows_at_once)
        score_keys<rows_at_once, Keys>(t, features, row, first);
    if constexpr (rest > 0)
        score_keys<rest, Keys>(t, features, Rows - rest, first);
}

template <int Rows>
HWY_INLINE void score_rows(const RowTile& t) {
    if (t.E < lanes)
        return score_short_rows<Rows>(t);
    constexpr int keys_at_once = 4;
    const Row features(t.E);
    Fetcher keys(t.next_keys, t.count / keys_at_once);
    std::int64_t j = 0;
    for (; j + keys_at_once <= t.count; j += keys_at_once) {
        keys.step();
        score_all_rows<Rows, keys_at_once>(t, features, j);
    }
    for (; j < t.count; ++j)
        score_all_rows<Rows, 1>(t, features, j);
}

void mask_row(const RowTile& t, const float* cells, float* scores) {
    const V fill = hn::Set(f32, t.fill);
    auto j = t.special_first;
    for (; j + lanes <= t.special_last; j += lanes) {
        const V cell = hn::LoadU(f32, cells + j - t.special_first);
        hn::StoreU(masked(hn::LoadU(f32, scores + j), cell, fill), f32, scores + j);
    }
    for (; j < t.special_last; ++j) {
        const float cell = cells[j - t.special_first];
        scores[j] = std::isnan(cell) ? t.fill : cell == minus_infinity ? cell : scores[j] + cell;
    }
}

/// Converts scores to weights; returns the factor for the results of earlier keys.
float online_softmax_step(const RowTile& t, int r) {
    float* HWY_RESTRICT scores = t.scores + r * t.stride;
    if (t.special_first < t.special_last)
        mask_row(t, t.cells + r * t.stride, scores);
    const auto end = (t.count + lanes - 1) / lanes * lanes;
    std::fill(scores + t.count, scores + end, minus_infinity);
    V max = hn::Set(f32, minus_infinity);
    for (std::int64_t j = 0; j < end; j += lanes)
        max = hn::Max(hn::Load(f32, scores + j), max);
    const float old_max = t.row_max[r];
    const float new_max = std::max(hn::GetLane(hn::MaxOfLanes(f32, max)), old_max);
    t.row_max[r] = new_max;
    const V base = hn::Set(f32, new_max == minus_infinity ? 0.0f : new_max); // -inf - -inf would be NaN
    V sum = hn::Zero(f32);
    for (std::int64_t j = 0; j < end; j += lanes) {
        const V w = exp2(hn::Sub(hn::Load(f32, scores + j), base));
        sum = hn::Add(sum, w);
        hn::Store(w, f32, scores + j);
    }
    const float rescale = hn::GetLane(exp2(hn::Sub(hn::Set(f32, old_max), base)));
    t.row_sum[r] = t.row_sum[r] * rescale + hn::GetLane(hn::SumOfLanes(f32, sum));
    return rescale;
}

/// output = output * rescale + weights * values, for `Vectors` vectors of columns. `mask`, if any, selects the lanes to
/// write.
template <int Rows, int Vectors, class Store>
HWY_INLINE void mix_columns(const RowTile& t, std::int64_t first, const float* rescale, Fetcher& ahead, Store store) {
    V sums[Rows][Vectors];
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v)
            sums[r][v] = hn::Zero(f32);
    const float* HWY_RESTRICT value = t.values + first;
    for (std::int64_t j = 0; j < t.count; ++j, value += t.Ev) {
        ahead.step();
        V w[Rows];
        for (int r = 0; r < Rows; ++r)
            w[r] = hn::Set(f32, t.scores[r * t.stride + j]);
#pragma GCC unroll 8
        for (int v = 0; v < Vectors; ++v) {
            const V numbers = hn::LoadU(f32, value + v * lanes);
#pragma GCC unroll 8
            for (int r = 0; r < Rows; ++r)
                sums[r][v] = hn::MulAdd(w[r], numbers, sums[r][v]);
        }
    }
    for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < Vectors; ++v) {
            float* at = t.output + r * t.Ev + first + v * lanes;
            store(hn::MulAdd(hn::LoadU(f32, at), hn::Set(f32, rescale[r]), sums[r][v]), at);
        }
}

template <int Rows>
void mix_short_rows(const RowTile& t, const float* rescale) {
    for (int r = 0; r < Rows; ++r)
        for (std::int64_t c = 0; c < t.Ev; ++c) {
            float sum = 0.0f;
            for (std::int64_t j = 0; j < t.count; ++j)
                sum += t.scores[r * t.stride + j] * t.values[j * t.Ev + c];
            float& out = t.output[r * t.Ev + c];
            out = out * rescale[r] + sum;
        }
}

template <int Rows>
HWY_INLINE void mix_rows(const RowTile& t, const float* rescale) {
    if (t.Ev < lanes)
        return mix_short_rows<Rows>(t, rescale);
    constexpr int widest = Rows <= 2 ? 8 : Rows <= 4 ? 4 : 2;
    const Row row(t.Ev);
    Fetcher ahead(t.next_values, t.count * std::max<std::int64_t>(1, row.whole / (widest * lanes)));
    const auto write = [](V numbers, float* at) HWY_ATTR { hn::StoreU(numbers, f32, at); };
    std::int64_t c = 0;
    const auto strips = [&]<int Vectors>(std::integral_constant<int, Vectors>) HWY_ATTR {
        if constexpr (Vectors <= widest)
            for (; c + Vectors * lanes <= row.whole; c += Vectors * lanes)
                mix_columns<Rows, Vectors>(t, c, rescale, ahead, write);
    };
    strips(std::integral_constant<int, 8>());
    strips(std::integral_constant<int, 4>());
    strips(std::integral_constant<int, 2>());
    strips(std::integral_constant<int, 1>());
    if (row.rest > 0)
        mix_columns<Rows, 1>(t, t.Ev - lanes, rescale, ahead, [mask = row.own_lanes()](V numbers, float* at) HWY_ATTR {
            hn::StoreU(hn::IfThenElse(mask, numbers, hn::LoadU(f32, at)), f32, at);
        });
}

template <int Rows>
HWY_NOINLINE void attend_rows(const RowTile& t) {
    score_rows<Rows>(t);
    float rescale[Rows];
    for (int r = 0; r < Rows; ++r)
        rescale[r] = online_softmax_step(t, r);
    if (t.Ev > 0)
        mix_rows<Rows>(t, rescale);
}

void attend(const RowTile& t) {
    [[maybe_unused]] const FlushDenormals flush;
    [&]<int... Below>(std::integer_sequence<int, Below...>) HWY_ATTR {
        (void)((t.rows == Below + 1 && (attend_rows<Below + 1>(t), true)) || ...);
    }
    (std::make_integer_sequence<int, most_rows>());
}

float read(const float* numbers, std::int64_t count) {
    constexpr int chains = 8;
    V sums[chains];
    for (int k = 0; k < chains; ++k)
        sums[k] = hn::Zero(f32);
    std::int64_t n = 0;
    for (; n + chains * lanes <= count; n += chains * lanes)
#pragma GCC unroll 8
        for (int k = 0; k < chains; ++k)
            sums[k] = hn::Add(sums[k], hn::LoadU(f32, numbers + n + k * lanes));
    float sum = 0.0f;
    for (; n < count; ++n)
        sum += numbers[n];
    for (int k = 0; k < chains; ++k)
        sum += hn::GetLane(hn::SumOfLanes(f32, sums[k]));
    return sum;
}

} // namespace

RowKernel row_kernel_here() { return {most_rows, packed_width, pack, attend, read}; }

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(row_kernel_here);

RowKernel row_kernel() { return HWY_DYNAMIC_DISPATCH(row_kernel_here)(); }

} // namespace attnlab::flash
#endif
