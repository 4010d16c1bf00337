// Implements the interface for builds without nvcc.
#include "gpu/cuda_backend.h"
#include "gpu/map.h"

namespace attnlab::gpu {

const Devices& devices() {
    static const Devices none{.devices = {}, .why_none = Message(ATTNLAB_TEXT("This program was built without CUDA"))};
    return none;
}

const Backend* cuda_backend(Precision) { return nullptr; }

const MapEngine* cuda_maps(Precision) { return nullptr; }

ForwardKernels forward_kernels() { return {}; }

MapKernels map_kernels() { return {}; }

} // namespace attnlab::gpu
