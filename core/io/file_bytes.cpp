#include "core/io/file_bytes.h"

#include "core/message.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
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

std::string read_beginning(const std::filesystem::path& path, std::size_t count) {
    std::string bytes(std::min(count, static_cast<std::size_t>(file_size_of(path))), '\0');
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
        throw Error({ATTNLAB_TEXT("%1: cannot be read: %2"), {path.string(), reason()}});
    return bytes;
}

std::string read_file(const std::filesystem::path& path, std::int64_t max_bytes) {
    const auto size = file_size_of(path);
    if (size > max_bytes)
        throw Error({ATTNLAB_TEXT("%1: has %2 bytes; at most %3 may be read"),
                     {path.string(), std::to_string(size), std::to_string(max_bytes)}});
    return read_beginning(path, static_cast<std::size_t>(size));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path.string(), reason()}});
}

} // namespace attnlab::io
