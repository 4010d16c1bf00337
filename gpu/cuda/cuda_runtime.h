// A Runtime over the CUDA runtime.
#pragma once

#include "gpu/runtime.h"

#include <memory>

namespace attnlab::gpu {

/// Throws Error when the device cannot be set up.
std::unique_ptr<Runtime> cuda_runtime(const Device& device);

} // namespace attnlab::gpu
