// Whole files as bytes, with errors that name the file.
#pragma once

#include "core/attention.h"
#include "core/io/file_stamp.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace attnlab::io {

/// Bytes that can be read from any place. May be read by several threads at once.
class ByteSource {
public:
    virtual ~ByteSource() = default;

    virtual std::int64_t size() const = 0;
    /// Fills `bytes` with what begins at `offset`. Throws Error when it cannot.
    virtual void read(std::int64_t offset, std::span<std::byte> bytes) const = 0;

    /// `count` bytes from `offset` on.
    std::string text(std::int64_t offset, std::int64_t count) const;
};

/// Bytes in memory, which must outlive it. Reading beyond their end throws std::out_of_range.
class HeldBytes : public ByteSource {
public:
    explicit HeldBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::int64_t size() const override { return std::ssize(bytes_); }
    void read(std::int64_t offset, std::span<std::byte> bytes) const override;

private:
    std::span<const std::byte> bytes_;
};

/// A file that is read piece by piece, and never mapped: touching a page of a file that another program has cut short
/// ends the process, and reading it ends in an Error. What is read is what was there when the file was opened: a file
/// that has another size or time of change since is an Error.
class InputFile : public ByteSource {
public:
    /// Throws Error when the file is missing, no regular file, empty, or may not be read.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile() override;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// Absolute.
    const std::filesystem::path& path() const { return path_; }
    /// What the file was when it was opened.
    const FileStamp& stamp() const { return stamp_; }
    std::int64_t size() const override { return stamp_.size; }
    /// Throws Error as check(), and when the disk fails.
    void read(std::int64_t offset, std::span<std::byte> bytes) const override;
    /// Waits until a change of the file would be seen, where it was written to just now: file systems count the time of
    /// changes in ticks. For those that go on to read later. Throws Error as check().
    void settle() const;
    /// Throws Error when the file was changed since it was opened. A file that another took the place of is as it was.
    void check() const;
    /// The open file again, for a library that reads it itself; the caller closes it. -1 where there is no room for it.
    int duplicate() const;

private:
    [[noreturn]] void fail(int code) const;

    std::string name_; ///< for messages
    std::filesystem::path path_;
    int descriptor_ = -1;
    FileStamp stamp_;
};

/// The first `count` bytes, or fewer where the file is shorter. Throws Error as InputFile.
std::string read_beginning(const std::filesystem::path& path, std::int64_t count);

/// Throws Error as InputFile, and when the file is larger than `max_bytes`.
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
