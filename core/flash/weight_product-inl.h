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
#include <bit>
#include <cmath>
#include <cstring>
#include <iterator>

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

#if HWY_MAX_BYTES == 64 // a vector is a row of a matrix

using U = hn::Vec<Bits>;

/// Whether three parts can hold all numbers that were added.
struct Magnitude {
    U largest; ///< as bits, of which NaN has larger ones than infinity

    HWY_INLINE void add(V x) {
        largest = hn::Max(largest, hn::And(hn::BitCast(bits32, x), hn::Set(bits32, 0x7fff'ffffu)));
    }
    HWY_INLINE bool fits() const {
        return hn::AllFalse(bits32, hn::Gt(largest, hn::BitCast(bits32, hn::Set(f32, largest_in_three_parts))));
    }
};

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

/// Up to 16 rows of 32 numbers as a right factor for each part: pairs of numbers, transposed. The pairs are neighbours
/// where weights have one part, as left factors come from a file, otherwise 16 apart.
HWY_INLINE bool pack_right_factor(const float* x, std::int64_t stride, std::int64_t rows, Factors factors,
                                  std::uint32_t* pairs) {
    const int parts = parts_of_x(factors);
    U vectors[3][rows_of_a_matrix];
    Magnitude magnitude{hn::Zero(bits32)};
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r) {
        V low = hn::Zero(f32), high = low;
        if (r < rows) {
            low = hn::LoadU(f32, x + r * stride);
            high = hn::LoadU(f32, x + r * stride + rows_of_a_matrix);
        }
        if (parts_of_weights(factors) == 1) {
            const V even = hn::ConcatEven(f32, high, low);
            high = hn::ConcatOdd(f32, high, low);
            low = even;
        }
        if (parts == 1) {
            vectors[0][r] = hn::Or(hn::ShiftRight<16>(nearest_bfloat16(f32, low)),
                                   hn::And(nearest_bfloat16(f32, high), hn::Set(bits32, 0xffff0000u)));
            continue;
        }
        magnitude.add(low);
        magnitude.add(high);
        for (auto& part : vectors) {
            const U first = hn::BitCast(bits32, take_part(low)), second = hn::BitCast(bits32, take_part(high));
            part[r] = hn::Or(hn::ShiftRight<16>(first), second);
        }
    }
    for (int part = 0; part < parts; ++part) {
        transpose(bits32, vectors[part]);
        for (std::int64_t k = 0; k < rows_of_a_matrix; ++k)
            hn::StoreU(vectors[part][k], bits32, pairs + (part * rows_of_a_matrix + k) * rows_of_a_matrix);
    }
    return magnitude.fits();
}

/// A row of 32 weights in three parts, `numbers_of_a_matrix` apart.
HWY_INLINE void pack_left_row(V low, V high, Magnitude& magnitude, std::uint16_t* to) {
    magnitude.add(low);
    magnitude.add(high);
    store_pair<3>(low, high, to, numbers_of_a_matrix);
}

/// 16 rows of 32 weights for each step as left factors of three parts: row by row, as memory is fastest.
HWY_INLINE bool pack_left_factors(const float* w, std::int64_t stride, std::int64_t steps, std::uint16_t* to) {
    Magnitude magnitude{hn::Zero(bits32)};
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r)
        for (std::int64_t step = 0; step < steps; ++step) {
            const float* row = w + r * stride + step * numbers_of_a_matrix_row;
            pack_left_row(hn::LoadU(f32, row), hn::LoadU(f32, row + rows_of_a_matrix), magnitude,
                          to + step * 3 * numbers_of_a_matrix + r * numbers_of_a_matrix_row);
        }
    return magnitude.fits();
}

/// The same of 32 rows of 16 weights, a step.
HWY_INLINE bool pack_transposed_left_factor(const float* w, std::int64_t stride, std::uint16_t* to) {
    Magnitude magnitude{hn::Zero(bits32)};
    V low[rows_of_a_matrix], high[rows_of_a_matrix];
    for (std::int64_t k = 0; k < rows_of_a_matrix; ++k) {
        low[k] = hn::LoadU(f32, w + k * stride);
        high[k] = hn::LoadU(f32, w + (k + rows_of_a_matrix) * stride);
    }
    transpose(f32, low);
    transpose(f32, high);
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r)
        pack_left_row(low[r], high[r], magnitude, to + r * numbers_of_a_matrix_row);
    return magnitude.fits();
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

#else // plain loops, for the unit that is emulated

/// The parts of a number as bfloat16; false if three cannot hold it.
HWY_INLINE bool parts_of(float x, int parts, std::uint16_t* part, std::int64_t stride) {
    const hn::CappedTag<float, 1> one;
    if (parts == 1) {
        part[0] = static_cast<std::uint16_t>(hn::GetLane(nearest_bfloat16(one, hn::Set(one, x))) >> 16);
        return true;
    }
    const bool fits = std::abs(x) <= largest_in_three_parts;
    for (int k = 0; k < 3; ++k) {
        const auto bits = (std::bit_cast<std::uint32_t>(x) + 0x8000u) & 0xffff0000u;
        part[k * stride] = static_cast<std::uint16_t>(bits >> 16);
        x -= std::bit_cast<float>(bits);
    }
    return fits;
}

HWY_INLINE bool pack_right_factor(const float* x, std::int64_t stride, std::int64_t rows, Factors factors,
                                  std::uint32_t* pairs) {
    const int parts = parts_of_x(factors);
    const bool are_neighbours = parts_of_weights(factors) == 1;
    std::uint16_t numbers[3 * numbers_of_a_matrix] = {};
    bool fit = true;
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t k = 0; k < rows_of_a_matrix; ++k)
            for (std::int64_t second = 0; second < 2; ++second)
                fit &= parts_of(x[r * stride + (are_neighbours ? 2 * k + second : k + rows_of_a_matrix * second)],
                                parts, numbers + k * numbers_of_a_matrix_row + 2 * r + second, numbers_of_a_matrix);
    std::memcpy(pairs, numbers, static_cast<std::size_t>(parts * numbers_of_a_matrix) * sizeof(std::uint16_t));
    return fit;
}

