#include "core/flash/tile_kernel.h"

#include "core/flash/targets.h"

#include <algorithm>
#include <limits>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flash/tile_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

// A register tile is `tallest` keys (or value columns) by the two vectors of a panel: its accumulators fill the
// register file except for the two vectors of the panel and a broadcast.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int tallest = 10;
#else
constexpr int tallest = 6;
#endif

/// Scores of `Rows` keys, in registers; its caller is not inlined, so that no other values occupy registers.
template <int Rows>
struct StripScores {
    HWY_INLINE StripScores(const float* HWY_RESTRICT key, std::int64_t E, const float* HWY_RESTRICT query) {
        for (int r = 0; r < Rows; ++r)
            s0[r] = s1[r] = hn::Zero(f32);
#pragma GCC unroll 2
        for (std::int64_t c = 0; c < E; ++c) {
            const V q0 = hn::Load(f32, query + c * width);
            const V q1 = hn::Load(f32, query + c * width + lanes);
#pragma GCC unroll 12
            for (int r = 0; r < Rows; ++r) {
                const V k = hn::Set(f32, key[r * E + c]);
                s0[r] = hn::MulAdd(k, q0, s0[r]);
                s1[r] = hn::MulAdd(k, q1, s1[r]);
            }
        }
    }

    V s0[Rows], s1[Rows];
};

template <int Rows>
HWY_NOINLINE void score_strip(const Tile& t, std::int64_t first) {
    const StripScores<Rows> scores(t.keys + first * t.E, t.E, t.queries);
    float* out = t.scores + first * width;
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
        hn::Store(scores.s0[r], f32, out + r * width);
        hn::Store(scores.s1[r], f32, out + r * width + lanes);
    }
}

/// Weights of `Rows` keys whose scores are bounded, and their sums.
template <int Rows, bool Masked>
HWY_NOINLINE void weigh_strip(const Tile& t, std::int64_t first, float* HWY_RESTRICT sums) {
    const StripScores<Rows> scores(t.keys + first * t.E, t.E, t.queries);
    float* out = t.scores + first * width;
    V sum0 = hn::Zero(f32), sum1 = sum0;
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
        V w0 = bounded_exp2(scores.s0[r]), w1 = bounded_exp2(scores.s1[r]);
        if constexpr (Masked)
            if (const auto j = first + r; t.special_first <= j && j < t.special_last) {
                const float* cells = t.cells + (j - t.special_first) * width;
                w0 = hn::IfThenZeroElse(hn::IsNaN(hn::Load(f32, cells)), w0);
                w1 = hn::IfThenZeroElse(hn::IsNaN(hn::Load(f32, cells + lanes)), w1);
            }
        hn::Store(w0, f32, out + r * width);
        hn::Store(w1, f32, out + r * width + lanes);
        sum0 = hn::Add(sum0, w0);
        sum1 = hn::Add(sum1, w1);
    }
    hn::Store(hn::Add(hn::Load(f32, sums), sum0), f32, sums);
    hn::Store(hn::Add(hn::Load(f32, sums + lanes), sum1), f32, sums + lanes);
}

/// output = output * rescale + values^T * weights, for `Rows` columns of the values.
template <int Rows>
class ValueStrip {
public:
    HWY_INLINE ValueStrip(const Tile& t, std::int64_t first)
        : value_(t.values + first), Ev_(t.Ev), weight_(t.scores), out_(t.output + first * width) {
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r)
            o0_[r] = o1_[r] = hn::Zero(f32);
    }

    HWY_INLINE void take_key() {
        const V w0 = hn::Load(f32, weight_);
        const V w1 = hn::Load(f32, weight_ + lanes);
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
            const V v = hn::Set(f32, value_[r]);
            o0_[r] = hn::MulAdd(v, w0, o0_[r]);
            o1_[r] = hn::MulAdd(v, w1, o1_[r]);
        }
        value_ += Ev_;
        weight_ += width;
    }

    HWY_INLINE void finish(V rescale0, V rescale1) {
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
            float* row = out_ + r * width;
            hn::Store(hn::MulAdd(hn::Load(f32, row), rescale0, o0_[r]), f32, row);
            hn::Store(hn::MulAdd(hn::Load(f32, row + lanes), rescale1, o1_[r]), f32, row + lanes);
        }
    }

