// Makes libzip write an archive to a given stream instead of its own temporary file.
#pragma once

#include <exception>
#include <ostream>

#include <zip.h>

namespace attnlab::io {

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

} // namespace attnlab::io
