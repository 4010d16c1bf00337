// The Machine of a real device: instructions of sm_80 and later. Those that sm_75 lacks trap there; no kernel for it
// uses them.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/portable/device_code.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace attnlab::gpu {

extern __shared__ __align__(128) unsigned char ptx_shared_memory[];

struct Ptx {
    /// Read again at each use, to keep derived values out of scarce registers.
    static ATTNLAB_DEVICE int thread() {
        int number;
        asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
        return number;
    }
    static ATTNLAB_DEVICE int block() { return static_cast<int>(blockIdx.x); }
    static ATTNLAB_DEVICE void sync_block() { __syncthreads(); }
    static ATTNLAB_DEVICE void sync_warp() { __syncwarp(); }
    template <class T>
    static ATTNLAB_DEVICE T shuffle_xor(T value, int lanes) {
        return __shfl_xor_sync(0xffffffffu, value, lanes);
    }
    template <class T>
    static ATTNLAB_DEVICE T shuffle(T value, int lane) {
        return __shfl_sync(0xffffffffu, value, lane);
    }

    static ATTNLAB_DEVICE float exp2(float x) {
        float y;
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        return y;
    }
    static ATTNLAB_DEVICE float log2(float x) { return log2f(x); }
    static ATTNLAB_DEVICE float tanh(float x) { return tanhf(x); }

    /// In program order: loads moved far ahead cost registers.
    template <class T>
    static ATTNLAB_DEVICE T load(int at) {
        static_assert(sizeof(T) == 4, "a word");
        T value;
        unsigned bits;
        asm volatile("ld.shared.b32 %0, [%1];" : "=r"(bits) : "r"(address(at)) : "memory");
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    template <class T>
    static ATTNLAB_DEVICE void store(int at, T value) {
        *reinterpret_cast<T*>(ptx_shared_memory + at) = value;
    }

    template <Precision precision>
    static ATTNLAB_DEVICE float number(const void* from, std::int64_t at) {
        if constexpr (precision == Precision::Float32)
            return static_cast<const float*>(from)[at];
        else if constexpr (precision == Precision::BFloat16)
            return __bfloat162float(static_cast<const __nv_bfloat16*>(from)[at]);
        else
            return __half2float(static_cast<const __half*>(from)[at]);
    }

    static ATTNLAB_DEVICE float read(const float* from, bool valid) {
        float x;
        asm volatile("{\n"
                     ".reg .pred valid;\n"
                     "setp.ne.b32 valid, %2, 0;\n"
                     "mov.f32 %0, 0f00000000;\n"
                     "@valid ld.global.f32 %0, [%1];\n"
                     "}"
                     : "=f"(x)
                     : "l"(from), "r"(static_cast<int>(valid)));
        return x;
    }

    static ATTNLAB_DEVICE void copy16(int at, const void* from, bool valid) {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(at)), "l"(from), "r"(valid ? 16 : 0)
                     : "memory");
#else
        __trap();
#endif
    }
    static ATTNLAB_DEVICE void commit() {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    }
    template <int groups>
    static ATTNLAB_DEVICE void wait() {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#endif
    }

    static ATTNLAB_DEVICE void load_matrices(unsigned (&r)[4], int at) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address(at))
                     : "memory");
    }
    static ATTNLAB_DEVICE void load_matrices_transposed(unsigned (&r)[4], int at) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address(at))
                     : "memory");
    }

    template <Precision precision>
    static ATTNLAB_DEVICE unsigned pack(float low, float high) {
        unsigned both;
#if __CUDA_ARCH__ >= 800
        if constexpr (precision == Precision::BFloat16)
            asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
        else
            asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
#else
        if constexpr (precision == Precision::BFloat16)
            both = __bfloat16_as_ushort(__float2bfloat16_rn(low)) | __bfloat16_as_ushort(__float2bfloat16_rn(high))
                                                                        << 16;
        else
            both = __half_as_ushort(__float2half_rn(low)) | __half_as_ushort(__float2half_rn(high)) << 16;
#endif
        return both;
    }
    static ATTNLAB_DEVICE unsigned tf32(float x) {
        unsigned y = 0;
#if __CUDA_ARCH__ >= 800
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
#else
        __trap();
#endif
        return y;
    }

    template <Precision precision>
    static ATTNLAB_DEVICE void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
        if constexpr (precision == Precision::BFloat16)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
        else
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                         "{%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                         : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
        __trap();
#endif
    }
    static ATTNLAB_DEVICE void multiply_tf32(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                     "{%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
        __trap();
#endif
    }

private:
    static ATTNLAB_DEVICE unsigned address(int at) {
        return static_cast<unsigned>(__cvta_generic_to_shared(ptx_shared_memory)) + static_cast<unsigned>(at);
    }
};

} // namespace attnlab::gpu
