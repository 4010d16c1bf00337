// Whole files as bytes, with errors that name the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace attnlab::io {

/// Size of a regular file that holds something. Throws Error when it is missing, no regular file or empty.
std::int64_t file_size_of(const std::filesystem::path& path);

/// The first `count` bytes, or fewer where the file is shorter. Throws Error as file_size_of, and when it may not be
/// read.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

/// Throws Error as read_beginning, and when the file is larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::int64_t max_bytes);

/// Overwrites in place; give it the temporary of write_atomically. Throws Error.
void write_file(const std::filesystem::path& path, std::string_view bytes);

} // namespace attnlab::io
