// The kernels of the table, run on the emulated device.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/map.h"

namespace attnlab::emulator {

/// The same names, widths and precisions as the portable kernels in gpu::forward_kernels(); launch() is synchronous,
/// throws Fault, and takes addresses in ordinary memory.
gpu::ForwardKernels forward_kernels();
gpu::MapKernels map_kernels();

} // namespace attnlab::emulator
