// Implements the interface for builds without nvcc.
#include "gpu/cuda_backend.h"
#include "gpu/map.h"

namespace attnlab::gpu {

const Devices& devices() {
    static const Devices none{.devices = {}, .why_none = Message(ATTNLAB_TEXT("This program was built without CUDA"))};
    return none;
}

void use_check(const CheckSetup&) {}

int check_as_child(const std::vector<std::string>&) { return 1; }

CheckState check_state() { return {}; }

void check_device(const RunControl&, const std::function<void(const std::string&)>&) {}

void forget_verdicts() {}

bool device_is_fast() { return false; }

const Backend* cuda_backend(Precision) { return nullptr; }

const MapEngine* cuda_maps(Precision) { return nullptr; }

ForwardKernels forward_kernels() { return {}; }

MapKernels map_kernels() { return {}; }

} // namespace attnlab::gpu
