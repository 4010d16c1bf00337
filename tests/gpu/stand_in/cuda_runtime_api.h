// The part of CUDA's header that tests/gpu/check/c_interface.cpp requires, for a library whose kernels are emulated,
// and the last error, for tests/gpu/test_errors.cpp.
#pragma once

#include <cstddef>

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorInvalidConfiguration = 9 };

/// The error that the next cudaGetLastError() returns and clears, per thread in CUDA.
inline cudaError_t last_cuda_error = cudaSuccess;

inline cudaError_t cudaGetLastError() {
    const auto error = last_cuda_error;
    last_cuda_error = cudaSuccess;
    return error;
}
inline const char* cudaGetErrorString(cudaError_t) { return "a broken call"; }
inline const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfATest"; }

struct cudaDeviceProp {
    int major = 8, minor = 0, multiProcessorCount = 1;
    std::size_t sharedMemPerBlockOptin = 101376, totalGlobalMem = std::size_t{1} << 30;
};

inline cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    *properties = {};
    return cudaSuccess;
}
// NOLINTEND(readability-identifier-naming)
