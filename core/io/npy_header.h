// The header of a .npy file: what stands before the numbers.
#pragma once

#include "core/tensor.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

struct NpyHeader {
    std::string descr; ///< NumPy's type code: "<f8"
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0; ///< of the first number, in bytes
};

/// Reads the header alone; neither the type code nor the sizes are judged yet. Throws Error naming `name`.
NpyHeader read_npy_header(std::span<const std::byte> bytes, std::string_view name);

} // namespace attnlab::io
