#include "gpu/cuda_backend.h"

#include <cuda_runtime_api.h>

namespace attnlab::gpu {
namespace {

/// Kernels are compiled from this compute capability on.
constexpr int least_capability = 75;

std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

Message failure(const char* call, cudaError_t code) {
    return {ATTNLAB_TEXT("%1 failed: %2 (%3)"), {call, cudaGetErrorString(code), cudaGetErrorName(code)}};
}

Message why_not_counted(cudaError_t code) {
    if (code == cudaErrorInsufficientDriver)
        return Message(ATTNLAB_TEXT("There is no NVIDIA driver, or it is older than CUDA %1 needs"),
                       {std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10)});
    if (code == cudaErrorNoDevice)
        return Message(ATTNLAB_TEXT("There is no CUDA device"));
    return failure("cudaGetDeviceCount", code);
}

Device described(int ordinal, const cudaDeviceProp& properties) {
    Device device;
    device.ordinal = ordinal;
    device.name = properties.name;
    device.capability = properties.major * 10 + properties.minor;
    device.memory = properties.totalGlobalMem;
    device.multiprocessors = properties.multiProcessorCount;
    device.shared_memory = properties.sharedMemPerBlockOptin;
    return device;
}

Devices looked_up() {
    Devices found;
    // Both answer 0 where there is nothing; what is wrong shows at the next call.
    cudaDriverGetVersion(&found.driver_version);
    cudaRuntimeGetVersion(&found.runtime_version);
    int count = 0;
    if (const auto code = cudaGetDeviceCount(&count); code != cudaSuccess) {
        found.why_none = why_not_counted(code);
        return found;
    }
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties;
        if (const auto code = cudaGetDeviceProperties(&properties, ordinal); code != cudaSuccess) {
            found.why_none = failure("cudaGetDeviceProperties", code);
            continue;
        }
        const auto device = described(ordinal, properties);
        if (device.capability >= least_capability)
            found.devices.push_back(device);
        else
            found.why_none =
                Message(ATTNLAB_TEXT("The device %1 has compute capability %2, expected %3 or more"),
                        {device.name, capability_text(device.capability), capability_text(least_capability)});
    }
    if (!found.devices.empty())
        found.why_none.reset();
    else if (!found.why_none)
        found.why_none = why_not_counted(cudaErrorNoDevice);
    return found;
}

} // namespace

const Devices& devices() {
    static const Devices found = looked_up();
    return found;
}

const Backend* cuda_backend(Precision) { return nullptr; }

} // namespace attnlab::gpu
