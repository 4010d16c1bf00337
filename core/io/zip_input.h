// Makes libzip read an archive from a ByteSource, so that reading can be cancelled.
#pragma once

#include "core/io/file_bytes.h"

#include <cstdint>
#include <exception>
#include <string>

#include <zip.h>

namespace attnlab::io {

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
