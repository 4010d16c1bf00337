// The header of a .npy file.
#pragma once

#include "core/io/file_bytes.h"
#include "core/tensor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab::io {

/// NumPy writes a few dozen characters and by default reads up to 10,000.
inline constexpr std::int64_t largest_npy_header = std::int64_t{1} << 16;

struct NpyHeader {
    std::string descr; ///< NumPy's type code: "<f8"
    bool fortran_order = false;
    Shape shape;
    std::int64_t data_offset = 0; ///< of the first number, in bytes
};

/// Reads only the header of the `size` bytes at `offset`; the type code and the sizes are not checked. Throws Error
/// naming `name`.
NpyHeader read_npy_header(const ByteSource& bytes, std::int64_t offset, std::int64_t size, std::string_view name);

} // namespace attnlab::io
