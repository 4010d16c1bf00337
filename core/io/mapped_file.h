// A file in the address space: its pages are read when they are touched and can be given back at any time.
#pragma once

#include "core/io/elements.h"
#include "core/io/file_stamp.h"
#include "core/number_source.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
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

    /// Absolute, and what the file was when it was opened.
    const std::filesystem::path& path() const { return path_; }
    const FileStamp& stamp() const { return stamp_; }

private:
    std::string name_;
    std::filesystem::path path_;
    FileStamp stamp_;
    int descriptor_ = -1;
    std::span<const std::byte> bytes_;
};

/// Where an array lies that stays in its file: enough to find it again.
struct MappedPlace {
    std::shared_ptr<const MappedFile> file;
    std::int64_t offset = 0;
    const ElementType* type = nullptr;
    bool swapped = false;
};

/// Nothing where the numbers are not those of numbers_in().
std::optional<MappedPlace> place_of(const NumberSource& numbers);

/// `count` elements from byte `offset` of a file on, in this machine's byte order unless `swapped`. Elements whose
/// values may be refused (integers of 64 bits) are not for this. `name` is what messages call the array.
std::shared_ptr<const NumberSource> numbers_in(std::shared_ptr<const MappedFile> file, std::int64_t offset,
                                               const ElementType& type, bool swapped, std::int64_t count,
                                               std::string name);

} // namespace attnlab::io
