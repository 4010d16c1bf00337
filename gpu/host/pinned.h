// Reuses pinned host memory between runs: pinning takes longer than copying.
#pragma once

#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Not thread-safe. The runtime must outlive it.
class PinnedMemory {
public:
    /// The most bytes of returned memory that are kept.
    static constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;

    explicit PinnedMemory(Runtime& runtime) : runtime_(runtime) {}

    /// At least `bytes` bytes, uninitialized.
    Buffer take(std::size_t bytes);
    void give_back(Buffer buffer);

private:
    Runtime& runtime_;
    std::vector<Buffer> kept_; ///< the most recently returned last
    std::size_t kept_bytes_ = 0;
};

} // namespace attnlab::gpu
