#include "core/flash/tile_kernel.h"

#include <algorithm>
#include <limits>
#include <utility>

#ifndef HWY_DISABLED_TARGETS
// Vectors of unknown size cannot be kept in arrays; the two subsets of AVX-512 gain nothing here.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL | HWY_SSSE3)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flash/tile_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Float = hn::ScalableTag<float>;
using Int = hn::RebindToSigned<Float>;
using V = hn::Vec<Float>;

constexpr Float f32;
constexpr auto lanes = static_cast<std::int64_t>(HWY_LANES(float));
constexpr std::int64_t width = 2 * lanes;
// A register tile is `tallest` keys (or value columns) by the two vectors of a panel: its accumulators fill the
// register file but for the two vectors of the panel and a broadcast.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int tallest = 12;
#else
constexpr int tallest = 6;
#endif

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// The larger one, or x where x is NaN.
HWY_INLINE V at_least(V low, V x) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    return hn::Max(low, x); // maxps gives its second operand where one is NaN
#else
    return hn::IfThenElse(hn::Lt(x, low), low, x);
#endif
}

/// 2^x for x <= 0, within 1e-7 of it: exactly 0 from -127 down, NaN for NaN.
HWY_INLINE V exp2(V x) {
    constexpr Int i32;
    // Adding this rounds to the nearest integer, which then stands in the low bits.
    const V rounder = hn::Set(f32, 12582912.0f);
    const V clamped = at_least(hn::Set(f32, -127.0f), x);
    const V shifted = hn::Add(clamped, rounder);
    const V f = hn::Sub(clamped, hn::Sub(shifted, rounder));
    V p = hn::Set(f32, 1.5353362e-4f); // minimax on -1/2 .. 1/2, with p(0) = 1
    p = hn::MulAdd(p, f, hn::Set(f32, 1.3398875e-3f));
    p = hn::MulAdd(p, f, hn::Set(f32, 9.6184369e-3f));
    p = hn::MulAdd(p, f, hn::Set(f32, 5.5503324e-2f));
    p = hn::MulAdd(p, f, hn::Set(f32, 2.4022648e-1f));
    p = hn::MulAdd(p, f, hn::Set(f32, 6.9314718e-1f));
    p = hn::MulAdd(p, f, hn::Set(f32, 1.0f));
    const auto exponent = hn::Add(hn::ShiftLeft<23>(hn::BitCast(i32, shifted)), hn::Set(i32, 127 << 23));
    return hn::Mul(p, hn::BitCast(f32, exponent));
}

/// Scores of `Rows` keys; their maxima go into max0 and max1.
template <int Rows>
HWY_INLINE void score_strip(const Tile& t, std::int64_t first, V& max0, V& max1) {
    V s0[Rows], s1[Rows];
    for (int r = 0; r < Rows; ++r)
        s0[r] = s1[r] = hn::Zero(f32);
    const float* HWY_RESTRICT key = t.keys + first * t.E;
    const float* HWY_RESTRICT query = t.queries;
    for (std::int64_t c = 0; c < t.E; ++c) {
        const V q0 = hn::Load(f32, query + c * width);
        const V q1 = hn::Load(f32, query + c * width + lanes);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
            const V k = hn::Set(f32, key[r * t.E + c]);
            s0[r] = hn::MulAdd(k, q0, s0[r]);
            s1[r] = hn::MulAdd(k, q1, s1[r]);
        }
    }
    float* HWY_RESTRICT out = t.scores + first * width;
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
        hn::Store(s0[r], f32, out + r * width);
        hn::Store(s1[r], f32, out + r * width + lanes);
        max0 = hn::Max(s0[r], max0);
        max1 = hn::Max(s1[r], max1);
    }
}

/// output = output * rescale + values^T * weights, for `Rows` columns of the values.
template <int Rows>
HWY_INLINE void value_strip(const Tile& t, std::int64_t first, V rescale0, V rescale1) {
    V o0[Rows], o1[Rows];
    for (int r = 0; r < Rows; ++r)
        o0[r] = o1[r] = hn::Zero(f32);
    const float* HWY_RESTRICT value = t.values + first;
    const float* HWY_RESTRICT weight = t.scores;
    for (std::int64_t j = 0; j < t.count; ++j) {
        const V w0 = hn::Load(f32, weight);
        const V w1 = hn::Load(f32, weight + lanes);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
            const V v = hn::Set(f32, value[r]);
            o0[r] = hn::MulAdd(v, w0, o0[r]);
            o1[r] = hn::MulAdd(v, w1, o1[r]);
        }
        value += t.Ev;
        weight += width;
    }
    float* HWY_RESTRICT out = t.output + first * width;
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
        float* row = out + r * width;
        hn::Store(hn::MulAdd(hn::Load(f32, row), rescale0, o0[r]), f32, row);
        hn::Store(hn::MulAdd(hn::Load(f32, row + lanes), rescale1, o1[r]), f32, row + lanes);
    }
}

