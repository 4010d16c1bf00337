// LaunchSplitter the splitting of float32 into three bfloat16.
#pragma once

#include "gpu/hopper/ptx.cuh"

#include "gpu/hopper/split_kernel.cuh"

#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {

template <int width>
__global__ void __launch_bounds__(split_threads) split_kernel(const SplitParameters p) {
    split_block<width>(p);
}

template <int width>
int launch_part(const SplitParameters& split, const Device& device, cudaStream_t stream) {
    const auto rows_of_block = split_threads / (width / 4);
    const auto enough = (split.all_rows() + rows_of_block - 1) / rows_of_block;
    const int most = device.multiprocessors * 16;
    const int blocks = enough < most ? static_cast<int>(enough) : most;
    const auto kernel = split_kernel<width>;
    kernel<<<blocks, split_threads, 0, stream>>>(split);
    return cudaGetLastError();
}

} // namespace attnlab::gpu::hopper
