// Whole files as bytes, with errors that name the file.
#pragma once

#include "core/attention.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

/// Size of a regular file that holds something. Throws Error when it is missing, no regular file or empty.
std::int64_t file_size_of(const std::filesystem::path& path);

/// A file that is read piece by piece.
class InputFile {
public:
    /// Throws Error as file_size_of, and when it may not be read.
    explicit InputFile(const std::filesystem::path& path);

    std::int64_t size() const { return size_; }
    /// Fills `bytes` with what begins at `offset`. Throws Error when the file ends before.
    void read(std::int64_t offset, std::span<std::byte> bytes);

private:
    [[noreturn]] void fail() const;

    std::filesystem::path path_;
    std::int64_t size_;
    std::ifstream file_;
};

/// The first `count` bytes, or fewer where the file is shorter. Throws Error as file_size_of, and when it may not be
/// read.
std::string read_beginning(const std::filesystem::path& path, std::size_t count);

/// Throws Error as read_beginning, and when the file is larger than `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::int64_t max_bytes);

/// Writes a file that appears whole or not at all: until all is written and on the disk, and on every exception, `path`
/// stays as it was. Throws Error that names the file and the reason; Cancelled, also when `control` says so once all
/// is written.
void write_file(const std::filesystem::path& path, std::string_view bytes, const RunControl& control = {});
/// The same for bytes that are made one by one. `file` can seek, and throws Error itself, so that `write` ends early.
/// `write` runs again where it turns out that the file system wants another way to replace a file.
void write_file(const std::filesystem::path& path, const std::function<void(std::ostream& file)>& write,
                const RunControl& control = {});

} // namespace attnlab::io
