// The instructions used by the Hopper kernels, one short function each. PTX ISA 8.0, sm_90a.
// tests/gpu/hopper_emulator.h implements the same functions on a CPU: include one of the two before a kernel's header.
#pragma once

#include "gpu/hopper/hopper_layout.h"

#include <cuda.h>
#ifdef ATTNLAB_BOUNDED_WAITS
#include "gpu/hopper/bounded_waits.h"
#endif

#define ATTNLAB_UNROLL _Pragma("unroll")

namespace attnlab::gpu::hopper {

struct Bfloat16 {
    std::uint16_t bits;
};
struct Float16 {
    std::uint16_t bits;
};

using TensorMap = CUtensorMap;

__device__ __forceinline__ int thread_index() { return static_cast<int>(threadIdx.x); }
__device__ __forceinline__ int block_index() { return static_cast<int>(blockIdx.x); }
/// Read again at each use: the producers of copies have few registers.
__device__ __forceinline__ int grid_size() {
    int blocks;
    asm volatile("mov.u32 %0, %%nctaid.x;" : "=r"(blocks));
    return blocks;
}

/// The block's dynamic shared memory, aligned to 1024 bytes: a launch requests 1024 more.
__device__ __forceinline__ std::uint32_t shared_memory() {
    extern __shared__ unsigned char bytes[];
    return (static_cast<std::uint32_t>(__cvta_generic_to_shared(bytes)) + atom_bytes - 1) / atom_bytes * atom_bytes;
}

__device__ __forceinline__ void sync_block() { __syncthreads(); }

/// A number of 32 bits.
template <class Number>
__device__ __forceinline__ void store_shared(std::uint32_t address, Number number) {
    static_assert(sizeof(Number) == 4);
    std::uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(bits) : "memory");
}
template <class Number>
__device__ __forceinline__ Number load_shared(std::uint32_t address) {
    static_assert(sizeof(Number) == 4);
    std::uint32_t bits;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(bits) : "r"(address) : "memory");
    Number number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/// Waits until `threads` threads have arrived at barrier `id` of the block, by this function or the next.
__device__ __forceinline__ void sync_named(int id, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void arrive_named(int id, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

/// The counter in memory of the device, which it counts up by one.
__device__ __forceinline__ int count_up(int* counter) { return atomicAdd(counter, 1); }

/// Sets each warpgroup's number of registers, a multiple of 8; waits until they are free.
template <int registers>
__device__ __forceinline__ void take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
__device__ __forceinline__ void give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}

__device__ __forceinline__ void init_barrier(std::uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/// Call after the last init_barrier() and before sync_block(), so that the copy engine sees the barriers too.
__device__ __forceinline__ void fence_barrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void arrive(std::uint32_t barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/// Arrives, and extends the phase until `bytes` bytes have been copied.
__device__ __forceinline__ void arrive_expecting(std::uint32_t barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
#ifdef ATTNLAB_BOUNDED_WAITS
/// Set before a launch, in each file of kernels. A call of printf() would change the kernels: products are serialized
/// then.
static __device__ std::uint32_t* wait_records;

/// In few registers: no clock to record long waits alone, no limit of blocks. Kernels of width 64, in float32 or by
/// cells, spill one or two all the same, which is allowed here: scripts/check_kernels reads the reports of the ordinary
/// build alone.
__device__ __forceinline__ void record_wait(std::uint32_t record) {
    const unsigned warp = static_cast<unsigned>(block_index()) * WaitRecord::warps + threadIdx.x / 32;
    static_cast<volatile std::uint32_t*>(wait_records)[warp % WaitRecord::count] = record;
}
#endif

/// True when the phase of this parity has ended; may take a while.
__device__ __forceinline__ bool has_ended(std::uint32_t barrier, int parity) {
    std::uint32_t over = 0;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(over)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return over != 0;
}

/// Waits until the phase of this parity has ended; the first phase has parity 0, and the one "before" it counts as
/// ended.
__device__ __forceinline__ void wait(std::uint32_t barrier, int parity) {
#ifdef ATTNLAB_BOUNDED_WAITS
    if (has_ended(barrier, parity))
        return;
    record_wait(WaitRecord::of(barrier - shared_memory(), parity));
    while (!has_ended(barrier, parity)) {
    }
    record_wait(0);
#else
    while (!has_ended(barrier, parity)) {
    }
#endif
}

__device__ __forceinline__ void prefetch(const TensorMap& map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(&map)) : "memory");
}
/// Copies the box at these coordinates to a panel; its bytes count towards `barrier`.
__device__ __forceinline__ void copy_box(std::uint32_t panel, const TensorMap& map, std::uint32_t barrier, int column,
                                         int row, int head, int batch) {
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(panel),
                 "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(barrier), "r"(column), "r"(row), "r"(head), "r"(batch)
                 : "memory");
}

/// Two numbers rounded to nearest even, the first in the low half.
template <class Number>
__device__ __forceinline__ std::uint32_t packed(float first, float second);
template <>
__device__ __forceinline__ std::uint32_t packed<Bfloat16>(float first, float second) {
    std::uint32_t pair;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}
template <>
__device__ __forceinline__ std::uint32_t packed<Float16>(float first, float second) {
    std::uint32_t pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

/// The two numbers of packed<Bfloat16>().
__device__ __forceinline__ float first_bfloat16(std::uint32_t pair) { return __uint_as_float(pair << 16); }
__device__ __forceinline__ float second_bfloat16(std::uint32_t pair) { return __uint_as_float(pair & 0xFFFF0000u); }

/// 2^x by the special function unit, within 2 ulp; 0 for -inf.
__device__ __forceinline__ float exp2_fast(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}
__device__ __forceinline__ float log2_of(float x) { return log2f(x); }
/// Error at most 3e-7, far below the rounding of the product's 16-bit operands; no branches.
__device__ __forceinline__ float tanh_of(float x) { return 1.0f - __fdividef(2.0f, exp2_fast(x * 2.88539008f) + 1.0f); }
__device__ __forceinline__ float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ float larger(float a, float b) { return fmaxf(a, b); }

/// A value that is equal in all lanes of a warp, made known as such to the compiler.
__device__ __forceinline__ int of_first_lane(int value) { return __shfl_sync(0xFFFFFFFFu, value, 0); }

/// The value of the lane whose index differs by `mask`.
__device__ __forceinline__ float from_lane_xor(float value, int mask) {
    return __shfl_xor_sync(0xFFFFFFFFu, value, mask);
}
__device__ __forceinline__ std::uint32_t from_lane_xor(std::uint32_t value, int mask) {
    return __shfl_xor_sync(0xFFFFFFFFu, value, mask);
}

} // namespace attnlab::gpu::hopper
