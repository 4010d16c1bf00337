// Zip archives with libzip: handles, members in the file, input from bytes that can be cancelled, and output to a
// stream.
#pragma once

#include "core/io/file_bytes.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>
#include <zip.h>

namespace attnlab::io {

// RAII handles for libzip.

struct ZipDiscard {
    void operator()(zip_t* zip) const { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, ZipDiscard>;

struct ZipFileClose {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, ZipFileClose>;

/// A zip_error_t that is released with its scope.
class ZipError {
public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    zip_error_t* get() { return &error_; }

private:
    zip_error_t error_;
};

// Finds members of a zip archive in the file, which libzip does not expose.

/// The first byte of an uncompressed member of `size` bytes. nullopt where the archive's layout is not plain enough to
/// tell: such a member can still be read by libzip. `control`, if not null, is polled here and below: throws Cancelled.
/// Throws Error as ByteSource.
std::optional<std::int64_t> stored_member(const ByteSource& archive, std::string_view name, std::uint64_t size,
                                          const RunControl* control = nullptr);

/// The largest number of members of an archive that is read: libzip opens and frees them without a poll.
inline constexpr std::size_t most_zip_members = std::size_t{1} << 16;

/// The directory entry of a member.
struct ZipMember {
    std::string name;
    std::uint64_t size;
    std::uint32_t checksum;
    bool is_encrypted;
    bool is_stored;       ///< uncompressed
    std::uint64_t header; ///< expected offset of its local header
};

/// All members in the order of the directory. nullopt without a directory, with an invalid one, or one of more than
/// `most` members. Throws Error as ByteSource.
std::optional<std::vector<ZipMember>> zip_members(const ByteSource& archive, std::size_t most,
                                                  const RunControl* control = nullptr);

/// True when the directory lists more than `most` members. Reads no names.
bool has_more_members(const ByteSource& archive, std::size_t most, const RunControl* control = nullptr);

/// The first byte of an uncompressed member; nullopt where it is not entirely in the archive. Throws Error as
/// ByteSource.
std::optional<std::int64_t> first_byte(const ByteSource& archive, const ZipMember& member);

// Makes libzip write an archive to a given stream instead of its own temporary file.

/// The destination of an archive. Must outlive the zip_t made from source().
class ZipOutput {
public:
    /// The stream must be seekable and throw on errors.
    explicit ZipOutput(std::ostream& stream) : stream_(stream) {}
    ZipOutput(const ZipOutput&) = delete;
    ZipOutput& operator=(const ZipOutput&) = delete;

    /// For zip_open_from_source with ZIP_CREATE. Throws std::bad_alloc.
    zip_source_t* source();
    /// Rethrows an exception of the stream, which C code cannot pass on; otherwise returns.
    void rethrow() const;

private:
    static zip_int64_t handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command);

    std::ostream& stream_;
    std::exception_ptr failure_;
};

// Makes libzip read an archive from a ByteSource, so that reading can be cancelled.

/// The bytes of an archive. Must outlive the zip_t made from source(); for one thread at a time.
class ZipInput {
public:
    /// Both must outlive it. `control`, if not null, is polled at every read of the bytes.
    ZipInput(const ByteSource& bytes, const RunControl* control) : bytes_(bytes), control_(control) {}
    ZipInput(const ZipInput&) = delete;
    ZipInput& operator=(const ZipInput&) = delete;

    /// For zip_open_from_source with ZIP_RDONLY. Throws std::bad_alloc.
    zip_source_t* source();
    /// Rethrows an exception of a read, which C code cannot pass on; otherwise returns.
    void rethrow();

private:
    static zip_int64_t handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command);
    /// From the current position on; fewer bytes at the end.
    zip_int64_t read(void* data, zip_uint64_t length);

    const ByteSource& bytes_;
    const RunControl* control_;
    std::exception_ptr failure_;
    std::int64_t position_ = 0;
    /// libzip reads the directory in small pieces.
    std::string buffer_;
    std::int64_t buffer_begin_ = 0;
};

} // namespace attnlab::io
