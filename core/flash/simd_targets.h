// Which instruction sets the kernels are compiled for; comes before any header of Highway.
#pragma once

// Vectors of unknown size cannot be kept in arrays, and a second subset of AVX-512 would gain nothing.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL | HWY_SSSE3)
