// The tiled forward in float32 for every width.
#include "gpu/portable/launch_tiles.cuh"

namespace attnlab::gpu::portable {

template <int width>
int launch_float32(const ForwardArguments& arguments, const Device&, void* stream) {
    return launch_tiles<Products32Of<Ptx, width>>(arguments, stream);
}

template int launch_float32<16>(const ForwardArguments&, const Device&, void*);
template int launch_float32<32>(const ForwardArguments&, const Device&, void*);
template int launch_float32<64>(const ForwardArguments&, const Device&, void*);
template int launch_float32<96>(const ForwardArguments&, const Device&, void*);
template int launch_float32<128>(const ForwardArguments&, const Device&, void*);
template int launch_float32<192>(const ForwardArguments&, const Device&, void*);
template int launch_float32<256>(const ForwardArguments&, const Device&, void*);

} // namespace attnlab::gpu::portable
