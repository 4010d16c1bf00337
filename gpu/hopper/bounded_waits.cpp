#include "gpu/hopper/bounded_waits.h"

#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {

std::uint32_t* wait_records_of_host() {
    static std::uint32_t* const records = [] {
        constexpr auto bytes = sizeof(std::uint32_t) * WaitRecord::count;
        void* memory = nullptr;
        if (cudaHostAlloc(&memory, bytes, cudaHostAllocMapped) != cudaSuccess)
            return static_cast<std::uint32_t*>(nullptr);
        std::memset(memory, 0, bytes);
        return static_cast<std::uint32_t*>(memory);
    }();
    return records;
}

void print_waits() {
    const volatile std::uint32_t* records = wait_records_of_host();
    for (int k = 0; records && k < WaitRecord::count; ++k)
        if (const std::uint32_t record = records[k])
            std::printf("waits for ever: block %d, warp %d (%s), barrier at %d, parity %d\n", k / WaitRecord::warps,
                        k % WaitRecord::warps, k % WaitRecord::warps < 4 ? "copies" : "products",
                        WaitRecord::barrier_of(record), WaitRecord::parity_of(record));
}

} // namespace attnlab::gpu::hopper
