// A device in ordinary memory: queued work is executed as late as possible, when something waits for it.
#pragma once

#include "gpu/runtime.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <new>

namespace attnlab::gpu {

class FakeRuntime : public Runtime {
public:
    explicit FakeRuntime(std::size_t memory, int capability = 80) : memory_(memory) {
        device_.name = "Fake";
        device_.capability = capability;
        device_.memory = memory;
        device_.multiprocessors = 1;
    }
    ~FakeRuntime() override {
        for (const auto& [data, bytes] : allocated_)
            ::operator delete[](data, std::align_val_t(256));
    }

    const Device& device() const override { return device_; }
    /// The free memory reported to the program, which may exceed the real one.
    std::size_t free_memory() override {
        count("cudaMemGetInfo");
        return memory_ + pretended;
    }

    void* allocate(std::size_t bytes) override {
        count("cudaMalloc");
        if (used + bytes > memory_)
            throw OutOfMemory(Message("cudaMalloc failed: out of memory"));
        used += bytes;
        most_used = std::max(most_used, used);
        auto* data = ::operator new[](bytes, std::align_val_t(256));
        std::memset(data, 0xff, bytes);
        allocated_[data] = bytes;
        return data;
    }
    void release(void* memory) noexcept override {
        used -= allocated_[memory];
        allocated_.erase(memory);
        ::operator delete[](memory, std::align_val_t(256));
    }
    void* allocate_pinned(std::size_t bytes) override {
        count("cudaMallocHost");
        ++pinned;
        ++pinned_so_far;
        auto* data = ::operator new[](bytes, std::align_val_t(256));
        std::memset(data, 0xff, bytes);
        return data;
    }
    void release_pinned(void* memory) noexcept override {
        --pinned;
        ::operator delete[](memory, std::align_val_t(256));
    }

    void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        count("cudaMemcpyAsync to the device");
        queue(stream, [=] { std::memcpy(to, from, bytes); });
    }
    void copy_from_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        count("cudaMemcpyAsync from the device");
        queue(stream, [=] { std::memcpy(to, from, bytes); });
    }
    void launch(const ForwardKernel& kernel, const ForwardArguments& arguments, Stream stream) override {
        count(kernel.name);
        ++launches;
        last_kernel = kernel.name;
        queue(stream, [this, &kernel, arguments] { kernel.launch(arguments, device_, nullptr); });
    }
    void launch(const MapKernel& kernel, const MapArguments& arguments, Stream stream) override {
        count(kernel.name);
        ++launches;
        queue(stream, [&kernel, arguments] { kernel.launch(arguments, nullptr); });
    }
    void synchronize(Stream stream) override {
        auto work = std::move(queues_[static_cast<std::size_t>(stream)]);
        queues_[static_cast<std::size_t>(stream)].clear();
        count("cudaStreamSynchronize"); // queued work is lost with the device
        for (const auto& step : work)
            step();
    }

    std::size_t used = 0, most_used = 0, pretended = 0;
    int pinned = 0, pinned_so_far = 0, launches = 0;
    int calls = 0, failing_call = 0; ///< this call fails, counted from 1
    bool stays_broken = false;       ///< and all later ones, as after an illegal address
    bool fails_for_room = false;     ///< fails with an out of memory error
    std::string last_kernel, failed; ///< `failed`: the first call that failed

private:
    void count(const char* call) {
        ++calls;
        if (failing_call == 0 || calls < failing_call || (calls > failing_call && !stays_broken))
            return;
        if (failed.empty())
            failed = call;
        const Message why("%1 failed: broken", {call});
        if (fails_for_room)
            throw OutOfMemory(why);
        throw Error(why);
    }
    void queue(Stream stream, std::function<void()> work) {
        queues_[static_cast<std::size_t>(stream)].push_back(std::move(work));
    }

    Device device_;
    std::size_t memory_;
    std::map<void*, std::size_t> allocated_;
    std::array<std::vector<std::function<void()>>, 2> queues_;
};

} // namespace attnlab::gpu
