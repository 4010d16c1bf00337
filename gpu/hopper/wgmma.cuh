// D(64 x N) += A(64 x 16) B(16 x N) by one warpgroup: wgmma.mma_async.m64nNk16, 16-bit numbers, sums in float32.
// A from shared memory or registers, B from shared memory. For the distribution among threads see
// gpu/hopper/hopper_layout.h.
#pragma once

#include "gpu/hopper/ptx.cuh"

#include <type_traits>

namespace attnlab::gpu::hopper {

/// Required before the first product, and after other instructions wrote D or A in registers.
__device__ __forceinline__ void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Ends a group of products.
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most the latest `pending` groups are incomplete.
template <int pending>
__device__ __forceinline__ void wait_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}
/// The assembler tends to move arithmetic behind the next wait for products, so that it no longer overlaps with them.
/// An arrival conditional on a negative number keeps the computation of `number`, which is never negative, in place.
__device__ __forceinline__ void finish_before_wait(float number, std::uint32_t barrier) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.lt.f32 p, %0, 0f00000000;\n@p mbarrier.arrive.shared::cta.b64 _, [%1];\n}" ::"f"(
            number),
        "r"(barrier)
        : "memory");
}
/// Prevents the compiler from moving accesses of these registers across: products write them asynchronously.
template <class Register, int count>
__device__ __forceinline__ void hold(Register (&registers)[count]) {
    ATTNLAB_UNROLL
    for (int i = 0; i < count; ++i) {
        if constexpr (std::is_same_v<Register, float>)
            asm volatile("" : "+f"(registers[i])::"memory");
        else
            asm volatile("" : "+r"(registers[i])::"memory");
    }
}

// clang-format off
#define ATTNLAB_TEN(t)                                                                                                 \
    "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define ATTNLAB_SIXTY                                                                                                  \
    ATTNLAB_TEN() ", " ATTNLAB_TEN(1) ", " ATTNLAB_TEN(2) ", "                                                         \
    ATTNLAB_TEN(3) ", " ATTNLAB_TEN(4) ", " ATTNLAB_TEN(5)
#define ATTNLAB_SUMS_32 ATTNLAB_TEN() ", " ATTNLAB_TEN(1) ", " ATTNLAB_TEN(2) ", %30, %31"
#define ATTNLAB_SUMS_40 ATTNLAB_TEN() ", " ATTNLAB_TEN(1) ", " ATTNLAB_TEN(2) ", " ATTNLAB_TEN(3)
#define ATTNLAB_SUMS_64 ATTNLAB_SIXTY ", %60, %61, %62, %63"
#define ATTNLAB_SUMS_88                                                                                                \
    ATTNLAB_SIXTY ", " ATTNLAB_TEN(6) ", " ATTNLAB_TEN(7) ", %80, %81, %82, %83, %84, %85, %86, %87"
#define ATTNLAB_SUMS_128                                                                                               \
    ATTNLAB_SIXTY ", " ATTNLAB_TEN(6) ", " ATTNLAB_TEN(7) ", " ATTNLAB_TEN(8) ", "                                     \
    ATTNLAB_TEN(9) ", " ATTNLAB_TEN(10) ", " ATTNLAB_TEN(11) ", %120, %121, %122, %123, %124, %125, %126, %127"
// clang-format on

#define ATTNLAB_D_8(i)                                                                                                 \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),        \
        "+f"(d[i + 7])
#define ATTNLAB_D_32(i) ATTNLAB_D_8(i), ATTNLAB_D_8(i + 8), ATTNLAB_D_8(i + 16), ATTNLAB_D_8(i + 24)
#define ATTNLAB_D_40(i) ATTNLAB_D_32(i), ATTNLAB_D_8(i + 32)
#define ATTNLAB_D_64(i) ATTNLAB_D_32(i), ATTNLAB_D_32(i + 32)
#define ATTNLAB_D_88(i) ATTNLAB_D_64(i), ATTNLAB_D_8(i + 64), ATTNLAB_D_8(i + 72), ATTNLAB_D_8(i + 80)
#define ATTNLAB_D_128(i) ATTNLAB_D_64(i), ATTNLAB_D_64(i + 64)

