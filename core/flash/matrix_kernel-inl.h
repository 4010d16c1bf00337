// MatrixKernel for a unit given as a class of instructions, compiled for each instruction set: numbers in the order of
// the unit, the products, and the weights between them. `Unit` has, for matrices 0 to 7 (0 to 3 are results, 4 and 5
// left and 6 and 7 right factors):
//   configure(right_bytes): rows of results and of right factors have that many bytes; release();
//   zero<M>(); load<M>(first, stride); store<M>(first, stride); with strides in bytes;
//   multiply<C, A, B>(): c[m][n] += sum over k of a[m][2k] b[k][2n] + a[m][2k + 1] b[k][2n + 1].
#if defined(ATTNLAB_FLASH_MATRIX_KERNEL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_MATRIX_KERNEL
#undef ATTNLAB_FLASH_MATRIX_KERNEL
#else
#define ATTNLAB_FLASH_MATRIX_KERNEL
#endif

#include "core/flash/matrix_kernel.h"
#include "core/flash/vectors-inl.h"
#include "core/flash/weight_product-inl.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

/// The matrices beside each other in a panel, and their columns.
constexpr std::int64_t halves = PackedSizes::matrices(width, rows_of_a_matrix);
static_assert(lanes <= rows_of_a_matrix);

/// Where the pair r of features (or keys) of a step of 32 of them is, for the queries from `lane` on.
constexpr std::int64_t right_factor_at(std::int64_t step, std::int64_t r, std::int64_t lane) {
    return (step * halves + lane / rows_of_a_matrix) * numbers_of_a_matrix + r * numbers_of_a_matrix_row +
           lane % rows_of_a_matrix * 2;
}

/// Calls run(number of parts as a constant).
template <class Run>
HWY_INLINE void with_parts(int parts, Run run) {
    if (parts == 1)
        run(std::integral_constant<int, 1>());
    else
        run(std::integral_constant<int, 2>());
}

[[maybe_unused]] void pack_queries(const float* queries, std::int64_t E, int parts, std::uint16_t* packed) {
    const auto of_a_part = PackedSizes::queries(E, width);
    std::fill_n(packed, of_a_part * parts, std::uint16_t{0});
    with_parts(parts, [&](auto count) HWY_ATTR {
        for (std::int64_t c = 0; c < E; c += 2)
            for (std::int64_t lane = 0; lane < width; lane += lanes) {
                const V x0 = hn::Load(f32, queries + c * width + lane);
                const V x1 = c + 1 < E ? hn::Load(f32, queries + (c + 1) * width + lane) : hn::Zero(f32);
                const auto step = c / numbers_of_a_matrix_row, r = c % numbers_of_a_matrix_row / 2;
                store_pair<decltype(count)::value>(x0, x1, packed + right_factor_at(step, r, lane), of_a_part);
            }
    });
}

/// 32 numbers of which `count` are given, as a row of a matrix.
template <int Parts>
HWY_INLINE void pack_row(const float* numbers, std::int64_t count, std::uint16_t* to, std::int64_t next_part) {
    alignas(64) float padded[numbers_of_a_matrix_row];
    if (count < numbers_of_a_matrix_row) {
        std::fill_n(padded, numbers_of_a_matrix_row, 0.0f);
        std::copy_n(numbers, count, padded);
        numbers = padded;
    }
    for (std::int64_t c = 0; c < numbers_of_a_matrix_row; c += lanes) {
        V x = hn::LoadU(f32, numbers + c);
        for (int part = 0; part < Parts; ++part) {
            alignas(64) std::uint32_t whole[lanes];
            hn::Store(hn::ShiftRight<16>(hn::BitCast(bits32, take_part(x))), bits32, whole);
            std::uint16_t* out = to + part * next_part + c;
            for (std::int64_t k = 0; k < lanes; ++k)
                out[k] = static_cast<std::uint16_t>(whole[k]);
        }
    }
}

