// The functions of CUDA that the host side uses, as an interface, so that tests run without a device.
#pragma once

#include "core/message.h"
#include "gpu/convert.h"
#include "gpu/map.h"

#include <chrono>
#include <cstddef>
#include <vector>

namespace attnlab::gpu {

/// Memory of the device, or pinned memory of the host, is exhausted.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

/// Copies and kernels of one stream run in order; two streams may run at the same time.
enum class Stream { First, Second };

/// One device. Every call throws Error with the failed CUDA call, OutOfMemory where memory was exhausted.
class Runtime {
public:
    virtual ~Runtime() = default;
    virtual const Device& device() const = 0;
    virtual std::size_t free_memory() = 0;

    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    /// Host memory for copies that overlap with other work.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;

    virtual void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) = 0;
    virtual void copy_from_device(void* to, const void* from, std::size_t bytes, Stream stream) = 0;
    /// Everything on the device.
    virtual void convert(const RowConversion& rows, Stream stream) = 0;
    virtual void launch(const ForwardKernel& kernel, const ForwardArguments& arguments, Stream stream) = 0;
    virtual void launch(const MapKernel& kernel, const MapArguments& arguments, Stream stream) = 0;
    /// Waits until all queued work is done. Throws the error of a kernel.
    virtual void synchronize(Stream stream) = 0;
    /// A clock, to measure how long launches take.
    virtual double seconds() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
};

/// Owns memory and frees it.
class Buffer {
public:
    enum class Place { Device, Pinned };
    Buffer() = default;
    Buffer(Runtime& runtime, Place place, std::size_t bytes)
        : runtime_(&runtime), place_(place),
          data_(place == Place::Device ? runtime.allocate(bytes) : runtime.allocate_pinned(bytes)), bytes_(bytes) {}
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() {
        if (data_)
            place_ == Place::Device ? runtime_->release(data_) : runtime_->release_pinned(data_);
    }

    template <class T = unsigned char>
    T* as() const {
        return static_cast<T*>(data_);
    }
    std::size_t bytes() const { return bytes_; } ///< 0 if none

private:
    void swap(Buffer& other) noexcept {
        std::swap(runtime_, other.runtime_);
        std::swap(place_, other.place_);
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
    }

    Runtime* runtime_ = nullptr;
    Place place_ = Place::Device;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Waits for a stream in its destructor: memory destroyed after it must not be in use.
class Settled {
public:
    Settled(Runtime& runtime, Stream stream) : runtime_(runtime), stream_(stream) {}
    Settled(const Settled&) = delete;
    Settled& operator=(const Settled&) = delete;
    ~Settled() {
        try {
            runtime_.synchronize(stream_);
        } catch (const Error&) { // already reported by the call that failed
        }
    }

private:
    Runtime& runtime_;
    const Stream stream_;
};

} // namespace attnlab::gpu
