// A file mapped into memory. If the file is cut short, a fault reads zeros instead of ending the process.
#pragma once

#include "core/io/file_bytes.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace attnlab::io {

struct GuardedRange;

/// From now on a SIGBUS in the range, which is mapped and begins at a page, marks it as broken and puts zeros from that
/// page on to its end; other faults go to the handler that was there before. Returns nullptr on failure.
GuardedRange* guard(const std::byte* begin, std::size_t size);
/// Before the range is unmapped.
void release(GuardedRange* range);
bool is_broken(const GuardedRange& range);

/// Read-only, for files that are too large to be read as a whole. Where a page cannot be read, since the file was cut
/// short or its disk failed, zeros appear in its place and check() fails from then on: without that the process would
/// end by SIGBUS. Thread-safe.
class MappedFile {
public:
    /// Throws Error as InputFile, and where it cannot be mapped.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const InputFile& file() const { return file_; }
    /// Valid as long as this object.
    std::span<const std::byte> bytes() const { return bytes_; }
    /// Throws Error when the file was changed, or could not be read, since it was opened: what was read is void.
    void check() const;

private:
    InputFile file_;
    std::span<const std::byte> bytes_;
    GuardedRange* guard_ = nullptr;
};

} // namespace attnlab::io
