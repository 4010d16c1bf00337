// The forward on somebody else's arrays on the device, for scripts/gpu-check to time beside PyTorch.
#include "gpu/forward.h"

#include <cstring>
#include <cuda_runtime_api.h>

using namespace attnlab::gpu;

extern "C" {

struct AttnlabForward {
    void *query, *key, *value, *output; ///< contiguous (B,H,L,E), (B,Hkv,S,E), output as query
    float* lse;
    void* stream;
    float scale;
    int precision; ///< 0 float32, 1 bfloat16, 2 float16; the output is of the same
    int B, H, Hkv, L, S, E, causal;
};

/// The kernel that would be chosen on the current device, or null.
const char* attnlab_forward_kernel(const AttnlabForward* forward);
/// Queues the forward on its stream. Returns 0, an error code of CUDA, or -1 where there is no kernel. `kernel` names
/// one of the table; null takes what would be chosen.
int attnlab_forward(const AttnlabForward* forward, const char* kernel);
/// The names of all kernels of the table.
int attnlab_kernel_count();
const char* attnlab_kernel_name(int number);
}

namespace {

Device current_device() {
    Device device;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device.ordinal) != cudaSuccess ||
        cudaGetDeviceProperties(&properties, device.ordinal) != cudaSuccess)
        return device;
    device.capability = properties.major * 10 + properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.shared_memory = properties.sharedMemPerBlockOptin;
    device.memory = properties.totalGlobalMem;
    return device;
}

ForwardArguments arguments_of(const AttnlabForward& f) {
    ForwardArguments a;
    a.precision = static_cast<Precision>(f.precision);
    a.B = f.B, a.H = f.H, a.Hkv = f.Hkv, a.L = f.L, a.S = f.S, a.E = f.E, a.Ev = f.E;
    const auto rows = [&](void* data, int heads, int count) {
        const auto head = static_cast<std::int64_t>(count) * f.E;
        return Rows{data, heads * head, head, f.E};
    };
    a.query = rows(f.query, f.H, f.L);
    a.key = rows(f.key, f.Hkv, f.S);
    a.value = rows(f.value, f.Hkv, f.S);
    a.output = rows(f.output, f.H, f.L);
    a.output_is_float32 = a.precision == Precision::Float32;
    a.lse = f.lse;
    a.scale = f.scale;
    if (f.causal)
        a.band.after = 0;
    return a;
}

const ForwardKernel* kernel_of(const AttnlabForward& f, const Device& device, const char* name) {
    const auto arguments = arguments_of(f);
    if (!name) {
        // Arrays of PyTorch are as wide as they are.
        const auto* kernel = choose(forward_kernels(), device.capability, arguments);
        return kernel && (kernel->width == 0 || kernel->width == f.E) ? kernel : nullptr;
    }
    for (const auto& kernel : forward_kernels())
        if (std::strcmp(kernel.name, name) == 0 && kernel.precision == arguments.precision &&
            device.capability >= kernel.least_capability && device.capability <= kernel.most_capability &&
            (kernel.width == 0 || kernel.width == f.E) && kernel.supports(arguments))
            return &kernel;
    return nullptr;
}

} // namespace

const char* attnlab_forward_kernel(const AttnlabForward* forward) {
    const auto* kernel = kernel_of(*forward, current_device(), nullptr);
    return kernel ? kernel->name : nullptr;
}

int attnlab_forward(const AttnlabForward* forward, const char* name) {
    static const Device device = current_device();
    const auto* kernel = kernel_of(*forward, device, name);
    return kernel ? kernel->launch(arguments_of(*forward), device, forward->stream) : -1;
}

int attnlab_kernel_count() { return forward_kernels().count; }

const char* attnlab_kernel_name(int number) { return forward_kernels().rows[number].name; }
