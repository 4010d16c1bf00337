#include "core/io/output_stream.h"

#include "core/message.h"

#include <cerrno>
#include <system_error>

#include <unistd.h>

namespace attnlab::io {

DescriptorBuffer::DescriptorBuffer(int descriptor, std::filesystem::path path)
    : descriptor_(descriptor), path_(std::move(path)), room_(1 << 16) {
    setp(room_.data(), room_.data() + room_.size());
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type next) {
    empty();
    if (!traits_type::eq_int_type(next, traits_type::eof()))
        sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
}

std::streamsize DescriptorBuffer::xsputn(const char* bytes, std::streamsize count) {
    if (count < epptr() - pptr())
        return std::streambuf::xsputn(bytes, count);
    empty();
    put(bytes, static_cast<std::size_t>(count));
    return count;
}

int DescriptorBuffer::sync() {
    empty();
    return 0;
}

DescriptorBuffer::pos_type DescriptorBuffer::seekoff(off_type offset, std::ios::seekdir from, std::ios::openmode) {
    empty();
    const int origin = from == std::ios::beg ? SEEK_SET : from == std::ios::cur ? SEEK_CUR : SEEK_END;
    const auto position = ::lseek(descriptor_, offset, origin);
    if (position < 0)
        fail_to_write(path_, errno);
    return position;
}

DescriptorBuffer::pos_type DescriptorBuffer::seekpos(pos_type position, std::ios::openmode which) {
    return seekoff(position, std::ios::beg, which);
}

void DescriptorBuffer::put(const char* bytes, std::size_t count) {
    while (count > 0) {
        const auto written = ::write(descriptor_, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            fail_to_write(path_, written < 0 ? errno : EIO);
        bytes += written;
        count -= static_cast<std::size_t>(written);
    }
}

void DescriptorBuffer::empty() {
    const auto count = static_cast<std::size_t>(pptr() - pbase());
    setp(room_.data(), room_.data() + room_.size()); // also on failure: the bytes are not tried again
    put(pbase(), count);
}

OutputStream::OutputStream(int descriptor, std::filesystem::path path)
    : std::ostream(nullptr), buffer_(descriptor, std::move(path)) {
    rdbuf(&buffer_);
    exceptions(std::ios::badbit);
}

void fail_to_write(const std::filesystem::path& path, int code) {
    throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path.string(), std::generic_category().message(code)}});
}

} // namespace attnlab::io
