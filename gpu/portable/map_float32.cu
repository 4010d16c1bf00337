// Instantiates the maps of launch_map.cuh for float32.
#include "gpu/portable/launch_map.cuh"

namespace attnlab::gpu::portable {

template <>
int launch_map_float32<32>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts32Of<Ptx, 32>>(arguments, stream);
}
template <>
int launch_map_float32<64>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts32Of<Ptx, 64>>(arguments, stream);
}
template <>
int launch_map_float32<128>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts32Of<Ptx, 128>>(arguments, stream);
}
template <>
int launch_map_float32<256>(const MapArguments& arguments, const Device&, void* stream) {
    return launch_map_tiles<MapProducts32Of<Ptx, 256>>(arguments, stream);
}

} // namespace attnlab::gpu::portable
