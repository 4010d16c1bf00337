// Products of activations with weights for a unit given as a class of instructions (matrix_kernel-inl.h), compiled for
// each instruction set. Weights are the left factors, whose rows are outputs, so that they need no transposing; the
// activations are packed once for all outputs.
#if defined(ATTNLAB_FLASH_WEIGHT_PRODUCT) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_WEIGHT_PRODUCT
#undef ATTNLAB_FLASH_WEIGHT_PRODUCT
#else
#define ATTNLAB_FLASH_WEIGHT_PRODUCT
#endif

#include "core/flash/matrix_kernel.h"
#include "core/flash/vectors-inl.h"

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

/// A bfloat16 in the upper half of the bits: the nearest, ties to even; NaN stays one.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> nearest_bfloat16(D d, hn::Vec<D> x) {
    const hn::RebindToUnsigned<D> u;
    const auto bits = hn::BitCast(u, x);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(u, 1u));
    const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(u, 0x7fffu)));
    const auto quiet = hn::Or(bits, hn::Set(u, 0x0040'0000u));
    return hn::BitCast(u, hn::IfThenElse(hn::IsNaN(x), hn::BitCast(d, quiet), hn::BitCast(d, rounded)));
}

#if HWY_MAX_BYTES == 64 // a vector is a row of a matrix

/// Swaps rows and columns of 16 vectors of 16 numbers. Each of four rounds moves the lowest bit of the column to the
/// highest of the row, and the lowest bit of the row to the highest of the column.
template <class D>
HWY_INLINE void transpose(D d, hn::Vec<D> (&rows)[rows_of_a_matrix]) {
    constexpr int half = rows_of_a_matrix / 2;
#pragma GCC unroll 4
    for (int round = 0; round < 4; ++round) {
        hn::Vec<D> next[rows_of_a_matrix];
#pragma GCC unroll 8
        for (int i = 0; i < half; ++i) {
            next[i] = hn::ConcatEven(d, rows[2 * i + 1], rows[2 * i]);
            next[i + half] = hn::ConcatOdd(d, rows[2 * i + 1], rows[2 * i]);
        }
#pragma GCC unroll 16
        for (int i = 0; i < rows_of_a_matrix; ++i)
            rows[i] = next[i];
    }
}

/// Up to 16 rows of 32 numbers as a right factor: pairs of numbers, transposed.
HWY_INLINE void pack_right_factor(const float* x, std::int64_t stride, std::int64_t rows, std::uint32_t* pairs) {
    const hn::RebindToUnsigned<Float> u;
    hn::Vec<decltype(u)> vectors[rows_of_a_matrix];
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        if (r >= rows) {
            vectors[r] = hn::Zero(u);
            continue;
        }
        const auto low = hn::LoadU(f32, x + r * stride), high = hn::LoadU(f32, x + r * stride + rows_of_a_matrix);
        const auto even = nearest_bfloat16(f32, hn::ConcatEven(f32, high, low));
        const auto odd = nearest_bfloat16(f32, hn::ConcatOdd(f32, high, low));
        vectors[r] = hn::Or(hn::ShiftRight<16>(even), hn::And(odd, hn::Set(u, 0xffff0000u)));
    }
    transpose(u, vectors);
    for (std::int64_t k = 0; k < rows_of_a_matrix; ++k)
        hn::Store(vectors[k], u, pairs + k * rows_of_a_matrix);
}

/// Writes the first rows and outputs of a result (16 outputs, 16 rows) to `out` (rows, outputs).
HWY_INLINE void unpack_result(const float* result, std::int64_t rows, std::int64_t outputs, float* out,
                              std::int64_t stride) {
    V vectors[rows_of_a_matrix];
    for (std::int64_t output = 0; output < rows_of_a_matrix; ++output)
        vectors[output] = hn::Load(f32, result + output * rows_of_a_matrix);
    transpose(f32, vectors);
    for (std::int64_t r = 0; r < rows; ++r) {
        if (outputs == rows_of_a_matrix) {
            hn::StoreU(vectors[r], f32, out + r * stride);
        } else {
            alignas(64) float row[rows_of_a_matrix];
            hn::Store(vectors[r], f32, row);
            std::copy_n(row, outputs, out + r * stride);
        }
    }
}

#else

