// The only file with instructions of AMX: Intel SDM volume 1, chapter 18, and volume 2, TDPBF16PS.
#include "core/flash/matrix_kernel.h"

#include "core/flash/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/flash/amx_kernel.cpp"
#include <hwy/foreach_target.h> // compiles this file for each target

#include "core/flash/matrix_kernel-inl.h"

#ifdef ATTNLAB_HAS_AMX
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace attnlab::flash {
namespace HWY_NAMESPACE {
namespace {

#if defined(ATTNLAB_HAS_AMX) && HWY_TARGET <= HWY_AVX3
#define ATTNLAB_AMX_HERE

/// As LDTILECFG reads it: palette 1, and the sizes of each matrix.
struct alignas(64) AmxConfiguration {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {};
    std::uint8_t rows[16] = {};
};
static_assert(sizeof(AmxConfiguration) == 64);

/// The instructions of AMX. The intrinsics of GCC 12 tell the compiler neither that a matrix is read from memory nor
/// that a configuration has more than 8 bytes.
struct AmxUnit {
    static void configure(int right_bytes) {
        AmxConfiguration configuration;
        for (int m = 0; m < 8; ++m) {
            configuration.rows[m] = rows_of_a_matrix;
            configuration.row_bytes[m] = static_cast<std::uint16_t>(m == 4 || m == 5 ? 64 : right_bytes);
        }
        asm volatile("ldtilecfg %0" ::"m"(configuration));
    }
    static void release() { asm volatile("tilerelease"); }

    template <int M>
    static HWY_INLINE void zero() {
        asm volatile("tilezero %%tmm%c0" ::"i"(M));
    }
    template <int M>
    static HWY_INLINE void load(const void* first, std::int64_t stride) {
        asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(first), "r"(stride), "i"(M) : "memory");
    }
    template <int M>
    static HWY_INLINE void store(void* first, std::int64_t stride) {
        asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(first), "r"(stride), "i"(M) : "memory");
    }
    template <int C, int A, int B>
    static HWY_INLINE void multiply() {
        asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(C), "i"(A), "i"(B));
    }
};
#endif

} // namespace

#ifdef ATTNLAB_AMX_HERE
const MatrixKernel* amx_kernel_here() {
    static const MatrixKernel kernel = KernelOf<AmxUnit>::kernel("AMX", false);
    return &kernel;
}
#undef ATTNLAB_AMX_HERE
#else
const MatrixKernel* amx_kernel_here() { return nullptr; }
#endif

} // namespace HWY_NAMESPACE
} // namespace attnlab::flash
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace attnlab::flash {

HWY_EXPORT(amx_kernel_here);

const MatrixKernel* amx_kernel() { return HWY_DYNAMIC_DISPATCH(amx_kernel_here)(); }

#ifdef ATTNLAB_HAS_AMX

bool processor_has_amx() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned tiles = 1u << 24, bfloat16 = 1u << 22;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & tiles) == 0 || (d & bfloat16) == 0)
        return false;
    // Palette 1: 8 matrices of up to 16 rows of 64 bytes.
    return __get_cpuid_count(0x1d, 1, &a, &b, &c, &d) && (b & 0xffffu) == 64 && (b >> 16) >= 8 && (c & 0xffffu) >= 16;
}

bool system_permits_amx() {
    constexpr long request_permission = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

#else

bool processor_has_amx() { return false; }
bool system_permits_amx() { return false; }

#endif

} // namespace attnlab::flash
#endif
