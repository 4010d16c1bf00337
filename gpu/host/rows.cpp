#include "gpu/host/rows.h"

#include "gpu/numbers.h"

#include <algorithm>
#include <cstring>

namespace attnlab::gpu {

void store_rows(const float* from, std::int64_t rows, std::int64_t width, std::int64_t padded, Precision precision,
                unsigned char* to) {
    const auto bytes =
        static_cast<std::int64_t>(precision == Precision::Float32 ? sizeof(float) : sizeof(std::uint16_t));
    for (std::int64_t row = 0; row < rows; ++row, from += width, to += padded * bytes) {
        if (precision == Precision::Float32)
            std::copy_n(from, width, reinterpret_cast<float*>(to));
        else
            std::transform(from, from + width, reinterpret_cast<std::uint16_t*>(to),
                           precision == Precision::BFloat16 ? to_bfloat16 : to_float16);
        std::memset(to + width * bytes, 0, static_cast<std::size_t>((padded - width) * bytes));
    }
}

} // namespace attnlab::gpu
