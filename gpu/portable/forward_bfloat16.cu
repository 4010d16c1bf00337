// The tiled forward in bfloat16 for every width.
#include "gpu/portable/launch_tiles.cuh"

namespace attnlab::gpu::portable {

template <int width>
int launch_bfloat16(const ForwardArguments& arguments, const Device&, void* stream) {
    return launch_tiles<Products16Of<Ptx, Precision::BFloat16, width>>(arguments, stream);
}

template int launch_bfloat16<16>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<32>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<64>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<96>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<128>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<192>(const ForwardArguments&, const Device&, void*);
template int launch_bfloat16<256>(const ForwardArguments&, const Device&, void*);

} // namespace attnlab::gpu::portable
