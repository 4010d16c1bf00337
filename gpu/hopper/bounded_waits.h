// Debug records of warps that are stuck at a barrier, for scripts/gpu-check. With ATTNLAB_BOUNDED_WAITS kernels write
// them to memory of the host, which can be read while the kernel hangs.
#pragma once

namespace attnlab::gpu::hopper {

/// A warp that has waited at one barrier for seconds.
struct WaitRecord {
    static constexpr int blocks = 64, warps = 16; ///< the size of the record; warps 0 to 3 make the copies
    int waits, barrier, parity;                   ///< the barrier's offset in shared memory
};

/// blocks x warps records that devices can write; null where there is no such memory.
WaitRecord* wait_records_of_host();
/// Prints the warps that wait.
void print_waits();

} // namespace attnlab::gpu::hopper
