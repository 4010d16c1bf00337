#include "core/io/zip_output.h"

#include <cerrno>
#include <new>

namespace attnlab::io {
namespace {

zip_int64_t report_error(void* data, zip_uint64_t length, int zip_code, int system_code) {
    zip_error_t error;
    zip_error_init(&error);
    zip_error_set(&error, zip_code, system_code);
    const auto size = zip_error_to_data(&error, data, length);
    zip_error_fini(&error);
    return size;
}

} // namespace

zip_source_t* ZipOutput::source() {
    zip_source_t* source = zip_source_function_create(&ZipOutput::handle, this, nullptr);
    if (!source)
        throw std::bad_alloc();
    return source;
}

void ZipOutput::rethrow() const {
    if (failure_)
        std::rethrow_exception(failure_);
}

zip_int64_t ZipOutput::handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& output = *static_cast<ZipOutput*>(self);
    try {
        return output.answer(data, length, command);
    } catch (...) {
        output.failure_ = std::current_exception();
        return -1;
    }
}

zip_int64_t ZipOutput::answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        // libzip requires all file operations. Reading is never called for a new archive.
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL,
                                              ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE,
                                              ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE,
                                              ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_ERROR:
        // Called before anything is written: the archive does not exist yet.
        return failure_ ? report_error(data, length, ZIP_ER_WRITE, EIO)
                        : report_error(data, length, ZIP_ER_READ, ENOENT);
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE: // the owner of the stream discards it
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_COMMIT_WRITE:
        stream_.flush();
        return 0;
    case ZIP_SOURCE_WRITE:
        stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(length));
        return static_cast<zip_int64_t>(length);
    case ZIP_SOURCE_SEEK_WRITE: {
        const auto* seek = ZIP_SOURCE_GET_ARGS(zip_source_args_seek_t, data, length, nullptr);
        if (!seek)
            return -1;
        stream_.seekp(seek->offset, seek->whence == SEEK_SET   ? std::ios::beg
                                    : seek->whence == SEEK_CUR ? std::ios::cur
                                                               : std::ios::end);
        return 0;
    }
    case ZIP_SOURCE_TELL_WRITE:
        return stream_.tellp();
    default:
        return -1;
    }
}

} // namespace attnlab::io
