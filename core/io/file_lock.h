// A lock file of a running program: the system releases the lock when the program ends for any reason.
#pragma once

#include <filesystem>
#include <memory>

namespace attnlab::io {

class FileLock {
public:
    /// Null when a running program holds it, or the file cannot be created.
    static std::unique_ptr<FileLock> take(const std::filesystem::path& path);
    /// Removes the file.
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    FileLock(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path path_;
    int descriptor_;
};

} // namespace attnlab::io
