#include "gpu/forward_kernels.h"

#include <algorithm>
#include <utility>

namespace attnlab::gpu {
namespace {

double cost(const ForwardKernel& kernel, const ForwardArguments& arguments) {
    const int width = kernel.width > 0 ? kernel.width : std::max({1, arguments.E, arguments.Ev});
    return width / kernel.speed;
}

bool takes(const ForwardKernel& kernel, int capability, const ForwardArguments& arguments) {
    if (capability < kernel.least_capability || capability > kernel.most_capability ||
        kernel.precision != arguments.precision)
        return false;
    if (kernel.width > 0 && std::max(arguments.E, arguments.Ev) > kernel.width)
        return false;
    return kernel.supports(padded_for(kernel, arguments));
}

} // namespace

ForwardArguments padded_for(const ForwardKernel& kernel, ForwardArguments arguments) {
    if (kernel.width > 0)
        arguments.E = arguments.Ev = kernel.width;
    return arguments;
}

std::size_t scratch_bytes(const ForwardKernel& kernel, const ForwardArguments& a) {
    const auto queries = std::int64_t{a.B} * a.H * a.L * a.E, keys = std::int64_t{a.B} * a.Hkv * a.S * (a.E + a.Ev);
    return static_cast<std::size_t>((queries + keys) * kernel.scratch_bytes_of_a_number);
}

const ForwardKernel* choose(ForwardKernels kernels, int capability, const ForwardArguments& arguments,
                            const ForwardPredicate& trusted) {
    const ForwardKernel* best = nullptr;
    for (const auto& kernel : kernels)
        if (takes(kernel, capability, arguments) && (!trusted || trusted(kernel)) &&
            (!best || cost(kernel, arguments) < cost(*best, arguments)))
            best = &kernel;
    return best;
}

bool has_fast_kernels(ForwardKernels kernels, const Device& device) {
    return std::any_of(kernels.begin(), kernels.end(), [&](const ForwardKernel& kernel) {
        return kernel.width > 0 && device.capability >= kernel.least_capability &&
               device.capability <= kernel.most_capability;
    });
}

bool is_faster(ForwardKernels kernels, const Device& one, const Device& other) {
    const auto rank = [&](const Device& device) {
        return std::pair(has_fast_kernels(kernels, device), device.multiprocessors);
    };
    return rank(one) > rank(other);
}

} // namespace attnlab::gpu
