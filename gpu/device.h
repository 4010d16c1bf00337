// The abilities of a CUDA device. Plain C++17, so that kernels, dispatch and tests share it.
#pragma once

#include <cstddef>
#include <string>

namespace attnlab::gpu {

struct Device {
    int ordinal = 0;
    std::string name;
    std::string uuid;       ///< "GPU-01234567-89ab-..."
    int capability = 0;     ///< compute capability times ten: 90 for 9.0
    std::size_t memory = 0; ///< in bytes, in total
    int multiprocessors = 0;
    std::size_t shared_memory = 0; ///< the maximum for a block in bytes, when requested explicitly
};

} // namespace attnlab::gpu
