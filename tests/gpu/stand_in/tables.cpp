// The emulated kernels in place of those of a device.
#include "tests/gpu/emulator/kernels.h"

namespace attnlab::gpu {

ForwardKernels forward_kernels() { return emulator::forward_kernels(); }

MapKernels map_kernels() { return emulator::map_kernels(); }

} // namespace attnlab::gpu
