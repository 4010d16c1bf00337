// The tiled forward in float16 for every width.
#include "gpu/portable/launch_tiles.cuh"

namespace attnlab::gpu::portable {

template <int width>
int launch_float16(const ForwardArguments& arguments, const Device&, void* stream) {
    return launch_tiles<Products16Of<Ptx, Precision::Float16, width>>(arguments, stream);
}

template int launch_float16<16>(const ForwardArguments&, const Device&, void*);
template int launch_float16<32>(const ForwardArguments&, const Device&, void*);
template int launch_float16<64>(const ForwardArguments&, const Device&, void*);
template int launch_float16<96>(const ForwardArguments&, const Device&, void*);
template int launch_float16<128>(const ForwardArguments&, const Device&, void*);
template int launch_float16<192>(const ForwardArguments&, const Device&, void*);
template int launch_float16<256>(const ForwardArguments&, const Device&, void*);

} // namespace attnlab::gpu::portable
