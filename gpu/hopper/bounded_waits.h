// Who waits for ever, for scripts/gpu-check: with ATTNLAB_BOUNDED_WAITS kernels write it to memory of the host, which
// can be read while they hang.
#pragma once

namespace attnlab::gpu::hopper {

/// Of a warp whose wait takes seconds.
struct WaitRecord {
    static constexpr int blocks = 64, warps = 16; ///< recorded of a launch; warps 0 to 3 make the copies
    int waits, barrier, parity;                   ///< the barrier's offset in shared memory
};

/// blocks x warps records that devices can write; null where there is no such memory.
WaitRecord* wait_records_of_host();
/// Prints those that wait.
void print_waits();

} // namespace attnlab::gpu::hopper
