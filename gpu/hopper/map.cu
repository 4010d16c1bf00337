#include "gpu/hopper/map.h"

#include "gpu/hopper/tensor_map.h"
#include "gpu/hopper/wgmma.cuh"
#include "gpu/portable/launch.h"

#include "gpu/hopper/map_kernel.cuh"

#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {
namespace {

template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 1) map_kernel(const __grid_constant__ MapParameters p) {
    map_block<Tile>(p);
}

template <int width>
int launch_pooling(const MapArguments& arguments, cudaStream_t stream) {
    using Tile = MapTile<width>;
    static_assert(Tile::group_rows == portable::map_rows<Precision::BFloat16, width>());
    MapParameters parameters;
    parameters.plan = plan_map(arguments);
    if (const int code =
            make_tensor_map(map_source(arguments, arguments.scores.query, arguments.scores.L), parameters.query))
        return code;
    if (const int code =
            make_tensor_map(map_source(arguments, arguments.scores.key, arguments.scores.S), parameters.key))
        return code;
    int device = 0, multiprocessors = 0;
    if (const auto code = cudaGetDevice(&device))
        return code;
    if (const auto code = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
        return code;
    const auto kernel = map_kernel<Tile>;
    if (const auto code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes))
        return code;
    kernel<<<smaller_of(parameters.plan.works, multiprocessors), Tile::threads, Tile::shared_bytes, stream>>>(
        parameters);
    return cudaGetLastError();
}

template <int width>
int launch(const MapArguments& arguments, void* stream) {
    return supports_map(arguments) ? launch_pooling<width>(arguments, static_cast<cudaStream_t>(stream))
                                   : portable::launch_map_bfloat16<width>(arguments, stream);
}

} // namespace

template <>
int launch_map<64>(const MapArguments& arguments, void* stream) {
    return launch<64>(arguments, stream);
}
template <>
int launch_map<128>(const MapArguments& arguments, void* stream) {
    return launch<128>(arguments, stream);
}

} // namespace attnlab::gpu::hopper
