#include "gpu/hopper/bounded_waits.h"

#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>

namespace attnlab::gpu::hopper {

WaitRecord* wait_records_of_host() {
    static WaitRecord* const records = [] {
        constexpr auto bytes = sizeof(WaitRecord) * WaitRecord::blocks * WaitRecord::warps;
        void* memory = nullptr;
        if (cudaHostAlloc(&memory, bytes, cudaHostAllocMapped) != cudaSuccess)
            return static_cast<WaitRecord*>(nullptr);
        std::memset(memory, 0, bytes);
        return static_cast<WaitRecord*>(memory);
    }();
    return records;
}

void print_waits() {
    const volatile WaitRecord* records = wait_records_of_host();
    for (int k = 0; records && k < WaitRecord::blocks * WaitRecord::warps; ++k)
        if (records[k].waits)
            std::printf("waits for ever: block %d, warp %d (%s), barrier at %d, parity %d\n", k / WaitRecord::warps,
                        k % WaitRecord::warps, k % WaitRecord::warps < 4 ? "copies" : "products", records[k].barrier,
                        records[k].parity);
}

} // namespace attnlab::gpu::hopper
