// Converts error codes of CUDA to errors that name the call.
#pragma once

#include "gpu/runtime.h"

#include <cuda_runtime_api.h>

namespace attnlab::gpu {

inline Message failure(const char* call, cudaError_t code) {
    return {ATTNLAB_TEXT("%1 failed: %2 (%3)"), {call, cudaGetErrorString(code), cudaGetErrorName(code)}};
}

/// Throws Error, or OutOfMemory, for any code but success.
inline void require(const char* call, cudaError_t code) {
    if (code == cudaSuccess)
        return;
    if (code != cudaErrorMemoryAllocation)
        throw Error(failure(call, code));
    cudaGetLastError(); // clears the error, which is reported here
    throw OutOfMemory(failure(call, code));
}

} // namespace attnlab::gpu
