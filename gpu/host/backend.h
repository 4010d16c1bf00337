// The backend "cuda", over any Runtime and table of kernels.
#pragma once

#include "core/backend.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Kernels scale a product and subtract the maximum in one step: for scores up to this, the rounding of the maximum is
/// smaller than the result.
inline constexpr double largest_score = 1e7;

/// `runtime` must outlive it. Concurrent runs are serialized.
std::unique_ptr<const Backend> backend_on(Runtime& runtime, ForwardKernels kernels, Precision precision);

/// "float32", "bfloat16", "float16".
const char* name_of(Precision precision);
/// For the status bar.
std::string title_of(const Device& device, Precision precision);

} // namespace attnlab::gpu
