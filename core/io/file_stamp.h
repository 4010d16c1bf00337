// Detects changes of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace attnlab::io {

/// A different size, time or inode: the file was written to or replaced.
struct FileStamp {
    std::int64_t size = 0;
    std::int64_t modified = 0; ///< ns since 1970
    std::int64_t inode = 0;
    bool operator==(const FileStamp&) const = default;

    /// Ignores the inode, which differs for a copy that keeps the time.
    bool same_content_as(const FileStamp& other) const { return size == other.size && modified == other.modified; }
};

/// The stamp of a path's target; nullopt if there is no such file.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);
/// Of an open file.
std::optional<FileStamp> stamp_of(int descriptor);

} // namespace attnlab::io
