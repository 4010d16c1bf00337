// The kernel function for a block of a map, and its launch.
#pragma once

#include "gpu/portable/launch.h"
#include "gpu/portable/map_tiles.h"
#include "gpu/portable/ptx.h"

#include <cuda_runtime.h>

namespace attnlab::gpu::portable {

template <class Products>
__global__ void __launch_bounds__(Products::warps* lanes_of_a_warp, 1)
    map_tiles(const __grid_constant__ MapArguments arguments) {
#if __CUDA_ARCH__ >= 800
    MapBlock<Ptx, Products>(arguments).run();
#endif
}

template <class Products>
int launch_map_tiles(const MapArguments& arguments, void* stream) {
    constexpr int memory = MapMemory<Products>::all;
    const auto error = cudaFuncSetAttribute(map_tiles<Products>, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
    if (error != cudaSuccess)
        return error;
    const int blocks = (arguments.scores.L + Products::rows - 1) / Products::rows;
    map_tiles<Products><<<static_cast<unsigned>(blocks), Products::warps * lanes_of_a_warp, memory,
                          static_cast<cudaStream_t>(stream)>>>(arguments);
    return cudaGetLastError();
}

} // namespace attnlab::gpu::portable
