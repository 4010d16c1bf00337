// Instantiates the forward of forward_launch.cuh for width 128.
#include "gpu/hopper/forward_launch.cuh"

namespace attnlab::gpu::hopper {

template <>
bool supports_width<128>(const ForwardArguments& arguments) {
    return supports(arguments, 128);
}

template <>
int launch_overlapped<128>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<128, Order::Overlapped>(arguments, device, stream);
}
template <>
int launch_in_turn<128>(const ForwardArguments& arguments, const Device& device, void* stream) {
    return launch_width<128, Order::InTurn>(arguments, device, stream);
}

} // namespace attnlab::gpu::hopper
