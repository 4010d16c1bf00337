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
    cudaGetLastError(); // clears the error, which is reported here: the next launch would report it as its own
    if (code == cudaErrorMemoryAllocation)
        throw OutOfMemory(failure(call, code));
    throw Error(failure(call, code));
}

} // namespace attnlab::gpu
