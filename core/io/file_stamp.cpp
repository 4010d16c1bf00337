#include "core/io/file_stamp.h"

#include <sys/stat.h>

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

} // namespace attnlab::io
