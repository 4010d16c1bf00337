// Where a member of a zip archive lies in the file: what libzip keeps to itself.
#pragma once

#include "core/io/file_bytes.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace attnlab::io {

/// The first byte of a member that is stored as it is, `size` bytes long. Nothing where the archive is not laid out in
/// the plain way that says so: such a member can still be read through libzip. Throws Error as ByteSource.
std::optional<std::int64_t> stored_member(const ByteSource& archive, std::string_view name, std::uint64_t size);

} // namespace attnlab::io
