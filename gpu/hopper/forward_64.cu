// Instantiates the forward of forward_launch.cuh for width 64.
#include "gpu/hopper/forward_launch.cuh"

namespace attnlab::gpu::hopper {

template <>
bool supports_width<64>(const ForwardArguments& arguments) {
    return supports(arguments, 64);
}

template <>
int launch_overlapped<64>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<64, Order::Overlapped>(arguments, device, stream);
}
template <>
int launch_in_turn<64>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<64, Order::InTurn>(arguments, device, stream);
}

} // namespace attnlab::gpu::hopper
