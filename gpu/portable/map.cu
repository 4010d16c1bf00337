// Maps in float32 and bfloat16, and the table of them.
#include "gpu/portable/map_tiles.h"
#include "gpu/portable/ptx.h"
#include "gpu/portable/shapes.h"

#include <cuda_runtime.h>

#include <iterator>

namespace attnlab::gpu {
namespace {

template <class Products>
__global__ void __launch_bounds__(Products::warps* lanes_of_a_warp, 1)
    map_tiles(const __grid_constant__ MapArguments arguments) {
#if __CUDA_ARCH__ >= 800
    MapBlock<Ptx, Products>(arguments).run();
#endif
}

template <class Products>
int launch(const MapArguments& arguments, void* stream) {
    constexpr int memory = MapMemory<Products>::all;
    const auto error = cudaFuncSetAttribute(map_tiles<Products>, cudaFuncAttributeMaxDynamicSharedMemorySize, memory);
    if (error != cudaSuccess)
        return error;
    const int blocks = (arguments.scores.L + Products::rows - 1) / Products::rows;
    map_tiles<Products><<<static_cast<unsigned>(blocks), Products::warps * lanes_of_a_warp, memory,
                          static_cast<cudaStream_t>(stream)>>>(arguments);
    return cudaGetLastError();
}

template <int width>
using Float32 = MapProducts32Of<Ptx, width>;
template <int width>
using BFloat16 = MapProducts16Of<Ptx, width>;

constexpr int any = 9999;
constexpr MapKernel kernels[] = {
    {"map 3xtf32 32", 80, any, Precision::Float32, 32, Float32<32>::rows, launch<Float32<32>>},
    {"map 3xtf32 64", 80, any, Precision::Float32, 64, Float32<64>::rows, launch<Float32<64>>},
    {"map 3xtf32 128", 80, any, Precision::Float32, 128, Float32<128>::rows, launch<Float32<128>>},
    {"map 3xtf32 256", 80, any, Precision::Float32, 256, Float32<256>::rows, launch<Float32<256>>},
    {"map bfloat16 32", 80, any, Precision::BFloat16, 32, BFloat16<32>::rows, launch<BFloat16<32>>},
    {"map bfloat16 64", 80, any, Precision::BFloat16, 64, BFloat16<64>::rows, launch<BFloat16<64>>},
    {"map bfloat16 128", 80, any, Precision::BFloat16, 128, BFloat16<128>::rows, launch<BFloat16<128>>},
    {"map bfloat16 256", 80, any, Precision::BFloat16, 256, BFloat16<256>::rows, launch<BFloat16<256>>},
};

} // namespace

MapKernels map_kernels() { return {kernels, static_cast<int>(std::size(kernels))}; }

} // namespace attnlab::gpu
