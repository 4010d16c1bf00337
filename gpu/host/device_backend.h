// The backend "cuda", over any Runtime and table of kernels.
#pragma once

#include "core/backend.h"
#include "gpu/kernel_verdicts.h"
#include "gpu/runtime.h"

namespace attnlab::gpu {

/// Kernels scale a product and subtract the maximum in one step: for scores up to this, the rounding of the maximum is
/// smaller than the result.
inline constexpr double largest_score = 1e7;

/// `runtime` and `verdicts` must outlive it. Concurrent runs are serialized. Uses the kernels that `verdicts` trusts,
/// all if it is null. Two rows of each result are computed again; when they differ, the kernel is not trusted any more,
/// and the cores compute the problem.
std::unique_ptr<const Backend> backend_on(Runtime& runtime, ForwardKernels kernels, Precision precision,
                                          KernelVerdicts* verdicts = nullptr);

/// "float32", "bfloat16", "float16".
const char* name_of(Precision precision);
/// For the status bar.
std::string title_of(const Device& device, Precision precision);

} // namespace attnlab::gpu
