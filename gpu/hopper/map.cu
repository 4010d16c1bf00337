#include "gpu/hopper/hopper_map.h"

#include "gpu/hopper/split_launch.cuh"
#include "gpu/hopper/tensor_map.h"
#include "gpu/hopper/wgmma.cuh"

#include "gpu/hopper/map_kernel.cuh"

#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {
namespace {

template <class Tile>
__global__ void __launch_bounds__(Tile::threads, 1) map_kernel(const __grid_constant__ MapParameters p) {
    map_block<Tile>(p);
}

template <class Tile>
int launch_tile(const TileSource& query, const TileSource& key, const MapArguments& arguments, const Device& device,
                cudaStream_t stream) {
    static_assert(Tile::group_rows == map_rows);
    MapParameters parameters;
    parameters.plan = plan_map(arguments, Tile::rows);
    if (const int code = make_tensor_map(query, parameters.query))
        return code;
    if (const int code = make_tensor_map(key, parameters.key))
        return code;
    const auto kernel = map_kernel<Tile>;
    if (const auto code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes))
        return code;
#ifdef ATTNLAB_BOUNDED_WAITS
    std::uint32_t* records = wait_records_of_host();
    if (!records)
        return cudaErrorMemoryAllocation;
    if (const auto code = cudaMemcpyToSymbol(wait_records, &records, sizeof records))
        return code;
#endif
    kernel<<<blocks_of_launch(parameters.plan, device.multiprocessors), Tile::threads, Tile::shared_bytes, stream>>>(
        parameters);
    return cudaGetLastError();
}

template <int width>
int launch(const MapArguments& arguments, const Device& device, void* stream) {
    using Tile = MapTile<width>;
    const auto& a = arguments.scores;
    return launch_tile<Tile>(map_source(arguments, a.query, a.L, Tile::group_rows),
                             map_source(arguments, a.key, a.S, Tile::keys), arguments, device,
                             static_cast<cudaStream_t>(stream));
}

template <int width>
int launch_in_parts(const MapArguments& arguments, const Device& device, void* stream) {
    using Tile = MapTile<width, split_parts>;
    if (!arguments.scores.scratch)
        return cudaErrorInvalidValue;
    const auto queue = static_cast<cudaStream_t>(stream);
    const MapSplit split(arguments, static_cast<std::uint16_t*>(arguments.scores.scratch));
    for (const auto* part : {&split.query, &split.key})
        if (const int code = launch_part<width>(*part, device, queue))
            return code;
    return launch_tile<Tile>(split_source(split.query, width, Tile::group_rows),
                             split_source(split.key, width, Tile::keys), arguments, device, queue);
}

} // namespace

template <>
bool supports_map_width<64>(const MapArguments& arguments) {
    return supports_map(arguments, 64);
}
template <>
bool supports_map_width<128>(const MapArguments& arguments) {
    return supports_map(arguments, 128);
}
template <>
int launch_map<64>(const MapArguments& arguments, const Device& device, void* stream) {
    return launch<64>(arguments, device, stream);
}
template <>
int launch_map<128>(const MapArguments& arguments, const Device& device, void* stream) {
    return launch<128>(arguments, device, stream);
}

template <>
bool supports_split_map<64>(const MapArguments& arguments) {
    return supports_map_in_parts(arguments, 64);
}
template <>
bool supports_split_map<128>(const MapArguments& arguments) {
    return supports_map_in_parts(arguments, 128);
}
template <>
int launch_split_map<64>(const MapArguments& arguments, const Device& device, void* stream) {
    return launch_in_parts<64>(arguments, device, stream);
}
template <>
int launch_split_map<128>(const MapArguments& arguments, const Device& device, void* stream) {
    return launch_in_parts<128>(arguments, device, stream);
}

} // namespace attnlab::gpu::hopper