HWY_INLINE void pack_right_factor(const float* x, std::int64_t stride, std::int64_t rows, std::uint32_t* pairs) {
    const hn::CappedTag<float, 1> one;
    const auto rounded = [&](float number)
                             HWY_ATTR { return hn::GetLane(nearest_bfloat16(one, hn::Set(one, number))); };
    std::fill_n(pairs, rows_of_a_matrix * rows_of_a_matrix, 0u);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t k = 0; k < rows_of_a_matrix; ++k)
            pairs[k * rows_of_a_matrix + r] =
                rounded(x[r * stride + 2 * k]) >> 16 | (rounded(x[r * stride + 2 * k + 1]) & 0xffff0000u);
}

HWY_INLINE void unpack_result(const float* result, std::int64_t rows, std::int64_t outputs, float* out,
                              std::int64_t stride) {
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t output = 0; output < outputs; ++output)
            out[r * stride + output] = result[output * rows_of_a_matrix + r];
}

#endif

[[maybe_unused]] void pack_activations(const float* x, std::int64_t rows, std::int64_t inputs, std::uint16_t* packed) {
    alignas(64) std::uint32_t pairs[rows_of_a_matrix * rows_of_a_matrix];
    for (std::int64_t c = 0; c < inputs; c += numbers_of_a_matrix_row, packed += numbers_of_a_matrix) {
        if (const auto columns = inputs - c; columns >= numbers_of_a_matrix_row) {
            pack_right_factor(x + c, inputs, rows, pairs);
        } else {
            float padded[rows_of_a_matrix][numbers_of_a_matrix_row] = {};
            for (std::int64_t r = 0; r < rows; ++r)
                std::copy_n(x + r * inputs + c, columns, padded[r]);
            pack_right_factor(padded[0], numbers_of_a_matrix_row, rows, pairs);
        }
        std::memcpy(packed, pairs, sizeof pairs);
    }
}

/// Numbers of a result, and of the four of 32 outputs and 32 rows.
constexpr std::int64_t numbers_of_a_result = rows_of_a_matrix * rows_of_a_matrix,
                       numbers_of_results = 4 * numbers_of_a_result;

template <class Unit>
struct ProductOf {
    static void multiply(const WeightProduct& p) {
        using Sizes = WeightProduct;
        const auto steps = PackedSizes::matrices(p.inputs, numbers_of_a_matrix_row);
        Unit::configure(64);
        for (std::int64_t output = 0; output < p.outputs; output += Sizes::outputs_of_a_block)
            for (std::int64_t row = 0; row < p.rows; row += Sizes::rows_of_a_block) {
                const Block block{output, std::min(Sizes::outputs_of_a_block, p.outputs - output), row,
                                  std::min(Sizes::rows_of_a_block, p.rows - row)};
                for (std::int64_t step = 0; step < steps; step += Sizes::steps_of_a_block)
                    add(p, block, step, std::min(Sizes::steps_of_a_block, steps - step));
                unpack(p, block);
            }
        Unit::release();
    }

private:
    struct Block {
        std::int64_t first_output, outputs, first_row, rows;

        std::int64_t pairs_of_outputs() const { return PackedSizes::matrices(outputs, 2 * rows_of_a_matrix); }
        float* results(const WeightProduct& p, std::int64_t pair_of_rows, std::int64_t pair_of_outputs) const {
            return p.sums + (pair_of_rows * pairs_of_outputs() + pair_of_outputs) * numbers_of_results;
        }
    };

    /// Adds the products of `steps` times 32 inputs to the results of a block, or sets them with the first ones.
    static HWY_INLINE void add(const WeightProduct& p, const Block& block, std::int64_t first_step,
                               std::int64_t steps) {
        pack_weights(p, block, first_step, steps);
        const auto all_steps = PackedSizes::matrices(p.inputs, numbers_of_a_matrix_row);
        const auto of_rows = all_steps * numbers_of_a_matrix, of_outputs = steps * numbers_of_a_matrix;
        for (std::int64_t row = 0; row < block.rows; row += 2 * rows_of_a_matrix) {
            const auto* x =
                p.packed_x + (block.first_row + row) / rows_of_a_matrix * of_rows + first_step * numbers_of_a_matrix;
            const bool has_second = row + rows_of_a_matrix < block.rows;
            for (std::int64_t pair = 0; pair < block.pairs_of_outputs(); ++pair) {
                const auto* w = p.packed_weights + 2 * pair * of_outputs;
                float* sums = block.results(p, row / (2 * rows_of_a_matrix), pair);
                if (has_second)
                    add<true>(w, of_outputs, x, of_rows, steps, first_step > 0, sums);
                else
                    add<false>(w, of_outputs, x, of_rows, steps, first_step > 0, sums);
            }
        }
    }

