#include "core/io/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {

std::string ByteSource::text(std::int64_t offset, std::int64_t count, const RunControl* control) const {
    constexpr std::int64_t at_once = 1 << 20;
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(count));
    for (std::int64_t done = 0; done < count; done = std::ssize(bytes)) {
        if (control)
            control->checkpoint();
        bytes.resize(static_cast<std::size_t>(std::min(count, done + at_once)));
        read(offset + done, std::as_writable_bytes(std::span(bytes).subspan(static_cast<std::size_t>(done))));
    }
    return bytes;
}

void HeldBytes::read(std::int64_t offset, std::span<std::byte> bytes) const {
    if (offset < 0 || offset > size() || std::ssize(bytes) > size() - offset)
        throw std::out_of_range("HeldBytes: so many bytes are not there");
    std::copy_n(bytes_.begin() + offset, bytes.size(), bytes.begin());
}

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
    std::error_code nowhere; // the file then counts as not found
    path_ = std::filesystem::absolute(path, nowhere);
    // Opening a pipe would block without O_NONBLOCK, which does not affect files.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0 && (errno == ENOENT || errno == ENOTDIR))
        throw Error({ATTNLAB_TEXT("%1: no such file"), {name_}});
    if (descriptor_ < 0)
        fail(errno);
    try {
        struct stat found {};
        if (::fstat(descriptor_, &found) != 0)
            fail(errno);
        if (S_ISDIR(found.st_mode))
            throw Error({ATTNLAB_TEXT("%1: is a folder, expected a file"), {name_}});
        if (!S_ISREG(found.st_mode))
            throw Error({ATTNLAB_TEXT("%1: is no ordinary file"), {name_}});
        if (found.st_size == 0)
            throw Error({ATTNLAB_TEXT("%1: is empty"), {name_}});
        stamp_ = stamp_of(descriptor_).value_or(FileStamp());
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::read(std::int64_t offset, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const auto got = ::pread(descriptor_, bytes.data(), bytes.size(), offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail(errno);
        if (got == 0)
            break;
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        offset += got;
    }
    // After reading, since the content may have changed before.
    check();
    if (!bytes.empty())
        fail(EIO);
}

void InputFile::settle() const {
    using namespace std::chrono;
    constexpr auto tick = milliseconds(10); // of a kernel with 100 ticks per second, the slowest configuration
    const auto age = system_clock::now().time_since_epoch() - nanoseconds(stamp_.modified);
    if (age < tick && age > -tick)
        std::this_thread::sleep_for(tick + tick);
    check();
}

void InputFile::check() const {
    const auto now = stamp_of(descriptor_);
    if (!now)
        fail(errno);
    if (now->size < stamp_.size)
        throw Error({ATTNLAB_TEXT("%1: was cut short while it was open; open it again"), {name_}});
    if (!now->same_content_as(stamp_))
        throw Error({ATTNLAB_TEXT("%1: was changed while it was open; open it again"), {name_}});
}

int InputFile::duplicate() const { return ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0); }

void InputFile::fail(int code) const {
    throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {name_, std::generic_category().message(code)}});
}

std::string read_beginning(const std::filesystem::path& path, std::int64_t count) {
    const InputFile file(path);
    return file.text(0, std::min(count, file.size()));
}

std::string read_file(const std::filesystem::path& path, std::int64_t max_bytes, const RunControl* control) {
    const InputFile file(path);
    if (file.size() > max_bytes)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                     {path.string(), std::to_string(file.size()), std::to_string(max_bytes)}});
    return file.text(0, file.size(), control);
}

void write_file(const std::filesystem::path& path, std::string_view bytes, const RunControl& control) {
    const auto write = [&](std::ostream& file) {
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    };
    write_file(path, write, control);
}

} // namespace attnlab::io
