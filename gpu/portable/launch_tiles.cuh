// The kernel function for a block of the tiled forward, and its launch.
#pragma once

#include "gpu/portable/launch.h"
#include "gpu/portable/ptx.h"
#include "gpu/portable/shapes.h"

#include <cuda_runtime.h>

namespace attnlab::gpu::portable {

template <class Products>
__global__ void __launch_bounds__(Products::warps* lanes_of_a_warp, 1)
    forward_tiles(const __grid_constant__ ForwardArguments arguments) {
#if __CUDA_ARCH__ >= 800
    ForwardBlock<Ptx, Products>(arguments).run();
#endif
}

template <class Products>
int launch_tiles(const ForwardArguments& arguments, void* stream) {
    const std::int64_t blocks =
        static_cast<std::int64_t>(arguments.B) * arguments.H * forward_blocks_of_a_head<Products>(arguments.L);
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    constexpr int memory = forward_shared_memory<Products>();
    const auto error =
        cudaFuncSetAttribute(forward_tiles<Products>, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
    if (error != cudaSuccess)
        return error;
    forward_tiles<Products><<<static_cast<unsigned>(blocks), Products::warps * lanes_of_a_warp, memory,
                              static_cast<cudaStream_t>(stream)>>>(arguments);
    return cudaGetLastError();
}

} // namespace attnlab::gpu::portable
