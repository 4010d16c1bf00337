// Float32 by products of bfloat16: the arrays are split into scratch memory first.
#include "gpu/hopper/forward_launch.cuh"

#include "gpu/hopper/split_launch.cuh"

namespace attnlab::gpu::hopper {
namespace {

template <int width>
int launch_parts(const ForwardArguments& arguments, const ForwardSplit& split, const Device& device,
                 cudaStream_t stream) {
    using Tile = ForwardTile<Bfloat16, width, split_parts>;
    ForwardParameters parameters;
    parameters.plan = plan_forward(arguments, Tile::tiling());
    for (const auto* part : {&split.query, &split.key, &split.value})
        if (const int code = launch_part<width>(*part, device, stream))
            return code;
    if (const int code = make_tensor_map(split_source(split.query, width, Tile::rows), parameters.query))
        return code;
    if (const int code = make_tensor_map(split_source(split.key, width, Tile::keys), parameters.key))
        return code;
    if (const int code = make_tensor_map(split_source(split.value, width, Tile::keys), parameters.value))
        return code;
    return needs_cells(arguments) ? launch_kernel<Tile, true, Order::InTurn>(parameters, device, stream)
                                  : launch_kernel<Tile, false, Order::InTurn>(parameters, device, stream);
}

template <int width>
int launch(const ForwardArguments& arguments, const Device& device, void* stream) {
    static_assert(split_bytes == split_parts * sizeof(std::uint16_t));
    if (!arguments.scratch)
        return cudaErrorInvalidValue;
    const ForwardSplit split(arguments, static_cast<std::uint16_t*>(arguments.scratch));
    return launch_parts<width>(arguments, split, device, static_cast<cudaStream_t>(stream));
}

} // namespace

template <>
bool supports_split<64>(const ForwardArguments& arguments) {
    return supports_in_parts(arguments, 64);
}
template <>
bool supports_split<128>(const ForwardArguments& arguments) {
    return supports_in_parts(arguments, 128);
}

template <>
int launch_split<64>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch<64>(arguments, device, stream);
}
template <>
int launch_split<128>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch<128>(arguments, device, stream);
}

} // namespace attnlab::gpu::hopper
