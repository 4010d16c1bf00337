#include "gpu/map.h"

namespace attnlab::gpu {
namespace {

bool takes(const MapKernel& kernel, int capability, Precision precision, const MapPredicate& trusted) {
    return capability >= kernel.least_capability && capability <= kernel.most_capability &&
           kernel.precision == precision && (!trusted || trusted(kernel));
}

} // namespace

int map_width(MapKernels kernels, int capability, Precision precision, int width, const MapPredicate& trusted) {
    int narrowest = 0;
    for (const auto& kernel : kernels)
        if (takes(kernel, capability, precision, trusted) && !kernel.supports && kernel.width >= width &&
            (narrowest == 0 || kernel.width < narrowest))
            narrowest = kernel.width;
    return narrowest;
}

const MapKernel* choose(MapKernels kernels, int capability, const MapArguments& arguments,
                        const MapPredicate& trusted) {
    for (const auto& kernel : kernels)
        if (takes(kernel, capability, arguments.scores.precision, trusted) && kernel.width == arguments.scores.E &&
            (!kernel.supports || kernel.supports(arguments)))
            return &kernel;
    return nullptr;
}

std::size_t scratch_bytes(const MapKernel& kernel, const MapArguments& arguments) {
    const auto& a = arguments.scores;
    return static_cast<std::size_t>((std::int64_t{a.L} + a.S) * a.E * kernel.scratch_bytes_of_a_number);
}

} // namespace attnlab::gpu