/// Cuts 0 .. total into strips of nearly equal height and calls strip(height as a constant, first).
template <class Strip>
HWY_INLINE void for_each_strip(std::int64_t total, Strip strip) {
    if (total == 0)
        return;
    const auto strips = (total + tallest - 1) / tallest;
    const auto height = total / strips;
    const auto taller = total % strips; // the first ones are one higher
    const auto run = [&]<int Height>(std::integral_constant<int, Height>, std::int64_t first, std::int64_t count) {
        for (std::int64_t k = 0; k < count; ++k)
            strip(std::integral_constant<int, Height>(), first + k * Height);
    };
    const auto dispatch = [&](std::int64_t wanted, std::int64_t first, std::int64_t count) {
        [&]<int... Heights>(std::integer_sequence<int, Heights...>) {
            (void)((wanted == Heights + 1 && (run(std::integral_constant<int, Heights + 1>(), first, count), true)) ||
                   ...);
        }
        (std::make_integer_sequence<int, tallest>());
    };
    dispatch(height + 1, 0, taller);
    dispatch(height, taller * (height + 1), strips - taller);
}

/// Scores with the mask in them.
HWY_NOINLINE void mask_scores(const Tile& t, V& max0, V& max1) {
    V m[2] = {max0, max1};
    const V fill = hn::Set(f32, t.fill);
    for (std::int64_t j = 0; j < t.count; ++j) {
        const bool special = t.special_first <= j && j < t.special_last;
        for (int half = 0; half < 2; ++half) {
            float* at = t.scores + j * width + half * lanes;
            V s = hn::Load(f32, at);
            if (special) {
                const V cell = hn::Load(f32, t.cells + (j - t.special_first) * width + half * lanes);
                s = hn::IfThenElse(hn::IsNaN(cell), fill, hn::Add(s, cell));
                hn::Store(s, f32, at);
            }
            m[half] = hn::Max(s, m[half]);
        }
    }
    max0 = m[0];
    max1 = m[1];
}

/// Scores become weights; the running maxima and sums take them in. Returns what earlier weights are multiplied by.
HWY_INLINE V soften(const Tile& t, std::int64_t half, V tile_max) {
    const V old_max = hn::Load(f32, t.row_max + half);
    const V new_max = hn::Max(tile_max, old_max);
    // A row without a key yet has -inf; -inf - -inf would be NaN.
    const V base = hn::IfThenElse(hn::Eq(new_max, hn::Set(f32, minus_infinity)), hn::Zero(f32), new_max);
    V sum0 = hn::Zero(f32), sum1 = hn::Zero(f32);
    float* HWY_RESTRICT at = t.scores + half;
    std::int64_t j = 0;
    for (; j + 2 <= t.count; j += 2, at += 2 * width) {
        const V w0 = exp2(hn::Sub(hn::Load(f32, at), base));
        const V w1 = exp2(hn::Sub(hn::Load(f32, at + width), base));
        sum0 = hn::Add(sum0, w0);
        sum1 = hn::Add(sum1, w1);
        hn::Store(w0, f32, at);
        hn::Store(w1, f32, at + width);
    }
    if (j < t.count) {
        const V w = exp2(hn::Sub(hn::Load(f32, at), base));
        sum0 = hn::Add(sum0, w);
        hn::Store(w, f32, at);
    }
    const V rescale = exp2(hn::Sub(old_max, base));
    hn::Store(new_max, f32, t.row_max + half);
    hn::Store(hn::MulAdd(hn::Load(f32, t.row_sum + half), rescale, hn::Add(sum0, sum1)), f32, t.row_sum + half);
    return rescale;
}

void attend(const Tile& t) {
    V max0 = hn::Set(f32, minus_infinity), max1 = max0;
    for_each_strip(
        t.count, [&](auto height, std::int64_t first) { score_strip<decltype(height)::value>(t, first, max0, max1); });
    if (t.special_first < t.special_last) {
        max0 = max1 = hn::Set(f32, minus_infinity);
        mask_scores(t, max0, max1);
    }
    const V rescale0 = soften(t, 0, max0);
    const V rescale1 = soften(t, lanes, max1);
    for_each_strip(t.Ev, [&](auto height, std::int64_t first) {
        value_strip<decltype(height)::value>(t, first, rescale0, rescale1);
    });
}

void pack(const float* query, int rows, std::int64_t E, float factor, float* panel) {
    for (std::int64_t c = 0; c < E; ++c)
        for (int q = 0; q < width; ++q)
            panel[c * width + q] = q < rows ? query[q * E + c] * factor : 0.0f;
}

double multiply_adds(std::int64_t count, float* sink) {
    constexpr int chains = 2 * tallest;
    V sums[chains];
    for (int k = 0; k < chains; ++k)
        sums[k] = hn::Set(f32, static_cast<float>(k));
    const V a = hn::Set(f32, sink[0]), b = hn::Set(f32, sink[1]);
    for (std::int64_t n = 0; n < count; ++n)
#pragma GCC unroll 24
        for (int k = 0; k < chains; ++k)
            sums[k] = hn::MulAdd(sums[k], a, b);
    V total = sums[0];
    for (int k = 1; k < chains; ++k)
        total = hn::Add(total, sums[k]);
    sink[2] = hn::GetLane(total);
    return 2.0 * static_cast<double>(count * chains * lanes);
}

constexpr const char* name() {
#if HWY_TARGET <= HWY_AVX3
    return "AVX-512";
#elif HWY_TARGET == HWY_AVX2
    return "AVX2";
#elif HWY_TARGET == HWY_SSE4
    return "SSE4";
#elif HWY_ARCH_ARM
    return "NEON";
#else
    return "scalar";
#endif
}

} // namespace

TileKernel kernel_here() { return {name(), static_cast<int>(width), pack, attend, multiply_adds}; }

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(kernel_here);

TileKernel tile_kernel() { return HWY_DYNAMIC_DISPATCH(kernel_here)(); }

} // namespace attnlab::flash
#endif
