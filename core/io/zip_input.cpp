#include "core/io/zip_input.h"

#include "core/run_control.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace attnlab::io {

zip_source_t* ZipInput::source() {
    zip_source_t* source = zip_source_function_create(&ZipInput::handle, this, nullptr);
    if (!source)
        throw std::bad_alloc();
    return source;
}

void ZipInput::rethrow() {
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

zip_int64_t ZipInput::handle(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
    auto& input = *static_cast<ZipInput*>(self);
    try {
        return input.answer(data, length, command);
    } catch (...) {
        input.failure_ = std::current_exception();
        return -1;
    }
}

zip_int64_t ZipInput::answer(void* data, zip_uint64_t length, zip_source_cmd_t command) {
    switch (command) {
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                                              ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
    case ZIP_SOURCE_OPEN:
        position_ = 0;
        return 0;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_READ:
        return read(data, length);
    case ZIP_SOURCE_STAT: {
        if (length < sizeof(zip_stat_t))
            return -1;
        auto* stat = static_cast<zip_stat_t*>(data);
        zip_stat_init(stat);
        stat->size = static_cast<zip_uint64_t>(bytes_.size());
        stat->valid = ZIP_STAT_SIZE;
        return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_ERROR: {
        zip_error_t error;
        zip_error_init(&error);
        zip_error_set(&error, failure_ ? ZIP_ER_READ : ZIP_ER_INVAL, failure_ ? EIO : 0);
        const auto size = zip_error_to_data(&error, data, length);
        zip_error_fini(&error);
        return size;
    }
    case ZIP_SOURCE_SEEK: {
        const auto to = zip_source_seek_compute_offset(static_cast<zip_uint64_t>(position_),
                                                       static_cast<zip_uint64_t>(bytes_.size()), data, length, nullptr);
        if (to < 0)
            return -1;
        position_ = to;
        return 0;
    }
    case ZIP_SOURCE_TELL:
        return position_;
    default:
        return -1;
    }
}

zip_int64_t ZipInput::read(void* data, zip_uint64_t length) {
    constexpr std::int64_t buffered = 1 << 16;
    const auto count =
        static_cast<std::int64_t>(std::min(length, static_cast<zip_uint64_t>(bytes_.size() - position_)));
    auto* to = static_cast<char*>(data);
    for (std::int64_t done = 0; done < count;) {
        const auto in_buffer = position_ - buffer_begin_;
        if (in_buffer < 0 || in_buffer >= std::ssize(buffer_)) {
            if (control_)
                control_->checkpoint();
            buffer_ = bytes_.text(position_, std::min(buffered, bytes_.size() - position_));
            buffer_begin_ = position_;
            continue;
        }
        const auto part = std::min(count - done, std::ssize(buffer_) - in_buffer);
        std::memcpy(to + done, buffer_.data() + in_buffer, static_cast<std::size_t>(part));
        done += part;
        position_ += part;
    }
    return count;
}

} // namespace attnlab::io
