// Converts rows of float32 for kernels.
#pragma once

#include "gpu/forward.h"

#include <cstdint>

namespace attnlab::gpu {

/// Writes `rows` rows of `width` numbers to memory in a precision, with zeros up to the width `padded`.
void store_rows(const float* from, std::int64_t rows, std::int64_t width, std::int64_t padded, Precision precision,
                unsigned char* to);

} // namespace attnlab::gpu
