#include "core/io/file_bytes.h"

#include "core/io/file_formats.h"
#include "core/io/temporary_file.h"
#include "core/message.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace attnlab::io {
namespace {

FileStamp stamp_in(const struct stat& status) {
    constexpr std::int64_t second = 1'000'000'000;
    return {static_cast<std::int64_t>(status.st_size),
            static_cast<std::int64_t>(status.st_mtim.tv_sec) * second + status.st_mtim.tv_nsec,
            static_cast<std::int64_t>(status.st_ino)};
}

} // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(stamp_in(status)) : std::nullopt;
}

std::optional<FileStamp> stamp_of(int descriptor) {
    struct stat status {};
    return ::fstat(descriptor, &status) == 0 ? std::optional(stamp_in(status)) : std::nullopt;
}

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

void MemoryBytes::read(std::int64_t offset, std::span<std::byte> bytes) const {
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
            throw Error({ATTNLAB_TEXT("%1: is not a regular file"), {name_}});
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

// Implements the part of file_bytes.h about writing a file whole or not at all.

namespace {

std::filesystem::path folder_of(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : ".";
}

/// The end of a chain of symbolic links, existing or not.
std::filesystem::path followed(std::filesystem::path path) {
    std::error_code code;
    constexpr int most_links = 40; // the kernel's limit
    for (int i = 0; i < most_links && std::filesystem::is_symlink(path, code); ++i)
        path = folder_of(path) / std::filesystem::read_symlink(path, code);
    return path;
}

/// The path to be replaced by the rename: the target of a link, never a folder or a device.
std::filesystem::path checked_target(const std::filesystem::path& path) {
    auto target = followed(path);
    std::error_code code;
    const auto status = std::filesystem::status(target, code);
    if (status.type() == std::filesystem::file_type::not_found)
        return target; // does not exist yet
    if (status.type() == std::filesystem::file_type::none)
        fail_to_write(path, code.value());
    if (status.type() == std::filesystem::file_type::directory)
        throw Error({ATTNLAB_TEXT("%1: is a folder, expected a file"), {path.string()}});
    if (status.type() != std::filesystem::file_type::regular)
        throw Error({ATTNLAB_TEXT("%1: is not a regular file"), {path.string()}});
    if (::access(target.c_str(), W_OK) != 0)
        fail_to_write(path, errno);
    return target;
}

/// Scans each folder only once; files of processes that die later are removed by the next one.
void remove_stale_temporaries_once(const std::filesystem::path& folder) {
    static std::mutex mutex;
    static std::set<std::filesystem::path> seen;
    const std::scoped_lock lock(mutex);
    std::error_code none_there;
    if (seen.insert(std::filesystem::absolute(folder, none_there)).second)
        remove_stale_temporaries(folder);
}

void flush_folder(const std::filesystem::path& folder) {
    // Not every file system supports this; the save itself has succeeded.
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

/// False where an unnamed file cannot be given a name: nothing has changed then.
bool write_through(TemporaryFile::Kind kind, const std::filesystem::path& target,
                   const std::function<void(std::ostream&)>& write, const RunControl& control) {
    TemporaryFile file(target, kind);
    OutputStream stream(file.descriptor(), target);
    write(stream);
    stream.flush();
    if (::fsync(file.descriptor()) != 0)
        fail_to_write(target, errno);
    control.checkpoint();
    if (!file.take_name())
        return false;
    file.replace_target();
    return true;
}

} // namespace

void check_output(const std::filesystem::path& path) {
    const auto folder = folder_of(checked_target(path));
    std::error_code none_there;
    if (std::filesystem::exists(folder, none_there) && !std::filesystem::is_directory(folder, none_there))
        fail_to_write(path, ENOTDIR);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        fail_to_write(path, errno);
    remove_stale_temporaries_once(folder);
}

void write_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write,
                const RunControl& control) {
    control.checkpoint();
    const auto target = checked_target(path);
    const auto folder = folder_of(target);
    remove_stale_temporaries_once(folder);
    if (!write_through(TemporaryFile::Kind::Unnamed, target, write, control))
        write_through(TemporaryFile::Kind::Named, target, write, control);
    flush_folder(folder);
}

} // namespace attnlab::io
