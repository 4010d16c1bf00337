// NumPy's .npy: format versions 1.0 to 3.0 (numpy.lib.format).
#pragma once

#include "core/io/file_formats.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

class InputFile;

/// Reads bool, (u)int8..64, float16/32/64 in either byte order and either element order. Refuses with a reason:
/// object arrays (pickles), complex, strings, records, integers beyond 2^53, shapes that do not match the data.
/// `name` is what messages call the array.
Tensor read_npy(std::span<const std::byte> bytes, std::string_view name, const ReadLimits& limits = {});

/// The same for a file; a large array stays in it (ReadLimits::map_from). Throws Error naming the file.
Tensor read_npy(const std::filesystem::path& path, const ReadLimits& limits = {});

/// The same for `size` bytes of a file from `offset` on, a large array of which stays there.
Tensor read_npy(const std::shared_ptr<const InputFile>& file, std::int64_t offset, std::int64_t size,
                std::string_view name, const ReadLimits& limits);

/// Version 1.0, C order, little-endian. Bool is '|b1', Int64 '<i8', floating types '<f8': values are written exactly as
/// they are held, so a Bool or Int64 tensor with a value that its type cannot hold becomes '<f8' too.
std::string write_npy(const Tensor& tensor);
/// '<f4'.
std::string write_npy(const Shape& shape, std::span<const float> values);

} // namespace attnlab::io
