// Selects the instruction sets of the kernels. Include before any header of Highway.
#pragma once

#ifndef HWY_DISABLED_TARGETS
// Vectors of unknown size cannot be array members; the two subsets of AVX-512 bring nothing here.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL | HWY_SSSE3)
#endif