// `n` columns are `sums` registers of D; after them come the operands o0, o1, ... in this order. The factors 1, 1 are
// the signs of A and B; A from shared memory is K-major.
#define ATTNLAB_PRODUCT_SHARED(n, type, sums, o0, o1, o2, o3)                                                          \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #o2 ", 0;\n"                                                     \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type " {" ATTNLAB_SUMS_##sums              \
                 "}, "                                                                                                 \
                 "%" #o0 ", %" #o1 ", p, 1, 1, 0, %" #o3 ";\n}"                                                        \
                 : ATTNLAB_D_##sums(0)                                                                                 \
                 : "l"(a), "l"(b), "r"(static_cast<int>(adds)), "n"(static_cast<int>(b_is_mn_major)))
#define ATTNLAB_PRODUCT_REGISTERS(n, type, sums, o0, o1, o2, o3, o4, o5, o6)                                           \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #o5 ", 0;\n"                                                     \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type " {" ATTNLAB_SUMS_##sums              \
                 "}, "                                                                                                 \
                 "{%" #o0 ", %" #o1 ", %" #o2 ", %" #o3 "}, %" #o4 ", p, 1, 1, %" #o6 ";\n}"                           \
                 : ATTNLAB_D_##sums(0)                                                                                 \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(adds)),                    \
                   "n"(static_cast<int>(b_is_mn_major)))
#define ATTNLAB_OF_TYPE(product, n, ...)                                                                               \
    if constexpr (std::is_same_v<Number, Bfloat16>)                                                                    \
        product(n, "bf16", __VA_ARGS__);                                                                               \
    else                                                                                                               \
        product(n, "f16", __VA_ARGS__)

/// D = A B, or D += A B if `adds`. `a` and `b` are descriptors.
template <class Number, bool b_is_mn_major, int count>
__device__ __forceinline__ void multiply(float (&d)[count], std::uint64_t a, std::uint64_t b, bool adds) {
    static_assert(count == 32 || count == 40 || count == 64 || count == 88 || count == 128);
    if constexpr (count == 32) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_SHARED, 64, 32, 32, 33, 34, 35);
    } else if constexpr (count == 40) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_SHARED, 80, 40, 40, 41, 42, 43);
    } else if constexpr (count == 64) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_SHARED, 128, 64, 64, 65, 66, 67);
    } else if constexpr (count == 88) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_SHARED, 176, 88, 88, 89, 90, 91);
    } else {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_SHARED, 256, 128, 128, 129, 130, 131);
    }
}

/// The same with A in registers, which must not change until the product is complete.
template <class Number, bool b_is_mn_major, int count>
__device__ __forceinline__ void multiply(float (&d)[count], const std::uint32_t (&a)[4], std::uint64_t b, bool adds) {
    static_assert(count == 32 || count == 64 || count == 128);
    if constexpr (count == 32) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_REGISTERS, 64, 32, 32, 33, 34, 35, 36, 37, 38);
    } else if constexpr (count == 64) {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_REGISTERS, 128, 64, 64, 65, 66, 67, 68, 69, 70);
    } else {
        ATTNLAB_OF_TYPE(ATTNLAB_PRODUCT_REGISTERS, 256, 128, 128, 129, 130, 131, 132, 133, 134);
    }
}

#undef ATTNLAB_OF_TYPE
#undef ATTNLAB_PRODUCT_REGISTERS
#undef ATTNLAB_PRODUCT_SHARED
#undef ATTNLAB_D_128
#undef ATTNLAB_D_88
#undef ATTNLAB_D_64
#undef ATTNLAB_D_40
#undef ATTNLAB_D_32
#undef ATTNLAB_D_8
#undef ATTNLAB_SUMS_128
#undef ATTNLAB_SUMS_88
#undef ATTNLAB_SUMS_64
#undef ATTNLAB_SUMS_40
#undef ATTNLAB_SUMS_32
#undef ATTNLAB_SIXTY
#undef ATTNLAB_TEN

} // namespace attnlab::gpu::hopper
