// Copies arrays between host and device, and runs kernels on them.
#pragma once

#include "tests/gpu/check/cases.h"
#include "tests/gpu/check/launch_limit.h"
#include "tests/gpu/map_cases.h"

#include <cuda_runtime_api.h>
#include <stdexcept>

namespace attnlab::gpu {

inline void require_success(const char* call, int code) {
    if (code != 0)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(static_cast<cudaError_t>(code)));
}

class OnDevice {
public:
    OnDevice() = default;
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    ~OnDevice() {
        for (void* memory : memory_)
            cudaFree(memory);
    }
    /// No effect for a null pointer.
    template <class T>
    void move(T*& data, std::int64_t bytes) {
        if (!data)
            return;
        void* memory = allocate(bytes);
        require_success("cudaMemcpy",
                        cudaMemcpy(memory, data, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice));
        data = static_cast<T*>(memory);
    }
    /// Exactly the requested size, so that compute-sanitizer detects reads beyond it.
    void* allocate(std::int64_t bytes) {
        void* memory = nullptr;
        require_success("cudaMalloc", cudaMalloc(&memory, static_cast<std::size_t>(std::max<std::int64_t>(16, bytes))));
        memory_.push_back(memory);
        return memory;
    }
    template <class T>
    static void bring(DeviceArray<T>& to, const T* from) {
        require_success("cudaMemcpy", cudaMemcpy(to.data(), from, to.size() * sizeof(T), cudaMemcpyDeviceToHost));
    }

    void move_inputs(ForwardArguments& a) {
        const std::int64_t bytes = a.precision == Precision::Float32 ? 4 : 2, words = (a.S + 31) / 32;
        for (auto* rows : {&a.query, &a.key, &a.value})
            move(rows->data, a.B * rows->batch_stride * bytes);
        move(a.valid_lengths.lengths, a.B * a.valid_lengths.batch_stride * 4);
        move(a.key_padding.words, a.B * words * 4);
        move(a.kept.words, std::int64_t{a.H} * a.L * words * 4);
        move(a.bias.values, std::int64_t{a.B} * a.L * a.S * 4);
    }

private:
    std::vector<void*> memory_;
};

/// Negative if the kernel does not support this. Differences beyond `limits` are described.
inline ForwardData::Difference run_on_device(const ForwardKernel& kernel, const Device& device,
                                             const ForwardCase& wanted, const ForwardData::Difference& limits,
                                             const std::string& name) {
    ForwardData data(wanted, kernel.width, 7);
    auto a = data.arguments;
    if (!kernel.supports(a))
        return {-1.0, -1.0};
    OnDevice memory;
    memory.move_inputs(a);
    memory.move(a.output.data, static_cast<std::int64_t>(data.output.size() * sizeof(float)));
    memory.move(a.lse, static_cast<std::int64_t>(data.lse.size() * sizeof(float)));
    a.scratch = memory.allocate(static_cast<std::int64_t>(scratch_bytes(kernel, a)));
    {
        const LaunchLimit limit(std::string(kernel.name) + ", " + name);
        require_success(kernel.name, kernel.launch(a, device, nullptr));
        require_success(kernel.name, cudaDeviceSynchronize());
    }
    OnDevice::bring(data.output, static_cast<const float*>(a.output.data));
    OnDevice::bring(data.lse, a.lse);
    return data.difference(limits.output, limits.lse);
}

/// The error of a map; empty if it is correct.
inline std::string run_on_device(const MapKernel& kernel, const Device& device, const MapCase& wanted,
                                 const std::string& name) {
    MapData data(wanted, kernel);
    auto map = data.arguments;
    if (kernel.supports && !kernel.supports(map))
        return {};
    OnDevice memory;
    memory.move_inputs(map.scores);
    for (auto* scales : {&map.base, &map.log2_sum, &map.factor})
        memory.move(*scales, std::int64_t{map.scores.L} * 4);
    const auto bytes = static_cast<std::int64_t>(data.largest.size() * 4);
    memory.move(map.cells, bytes);
    memory.move(map.largest, bytes);
    memory.move(map.sum, bytes);
    memory.move(map.kept, bytes);
    map.scores.scratch = memory.allocate(static_cast<std::int64_t>(scratch_bytes(kernel, map)));
    {
        const LaunchLimit limit(std::string(kernel.name) + ", " + name);
        require_success(kernel.name, kernel.launch(map, device, nullptr));
        require_success(kernel.name, cudaDeviceSynchronize());
    }
    OnDevice::bring(data.largest, map.cells ? map.cells : map.largest);
    if (map.sum)
        OnDevice::bring(data.sum, map.sum);
    if (map.kept)
        OnDevice::bring(data.kept, map.kept);
    return data.wrong();
}

} // namespace attnlab::gpu