private:
    const float* HWY_RESTRICT value_;
    const std::int64_t Ev_;
    const float* HWY_RESTRICT weight_;
    float* HWY_RESTRICT out_;
    V o0_[Rows], o1_[Rows];
};

template <int Rows>
HWY_INLINE void value_strip(const Tile& t, std::int64_t first, V rescale0, V rescale1) {
    ValueStrip<Rows> strip(t, first);
#pragma GCC unroll 2
    for (std::int64_t j = 0; j < t.count; ++j)
        strip.take_key();
    strip.finish(rescale0, rescale1);
}

/// Splits 0 .. total into strips of nearly equal height and calls strip(height as a constant, first).
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

/// Applies the mask to scores.
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
                s = masked(s, cell, fill);
                hn::Store(s, f32, at);
            }
            m[half] = hn::Max(s, m[half]);
        }
    }
    max0 = m[0];
    max1 = m[1];
}

/// Converts scores to weights and adds them to row_sum.
class SoftmaxStep {
public:
    HWY_INLINE SoftmaxStep(const Tile& t, const Shift& shift0, const Shift& shift1)
        : scores_(t.scores), base0_(shift0.base), base1_(shift1.base), sum0_(hn::Zero(f32)), sum1_(hn::Zero(f32)) {}

    /// Takes four keys, whose weights are added to each other first: adding many equal ones to one sum would repeat the
    /// same rounding error. Calls beside() after each.
    template <class Beside>
    HWY_INLINE void take_four(Beside beside) {
        V four0 = hn::Zero(f32), four1 = four0;
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            four0 = hn::Add(four0, weight(scores_ + k * width, base0_));
            four1 = hn::Add(four1, weight(scores_ + k * width + lanes, base1_));
            beside();
        }
        sum0_ = hn::Add(sum0_, four0);
        sum1_ = hn::Add(sum1_, four1);
        scores_ += 4 * width;
    }

    HWY_INLINE void take_one() {
        sum0_ = hn::Add(sum0_, weight(scores_, base0_));
        sum1_ = hn::Add(sum1_, weight(scores_ + lanes, base1_));
        scores_ += width;
    }

    HWY_INLINE void finish(float* row_sum, V rescale0, V rescale1) const {
        hn::Store(hn::MulAdd(hn::Load(f32, row_sum), rescale0, sum0_), f32, row_sum);
        hn::Store(hn::MulAdd(hn::Load(f32, row_sum + lanes), rescale1, sum1_), f32, row_sum + lanes);
    }

private:
    static HWY_INLINE V weight(float* at, V base) {
        const V w = exp2(hn::Sub(hn::Load(f32, at), base));
        hn::Store(w, f32, at);
        return w;
    }

    float* HWY_RESTRICT scores_;
    const V base0_, base1_;
    V sum0_, sum1_;
};

HWY_INLINE void online_softmax_step(const Tile& t, const Shift& shift0, const Shift& shift1) {
    SoftmaxStep step(t, shift0, shift1);
    std::int64_t j = 0;
    for (; j + 4 <= t.count; j += 4)
        step.take_four([] {});
    for (; j < t.count; ++j)
        step.take_one();
    step.finish(t.row_sum, shift0.rescale, shift1.rescale);
}

/// The number of value columns that leave registers for the exponentials; 0 where that is too small.
constexpr int beside_softmax = tallest == 10 ? 5 : 0;

