// Float32 vectors and arithmetic that Highway lacks, compiled for each instruction set.
#if defined(ATTNLAB_FLASH_VECTORS) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_VECTORS
#undef ATTNLAB_FLASH_VECTORS
#else
#define ATTNLAB_FLASH_VECTORS
#endif

#include "core/flash/tile_kernel.h"

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>
#include <limits>
#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Float = hn::ScalableTag<float>;
using Int = hn::RebindToSigned<Float>;
using V = hn::Vec<Float>;

constexpr Float f32;
using Bits = hn::RebindToUnsigned<Float>;
constexpr Bits bits32;
constexpr auto lanes = static_cast<std::int64_t>(HWY_LANES(float));
/// Query rows of a panel.
constexpr std::int64_t width = 2 * lanes;

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// On these, Max and Min are not the processor's own.
#define ATTNLAB_PORTABLE_MINMAX (!HWY_ARCH_X86 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)

/// The larger one, or x where x is NaN.
HWY_INLINE V at_least(V low, V x) {
#if !ATTNLAB_PORTABLE_MINMAX
    return hn::Max(low, x); // maxps returns its second operand where one is NaN
#else
    return hn::IfThenElse(hn::Lt(x, low), low, x);
#endif
}

/// A score masked by its cell: NaN replaces it by the fill, -inf blocks it, other numbers are added.
HWY_INLINE V masked(V score, V cell, V fill) {
    const auto is_added = hn::Gt(cell, hn::Set(f32, minus_infinity));
#if !ATTNLAB_PORTABLE_MINMAX
    const V other = hn::Min(cell, fill); // minps returns its second operand where one is NaN
#else
    const V other = hn::IfThenElse(hn::IsNaN(cell), fill, cell);
#endif
    return hn::IfThenElse(is_added, hn::Add(score, cell), other);
}

/// 1 + f (c1 + f (c2 + ...)); c1 is the last coefficient.
template <class... Coefficients>
HWY_INLINE V polynomial(V f, float highest, Coefficients... lower) {
    V p = hn::Set(f32, highest);
    ((p = hn::MulAdd(p, f, hn::Set(f32, lower))), ...);
    return hn::MulAdd(p, f, hn::Set(f32, 1.0f));
}

/// 2^f for -1/2 <= f <= 1/2
HWY_INLINE V exp2_of_fraction(V f) {
    return polynomial(f, 1.326472731e-03f, 9.671512991e-03f, 5.550733581e-02f, 2.402224243e-01f, 6.931470037e-01f);
}

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
/// The bits of 2^(i / 32), less i << 18.
alignas(64) constexpr std::uint32_t powers[32] = {
    0x3f800000, 0x3f7ecd87, 0x3f7daac3, 0x3f7c980f, 0x3f7b95c2, 0x3f7aa43a, 0x3f79c3d3, 0x3f78f4f0,
    0x3f7837f0, 0x3f778d3a, 0x3f76f532, 0x3f767043, 0x3f75fed7, 0x3f75a15b, 0x3f75583f, 0x3f7523f6,
    0x3f7504f3, 0x3f74fbaf, 0x3f7508a4, 0x3f752c4d, 0x3f75672a, 0x3f75b9be, 0x3f76248c, 0x3f76a81e,
    0x3f7744fd, 0x3f77fbb8, 0x3f78ccdf, 0x3f79b907, 0x3f7ac0c7, 0x3f7be4ba, 0x3f7d257d, 0x3f7e83b3,
};

/// The bits of 0.2410994 * 2^(i / 32), less i << 18 and less the exponent's offset.
alignas(64) constexpr std::uint32_t bounded_powers[32] = {
    0xfef6e2c3, 0xfef84ab8, 0xfef8e87e, 0xfef7bb1c, 0xfef69d8d, 0xfef59029, 0xfef4934b, 0xfef3a750,
    0xfef2cc96, 0xfef2037e, 0xfef14c6c, 0xfef0a7c3, 0xfef015eb, 0xfeef974f, 0xfeef2c58, 0xfeeed576,
    0xfeee931a, 0xfeee65b5, 0xfeee4dbf, 0xfeee4bae, 0xfeee5ffe, 0xfeee8b2b, 0xfeeecdb8, 0xfeef2825,
    0xfeef9afa, 0xfef026be, 0xfef0cbfe, 0xfef18b49, 0xfef26530, 0xfef35a49, 0xfef46b2c, 0xfef59875,
};
#endif