HWY_INLINE bool pack_left_numbers(const float* w, std::int64_t next_output, std::int64_t next_input,
                                  std::uint16_t* to) {
    bool fit = true;
    for (std::int64_t r = 0; r < rows_of_a_matrix; ++r)
        for (std::int64_t k = 0; k < numbers_of_a_matrix_row; ++k)
            fit &= parts_of(w[r * next_output + k * next_input], 3,
                            to + r * numbers_of_a_matrix_row + k % rows_of_a_matrix * 2 + k / rows_of_a_matrix,
                            numbers_of_a_matrix);
    return fit;
}

HWY_INLINE bool pack_left_factors(const float* w, std::int64_t stride, std::int64_t steps, std::uint16_t* to) {
    bool fit = true;
    for (std::int64_t step = 0; step < steps; ++step)
        fit &= pack_left_numbers(w + step * numbers_of_a_matrix_row, stride, 1, to + step * 3 * numbers_of_a_matrix);
    return fit;
}
HWY_INLINE bool pack_transposed_left_factor(const float* w, std::int64_t stride, std::uint16_t* to) {
    return pack_left_numbers(w, 1, stride, to);
}

HWY_INLINE void unpack_result(const float* result, std::int64_t rows, std::int64_t outputs, float* out,
                              std::int64_t stride) {
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t output = 0; output < outputs; ++output)
            out[r * stride + output] = result[output * rows_of_a_matrix + r];
}

#endif

