// Converts arguments to launches, for the forward_<width>.cu files.
#pragma once

#include "gpu/hopper/hopper_forward.h"
#include "gpu/hopper/tensor_map.h"
#include "gpu/hopper/wgmma.cuh"

#include "gpu/hopper/forward_kernel.cuh"

#include <atomic>
#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {

/// A launch with uneven work has one of them, which is 0 before and after it. They are used in turn, and launches of a
/// stream do not overlap: two could share a counter only if one stream were this many launches ahead of another.
/// DeviceForward alternates between two streams and waits for the results of each.
inline constexpr unsigned counters = 256;
static __device__ int counter_of_launch[counters];

static int take_counter(int*& counter) {
    static std::atomic<unsigned> launches = 0;
    void* first = nullptr;
    if (const auto code = cudaGetSymbolAddress(&first, counter_of_launch))
        return code;
    counter = static_cast<int*>(first) + launches++ % counters;
    return 0;
}

template <class Tile, bool cells, Order order>
__global__ void __launch_bounds__(Tile::threads, 1) forward_kernel(const __grid_constant__ ForwardParameters p) {
    forward_block<Tile, cells, order>(p);
}

template <class Tile, bool cells, Order order>
int launch_kernel(ForwardParameters& parameters, const Device& device, cudaStream_t stream) {
    const auto kernel = forward_kernel<Tile, cells, order>;
    if (const auto code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Tile::shared_bytes))
        return code;
#ifdef ATTNLAB_BOUNDED_WAITS
    std::uint32_t* records = wait_records_of_host();
    if (!records)
        return cudaErrorMemoryAllocation;
    if (const auto code = cudaMemcpyToSymbol(wait_records, &records, sizeof records))
        return code;
#endif
    if (!parameters.plan.even)
        if (const int code = take_counter(parameters.counter))
            return code;
    const int blocks = smaller_of(parameters.plan.works, device.multiprocessors);
    kernel<<<blocks, Tile::threads, Tile::shared_bytes, stream>>>(parameters);
    return cudaGetLastError();
}

template <class Tile, bool cells, Order order>
int launch_tile(const ForwardArguments& arguments, const Device& device, cudaStream_t stream) {
    ForwardParameters parameters;
    parameters.plan = plan_forward(arguments, Tile::tiling());
    if (const int code = make_tensor_map(query_source(arguments, Tile::tiling()), parameters.query))
        return code;
    if (const int code = make_tensor_map(key_source(arguments, arguments.key, Tile::tiling()), parameters.key))
        return code;
    if (const int code = make_tensor_map(key_source(arguments, arguments.value, Tile::tiling()), parameters.value))
        return code;
    return launch_kernel<Tile, cells, order>(parameters, device, stream);
}

template <class Number, int width, Order order>
int launch_number(const ForwardArguments& arguments, const Device& device, cudaStream_t stream) {
    using Tile = ForwardTile<Number, width>;
    // Processing each cell costs more than overlapping could save.
    if (needs_cells(arguments))
        return launch_tile<Tile, true, Order::InTurn>(arguments, device, stream);
    constexpr int wide_keys = wide_keys_of_tile(width);
    if constexpr (order == Order::Overlapped && wide_keys > 0)
        if (takes_wide_tiles(arguments, Tile::keys, wide_keys))
            return launch_tile<ForwardTile<Number, width, 1, wide_keys>, false, order>(arguments, device, stream);
    return launch_tile<Tile, false, order>(arguments, device, stream);
}

template <int width, Order order>
int launch_width(const ForwardArguments& arguments, const Device& device, void* stream) {
    const auto queue = static_cast<cudaStream_t>(stream);
    if (arguments.precision == Precision::BFloat16)
        return launch_number<Bfloat16, width, order>(arguments, device, queue);
    return launch_number<Float16, width, order>(arguments, device, queue);
}

} // namespace attnlab::gpu::hopper