/// 2^x for x <= 0 to about one unit in the last place, exact at 0; 0 where it is less than float32 can hold, NaN for
/// NaN.
HWY_INLINE V exp2(V x) {
    // Adding this rounds to the nearest step, whose index is then in the low bits.
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    // In steps of 1/32 by a table, which needs fewer multiplications.
    const V rounder = hn::Set(f32, 12582912.0f / 32);
    const V clamped = at_least(hn::Set(f32, -127.0f), x);
    const V shifted = hn::Add(clamped, rounder);
    const V f = hn::Sub(clamped, hn::Sub(shifted, rounder)); // -1/64 .. 1/64
    const V p = hn::MulAdd(f, hn::Set(f32, 2.402265071e-01f), hn::Set(f32, 6.931573437e-01f));
    const __m512i step = _mm512_castps_si512(shifted.raw);
    const __m512i power = _mm512_permutex2var_epi32(_mm512_load_si512(powers), step, _mm512_load_si512(powers + 16));
    const V whole{_mm512_castsi512_ps(_mm512_add_epi32(power, _mm512_slli_epi32(step, 18)))};
    return hn::MulAdd(hn::Mul(whole, f), p, whole);
#else
    constexpr Int i32;
    const V rounder = hn::Set(f32, 12582912.0f);
    const V clamped = at_least(hn::Set(f32, -127.0f), x);
    const V shifted = hn::Add(clamped, rounder);
    const V f = hn::Sub(clamped, hn::Sub(shifted, rounder)); // -1/2 .. 1/2
    const auto exponent = hn::Add(hn::ShiftLeft<23>(hn::BitCast(i32, shifted)), hn::Set(i32, 127 << 23));
    return hn::Mul(exp2_of_fraction(f), hn::BitCast(f32, exponent));
#endif
}

/// 2^x for |x| <= 64, with a relative error of at most 3.3e-7, exact where x is an integer: equal keys usually have the
/// score 0, and sums of other equal weights would repeat the same rounding error.
HWY_INLINE V bounded_exp2(V x) {
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
    // As above, but 2^f = c ((f + a)^2 + b), where a is an integer number of steps and included in the rounder, as is
    // the exponent's offset; c is in the table.
    const V rounder = hn::Set(f32, 12582912.0f / 32 + 127.0f);
    const V shifted = hn::Add(x, rounder);
    const V f_and_a = hn::Sub(x, hn::Sub(shifted, hn::Set(f32, 12582912.0f / 32 + 127.0f + 1.4375f)));
    const V p = hn::MulAdd(f_and_a, f_and_a, hn::Set(f32, 2.0812604427f));
    const __m512i step = _mm512_castps_si512(shifted.raw);
    const __m512i power =
        _mm512_permutex2var_epi32(_mm512_load_si512(bounded_powers), step, _mm512_load_si512(bounded_powers + 16));
    const V whole{_mm512_castsi512_ps(_mm512_add_epi32(power, _mm512_slli_epi32(step, 18)))};
    return hn::Mul(whole, p);
#else
    constexpr Int i32;
    const V rounder = hn::Set(f32, 12582912.0f + 127.0f);
    const V shifted = hn::Add(x, rounder);
    const V f = hn::Sub(x, hn::Sub(shifted, rounder)); // -1/2 .. 1/2
    return hn::Mul(exp2_of_fraction(f), hn::BitCast(f32, hn::ShiftLeft<23>(hn::BitCast(i32, shifted))));
#endif
}

/// The effect of a tile with these maxima on the running state of half a panel: `base` is subtracted from scores,
/// `rescale` multiplies the results of earlier keys.
struct Shift {
    V base, rescale;
};

HWY_INLINE Shift raise_max(float* row_max, V tile_max) {
    const V old_max = hn::Load(f32, row_max);
    const V new_max = hn::Max(tile_max, old_max);
    hn::Store(new_max, f32, row_max);
    // A row without any key so far has -inf; -inf - -inf would be NaN.
    const V base = hn::IfThenElse(hn::Eq(new_max, hn::Set(f32, minus_infinity)), hn::Zero(f32), new_max);
    return {base, exp2(hn::Sub(old_max, base))};
}

/// Prefetches memory in small portions, so that requests do not queue up.
class Fetcher {
public:
    Fetcher(PrefetchRange ahead, std::int64_t steps)
        : next_(ahead.first), left_(ahead.bytes / line), lines_a_step_(left_ / std::max<std::int64_t>(1, steps) + 1) {}

    HWY_INLINE void step() {
        for (auto n = std::min(left_, lines_a_step_); n > 0; --n, --left_, next_ += line)
            __builtin_prefetch(next_, 0, 2);
    }

private:
    static constexpr std::int64_t line = 64;
    const char* next_;
    std::int64_t left_, lines_a_step_;
};

#if HWY_ARCH_X86
/// While it exists, numbers below 1e-38 count as 0: denormal weights slow some processors down a hundredfold.
class FlushDenormals {
public:
    FlushDenormals() { _mm_setcsr(saved_ | 0x8040); }
    ~FlushDenormals() { _mm_setcsr(saved_); }
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

private:
    unsigned saved_ = _mm_getcsr();
};
#else
struct FlushDenormals {};
#endif

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