[[maybe_unused]] bool pack_activations(const float* x, std::int64_t first, std::int64_t rows, std::int64_t inputs,
                                       Factors factors, std::uint16_t* packed) {
    const int parts = parts_of_x(factors);
    const auto steps = PackedSizes::matrices(inputs, numbers_of_a_matrix_row);
    const auto of_a_block = WeightProduct::steps_of_a_block(factors),
               groups = PackedSizes::matrices(rows, rows_of_a_matrix);
    const auto taken = std::min(rows_of_a_matrix, rows - first), of_a_step = parts * numbers_of_a_matrix;
    x += first * inputs;
    bool fit = true;
    for (std::int64_t step = 0; step < steps; ++step) {
        const auto block = step / of_a_block * of_a_block, steps_of_it = std::min(of_a_block, steps - block);
        auto* to = reinterpret_cast<std::uint32_t*>(
            packed + (block * groups + first / rows_of_a_matrix * steps_of_it + step - block) * of_a_step);
        const auto column = step * numbers_of_a_matrix_row, columns = inputs - column;
        if (columns >= numbers_of_a_matrix_row) {
            fit &= pack_right_factor(x + column, inputs, taken, factors, to);
        } else {
            float padded[rows_of_a_matrix][numbers_of_a_matrix_row] = {};
            for (std::int64_t r = 0; r < taken; ++r)
                std::copy_n(x + r * inputs + column, columns, padded[r]);
            fit &= pack_right_factor(padded[0], numbers_of_a_matrix_row, taken, factors, to);
        }
    }
    return fit;
}

/// Numbers of a result, and of the four of 32 outputs and 32 rows.
constexpr std::int64_t numbers_of_a_result = rows_of_a_matrix * rows_of_a_matrix,
                       numbers_of_results = 4 * numbers_of_a_result;

/// The largest magnitudes of rows of bfloat16, to find out whether they can be multiplied by parts of x.
struct LargestOfRow {
    alignas(64)
        std::uint16_t bits[numbers_of_a_matrix_row] = {}; ///< of each column, without signs; NaN counts as the largest

    HWY_INLINE void add(const std::uint16_t* row) {
        for (std::int64_t k = 0; k < numbers_of_a_matrix_row; ++k)
            bits[k] = std::max(bits[k], static_cast<std::uint16_t>(row[k] & 0x7fffu));
    }
    bool fits() const {
        return *std::max_element(std::begin(bits), std::end(bits)) <=
               std::bit_cast<std::uint32_t>(largest_in_three_parts) >> 16;
    }
};

template <class Unit>
struct ProductOf {
    static bool multiply(const WeightProduct& p) {
        switch (p.factors) {
        case Factors::BFloat16:
            return multiply_factors<Factors::BFloat16>(p);
        case Factors::BFloat16Weights:
            return multiply_factors<Factors::BFloat16Weights>(p);
        case Factors::Float32:
            break;
        }
        return multiply_factors<Factors::Float32>(p);
    }

private:
    /// What is computed together, and the steps that are added in turn.
    struct Block {
        std::int64_t first_output, outputs, first_row, rows, first_step, steps;

        Block(const WeightProduct& p, std::int64_t output, std::int64_t row, std::int64_t step)
            : first_output(output), outputs(std::min(WeightProduct::outputs_of_a_block, p.outputs - output)),
              first_row(row), rows(std::min(WeightProduct::rows_of_a_block, p.rows - row)), first_step(step),
              steps(std::min(WeightProduct::steps_of_a_block(p.factors), steps_of(p) - step)) {}

        static std::int64_t steps_of(const WeightProduct& p) {
            return PackedSizes::matrices(p.inputs, numbers_of_a_matrix_row);
        }
        bool has_first_steps() const { return first_step == 0; }
        bool has_last_steps(const WeightProduct& p) const { return first_step + steps == steps_of(p); }
        /// The block that follows; one with no outputs after the last.
        Block next(const WeightProduct& p) const {
            if (!has_last_steps(p))
                return {p, first_output, first_row, first_step + steps};
            if (first_row + rows < p.rows)
                return {p, first_output, first_row + rows, 0};
            return {p, first_output + outputs, 0, 0};
        }

        std::int64_t pairs_of_rows() const { return PackedSizes::matrices(rows, 2 * rows_of_a_matrix); }
        std::int64_t pairs_of_outputs() const { return PackedSizes::matrices(outputs, 2 * rows_of_a_matrix); }
        std::int64_t first_input() const { return first_step * numbers_of_a_matrix_row; }
        std::int64_t inputs(const WeightProduct& p) const {
            return std::min(steps * numbers_of_a_matrix_row, p.inputs - first_input());
        }
        float* results(const WeightProduct& p, std::int64_t pair_of_rows, std::int64_t pair_of_outputs) const {
            return p.sums + (pair_of_rows * pairs_of_outputs() + pair_of_outputs) * numbers_of_results;
        }
    };

