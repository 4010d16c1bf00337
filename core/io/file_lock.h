// A file that says that a program lives: the system lets go of it when the program ends, however it ends.
#pragma once

#include <filesystem>
#include <memory>

namespace attnlab::io {

class FileLock {
public:
    /// Null where a running program holds it, or the file cannot be made.
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
