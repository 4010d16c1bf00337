// Code that runs on a device and, in the tests, on an emulated one. Kernels are templates over a Machine: a struct of
// static functions for operations that C++ lacks. Ptx (ptx.h) is the real one; that of the tests checks every access.
//
//   int thread(), block()                      within the block, within the grid; both have one dimension
//   void sync_block(), sync_warp()
//   T shuffle_xor<T>(T value, int lanes)       the value of the lane whose number differs in these bits
//   T shuffle<T>(T value, int lane)            the value of that lane
//   float exp2(x), log2(x), tanh(x)            exp2 to two units in the last place
//   T load<T>(int at), void store<T>(int at, T value)         shared memory, by its byte offset
//   float number<P>(const void* from, std::int64_t at)        global memory, one element
//   float read(const float* from, bool valid)                 global memory, or 0; in the order of the program
//   void copy16(int at, const void* from, bool valid)         16 bytes into shared memory, asynchronously, or zeros
//   void commit(), wait<N>()                   closes a group of such copies; waits for all but the last N groups
//   void load_matrices(unsigned (&r)[4], int at)              ldmatrix.x4, with the row address of this lane
//   void load_matrices_transposed(unsigned (&r)[4], int at)
//   unsigned pack<P>(float low, float high)    two numbers of a 16-bit precision
//   unsigned tf32(float)                       rounded to 10 bits of mantissa
//   void multiply<P>(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)    mma m16n8k16, c += a b
//   void multiply_tf32(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)  mma m16n8k8
#pragma once

#include <cmath>

#include "gpu/device_macros.h"

namespace attnlab::gpu {

constexpr int lanes_of_a_warp = 32;
constexpr float log2_of_e = 1.44269504f;
constexpr float log_of_2 = 0.693147181f;

ATTNLAB_DEVICE constexpr float minus_infinity() { return -__builtin_huge_valf(); }

template <class T>
ATTNLAB_DEVICE constexpr T least(T a, T b) {
    return b < a ? b : a;
}
template <class T>
ATTNLAB_DEVICE constexpr T most(T a, T b) {
    return a < b ? b : a;
}

} // namespace attnlab::gpu
