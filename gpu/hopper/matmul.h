// A product of small matrices on a device, to test that tensor cores and copy engine agree with layout.h.
#pragma once

#include <cstdint>

namespace attnlab::gpu::hopper {

/// C(64,n) = A(64,128) B, float32 from 16-bit numbers, everything on the device. B is (n,128) with rows that are the
/// product's columns, or (128,n) where `b_is_mn_major`. n: 64, 128 or 256.
struct Matmul {
    const std::uint16_t* a = nullptr;
    const std::uint16_t* b = nullptr;
    float* c = nullptr;
    int n = 64;
    bool bfloat16 = true, b_is_mn_major = false, a_in_registers = false;
};

/// Queues it on a cudaStream_t and returns a cudaError_t, 0 for success.
int launch_matmul(const Matmul& product, void* stream);

} // namespace attnlab::gpu::hopper
