// An archive that libzip writes into a stream of ours, instead of into a temporary file of its own.
#pragma once

#include <exception>
#include <ostream>

#include <zip.h>

namespace attnlab::io {

/// Where an archive goes. Has to live as long as the zip_t made of source().
class ZipOutput {
public:
    /// The stream can seek, and throws what goes wrong.
    explicit ZipOutput(std::ostream& stream) : stream_(stream) {}
    ZipOutput(const ZipOutput&) = delete;
    ZipOutput& operator=(const ZipOutput&) = delete;

    /// For zip_open_from_source with ZIP_CREATE. Throws std::bad_alloc.
    zip_source_t* source();
    /// Throws what the stream threw meanwhile, which C code cannot pass on; else returns.
    void rethrow() const;

private:
    static zip_int64_t handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
    zip_int64_t answer(void* data, zip_uint64_t length, zip_source_cmd_t command);

    std::ostream& stream_;
    std::exception_ptr failure_;
};

} // namespace attnlab::io
