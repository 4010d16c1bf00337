// The only file with instructions of AMX: Intel SDM volume 1, chapter 18, and volume 2, TDPBF16PS.
#pragma once

#include "core/flash/matrix_kernel.h"

namespace attnlab::flash {

/// Null where the instruction set in use is not AVX-512, or the program was built without AMX. To be called only after
/// the two functions below have returned true.
const MatrixKernel* amx_kernel();

/// True when the processor multiplies matrices of bfloat16, of the size that the kernel needs.
bool processor_has_amx();
/// Asks Linux (5.16 or later) to let this process use the registers of AMX.
bool system_permits_amx();

} // namespace attnlab::flash
