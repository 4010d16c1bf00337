// The Hopper kernels' own source on the CPU, as a table for a backend.
#pragma once

#include "gpu/forward_kernels.h"

namespace attnlab::differential {

gpu::ForwardKernels hopper_kernels();

} // namespace attnlab::differential
