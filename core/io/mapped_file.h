// A file in the address space: its pages are read when they are touched and can be given back at any time.
#pragma once

#include "core/io/elements.h"
#include "core/number_source.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace attnlab::io {

class MappedFile {
public:
    /// Throws Error when the file is missing, no regular file, empty or cannot be mapped.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Touch them only between calls of check(): beyond the end of a file that somebody cut short lie no pages.
    std::span<const std::byte> bytes() const { return bytes_; }
    /// Throws Error when the file is shorter than it was.
    void check() const;

private:
    std::string name_;
    int descriptor_ = -1;
    std::span<const std::byte> bytes_;
};

/// `count` elements from byte `offset` of a file on, in this machine's byte order unless `swapped`. Elements whose
/// values may be refused (integers of 64 bits) are not for this. `name` is what messages call the array.
std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const MappedFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name);

} // namespace attnlab::io