[[maybe_unused]] void pack_keys(const float* keys, std::int64_t count, std::int64_t E, int parts,
                                std::uint16_t* packed) {
    const auto chunks = PackedSizes::matrices(E, numbers_of_a_matrix_row);
    const auto of_a_part = PackedSizes::keys(E);
    if (count < keys_of_a_block)
        std::fill_n(packed, of_a_part * parts, std::uint16_t{0});
    with_parts(parts, [&](auto number) HWY_ATTR {
        for (std::int64_t j = 0; j < count; ++j)
            for (std::int64_t c = 0; c < chunks; ++c)
                pack_row<decltype(number)::value>(keys + j * E + c * numbers_of_a_matrix_row,
                                                  std::min(numbers_of_a_matrix_row, E - c * numbers_of_a_matrix_row),
                                                  packed + (j / rows_of_a_matrix * chunks + c) * numbers_of_a_matrix +
                                                      j % rows_of_a_matrix * numbers_of_a_matrix_row,
                                                  of_a_part);
    });
}

/// Values of up to 32 keys and 16 columns as the rows of a matrix: pairs of keys, transposed.
HWY_INLINE void pack_columns(const float* values, std::int64_t keys, std::int64_t stride, std::int64_t columns,
                             std::uint16_t* to) {
    alignas(64) std::uint32_t pairs[rows_of_a_matrix * rows_of_a_matrix];
    alignas(64) float padded[2][rows_of_a_matrix] = {};
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        for (std::int64_t k = 0; k < 2; ++k) {
            const auto given = 2 * r + k < keys ? columns : 0;
            if (given > 0)
                std::copy_n(values + (2 * r + k) * stride, given, padded[k]);
            std::fill(padded[k] + given, padded[k] + rows_of_a_matrix, 0.0f);
        }
        for (std::int64_t lane = 0; lane < rows_of_a_matrix; lane += lanes)
            store_pair<1>(hn::Load(f32, padded[0] + lane), hn::Load(f32, padded[1] + lane),
                          reinterpret_cast<std::uint16_t*>(pairs + r * rows_of_a_matrix + lane), 0);
    }
    for (std::int64_t column = 0; column < rows_of_a_matrix; ++column) {
        alignas(64) std::uint32_t row[rows_of_a_matrix];
        for (std::int64_t r = 0; r < rows_of_a_matrix; ++r)
            row[r] = pairs[r * rows_of_a_matrix + column];
        std::memcpy(to + column * numbers_of_a_matrix_row, row, sizeof row);
    }
}

[[maybe_unused]] void pack_values(const float* values, std::int64_t count, std::int64_t Ev, std::uint16_t* packed) {
    constexpr auto steps = keys_of_a_block / numbers_of_a_matrix_row;
    const auto groups = PackedSizes::matrices(Ev, rows_of_a_matrix);
    for (std::int64_t step = 0; step < steps; ++step)
        for (std::int64_t group = 0; group < groups; ++group) {
            const auto first = step * numbers_of_a_matrix_row, column = group * rows_of_a_matrix;
            pack_columns(values + std::min(first, count) * Ev + column,
                         std::clamp<std::int64_t>(count - first, 0, numbers_of_a_matrix_row), Ev,
                         std::min(rows_of_a_matrix, Ev - column),
                         packed + (group * steps + step) * numbers_of_a_matrix);
        }
}

constexpr std::int64_t keys_of_a_step = numbers_of_a_matrix_row;

/// A product of the parts of two numbers.
struct PartProduct {
    std::int64_t left, right;
};

/// The products of numbers with `Parts` parts, the smallest first.
template <int Parts>
struct PartProducts;
template <>
struct PartProducts<1> {
    static constexpr PartProduct all[] = {{0, 0}};
};
template <>
struct PartProducts<2> {
    static constexpr PartProduct all[] = {{1, 0}, {0, 1}, {0, 0}};
};

/// The steps of 32 keys that a tile meets.
struct Steps {
    explicit Steps(const MatrixTile& t)
        : first(t.offset / keys_of_a_step), last((t.offset + t.count + keys_of_a_step - 1) / keys_of_a_step) {}
    std::int64_t first, last;
};

/// Computes results 0 to 3 from 32 rows of left and `width` columns of right factors. `next_rows` is the distance, in
/// numbers, between the matrix of rows 0 to 15 and the one of rows 16 to 31, or 0 if there are only 16 rows.
template <class Unit>
HWY_INLINE void multiply_block(const std::uint16_t* left, std::int64_t next_rows, const std::uint16_t* right) {
    constexpr std::int64_t row_bytes = numbers_of_a_matrix_row * 2;
    Unit::template load<4>(left, row_bytes);
    Unit::template load<6>(right, row_bytes);
    Unit::template multiply<0, 4, 6>();
    if constexpr (halves == 2) {
        Unit::template load<7>(right + numbers_of_a_matrix, row_bytes);
        Unit::template multiply<1, 4, 7>();
    }
    if (next_rows == 0)
        return;
    Unit::template load<5>(left + next_rows, row_bytes);
    Unit::template multiply<2, 5, 6>();
    if constexpr (halves == 2)
        Unit::template multiply<3, 5, 7>();
}

