// Instantiates the maps of launch_map.cuh for bfloat16.
#include "gpu/portable/launch_map.cuh"

namespace attnlab::gpu::portable {

template <>
int launch_map_bfloat16<32>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts16Of<Ptx, 32>>(arguments, stream);
}
template <>
int launch_map_bfloat16<64>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts16Of<Ptx, 64>>(arguments, stream);
}
template <>
int launch_map_bfloat16<128>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts16Of<Ptx, 128>>(arguments, stream);
}
template <>
int launch_map_bfloat16<256>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts16Of<Ptx, 256>>(arguments, stream);
}

} // namespace attnlab::gpu::portable
