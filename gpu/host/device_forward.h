// A forward on a device, piece by piece: two pieces are under way at a time, so that copies of one run beside the
// kernel of the other.
#pragma once

#include "core/flash/forward.h"
#include "gpu/host/masks.h"
#include "gpu/host/pinned.h"
#include "gpu/host/plan.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Where queries, keys and values come from: `rows` rows from `first` on, all leading axes counted through.
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
};

/// Takes at most `budget` bytes of the device, 0 for most of what is free. Throws OutOfMemory where that is too little
/// however it is cut, Error for other failures, Cancelled between pieces.
DeviceResult forward_on(Runtime& runtime, ForwardKernels kernels, const DeviceProblem& problem,
                        const RunControl& control, PinnedMemory& pinned, std::size_t budget = 0,
                        const Grain& grain = {});

} // namespace attnlab::gpu
