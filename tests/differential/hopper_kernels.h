// The Hopper kernels by their own source on the processor, as a table that a backend can choose from.
#pragma once

#include "gpu/forward.h"

namespace attnlab::differential {

gpu::ForwardKernels hopper_kernels();

} // namespace attnlab::differential