    /// Weights of the block that follows, which are fetched from memory while this one is computed: they are too far
    /// apart for the processor to do so by itself.
    class Coming {
    public:
        Coming(const WeightProduct& p, const Block& block) {
            if (block.outputs == 0)
                return;
            rows_ = p.inputs_first ? block.inputs(p) : block.outputs;
            const auto columns = p.inputs_first ? block.outputs : block.inputs(p),
                       row = p.inputs_first ? block.first_input() : block.first_output,
                       column = p.inputs_first ? block.first_output : block.first_input();
            const bool are_rounded = parts_of_weights(p.factors) == 1;
            const std::int64_t size = are_rounded ? 2 : 4;
            stride_ = (are_rounded ? p.inputs : p.weight_stride) * size;
            bytes_ = columns * size;
            first_ = (are_rounded ? reinterpret_cast<const char*>(p.rounded_weights)
                                  : reinterpret_cast<const char*>(p.weights)) +
                     row * stride_ + column * size;
        }
        /// One of `parts` parts.
        HWY_INLINE void fetch(std::int64_t part, std::int64_t parts) const {
            for (auto row = rows_ * part / parts; row < rows_ * (part + 1) / parts; ++row)
                for (std::int64_t byte = 0; byte < bytes_; byte += 64)
                    __builtin_prefetch(first_ + row * stride_ + byte, 0, 2);
        }

    private:
        std::int64_t rows_ = 0, stride_ = 0, bytes_ = 0;
        const char* first_ = nullptr;
    };

    template <Factors Of>
    static bool multiply_factors(const WeightProduct& p) {
        bool fit = true;
        Unit::configure(64);
        for (Block block(p, 0, 0, 0); block.outputs > 0 && fit;) {
            fit = parts_of_weights(Of) == 1 ? copy_weights(p, block) : split_weights(p, block);
            add<Of>(p, block);
            if (block.has_last_steps(p))
                unpack(p, block);
            block = block.next(p);
        }
        Unit::release();
        return fit;
    }

    /// Adds the products of the steps of a block to its results, or sets them with the first ones.
    template <Factors Of>
    static HWY_INLINE void add(const WeightProduct& p, const Block& block) {
        const auto rows = block.steps * parts_of_x(Of) * numbers_of_a_matrix,   // of 16 rows
            outputs = block.steps * parts_of_weights(Of) * numbers_of_a_matrix; // of 16 outputs
        const auto groups = PackedSizes::matrices(p.rows, rows_of_a_matrix);
        const auto* x = p.packed_x + block.first_step * groups * parts_of_x(Of) * numbers_of_a_matrix +
                        block.first_row / rows_of_a_matrix * rows;
        const Coming coming(p, block.next(p));
        for (std::int64_t row = 0; row < block.pairs_of_rows(); ++row, x += 2 * rows) {
            if (Of != Factors::BFloat16) // whose products take less time than fetching
                coming.fetch(row, block.pairs_of_rows());
            for (std::int64_t pair = 0; pair < block.pairs_of_outputs(); ++pair) {
                const auto* w = p.packed_weights + 2 * pair * outputs;
                float* sums = block.results(p, row, pair);
                if ((2 * row + 1) * rows_of_a_matrix < block.rows)
                    add<Of, true>(w, x, outputs, rows, block, sums);
                else
                    add<Of, false>(w, x, outputs, rows, block, sums);
            }
        }
    }

