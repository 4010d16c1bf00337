// Every kernel that a forward may be given to.
#include "gpu/forward.h"

namespace attnlab::gpu {

ForwardKernels forward_kernels() { return {}; }

} // namespace attnlab::gpu
