// Instantiates the forward of forward_launch.cuh for width 256.
#include "gpu/hopper/forward_launch.cuh"

namespace attnlab::gpu::hopper {

template <>
bool supports_width<256>(const ForwardArguments& arguments) {
    return supports(arguments, 256);
}

template <>
int launch_overlapped<256>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<256, Order::Overlapped>(arguments, device, stream);
}
template <>
int launch_in_turn<256>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<256, Order::InTurn>(arguments, device, stream);
}

} // namespace attnlab::gpu::hopper
