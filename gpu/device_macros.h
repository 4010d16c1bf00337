// Marks functions and loops for devices; other compilers take the same source without the marks.
#pragma once

#ifdef __CUDACC__
#define ATTNLAB_DEVICE __device__ __forceinline__
#define ATTNLAB_HOST_DEVICE __host__ __device__
#define ATTNLAB_UNROLL _Pragma("unroll")
#define ATTNLAB_UNROLL_ONCE _Pragma("unroll 1")
#else
#define ATTNLAB_DEVICE inline
#define ATTNLAB_HOST_DEVICE
#define ATTNLAB_UNROLL
#define ATTNLAB_UNROLL_ONCE
#endif
