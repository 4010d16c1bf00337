#include "core/io/temporary_file.h"

#include "core/io/output_stream.h"

#include <cerrno>
#include <cstdio>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

/// A temporary is never more readable than its target, from the first byte on.
mode_t mode_for(const std::filesystem::path& target) {
    constexpr mode_t usual_mode = 0666; // before the umask is applied
    struct stat replaced;
    return ::stat(target.c_str(), &replaced) == 0 ? (replaced.st_mode & 0777) | S_IRUSR | S_IWUSR : usual_mode;
}

/// The path of a descriptor's file that can be linked.
std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Marks the file as having a writer while it is open. Errors are ignored, since not every file system supports locks.
void lock(int descriptor) { ::flock(descriptor, LOCK_EX | LOCK_NB); }

bool is_linked(int descriptor) {
    struct stat found;
    return ::fstat(descriptor, &found) != 0 || found.st_nlink > 0;
}

} // namespace

TemporaryFile::TemporaryFile(const std::filesystem::path& target, Kind kind)
    : target_(target), folder_(target.has_parent_path() ? target.parent_path() : ".") {
    if (kind == Kind::Named || !open_unnamed())
        open_named();
}

TemporaryFile::~TemporaryFile() {
    if (name_)
        ::unlink(name_->path().c_str());
    ::close(descriptor_);
}

bool TemporaryFile::open_unnamed() {
#ifdef O_TMPFILE
    descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_for(target_));
    if (descriptor_ >= 0 && ::access(path_of(descriptor_).c_str(), F_OK) == 0) {
        lock(descriptor_);
        return true;
    }
    if (descriptor_ >= 0)
        ::close(descriptor_);
#endif
    return false;
}

void TemporaryFile::open_named() {
    for (;;) {
        name_.emplace(folder_);
        descriptor_ = ::open(name_->path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_for(target_));
        if (descriptor_ < 0 && errno == EEXIST)
            continue;
        if (descriptor_ < 0) {
            const int code = errno;
            name_.reset();
            fail_to_write(target_, code);
        }
        lock(descriptor_);
        // Another process may have removed it as stale before it was locked.
        if (is_linked(descriptor_))
            return;
        ::close(descriptor_);
    }
}

bool TemporaryFile::take_name() {
    while (!name_) {
        name_.emplace(folder_);
        if (::linkat(AT_FDCWD, path_of(descriptor_).c_str(), AT_FDCWD, name_->path().c_str(), AT_SYMLINK_FOLLOW) == 0)
            return true;
        const int code = errno;
        name_.reset();
        if (code != EEXIST)
            return false;
    }
    return true;
}

void TemporaryFile::replace_target() {
    struct stat replaced;
    if (::stat(target_.c_str(), &replaced) == 0 && ::fchmod(descriptor_, replaced.st_mode & 07777) != 0)
        fail_to_write(target_, errno);
    if (::rename(name_->path().c_str(), target_.c_str()) != 0)
        fail_to_write(target_, errno);
    name_.reset();
}

} // namespace attnlab::io
