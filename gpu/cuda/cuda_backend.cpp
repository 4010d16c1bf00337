// Implements cuda_backend.h for builds with nvcc.
#include "gpu/cuda_backend.h"

#include "gpu/cuda/cuda_runtime.h"
#include "gpu/cuda/errors.h"
#include "gpu/host/device_backend.h"
#include "gpu/host/device_map.h"
#include "gpu/self_check.h"

#include <algorithm>
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

std::string uuid_text(const cudaUUID_t& uuid) {
    std::string text = "GPU-";
    for (std::size_t k = 0; k < sizeof uuid.bytes; ++k) {
        constexpr const char* digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(uuid.bytes[k]);
        text += k == 4 || k == 6 || k == 8 || k == 10 ? "-" : "";
        text += {digits[byte / 16], digits[byte % 16]};
    }
    return text;
}

Device described(int ordinal, const cudaDeviceProp& properties) {
    Device device;
    device.ordinal = ordinal;
    device.name = properties.name;
    device.uuid = uuid_text(properties.uuid);
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
    // The fastest first: the driver's order may begin with one for the display.
    std::stable_sort(found.devices.begin(), found.devices.end(),
                     [](const Device& one, const Device& other) { return is_faster(forward_kernels(), one, other); });
    return found;
}

Devices& known_devices() {
    static Devices found = looked_up();
    return found;
}

std::optional<CheckSetup>& check_setup() {
    static std::optional<CheckSetup> setup;
    return setup;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Of the first device; null where kernels are not checked.
KernelVerdicts* kernel_verdicts() {
    static const auto known = [] {
        const auto& found = known_devices();
        if (!check_setup() || found.devices.empty())
            return std::unique_ptr<KernelVerdicts>();
        return std::make_unique<KernelVerdicts>(
            check_setup()->file,
            VerdictKey{found.devices.front().uuid, version_text(found.driver_version), check_setup()->build});
    }();
    return known.get();
}

struct Backends {
    std::unique_ptr<Runtime> chosen;
    std::array<std::unique_ptr<const Backend>, 3> by_precision;
    std::array<std::unique_ptr<const MapEngine>, 3> maps;

    Backends() {
        auto& found = known_devices();
        if (found.devices.empty())
            return;
        try {
            check_device();
            chosen = cuda_runtime(found.devices.front());
        } catch (const Error& error) { // for example when another program uses it exclusively
            found.why_none = error.message();
            return;
        }
        for (const auto precision : {Precision::Float32, Precision::BFloat16, Precision::Float16})
            by_precision[static_cast<std::size_t>(precision)] =
                backend_on(*chosen, forward_kernels(), precision, kernel_verdicts());
        for (const auto precision : {Precision::Float32, Precision::BFloat16})
            maps[static_cast<std::size_t>(precision)] = map_engine_on(
                *chosen, forward_kernels(), map_kernels(), precision, std::size_t{1} << 28, kernel_verdicts());
    }
};

const Backends& all() {
    static const Backends backends;
    return backends;
}

} // namespace

const Devices& devices() { return known_devices(); }

void use_check(const CheckSetup& setup) { check_setup() = setup; }

int check_as_child(const std::vector<std::string>& names) {
    const auto& found = known_devices();
    if (found.devices.empty())
        return 1;
    // Limits the SM count so that each block processes a second work item, as with larger inputs.
    Device device = found.devices.front();
    device.multiprocessors = std::min(device.multiprocessors, 2);
    const auto runtime = cuda_runtime(device);
    return run_checks(*runtime, forward_kernels(), map_kernels(), names, 1) ? 0 : 1;
}

CheckState check_state() {
    CheckState state;
    const auto* known = kernel_verdicts();
    if (!known)
        return state;
    for (const auto& name : kernels_of(known_devices().devices.front(), forward_kernels(), map_kernels()))
        if (const auto verdict = known->verdict(name))
            state.verdicts.push_back(*verdict);
        else
            state.unchecked.push_back(name);
    return state;
}

void check_device(const RunControl& control, const std::function<void(const std::string& kernel)>& begins) {
    static std::mutex one_at_a_time;
    const std::lock_guard turn(one_at_a_time);
    const auto left = check_state().unchecked;
    if (!left.empty())
        check_in_children(child_of(check_setup()->command), left, *kernel_verdicts(), control, begins);
}

void forget_verdicts() {
    if (auto* known = kernel_verdicts())
        known->forget();
}

bool device_is_fast() {
    const auto& found = known_devices();
    return !found.devices.empty() && has_fast_kernels(forward_kernels(), found.devices.front());
}

const Backend* cuda_backend(Precision precision) {
    return all().by_precision[static_cast<std::size_t>(precision)].get();
}

const MapEngine* cuda_maps(Precision precision) { return all().maps[static_cast<std::size_t>(precision)].get(); }

} // namespace attnlab::gpu
