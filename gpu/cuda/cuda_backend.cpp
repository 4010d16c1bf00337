#include "gpu/cuda_backend.h"

#include "gpu/cuda/cuda_runtime.h"
#include "gpu/cuda/errors.h"
#include "gpu/host/backend.h"
#include "gpu/host/device_map.h"

#include <array>

namespace attnlab::gpu {
namespace {

/// Kernels are compiled from this compute capability on.
constexpr int least_capability = 75;

std::string capability_text(int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
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

void take(const Device& device, Devices& found) {
    if (device.capability >= least_capability)
        found.devices.push_back(device);
    else
        found.why_none = Message(ATTNLAB_TEXT("The device %1 has compute capability %2, expected %3 or more"),
                                 {device.name, capability_text(device.capability), capability_text(least_capability)});
}

/// What the driver reports on every device, and why the program cannot use any.
Devices looked_up() {
    Devices found;
    // Both return 0 without a driver; errors show at the next call.
    cudaDriverGetVersion(&found.driver_version);
    cudaRuntimeGetVersion(&found.runtime_version);
    int count = 0;
    if (const auto code = cudaGetDeviceCount(&count); code != cudaSuccess || count == 0) {
        found.why_none = why_not_counted(code == cudaSuccess ? cudaErrorNoDevice : code);
        return found;
    }
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties;
        if (const auto code = cudaGetDeviceProperties(&properties, ordinal); code != cudaSuccess)
            found.why_none = failure("cudaGetDeviceProperties", code);
        else
            take(described(ordinal, properties), found);
    }
    if (!found.devices.empty())
        found.why_none.reset();
    return found;
}

/// The device of the backends: the first that could be set up; null without one.
Runtime* runtime(Devices& found) {
    static std::unique_ptr<Runtime> chosen;
    while (!chosen && !found.devices.empty())
        try {
            chosen = cuda_runtime(found.devices.front());
        } catch (const Error& error) { // for example when another program uses it exclusively
            found.devices.erase(found.devices.begin());
            if (found.devices.empty())
                found.why_none = error.message();
        }
    return chosen.get();
}

struct Backends {
    Devices found = looked_up();
    Runtime* chosen = runtime(found);
    std::array<std::unique_ptr<const Backend>, 3> by_precision;
    std::array<std::unique_ptr<const MapEngine>, 3> maps;

    Backends() {
        for (const auto precision : {Precision::Float32, Precision::BFloat16, Precision::Float16})
            if (chosen)
                by_precision[static_cast<std::size_t>(precision)] = backend_on(*chosen, forward_kernels(), precision);
        for (const auto precision : {Precision::Float32, Precision::BFloat16})
            if (chosen)
                maps[static_cast<std::size_t>(precision)] =
                    map_engine_on(*chosen, forward_kernels(), map_kernels(), precision);
    }
};

const Backends& all() {
    static const Backends backends;
    return backends;
}

} // namespace

const Devices& devices() { return all().found; }

const Backend* cuda_backend(Precision precision) {
    return all().by_precision[static_cast<std::size_t>(precision)].get();
}

const MapEngine* cuda_maps(Precision precision) { return all().maps[static_cast<std::size_t>(precision)].get(); }

} // namespace attnlab::gpu
