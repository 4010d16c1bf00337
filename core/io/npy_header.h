// The header of a .npy file: what stands before the numbers.
#pragma once

#include "core/io/file_bytes.h"
#include "core/tensor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace attnlab::io {

/// NumPy writes a few dozen characters, and by default reads up to 10,000 itself.
inline constexpr std::int64_t largest_npy_header = std::int64_t{1} << 16;

struct NpyHeader {
    std::string descr; ///< NumPy's type code: "<f8"
    bool fortran_order = false;
    Shape shape;
    std::int64_t data_offset = 0; ///< of the first number, in bytes
};

/// Reads the header alone, of the `size` bytes that begin at `offset`; neither the type code nor the sizes are judged
/// yet. Throws Error naming `name`.
NpyHeader read_npy_header(const ByteSource& bytes, std::int64_t offset, std::int64_t size, std::string_view name);

} // namespace attnlab::io