    /// The results of 32 outputs and 32 rows, or 16 rows. Matrices 0 to 3 are the results, 4 and 5 weights, 6 and 7
    /// rows of x.
    template <Factors Of, bool HasSecond>
    static HWY_INLINE void add(const std::uint16_t* w, const std::uint16_t* x, std::int64_t next_w, std::int64_t next_x,
                               const Block& block, float* sums) {
        constexpr std::int64_t bytes = 64, step_of_x = parts_of_x(Of) * numbers_of_a_matrix,
                               step_of_w = parts_of_weights(Of) * numbers_of_a_matrix;
        if (block.has_first_steps()) {
            Unit::template zero<0>();
            Unit::template zero<1>();
            Unit::template zero<2>();
            Unit::template zero<3>();
        } else {
            Unit::template load<0>(sums, bytes);
            Unit::template load<2>(sums + 2 * numbers_of_a_result, bytes);
            if constexpr (HasSecond) {
                Unit::template load<1>(sums + numbers_of_a_result, bytes);
                Unit::template load<3>(sums + 3 * numbers_of_a_result, bytes);
            }
        }
        for (const auto* last = w + block.steps * step_of_w; w < last; w += step_of_w, x += step_of_x) {
            constexpr auto part = numbers_of_a_matrix;
            if constexpr (Of == Factors::BFloat16) {
                multiply_next_x<HasSecond, false>(x, next_x);
                multiply_next_w<HasSecond>(w, next_w);
            } else if constexpr (Of == Factors::BFloat16Weights) {
                multiply_next_x<HasSecond, false>(x + 2 * part, next_x);
                multiply_next_w<HasSecond>(w, next_w);
                multiply_next_x<HasSecond>(x + part, next_x);
                multiply_next_x<HasSecond>(x, next_x);
            } else { // from one product to the next, one of the factors stays
                multiply_next_x<HasSecond, false>(x + 2 * part, next_x);
                multiply_next_w<HasSecond>(w, next_w);
                multiply_next_x<HasSecond>(x + part, next_x);
                multiply_next_w<HasSecond>(w + part, next_w);
                multiply_next_x<HasSecond>(x, next_x);
                multiply_next_w<HasSecond>(w + 2 * part, next_w);
                multiply_next_w<HasSecond>(w, next_w);
            }
        }
        Unit::template store<0>(sums, bytes);
        Unit::template store<2>(sums + 2 * numbers_of_a_result, bytes);
        if constexpr (HasSecond) {
            Unit::template store<1>(sums + numbers_of_a_result, bytes);
            Unit::template store<3>(sums + 3 * numbers_of_a_result, bytes);
        }
    }

    /// Loads rows of x, and multiplies them by the weights that are loaded.
    template <bool HasSecond, bool HasWeights = true>
    static HWY_INLINE void multiply_next_x(const std::uint16_t* x, std::int64_t next) {
        constexpr std::int64_t bytes = 64;
        Unit::template load<6>(x, bytes);
        if constexpr (HasWeights) {
            Unit::template multiply<0, 4, 6>();
            Unit::template multiply<2, 5, 6>();
        }
        if constexpr (HasSecond) {
            Unit::template load<7>(x + next, bytes);
            if constexpr (HasWeights) {
                Unit::template multiply<1, 4, 7>();
                Unit::template multiply<3, 5, 7>();
            }
        }
    }

    /// Loads weights, and multiplies them by the rows of x that are loaded.
    template <bool HasSecond>
    static HWY_INLINE void multiply_next_w(const std::uint16_t* w, std::int64_t next) {
        constexpr std::int64_t bytes = 64;
        Unit::template load<4>(w, bytes);
        Unit::template multiply<0, 4, 6>();
        if constexpr (HasSecond)
            Unit::template multiply<1, 4, 7>();
        Unit::template load<5>(w + next, bytes);
        Unit::template multiply<2, 5, 6>();
        if constexpr (HasSecond)
            Unit::template multiply<3, 5, 7>();
    }