/// online_softmax_step(), interleaved with the products of the first value columns four keys behind, so that each fills
/// the pipeline gaps of the other.
template <int Columns>
HWY_NOINLINE void online_softmax_step_beside_values(const Tile& t, const Shift& shift0, const Shift& shift1) {
    SoftmaxStep step(t, shift0, shift1);
    ValueStrip<Columns> strip(t, 0);
    std::int64_t weighed = 0, taken = 0;
    for (; weighed + 4 <= t.count; weighed += 4) {
        if (weighed == 0) {
            step.take_four([] {});
            continue;
        }
        step.take_four([&] { strip.take_key(); });
        taken += 4;
    }
    for (; weighed < t.count; ++weighed)
        step.take_one();
    for (; taken < t.count; ++taken)
        strip.take_key();
    step.finish(t.row_sum, shift0.rescale, shift1.rescale);
    strip.finish(shift0.rescale, shift1.rescale);
}

void attend_bounded(const Tile& t) {
    Fetcher keys(t.next_keys, t.count / tallest), values(t.next_values, t.Ev / tallest);
    // A separate sum for the tile: adding many small numbers to a large one would round each time.
    alignas(64) float sums[width] = {};
    for_each_strip(t.count, [&](auto height, std::int64_t first) {
        constexpr int rows = decltype(height)::value;
        keys.step();
        if (first < t.special_last && t.special_first < first + rows)
            weigh_strip<rows, true>(t, first, sums);
        else
            weigh_strip<rows, false>(t, first, sums);
    });
    for (std::int64_t k = 0; k < width; k += lanes)
        hn::Store(hn::Add(hn::Load(f32, t.row_sum + k), hn::Load(f32, sums + k)), f32, t.row_sum + k);
    const V one = hn::Set(f32, 1.0f);
    for_each_strip(t.Ev, [&](auto height, std::int64_t first) {
        values.step();
        value_strip<decltype(height)::value>(t, first, one, one);
    });
}

void attend_shifted(const Tile& t) {
    Fetcher keys(t.next_keys, t.count / tallest), values(t.next_values, t.Ev / tallest);
    V max0 = hn::Set(f32, minus_infinity), max1 = max0;
    for_each_strip(t.count, [&](auto height, std::int64_t first) {
        constexpr int rows = decltype(height)::value;
        const float* scores = t.scores + first * width;
        keys.step();
        score_strip<rows>(t, first);
        // These maxima are computed during the next strip's products.
        V m0 = max0, m1 = max1;
#pragma GCC unroll 12
        for (int r = 0; r < rows; ++r) {
            m0 = hn::Max(hn::Load(f32, scores + r * width), m0);
            m1 = hn::Max(hn::Load(f32, scores + r * width + lanes), m1);
        }
        max0 = m0;
        max1 = m1;
    });
    if (t.special_first < t.special_last) {
        max0 = max1 = hn::Set(f32, minus_infinity);
        mask_scores(t, max0, max1);
    }
    const Shift shift0 = raise_max(t.row_max, max0), shift1 = raise_max(t.row_max + lanes, max1);
    std::int64_t columns_done = 0;
    if constexpr (beside_softmax > 0)
        if (t.Ev >= beside_softmax) {
            online_softmax_step_beside_values<beside_softmax>(t, shift0, shift1);
            columns_done = beside_softmax;
        }
    if (columns_done == 0)
        online_softmax_step(t, shift0, shift1);
    for_each_strip(t.Ev - columns_done, [&](auto height, std::int64_t first) {
        values.step();
        value_strip<decltype(height)::value>(t, columns_done + first, shift0.rescale, shift1.rescale);
    });
}

void attend(const Tile& t) {
    [[maybe_unused]] const FlushDenormals flush;
    if (t.bounded)
        attend_bounded(t);
    else
        attend_shifted(t);
}

void score(const Tile& t) {
    Fetcher keys(t.next_keys, t.count / tallest);
    for_each_strip(t.count, [&](auto height, std::int64_t first) {
        keys.step();
        score_strip<decltype(height)::value>(t, first);
    });
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

TileKernel kernel_here() { return {name(), static_cast<int>(width), attend, score, multiply_adds}; }

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(kernel_here);

TileKernel tile_kernel() { return HWY_DYNAMIC_DISPATCH(kernel_here)(); }

} // namespace attnlab::flash
#endif