    /// The results of 32 outputs and 32 rows, or 16 rows.
    template <bool HasSecond>
    static HWY_INLINE void add(const std::uint16_t* w, std::int64_t next_w, const std::uint16_t* x, std::int64_t next_x,
                               std::int64_t steps, bool has_sums, float* sums) {
        constexpr std::int64_t bytes = 64;
        if (has_sums) {
            Unit::template load<0>(sums, bytes);
            Unit::template load<2>(sums + 2 * numbers_of_a_result, bytes);
            if constexpr (HasSecond) {
                Unit::template load<1>(sums + numbers_of_a_result, bytes);
                Unit::template load<3>(sums + 3 * numbers_of_a_result, bytes);
            }
        } else {
            Unit::template zero<0>();
            Unit::template zero<1>();
            Unit::template zero<2>();
            Unit::template zero<3>();
        }
        for (const auto* last = w + steps * numbers_of_a_matrix; w < last;
             w += numbers_of_a_matrix, x += numbers_of_a_matrix) {
            Unit::template load<4>(w, bytes);
            Unit::template load<6>(x, bytes);
            Unit::template multiply<0, 4, 6>();
            if constexpr (HasSecond) {
                Unit::template load<7>(x + next_x, bytes);
                Unit::template multiply<1, 4, 7>();
            }
            Unit::template load<5>(w + next_w, bytes);
            Unit::template multiply<2, 5, 6>();
            if constexpr (HasSecond)
                Unit::template multiply<3, 5, 7>();
        }
        Unit::template store<0>(sums, bytes);
        Unit::template store<2>(sums + 2 * numbers_of_a_result, bytes);
        if constexpr (HasSecond) {
            Unit::template store<1>(sums + numbers_of_a_result, bytes);
            Unit::template store<3>(sums + 3 * numbers_of_a_result, bytes);
        }
    }

    /// Copies the weights of a block into matrices: rows in a file are a power of two apart more often than not, and
    /// would have the same few places in the caches. Outputs up to the next 32 and inputs beyond the last are 0.
    static void pack_weights(const WeightProduct& p, const Block& block, std::int64_t first_step, std::int64_t steps) {
        constexpr auto bytes = static_cast<std::size_t>(numbers_of_a_matrix_row) * sizeof(std::uint16_t);
        const auto first = first_step * numbers_of_a_matrix_row;
        const auto whole = std::min(steps, (p.inputs - first) / numbers_of_a_matrix_row);
        const auto rest = p.inputs - first - whole * numbers_of_a_matrix_row;
        for (std::int64_t output = 0; output < block.pairs_of_outputs() * 2 * rows_of_a_matrix; ++output) {
            std::uint16_t* to = p.packed_weights + output / rows_of_a_matrix * steps * numbers_of_a_matrix +
                                output % rows_of_a_matrix * numbers_of_a_matrix_row;
            if (output >= block.outputs) {
                for (std::int64_t step = 0; step < steps; ++step)
                    std::memset(to + step * numbers_of_a_matrix, 0, bytes);
                continue;
            }
            const auto* from = p.weights + (block.first_output + output) * p.inputs + first;
            for (std::int64_t step = 0; step < whole; ++step)
                std::memcpy(to + step * numbers_of_a_matrix, from + step * numbers_of_a_matrix_row, bytes);
            if (whole < steps) {
                to += whole * numbers_of_a_matrix;
                std::copy_n(from + whole * numbers_of_a_matrix_row, rest, to);
                std::fill(to + rest, to + numbers_of_a_matrix_row, std::uint16_t{0});
            }
        }
    }

    static void unpack(const WeightProduct& p, const Block& block) {
        for (std::int64_t row = 0; row < block.rows; row += rows_of_a_matrix)
            for (std::int64_t output = 0; output < block.outputs; output += rows_of_a_matrix) {
                const auto place = output / rows_of_a_matrix % 2 * 2 + row / rows_of_a_matrix % 2;
                const float* result = block.results(p, row / (2 * rows_of_a_matrix), output / (2 * rows_of_a_matrix)) +
                                      place * numbers_of_a_result;
                unpack_result(result, std::min(rows_of_a_matrix, block.rows - row),
                              std::min(rows_of_a_matrix, block.outputs - output),
                              p.out + (block.first_row + row) * p.out_stride + block.first_output + output,
                              p.out_stride);
            }
    }
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
