// The plain forward in every precision.
#include "gpu/portable/launch.h"
#include "gpu/portable/plain.h"
#include "gpu/portable/ptx.h"

#include <cuda_runtime.h>

namespace attnlab::gpu::portable {
namespace {

template <Precision precision>
__global__ void __launch_bounds__(plain_warps* lanes_of_a_warp, 6)
    forward_plain(const __grid_constant__ ForwardArguments arguments) {
    PlainRow<Ptx, precision>(arguments).run();
}

template <Precision precision>
int launch(const ForwardArguments& arguments, void* stream) {
    const std::int64_t blocks = plain_blocks(arguments);
    if (blocks > 0x7fffffff)
        return cudaErrorInvalidConfiguration;
    forward_plain<precision>
        <<<static_cast<unsigned>(blocks), plain_warps * lanes_of_a_warp, 0, static_cast<cudaStream_t>(stream)>>>(
            arguments);
    return cudaGetLastError();
}

} // namespace

int launch_plain(const ForwardArguments& arguments, const Device&, void* stream) {
    switch (arguments.precision) {
    case Precision::BFloat16:
        return launch<Precision::BFloat16>(arguments, stream);
    case Precision::Float16:
        return launch<Precision::Float16>(arguments, stream);
    case Precision::Float32:
        break;
    }
    return launch<Precision::Float32>(arguments, stream);
}

} // namespace attnlab::gpu::portable
