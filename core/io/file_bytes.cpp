#include "core/io/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace attnlab::io {
namespace {

std::string reason() { return std::generic_category().message(errno ? errno : EIO); }

} // namespace

std::int64_t file_size_of(const std::filesystem::path& path) {
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found)
        throw Error({ATTNLAB_TEXT("%1: no such file"), {path.string()}});
    if (status.type() == std::filesystem::file_type::directory)
        throw Error({ATTNLAB_TEXT("%1: is a folder, expected a file"), {path.string()}});
    const auto size = code ? 0 : std::filesystem::file_size(path, code);
    if (code)
        throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {path.string(), code.message()}});
    if (size == 0)
        throw Error({ATTNLAB_TEXT("%1: is empty"), {path.string()}});
    return static_cast<std::int64_t>(size);
}

InputFile::InputFile(const std::filesystem::path& path) : path_(path), size_(file_size_of(path)) {
    errno = 0;
    file_.open(path, std::ios::binary);
    if (!file_)
        fail();
}

void InputFile::read(std::int64_t offset, std::span<std::byte> bytes) {
    errno = 0;
    if (!file_.seekg(offset) ||
        !file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        fail();
}

void InputFile::fail() const { throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {path_.string(), reason()}}); }

std::string read_beginning(const std::filesystem::path& path, std::size_t count) {
    InputFile file(path);
    std::string bytes(std::min(count, static_cast<std::size_t>(file.size())), '\0');
    file.read(0, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

std::string read_file(const std::filesystem::path& path, std::int64_t max_bytes) {
    const auto size = file_size_of(path);
    if (size > max_bytes)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                     {path.string(), std::to_string(size), std::to_string(max_bytes)}});
    return read_beginning(path, static_cast<std::size_t>(size));
}

void write_file(const std::filesystem::path& path, std::string_view bytes, const RunControl& control) {
    const auto write = [&](std::ostream& file) {
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    };
    write_file(path, write, control);
}

} // namespace attnlab::io
