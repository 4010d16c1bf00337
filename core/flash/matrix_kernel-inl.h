// MatrixKernel for a unit given as a class of instructions (matrix_products-inl.h), compiled for each instruction set.
#if defined(ATTNLAB_FLASH_MATRIX_KERNEL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_MATRIX_KERNEL
#undef ATTNLAB_FLASH_MATRIX_KERNEL
#else
#define ATTNLAB_FLASH_MATRIX_KERNEL
#endif

#include "core/flash/matrix_kernel.h"
#include "core/flash/matrix_products-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

/// Packs the weights of 32 keys, weight(key of the block, its score), for one vector of the panel, and adds them to
/// `sum`, not rounded. With no parts it only adds.
template <int Parts, class Weight>
HWY_INLINE void weigh_step(const MatrixTile& t, std::int64_t step, std::int64_t lane, V& sum, Weight weight) {
    const auto at = right_factor_at(step, 0, lane);
    V sum0 = hn::Zero(f32), sum1 = sum0;
#pragma GCC unroll 2
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        const auto j = step * keys_of_a_step + 2 * r;
        const V w0 = weight(j, t.scores + j * width + lane), w1 = weight(j + 1, t.scores + (j + 1) * width + lane);
        store_pair<Parts>(w0, w1, t.packed_weights + at + r * numbers_of_a_matrix_row, PackedSizes::weights(width));
        sum0 = hn::Add(sum0, w0);
        sum1 = hn::Add(sum1, w1);
    }
    sum = hn::Add(sum, hn::Add(sum0, sum1));
}

HWY_INLINE bool is_of_tile(const MatrixTile& t, std::int64_t j) { return t.offset <= j && j < t.offset + t.count; }

HWY_INLINE bool is_special(const MatrixTile& t, std::int64_t j) {
    return t.offset + t.special_first <= j && j < t.offset + t.special_last;
}

HWY_INLINE V cell_of(const MatrixTile& t, std::int64_t j, std::int64_t lane) {
    return hn::Load(f32, t.cells + (j - t.offset - t.special_first) * width + lane);
}

/// True when all keys of the step belong to the tile and none is special.
HWY_INLINE bool is_plain(const MatrixTile& t, std::int64_t step) {
    const auto first = step * keys_of_a_step - t.offset, last = first + keys_of_a_step;
    return first >= 0 && last <= t.count &&
           (t.special_first >= t.special_last || last <= t.special_first || t.special_last <= first);
}

template <int Parts>
HWY_INLINE V in_base_2(const MatrixTile& t, const float* score) {
    const V s = hn::Load(f32, score);
    return Parts == 1 ? hn::Mul(s, hn::Set(f32, t.score_factor)) : s;
}

template <int Parts, int WeightParts>
HWY_INLINE void weigh_bounded(const MatrixTile& t, std::int64_t step, V* sums) {
    const bool plain = is_plain(t, step);
    for (int v = 0; v < 2; ++v) {
        const auto lane = v * lanes;
        if (plain) {
            weigh_step<WeightParts>(t, step, lane, sums[v], [&](std::int64_t, const float* score) HWY_ATTR {
                return bounded_exp2(in_base_2<Parts>(t, score));
            });
            continue;
        }
        weigh_step<WeightParts>(t, step, lane, sums[v], [&](std::int64_t j, const float* score) HWY_ATTR {
            if (!is_of_tile(t, j))
                return hn::Zero(f32);
            const V w = bounded_exp2(in_base_2<Parts>(t, score));
            return is_special(t, j) ? hn::IfThenZeroElse(hn::IsNaN(cell_of(t, j, lane)), w) : w;
        });
    }
}

/// output = output * rescale + sums.
HWY_INLINE void add_sums(const MatrixTile& t, V rescale0, V rescale1) {
    for (std::int64_t c = 0; c < t.Ev; ++c) {
        float* out = t.output + c * width;
        const float* sum = t.sums + c * width;
        hn::Store(hn::MulAdd(hn::Load(f32, out), rescale0, hn::Load(f32, sum)), f32, out);
        hn::Store(hn::MulAdd(hn::Load(f32, out + lanes), rescale1, hn::Load(f32, sum + lanes)), f32, out + lanes);
    }
}

HWY_INLINE void rescale_output(const MatrixTile& t, V rescale0, V rescale1) {
    const V one = hn::Set(f32, 1.0f);
    if (hn::AllTrue(f32, hn::Eq(rescale0, one)) && hn::AllTrue(f32, hn::Eq(rescale1, one)))
        return;
    for (std::int64_t c = 0; c < t.Ev; ++c) {
        float* out = t.output + c * width;
        hn::Store(hn::Mul(hn::Load(f32, out), rescale0), f32, out);
        hn::Store(hn::Mul(hn::Load(f32, out + lanes), rescale1), f32, out + lanes);
    }
}