template <class Unit>
HWY_INLINE void zero_results() {
    Unit::template zero<0>();
    Unit::template zero<1>();
    Unit::template zero<2>();
    Unit::template zero<3>();
}

/// Results 0 to 3 from or to 32 rows of a panel, or 16.
template <class Unit>
HWY_INLINE void load_results(const float* rows, bool second) {
    constexpr std::int64_t stride = width * 4;
    Unit::template load<0>(rows, stride);
    if constexpr (halves == 2)
        Unit::template load<1>(rows + rows_of_a_matrix, stride);
    if (!second)
        return;
    Unit::template load<2>(rows + rows_of_a_matrix * width, stride);
    if constexpr (halves == 2)
        Unit::template load<3>(rows + rows_of_a_matrix * width + rows_of_a_matrix, stride);
}

template <class Unit>
HWY_INLINE void store_results(float* rows, bool second) {
    constexpr std::int64_t stride = width * 4;
    Unit::template store<0>(rows, stride);
    if constexpr (halves == 2)
        Unit::template store<1>(rows + rows_of_a_matrix, stride);
    if (!second)
        return;
    Unit::template store<2>(rows + rows_of_a_matrix * width, stride);
    if constexpr (halves == 2)
        Unit::template store<3>(rows + rows_of_a_matrix * width + rows_of_a_matrix, stride);
}

/// The scores of 32 keys.
template <class Unit, int Parts>
HWY_INLINE void score_step(const MatrixTile& t, std::int64_t step) {
    const auto chunks = PackedSizes::matrices(t.E, numbers_of_a_matrix_row);
    const auto keys_of_a_part = PackedSizes::keys(t.E), queries_of_a_part = PackedSizes::queries(t.E, width);
    const auto* keys = t.packed_keys + 2 * step * chunks * numbers_of_a_matrix;
    zero_results<Unit>();
    for (const auto& [key_part, query_part] : PartProducts<Parts>::all)
        for (std::int64_t c = 0; c < chunks; ++c)
            multiply_block<Unit>(keys + key_part * keys_of_a_part + c * numbers_of_a_matrix,
                                 chunks * numbers_of_a_matrix,
                                 t.packed_queries + query_part * queries_of_a_part + c * halves * numbers_of_a_matrix);
    store_results<Unit>(t.scores + step * keys_of_a_step * width, true);
}

/// output += values^T weights for all steps. Its sums are rounded at each step, far below the rounding of the weights.
template <class Unit>
HWY_INLINE void multiply_values(const MatrixTile& t) {
    constexpr auto steps_of_a_block = keys_of_a_block / keys_of_a_step;
    const auto groups = PackedSizes::matrices(t.Ev, rows_of_a_matrix);
    const Steps steps(t);
    for (std::int64_t group = 0; group < groups; group += 2) {
        const bool second = group + 1 < groups;
        const auto next_rows = second ? steps_of_a_block * numbers_of_a_matrix : 0;
        float* rows = t.output + group * rows_of_a_matrix * width;
        load_results<Unit>(rows, second);
        for (auto step = steps.first; step < steps.last; ++step)
            multiply_block<Unit>(t.packed_values + (group * steps_of_a_block + step) * numbers_of_a_matrix, next_rows,
                                 t.packed_weights + step * halves * numbers_of_a_matrix);
        store_results<Unit>(rows, second);
    }
}

