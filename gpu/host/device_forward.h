// A forward on a device in pieces, two of which are in progress at a time: copies of one overlap with the kernel of the
// other.
#pragma once

#include "core/flash/flash_forward.h"
#include "gpu/host/masks.h"
#include "gpu/host/pinned.h"
#include "gpu/host/plan.h"
#include "gpu/kernel_verdicts.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Reads queries, keys or values: `rows` rows from `first` on, indexed across all leading axes.
using RowSource = std::function<std::vector<float>(const char* name, std::int64_t first, std::int64_t rows)>;

struct DeviceProblem {
    flash::Shape shape;
    Precision precision = Precision::Float32;
    double scale = 1.0, softcap = 0.0, output_scale = 1.0;
    flash::Masks masks = {};
    RowSource source = {};
};

/// Row-major in ordinary memory.
struct DeviceResult {
    std::vector<float> output; ///< (B,H,L,Ev)
    std::vector<float> lse;    ///< (B,H,L)
    const char* kernel = "";   ///< the name of the one that computed it
};

/// Chooses among the kernels that `verdicts` trusts, or all. Uses at most `budget` bytes of the device, 0 for most of
/// the free memory. Throws OutOfMemory where even the smallest pieces do not fit, Error for other failures, Cancelled
/// between pieces.
DeviceResult forward_on(Runtime& runtime, ForwardKernels kernels, const DeviceProblem& problem,
                        const RunControl& control, PinnedMemory& pinned, std::size_t budget = 0,
                        const Grain& grain = {}, const KernelVerdicts* verdicts = nullptr);

} // namespace attnlab::gpu
