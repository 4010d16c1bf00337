// Rows of float32 as kernels want them.
#pragma once

#include "gpu/forward.h"

#include <cstdint>

namespace attnlab::gpu {

/// Puts `rows` rows of so many numbers into memory, in a precision and with zeros up to the width `padded`.
void store_rows(const float* from, std::int64_t rows, std::int64_t width, std::int64_t padded, Precision precision,
                unsigned char* to);

} // namespace attnlab::gpu
