// Pinned memory of the host that outlives the run that asked for it: to pin takes longer than to copy.
#pragma once

#include "gpu/runtime.h"

namespace attnlab::gpu {

/// For one thread at a time. The runtime outlives it.
class PinnedMemory {
public:
    /// Of what comes back, at most so many bytes are kept for the next one.
    static constexpr std::size_t most_kept_bytes = std::size_t{1} << 30;

    explicit PinnedMemory(Runtime& runtime) : runtime_(runtime) {}

    /// At least so many bytes, whatever they hold.
    Buffer take(std::size_t bytes);
    void give_back(Buffer buffer);

private:
    Runtime& runtime_;
    std::vector<Buffer> kept_; ///< what came back last is last
    std::size_t kept_bytes_ = 0;
};

} // namespace attnlab::gpu
