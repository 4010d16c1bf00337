// Forwards and maps on a caller's device arrays, for scripts/gpu-check to time beside PyTorch.
#include "gpu/map.h"

#include <cstring>
#include <cuda_runtime_api.h>

using namespace attnlab::gpu;

extern "C" {

struct AttnlabForward {
    void *query, *key, *value, *output; ///< contiguous (B,H,L,E), (B,Hkv,S,E), output as query
    float* lse;
    void *scratch, *stream;
    float scale;
    int precision; ///< 0 float32, 1 bfloat16, 2 float16; also that of the output
    int B, H, Hkv, L, S, E, causal;
};

/// The kernel that would be chosen on the current device, or null.
const char* attnlab_forward_kernel(const AttnlabForward* forward);
/// The scratch memory of a kernel of the table; -1 if it does not support this.
long long attnlab_forward_scratch(const AttnlabForward* forward, const char* kernel);
/// Queues the forward on its stream. Returns 0, an error code of CUDA, or -1 if the kernel does not support it.
int attnlab_forward(const AttnlabForward* forward, const char* kernel);
/// The names of all kernels of the table.
int attnlab_kernel_count();
const char* attnlab_kernel_name(int number);

struct AttnlabMap {
    void *query, *key;                     ///< contiguous (L,E), (S,E)
    const float *base, *log2_sum, *factor; ///< (L)
    float *largest, *sum;                  ///< `sum` may be null
    std::uint32_t* kept;                   ///< attnlab_map_bins() each
    void *scratch, *stream;
    float scale;
    int precision, L, S, E, bin_rows, bin_columns, causal;
};

/// As above; queries and keys have the width of a kernel.
const char* attnlab_map_kernel(const AttnlabMap* map);
/// The total number of bins written by the blocks of a launch; -1 without a kernel.
long long attnlab_map_bins(const AttnlabMap* map);
int attnlab_map_rows_of_block(const AttnlabMap* map);
long long attnlab_map_scratch(const AttnlabMap* map);
int attnlab_map(const AttnlabMap* map);
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

const Device& device() {
    static const Device found = current_device();
    return found;
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
    a.scratch = f.scratch;
    a.scale = f.scale;
    if (f.causal)
        a.band.after = 0;
    return a;
}

/// Arrays of PyTorch cannot be padded.
bool has_width(const ForwardKernel& kernel, const AttnlabForward& f) {
    return kernel.width == 0 || kernel.width == f.E;
}

const ForwardKernel* kernel_of(const AttnlabForward& f, const char* name) {
    const auto arguments = arguments_of(f);
    for (const auto& kernel : forward_kernels())
        if (std::strcmp(kernel.name, name) == 0 && kernel.precision == arguments.precision &&
            device().capability >= kernel.least_capability && device().capability <= kernel.most_capability &&
            has_width(kernel, f) && kernel.supports(arguments))
            return &kernel;
    return nullptr;
}

MapArguments arguments_of(const AttnlabMap& m) {
    MapArguments map;
    auto& a = map.scores;
    a.precision = static_cast<Precision>(m.precision);
    a.L = m.L, a.S = m.S, a.E = a.Ev = m.E;
    a.query = {m.query, 0, 0, m.E};
    a.key = {m.key, 0, 0, m.E};
    a.scale = m.scale;
    if (m.causal)
        a.band.after = 0;
    map.base = m.base, map.log2_sum = m.log2_sum, map.factor = m.factor;
    map.bin_rows = m.bin_rows, map.bin_columns = m.bin_columns;
    a.scratch = m.scratch;
    map.largest = m.largest, map.sum = m.sum, map.kept = m.kept;
    return map;
}

const MapKernel* kernel_of(const AttnlabMap& m) { return choose(map_kernels(), device().capability, arguments_of(m)); }

} // namespace

const char* attnlab_forward_kernel(const AttnlabForward* forward) {
    const auto* kernel = choose(forward_kernels(), device().capability, arguments_of(*forward));
    return kernel && has_width(*kernel, *forward) ? kernel->name : nullptr;
}

long long attnlab_forward_scratch(const AttnlabForward* forward, const char* name) {
    const auto* kernel = kernel_of(*forward, name);
    return kernel ? static_cast<long long>(scratch_bytes(*kernel, arguments_of(*forward))) : -1;
}

int attnlab_forward(const AttnlabForward* forward, const char* name) {
    const auto* kernel = kernel_of(*forward, name);
    return kernel ? kernel->launch(arguments_of(*forward), device(), forward->stream) : -1;
}

int attnlab_kernel_count() { return forward_kernels().count; }

const char* attnlab_kernel_name(int number) { return forward_kernels().rows[number].name; }

const char* attnlab_map_kernel(const AttnlabMap* map) {
    const auto* kernel = kernel_of(*map);
    return kernel ? kernel->name : nullptr;
}

long long attnlab_map_bins(const AttnlabMap* map) {
    const auto* kernel = kernel_of(*map);
    if (!kernel)
        return -1;
    const long long blocks = (map->L + kernel->rows_of_block - 1) / kernel->rows_of_block;
    return blocks * kernel->bins_of_a_block(map->bin_rows) * bin_columns_of(arguments_of(*map));
}

int attnlab_map_rows_of_block(const AttnlabMap* map) {
    const auto* kernel = kernel_of(*map);
    return kernel ? kernel->rows_of_block : 0;
}

long long attnlab_map_scratch(const AttnlabMap* map) {
    const auto* kernel = kernel_of(*map);
    return kernel ? static_cast<long long>(scratch_bytes(*kernel, arguments_of(*map))) : -1;
}

int attnlab_map(const AttnlabMap* map) {
    const auto* kernel = kernel_of(*map);
    return kernel ? kernel->launch(arguments_of(*map), device(), map->stream) : -1;
}
