// The parts of float32 numbers in the order of MatrixKernel, compiled for each instruction set.
#if defined(ATTNLAB_FLASH_MATRIX_PACKING) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_MATRIX_PACKING
#undef ATTNLAB_FLASH_MATRIX_PACKING
#else
#define ATTNLAB_FLASH_MATRIX_PACKING
#endif

#include "core/flash/matrix_kernel.h"
#include "core/flash/vectors-inl.h"

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

using Bits = hn::RebindToUnsigned<Float>;
constexpr Bits bits32;

/// Where the pair r of features (or keys) of a step of 32 of them is, for the queries from `lane` on.
constexpr std::int64_t right_factor_at(std::int64_t step, std::int64_t r, std::int64_t lane) {
    return (step * halves + lane / rows_of_a_matrix) * numbers_of_a_matrix + r * numbers_of_a_matrix_row +
           lane % rows_of_a_matrix * 2;
}

/// The nearest number of 8 bits, of two the larger one.
HWY_INLINE V rounded_to_8_bits(V x) {
    const auto bits = hn::Add(hn::BitCast(bits32, x), hn::Set(bits32, 0x8000u));
    return hn::BitCast(f32, hn::And(bits, hn::Set(bits32, 0xffff0000u)));
}

/// The next part of x, which becomes the rest.
HWY_INLINE V take_part(V& x) {
    const V part = rounded_to_8_bits(x);
    x = hn::Sub(x, part);
    return part;
}

/// Writes the parts of two vectors as pairs of bfloat16, `next_part` numbers apart.
template <int Parts>
HWY_INLINE void store_pair(V x0, V x1, std::uint16_t* HWY_RESTRICT to, std::int64_t next_part) {
#pragma GCC unroll 3
    for (int part = 0; part < Parts; ++part, to += next_part) {
        const V part0 = take_part(x0), part1 = take_part(x1);
        const auto low = hn::ShiftRight<16>(hn::BitCast(bits32, part0));
        hn::StoreU(hn::Or(low, hn::BitCast(bits32, part1)), bits32, reinterpret_cast<std::uint32_t*>(to));
    }
}

/// Calls run(number of parts as a constant).
template <class Run>
HWY_INLINE void with_parts(int parts, Run run) {
    if (parts == 1)
        run(std::integral_constant<int, 1>());
    else if (parts == 2)
        run(std::integral_constant<int, 2>());
    else
        run(std::integral_constant<int, 3>());
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
template <int Parts>
HWY_INLINE void pack_columns(const float* values, std::int64_t keys, std::int64_t stride, std::int64_t columns,
                             std::uint16_t* to, std::int64_t next_part) {
    constexpr auto size = rows_of_a_matrix * rows_of_a_matrix;
    alignas(64) std::uint32_t pairs[Parts * size];
    alignas(64) float padded[2][rows_of_a_matrix] = {};
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        for (std::int64_t k = 0; k < 2; ++k) {
            const auto given = 2 * r + k < keys ? columns : 0;
            if (given > 0)
                std::copy_n(values + (2 * r + k) * stride, given, padded[k]);
            std::fill(padded[k] + given, padded[k] + rows_of_a_matrix, 0.0f);
        }
        for (std::int64_t lane = 0; lane < rows_of_a_matrix; lane += lanes) {
            V x0 = hn::Load(f32, padded[0] + lane), x1 = hn::Load(f32, padded[1] + lane);
            for (int part = 0; part < Parts; ++part) {
                const auto low = hn::ShiftRight<16>(hn::BitCast(bits32, take_part(x0)));
                hn::Store(hn::Or(low, hn::BitCast(bits32, take_part(x1))), bits32,
                          pairs + part * size + r * rows_of_a_matrix + lane);
            }
        }
    }
    for (int part = 0; part < Parts; ++part)
        for (std::int64_t column = 0; column < rows_of_a_matrix; ++column) {
            alignas(64) std::uint32_t row[rows_of_a_matrix];
            for (std::int64_t r = 0; r < rows_of_a_matrix; ++r)
                row[r] = pairs[part * size + r * rows_of_a_matrix + column];
            std::memcpy(to + part * next_part + column * numbers_of_a_matrix_row, row, sizeof row);
        }
}

[[maybe_unused]] void pack_values(const float* values, std::int64_t count, std::int64_t Ev, int parts,
                                  std::uint16_t* packed) {
    constexpr auto steps = keys_of_a_block / numbers_of_a_matrix_row;
    const auto groups = PackedSizes::matrices(Ev, rows_of_a_matrix);
    const auto of_a_part = PackedSizes::values(Ev);
    with_parts(parts, [&](auto number) HWY_ATTR {
        for (std::int64_t step = 0; step < steps; ++step)
            for (std::int64_t group = 0; group < groups; ++group) {
                const auto first = step * numbers_of_a_matrix_row, column = group * rows_of_a_matrix;
                pack_columns<decltype(number)::value>(
                    values + std::min(first, count) * Ev + column,
                    std::clamp<std::int64_t>(count - first, 0, numbers_of_a_matrix_row), Ev,
                    std::min(rows_of_a_matrix, Ev - column), packed + (group * steps + step) * numbers_of_a_matrix,
                    of_a_part);
            }
    });
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
