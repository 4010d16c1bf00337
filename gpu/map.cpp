#include "gpu/map.h"

namespace attnlab::gpu {

const MapKernel* choose(MapKernels kernels, int capability, Precision precision, int width) {
    const MapKernel* best = nullptr;
    for (const auto& kernel : kernels)
        if (capability >= kernel.least_capability && capability <= kernel.most_capability &&
            kernel.precision == precision && kernel.width >= width && (!best || kernel.width < best->width))
            best = &kernel;
    return best;
}

} // namespace attnlab::gpu
