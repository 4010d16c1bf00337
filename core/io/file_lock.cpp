#include "core/io/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {

std::unique_ptr<FileLock> FileLock::take(const std::filesystem::path& path) {
    constexpr mode_t for_its_owner = 0600;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, for_its_owner);
    if (descriptor < 0)
        return nullptr;
    // A previous owner may have removed the file between the two calls: a lock on it would not exclude others.
    struct stat locked, named;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 || ::fstat(descriptor, &locked) != 0 ||
        ::stat(path.c_str(), &named) != 0 || locked.st_ino != named.st_ino || locked.st_dev != named.st_dev) {
        ::close(descriptor);
        return nullptr;
    }
    return std::unique_ptr<FileLock>(new FileLock(path, descriptor));
}

FileLock::~FileLock() {
    ::unlink(path_.c_str());
    ::close(descriptor_);
}

} // namespace attnlab::io
