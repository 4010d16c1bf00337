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
        pinned_[data] = bytes;
        pinned_bytes += bytes;
        most_pinned_bytes = std::max(most_pinned_bytes, pinned_bytes);
        return data;
    }
    void release_pinned(void* memory) noexcept override {
        --pinned;
        pinned_bytes -= pinned_[memory];
        pinned_.erase(memory);
        ::operator delete[](memory, std::align_val_t(256));
    }

    void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        count("cudaMemcpyAsync to the device");
        bytes_to_device += bytes;
        queue(stream, [=] { std::memcpy(to, from, bytes); });
    }
    void copy_from_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        count("cudaMemcpyAsync from the device");
        queue(stream, [=] { std::memcpy(to, from, bytes); });
    }
    void convert(const RowConversion& rows, Stream stream) override {
        count("convert_rows");
        ++conversions;
        queue(stream, [rows] {
            for (std::int64_t pair = 0; pair < rows.pairs(); ++pair)
                convert_pair(rows, pair);
        });
    }
    void launch(const ForwardKernel& kernel, const ForwardArguments& arguments, Stream stream) override {
        count(kernel.name);
        ++launches;
        last_kernel = kernel.name;
        queue(stream, [this, &kernel, arguments] {
            kernel.launch(arguments, device_, nullptr);
            spend(4.0 * arguments.B * arguments.H * arguments.L * arguments.S * arguments.E);
        });
    }
    void launch(const MapKernel& kernel, const MapArguments& arguments, Stream stream) override {
        count(kernel.name);
        ++launches;
        queue(stream, [this, &kernel, arguments] {
            kernel.launch(arguments, device_, nullptr);
            const auto& a = arguments.scores;
            spend(2.0 * a.L * a.S * a.E);
        });
    }
    double seconds() override { return clock; }
    void synchronize(Stream stream) override {
        auto work = std::move(queues_[static_cast<std::size_t>(stream)]);
        queues_[static_cast<std::size_t>(stream)].clear();
        count("cudaStreamSynchronize"); // queued work is lost with the device
        for (const auto& step : work)
            step();
    }

    double operations_of_a_second = 1e30; ///< of launches, for the clock
    double clock = 0.0, longest_launch = 0.0;
    std::size_t used = 0, most_used = 0, pretended = 0, bytes_to_device = 0;
    std::size_t pinned_bytes = 0, most_pinned_bytes = 0;
    int pinned = 0, pinned_so_far = 0, launches = 0, conversions = 0;
    int calls = 0, failing_call = 0; ///< this call fails, counted from 1
    bool stays_broken = false;       ///< and all later ones, as after an illegal address
    bool fails_for_room = false;     ///< fails with an out of memory error
    std::string last_kernel, failed; ///< `failed`: the first call that failed

private:
    void spend(double operations) {
        clock += operations / operations_of_a_second;
        longest_launch = std::max(longest_launch, operations / operations_of_a_second);
    }
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
    std::map<void*, std::size_t> allocated_, pinned_;
    std::array<std::vector<std::function<void()>>, 2> queues_;
};

} // namespace attnlab::gpu