    /// Copies the weights of a block into matrices: rows in a file are a power of two apart more often than not, and
    /// would have the same few places in the caches. Outputs up to the next 32 and inputs beyond the last are 0. False
    /// if one of them does not fit.
    static bool copy_weights(const WeightProduct& p, const Block& block) {
        LargestOfRow largest;
        constexpr auto bytes = static_cast<std::size_t>(numbers_of_a_matrix_row) * sizeof(std::uint16_t);
        const auto steps = block.steps, whole = block.inputs(p) / numbers_of_a_matrix_row;
        const auto rest = block.inputs(p) - whole * numbers_of_a_matrix_row;
        for (std::int64_t output = 0; output < block.pairs_of_outputs() * 2 * rows_of_a_matrix; ++output) {
            std::uint16_t* to = p.packed_weights + output / rows_of_a_matrix * steps * numbers_of_a_matrix +
                                output % rows_of_a_matrix * numbers_of_a_matrix_row;
            if (output >= block.outputs) {
                for (std::int64_t step = 0; step < steps; ++step)
                    std::memset(to + step * numbers_of_a_matrix, 0, bytes);
                continue;
            }
            const auto* from = p.rounded_weights + (block.first_output + output) * p.inputs + block.first_input();
            for (std::int64_t step = 0; step < whole; ++step) {
                std::memcpy(to + step * numbers_of_a_matrix, from + step * numbers_of_a_matrix_row, bytes);
                largest.add(to + step * numbers_of_a_matrix);
            }
            if (whole < steps) {
                to += whole * numbers_of_a_matrix;
                std::copy_n(from + whole * numbers_of_a_matrix_row, rest, to);
                std::fill(to + rest, to + numbers_of_a_matrix_row, std::uint16_t{0});
                largest.add(to);
            }
        }
        return p.factors == Factors::BFloat16 || largest.fits();
    }

    /// Splits the weights of a block into parts; false if one of them does not fit. In the order of memory: a step of
    /// all outputs where rows are inputs, else all steps of 16 outputs.
    static bool split_weights(const WeightProduct& p, const Block& block) {
        const auto whole_outputs = block.outputs / rows_of_a_matrix * rows_of_a_matrix;
        const auto whole_steps = block.inputs(p) / numbers_of_a_matrix_row;
        bool fit = true;
        if (p.inputs_first)
            for (std::int64_t step = 0; step < whole_steps; ++step)
                for (std::int64_t output = 0; output < whole_outputs; output += rows_of_a_matrix)
                    fit &= pack_transposed_left_factor(weights(p, block, output, step), p.weight_stride,
                                                       packed_weights(p, block, output, step));
        else
            for (std::int64_t output = 0; output < whole_outputs; output += rows_of_a_matrix)
                fit &= pack_left_factors(weights(p, block, output, 0), p.weight_stride, whole_steps,
                                         packed_weights(p, block, output, 0));
        for (std::int64_t output = 0; output < block.pairs_of_outputs() * 2 * rows_of_a_matrix;
             output += rows_of_a_matrix)
            for (auto step = output < whole_outputs ? whole_steps : 0; step < block.steps; ++step)
                fit &= split_padded(p, block, output, step);
        return fit;
    }

    static const float* weights(const WeightProduct& p, const Block& block, std::int64_t output, std::int64_t step) {
        const auto input = block.first_input() + step * numbers_of_a_matrix_row;
        output += block.first_output;
        return p.weights + (p.inputs_first ? input * p.weight_stride + output : output * p.weight_stride + input);
    }

    static std::uint16_t* packed_weights(const WeightProduct& p, const Block& block, std::int64_t output,
                                         std::int64_t step) {
        return p.packed_weights + (output / rows_of_a_matrix * block.steps + step) * 3 * numbers_of_a_matrix;
    }

    /// The weights of 16 outputs and a step, of which some do not exist.
    static bool split_padded(const WeightProduct& p, const Block& block, std::int64_t output, std::int64_t step) {
        float padded[rows_of_a_matrix][numbers_of_a_matrix_row] = {};
        const auto outputs = std::clamp<std::int64_t>(block.outputs - output, 0, rows_of_a_matrix);
        const auto inputs = std::min(numbers_of_a_matrix_row, block.inputs(p) - step * numbers_of_a_matrix_row);
        for (std::int64_t r = 0; r < outputs; ++r)
            for (std::int64_t k = 0; k < inputs; ++k)
                padded[r][k] =
                    weights(p, block, output, step)[p.inputs_first ? k * p.weight_stride + r : r * p.weight_stride + k];
        return pack_left_factors(padded[0], numbers_of_a_matrix_row, 1, packed_weights(p, block, output, step));
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
