#include "gpu/cuda/cuda_runtime.h"

#include "gpu/cuda/errors.h"
#include "gpu/portable/launch.h"

#include <array>

namespace attnlab::gpu {
namespace {

/// Every call selects the device first, since the current device is per thread.
class Cuda : public Runtime {
public:
    explicit Cuda(const Device& device) : device_(device) {
        choose();
        for (auto& stream : streams_)
            require("cudaStreamCreateWithFlags", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    Cuda(const Cuda&) = delete;
    Cuda& operator=(const Cuda&) = delete;
    ~Cuda() override {
        for (auto& stream : streams_)
            if (stream)
                cudaStreamDestroy(stream);
    }

    const Device& device() const override { return device_; }

    std::size_t free_memory() override {
        choose();
        std::size_t free = 0, all = 0;
        require("cudaMemGetInfo", cudaMemGetInfo(&free, &all));
        return free;
    }

    void* allocate(std::size_t bytes) override {
        choose();
        void* memory = nullptr;
        require("cudaMalloc", cudaMalloc(&memory, bytes));
        return memory;
    }
    void release(void* memory) noexcept override { cudaFree(memory); }

    void* allocate_pinned(std::size_t bytes) override {
        choose();
        void* memory = nullptr;
        require("cudaMallocHost", cudaMallocHost(&memory, bytes));
        return memory;
    }
    void release_pinned(void* memory) noexcept override { cudaFreeHost(memory); }

    void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        choose();
        require("cudaMemcpyAsync to the device",
                cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_of(stream)));
    }
    void copy_from_device(void* to, const void* from, std::size_t bytes, Stream stream) override {
        choose();
        require("cudaMemcpyAsync from the device",
                cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_of(stream)));
    }
    void convert(const RowConversion& rows, Stream stream) override {
        choose();
        require("convert_rows", static_cast<cudaError_t>(portable::launch_conversion(rows, stream_of(stream))));
    }
    void launch(const ForwardKernel& kernel, const ForwardArguments& arguments, Stream stream) override {
        choose();
        require(kernel.name, static_cast<cudaError_t>(kernel.launch(arguments, device_, stream_of(stream))));
    }
    void launch(const MapKernel& kernel, const MapArguments& arguments, Stream stream) override {
        choose();
        require(kernel.name, static_cast<cudaError_t>(kernel.launch(arguments, device_, stream_of(stream))));
    }
    void synchronize(Stream stream) override {
        choose();
        require("cudaStreamSynchronize", cudaStreamSynchronize(stream_of(stream)));
    }

private:
    void choose() const { require("cudaSetDevice", cudaSetDevice(device_.ordinal)); }
    cudaStream_t stream_of(Stream stream) const { return streams_[static_cast<std::size_t>(stream)]; }

    const Device device_;
    std::array<cudaStream_t, 2> streams_{};
};

} // namespace

std::unique_ptr<Runtime> cuda_runtime(const Device& device) { return std::make_unique<Cuda>(device); }

} // namespace attnlab::gpu
