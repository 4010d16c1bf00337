// The products of packed numbers on a unit given as a class of instructions, compiled for each instruction set. `Unit`
// has, for matrices 0 to 7 (0 to 3 are results, 4 and 5 left and 6 and 7 right factors):
//   configure(right_bytes): rows of results and of right factors have that many bytes; release();
//   zero<M>(); load<M>(first, stride); store<M>(first, stride); with strides in bytes;
//   multiply<C, A, B>(): c[m][n] += sum over k of a[m][2k] b[k][2n] + a[m][2k + 1] b[k][2n + 1].
#if defined(ATTNLAB_FLASH_MATRIX_PRODUCTS) == defined(HWY_TARGET_TOGGLE)
#ifdef ATTNLAB_FLASH_MATRIX_PRODUCTS
#undef ATTNLAB_FLASH_MATRIX_PRODUCTS
#else
#define ATTNLAB_FLASH_MATRIX_PRODUCTS
#endif

#include "core/flash/matrix_kernel.h"
#include "core/flash/matrix_packing-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

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
template <>
struct PartProducts<3> {
    static constexpr PartProduct all[] = {{2, 0}, {1, 1}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};
};

/// The steps of 32 keys that a tile meets.
struct Steps {
    explicit Steps(const MatrixTile& t)
        : first(t.offset / keys_of_a_step), last((t.offset + t.count + keys_of_a_step - 1) / keys_of_a_step) {}
    std::int64_t first, last;
};

/// Results 0 to 3 from 32 rows of left and `width` columns of right factors; the matrices of the second 16 rows are
/// `next_rows` numbers behind those of the first.
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

/// sums += values^T weights for all steps, into `to` (Ev / 16 * 16, width): from 0, or from what is there.
template <class Unit, int Parts>
HWY_INLINE void multiply_values(const MatrixTile& t, float* to, bool from_zero) {
    constexpr auto steps_of_a_block = keys_of_a_block / keys_of_a_step;
    const auto groups = PackedSizes::matrices(t.Ev, rows_of_a_matrix);
    const auto values_of_a_part = PackedSizes::values(t.Ev), weights_of_a_part = PackedSizes::weights(width);
    const Steps steps(t);
    for (std::int64_t group = 0; group < groups; group += 2) {
        const bool second = group + 1 < groups;
        const auto next_rows = second ? steps_of_a_block * numbers_of_a_matrix : 0;
        float* rows = to + group * rows_of_a_matrix * width;
        if (from_zero)
            zero_results<Unit>();
        else
            load_results<Unit>(rows, second);
        for (const auto& [value_part, weight_part] : PartProducts<Parts>::all)
            for (auto step = steps.first; step < steps.last; ++step)
                multiply_block<Unit>(t.packed_values + value_part * values_of_a_part +
                                         (group * steps_of_a_block + step) * numbers_of_a_matrix,
                                     next_rows,
                                     t.packed_weights + weight_part * weights_of_a_part +
                                         step * halves * numbers_of_a_matrix);
        store_results<Unit>(rows, second);
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#endif
