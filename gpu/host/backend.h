// The backend "cuda", over any Runtime and table of kernels.
#pragma once

#include "core/backend.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Kernels multiply a product by the scale and subtract the largest in one step: scores may be so large that the
/// rounding of the latter does not outgrow what is left.
inline constexpr double largest_score = 1e7;

/// `runtime` outlives it. Runs of several threads take turns.
std::unique_ptr<const Backend> backend_on(Runtime& runtime, ForwardKernels kernels, Precision precision);

/// "float32", "bfloat16", "float16".
const char* name_of(Precision precision);
/// For the status bar.
std::string title_of(const Device& device, Precision precision);

} // namespace attnlab::gpu
