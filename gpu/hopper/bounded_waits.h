// Debug records of warps that wait at a barrier, for scripts/gpu-check. With ATTNLAB_BOUNDED_WAITS kernels write
// them to memory of the host, which can be read while the kernel hangs.
#pragma once

#include "gpu/hopper/hopper_layout.h"

#include <cstdint>

namespace attnlab::gpu::hopper {

/// A warp that waits at a barrier, as one number; 0: none.
struct WaitRecord {
    static constexpr int blocks = 256, warps = 16; ///< of the memory; warps 0 to 3 make the copies
    static constexpr int count = blocks * warps;

    /// `barrier` is its offset in shared memory, a multiple of 8.
    ATTNLAB_BOTH static constexpr std::uint32_t of(std::uint32_t barrier, int parity) {
        return barrier | static_cast<std::uint32_t>(parity) << 1 | 1u;
    }
    ATTNLAB_BOTH static constexpr int barrier_of(std::uint32_t record) { return static_cast<int>(record & ~7u); }
    ATTNLAB_BOTH static constexpr int parity_of(std::uint32_t record) { return static_cast<int>(record >> 1 & 1u); }
};

/// `count` records that devices can write, those of a block that many behind it in the same place; null where there is
/// no such memory.
std::uint32_t* wait_records_of_host();
/// Prints the warps that wait.
void print_waits();

} // namespace attnlab::gpu::hopper
