// The part of CUDA's header that tests/gpu/check/c_interface.cpp requires, for a library whose kernels are emulated.
#pragma once

#include <cstddef>

enum cudaError_t { cudaSuccess = 0 };

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
