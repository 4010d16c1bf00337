// Maps of a head on a device.
#pragma once

#include "core/map/map_engine.h"
#include "gpu/kernel_verdicts.h"
#include "gpu/map.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// `runtime` and `verdicts` must outlive it and everything opened. Trusts kernels as backend_on(), and computes some
/// numbers of each result again. `most_bytes` limits the bins of one launch.
std::unique_ptr<const MapEngine> map_engine_on(Runtime& runtime, ForwardKernels forwards, MapKernels maps,
                                               Precision precision = Precision::Float32,
                                               std::size_t most_bytes = std::size_t{1} << 28,
                                               KernelVerdicts* verdicts = nullptr);

} // namespace attnlab::gpu