/// The products of a tile have sums of their own, so that rounding errors grow with the number of tiles and not with
/// that of steps; with one part these are far below its rounding.
template <class Unit, int Parts>
HWY_INLINE void add_values(const MatrixTile& t, V rescale0, V rescale1) {
    if constexpr (Parts == 0) {
        return;
    } else if constexpr (Parts == 1) {
        rescale_output(t, rescale0, rescale1);
        multiply_values<Unit, 1>(t, t.output, false);
    } else {
        multiply_values<Unit, Parts>(t, t.sums, true);
        add_sums(t, rescale0, rescale1);
    }
}

/// The products of a step are issued before the weights of the step before are computed, so that the unit and the
/// vectors work at the same time.
template <class Unit, int Parts, int WeightParts>
HWY_NOINLINE void attend_bounded(const MatrixTile& t) {
    const Steps steps(t);
    V sums[2] = {hn::Zero(f32), hn::Zero(f32)};
    score_step<Unit, Parts>(t, steps.first);
    for (auto step = steps.first; step < steps.last; ++step) {
        if (step + 1 < steps.last)
            score_step<Unit, Parts>(t, step + 1);
        weigh_bounded<Parts, WeightParts>(t, step, sums);
    }
    for (int v = 0; v < 2; ++v)
        hn::Store(hn::Add(hn::Load(f32, t.row_sum + v * lanes), sums[v]), f32, t.row_sum + v * lanes);
    const V one = hn::Set(f32, 1.0f);
    add_values<Unit, WeightParts>(t, one, one);
}

/// Masks the scores of one vector of the panel and returns their maxima.
template <int Parts>
HWY_INLINE V finish_scores(const MatrixTile& t, std::int64_t lane) {
    const V fill = hn::Set(f32, t.fill);
    V max = hn::Set(f32, minus_infinity);
    for (auto j = t.offset; j < t.offset + t.count; ++j) {
        float* at = t.scores + j * width + lane;
        V s = in_base_2<Parts>(t, at);
        const bool special = is_special(t, j);
        if (special)
            s = masked(s, cell_of(t, j, lane), fill);
        if (special || Parts == 1)
            hn::Store(s, f32, at);
        max = hn::Max(s, max);
    }
    return max;
}

template <int WeightParts>
HWY_INLINE V weigh_shifted(const MatrixTile& t, std::int64_t lane, V base) {
    const Steps steps(t);
    V sum = hn::Zero(f32);
    for (auto step = steps.first; step < steps.last; ++step)
        weigh_step<WeightParts>(t, step, lane, sum, [&](std::int64_t j, const float* score) HWY_ATTR {
            return is_of_tile(t, j) ? exp2(hn::Sub(hn::Load(f32, score), base)) : hn::Zero(f32);
        });
    return sum;
}

template <class Unit, int Parts, int WeightParts>
HWY_NOINLINE void attend_shifted(const MatrixTile& t) {
    const Steps steps(t);
    for (auto step = steps.first; step < steps.last; ++step)
        score_step<Unit, Parts>(t, step);
    V rescale[2];
    for (int v = 0; v < 2; ++v) {
        const auto lane = v * lanes;
        const Shift shift = raise_max(t.row_max + lane, finish_scores<Parts>(t, lane));
        const V sum = weigh_shifted<WeightParts>(t, lane, shift.base);
        hn::Store(hn::MulAdd(hn::Load(f32, t.row_sum + lane), shift.rescale, sum), f32, t.row_sum + lane);
        rescale[v] = shift.rescale;
    }
    add_values<Unit, WeightParts>(t, rescale[0], rescale[1]);
}

template <class Unit>
struct KernelOf {
    static void begin() { Unit::configure(static_cast<int>(std::min(width, rows_of_a_matrix) * 4)); }
    static void end() { Unit::release(); }

    static void attend(const MatrixTile& t) {
        [[maybe_unused]] const FlushDenormals flush;
        with_parts(t.parts, [&](auto parts) HWY_ATTR {
            constexpr int count = decltype(parts)::value;
            if (t.Ev > 0)
                attend_with<count, count>(t);
            else
                attend_with<count, 0>(t);
        });
    }

    template <int Parts, int WeightParts>
    static HWY_INLINE void attend_with(const MatrixTile& t) {
        if (t.bounded)
            attend_bounded<Unit, Parts, WeightParts>(t);
        else
            attend_shifted<Unit, Parts, WeightParts>(t);
    }

    static void score(const MatrixTile& t) {
        with_parts(t.parts, [&](auto parts) HWY_ATTR {
            const Steps steps(t);
            for (auto step = steps.first; step < steps.last; ++step)
                score_step<Unit, decltype(parts)::value>(t, step);
            if constexpr (decltype(parts)::value == 1)
                for (auto at = t.offset * width; at < (t.offset + t.count) * width; at += lanes)
                    hn::Store(in_base_2<1>(t, t.scores + at), f32, t.scores + at);
        });
    }

    static MatrixKernel kernel(const char* name, bool always) {
        return {name, static_cast<int>(width), always, begin, end, pack_queries, pack_keys, pack_values, attend, score};
    }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
