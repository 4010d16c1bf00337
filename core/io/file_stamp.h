// What tells that a file is no longer what it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace attnlab::io {

/// Another size, time or place on the disk: the file was written to or replaced.
struct FileStamp {
    std::int64_t size = 0;
    std::int64_t modified = 0; ///< ns since 1970
    std::int64_t inode = 0;
    bool operator==(const FileStamp&) const = default;

    /// The same but for the place, which a copy that keeps the time does not share.
    bool same_content_as(const FileStamp& other) const { return size == other.size && modified == other.modified; }
};

/// Of what a path leads to; nothing where there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);
/// Of an open file.
std::optional<FileStamp> stamp_of(int descriptor);

} // namespace attnlab::io