/// Adds the weights of 32 keys, weight(key of the block, its score), for one vector of the panel to `sum`, not rounded.
/// With values it also packs them.
template <bool HasValues, class Weight>
HWY_INLINE void weigh_step(const MatrixTile& t, std::int64_t step, std::int64_t lane, V& sum, Weight weight) {
    [[maybe_unused]] const auto at = right_factor_at(step, 0, lane);
    V sum0 = hn::Zero(f32), sum1 = sum0;
#pragma GCC unroll 2
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        const auto j = step * keys_of_a_step + 2 * r;
        const V w0 = weight(j, t.scores + j * width + lane), w1 = weight(j + 1, t.scores + (j + 1) * width + lane);
        if constexpr (HasValues)
            store_pair<1>(w0, w1, t.packed_weights + at + r * numbers_of_a_matrix_row, 0);
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

template <int Parts, bool HasValues>
HWY_INLINE void weigh_bounded(const MatrixTile& t, std::int64_t step, V* sums) {
    const bool plain = is_plain(t, step);
    for (int v = 0; v < 2; ++v) {
        const auto lane = v * lanes;
        if (plain) {
            weigh_step<HasValues>(t, step, lane, sums[v], [&](std::int64_t, const float* score) HWY_ATTR {
                return bounded_exp2(in_base_2<Parts>(t, score));
            });
            continue;
        }
        weigh_step<HasValues>(t, step, lane, sums[v], [&](std::int64_t j, const float* score) HWY_ATTR {
            if (!is_of_tile(t, j))
                return hn::Zero(f32);
            const V w = bounded_exp2(in_base_2<Parts>(t, score));
            return is_special(t, j) ? hn::IfThenZeroElse(hn::IsNaN(cell_of(t, j, lane)), w) : w;
        });
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

/// The products of a step are issued before the weights of the step before are computed, so that the unit and the
/// vectors work at the same time.
template <class Unit, int Parts, bool HasValues>
HWY_NOINLINE void attend_bounded(const MatrixTile& t) {
    const Steps steps(t);
    V sums[2] = {hn::Zero(f32), hn::Zero(f32)};
    score_step<Unit, Parts>(t, steps.first);
    for (auto step = steps.first; step < steps.last; ++step) {
        if (step + 1 < steps.last)
            score_step<Unit, Parts>(t, step + 1);
        weigh_bounded<Parts, HasValues>(t, step, sums);
    }
    for (int v = 0; v < 2; ++v)
        hn::Store(hn::Add(hn::Load(f32, t.row_sum + v * lanes), sums[v]), f32, t.row_sum + v * lanes);
    if constexpr (HasValues)
        multiply_values<Unit>(t);
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

template <bool HasValues>
HWY_INLINE V weigh_shifted(const MatrixTile& t, std::int64_t lane, V base) {
    const Steps steps(t);
    V sum = hn::Zero(f32);
    for (auto step = steps.first; step < steps.last; ++step)
        weigh_step<HasValues>(t, step, lane, sum, [&](std::int64_t j, const float* score) HWY_ATTR {
            return is_of_tile(t, j) ? exp2(hn::Sub(hn::Load(f32, score), base)) : hn::Zero(f32);
        });
    return sum;
}

template <class Unit, int Parts, bool HasValues>
HWY_NOINLINE void attend_shifted(const MatrixTile& t) {
    const Steps steps(t);
    for (auto step = steps.first; step < steps.last; ++step)
        score_step<Unit, Parts>(t, step);
    V rescale[2];
    for (int v = 0; v < 2; ++v) {
        const auto lane = v * lanes;
        const Shift shift = raise_max(t.row_max + lane, finish_scores<Parts>(t, lane));
        const V sum = weigh_shifted<HasValues>(t, lane, shift.base);
        hn::Store(hn::MulAdd(hn::Load(f32, t.row_sum + lane), shift.rescale, sum), f32, t.row_sum + lane);
        rescale[v] = shift.rescale;
    }
    if constexpr (HasValues) {
        rescale_output(t, rescale[0], rescale[1]);
        multiply_values<Unit>(t);
    }
}

template <class Unit>
struct KernelOf {
    static void begin() { Unit::configure(static_cast<int>(std::min(width, rows_of_a_matrix) * 4)); }
    static void end() { Unit::release(); }

    static void attend(const MatrixTile& t) {
        [[maybe_unused]] const FlushDenormals flush;
        if (t.Ev > 0)
            attend_with<1, true>(t);
        else if (t.parts == 1)
            attend_with<1, false>(t);
        else
            attend_with<2, false>(t);
    }

    template <int Parts, bool HasValues>
    static HWY_INLINE void attend_with(const MatrixTile& t) {
        if (t.bounded)
            attend_bounded<Unit, Parts, HasValues>(t);
        else
            attend_shifted<Unit, Parts, HasValues>(t);
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
        return {name,
                static_cast<int>(width),
                always,
                begin,
                end,
                pack_queries,
                pack_keys,
                pack_values,
                attend,
                score,
                pack_activations,
                ProductOf<Unit>::multiply};
    }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
