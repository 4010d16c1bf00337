#include "tests/emulated_amx/emulated_amx.h"

#include "core/flash/targets.h"
#include "tests/emulated_amx/amx_products.h"

#include <bit>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/emulated_amx/emulated_amx.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/matrix_kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

struct EmulatedUnit {
    static void configure(int right_bytes) {
        test::matrix_registers().configure(
            {16, 16, 16, 16, 16, 16, 16, 16},
            {right_bytes, right_bytes, right_bytes, right_bytes, 64, 64, right_bytes, right_bytes});
    }
    static void release() { test::matrix_registers().release(); }

    template <int M>
    static void zero() {
        test::matrix_registers().zero(M);
    }
    template <int M>
    static void load(const void* first, std::int64_t stride) {
        test::matrix_registers().load(M, first, stride);
    }
    template <int M>
    static void store(void* first, std::int64_t stride) {
        test::matrix_registers().store(M, first, stride);
    }
    template <int C, int A, int B>
    static void multiply() {
        test::matrix_registers().multiply(C, A, B);
    }
};

/// Numbers below the normal range are 0; NaN stays.
HWY_INLINE float normal_or_zero(float x) {
    return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

HWY_INLINE float low_bfloat16(std::uint32_t pair) { return normal_or_zero(std::bit_cast<float>(pair << 16)); }
HWY_INLINE float high_bfloat16(std::uint32_t pair) { return normal_or_zero(std::bit_cast<float>(pair & 0xffff0000u)); }

void add_products_here(const test::MatrixRegisters::Row& row, const test::MatrixRegisters::Row* matrix, int rows,
                       test::MatrixRegisters::Row& sums) {
    constexpr std::size_t columns = std::tuple_size_v<test::MatrixRegisters::Row>;
    float even[columns] = {}, odd[columns] = {};
    for (int k = 0; k < rows; ++k) {
        const auto pair = row[static_cast<std::size_t>(k)];
        const float a0 = low_bfloat16(pair), a1 = high_bfloat16(pair);
        const std::uint32_t* right = matrix[k].data();
        for (std::size_t n = 0; n < columns; ++n)
            even[n] = normal_or_zero(std::fma(a0, low_bfloat16(right[n]), even[n]));
        for (std::size_t n = 0; n < columns; ++n)
            odd[n] = normal_or_zero(std::fma(a1, high_bfloat16(right[n]), odd[n]));
    }
    for (std::size_t n = 0; n < columns; ++n) {
        const float sum = normal_or_zero(std::bit_cast<float>(sums[n])), both = normal_or_zero(even[n] + odd[n]);
        sums[n] = std::bit_cast<std::uint32_t>(normal_or_zero(sum + both));
    }
}

} // namespace

const MatrixKernel* emulated_amx_here() {
    static const MatrixKernel kernel = KernelOf<EmulatedUnit>::kernel("emulated AMX", true);
    return &kernel;
}

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {
namespace {
HWY_EXPORT(emulated_amx_here);
HWY_EXPORT(add_products_here);
} // namespace
const MatrixKernel* emulated_amx() { return HWY_DYNAMIC_DISPATCH(emulated_amx_here)(); }

void add_products(const test::MatrixRegisters::Row& row, const test::MatrixRegisters::Row* matrix, int rows,
                  test::MatrixRegisters::Row& sums) {
    HWY_DYNAMIC_DISPATCH(add_products_here)(row, matrix, rows, sums);
}
} // namespace attnlab::flash

namespace attnlab::test {

const flash::MatrixKernel* emulated_amx() { return flash::emulated_amx(); }

void add_products(const MatrixRegisters::Row& row, const MatrixRegisters::Row* matrix, int rows,
                  MatrixRegisters::Row& sums) {
    flash::add_products(row, matrix, rows, sums);
}

} // namespace attnlab::test
#endif
