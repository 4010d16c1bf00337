// Conversion of rows, limited by memory bandwidth.
#include "gpu/convert.h"
#include "gpu/portable/launch.h"

#include <cuda_runtime.h>

namespace attnlab::gpu::portable {
namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) convert_rows(const RowConversion rows) {
    const std::int64_t pair = static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
    if (pair < rows.pairs())
        convert_pair(rows, pair);
}

} // namespace

int launch_conversion(const RowConversion& rows, void* stream) {
    const std::int64_t blocks = (rows.pairs() + threads - 1) / threads;
    if (blocks == 0)
        return cudaSuccess;
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    convert_rows<<<static_cast<unsigned>(blocks), threads, 0, static_cast<cudaStream_t>(stream)>>>(rows);
    return cudaGetLastError();
}

} // namespace attnlab::gpu::portable
