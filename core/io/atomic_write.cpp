#include "core/io/file_formats.h"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
    throw Error({ATTNLAB_TEXT("%1: cannot be written: %2"), {path.string(), std::generic_category().message(code)}});
}

/// What a rename should replace: the file that a link points to, never a folder or a device.
std::filesystem::path checked_target(const std::filesystem::path& path) {
    std::error_code code;
    const auto resolved = std::filesystem::canonical(path, code);
    if (code)
        return path; // not there yet
    if (std::filesystem::is_directory(resolved, code))
        throw Error({ATTNLAB_TEXT("%1: is a folder, expected a file"), {path.string()}});
    if (!std::filesystem::is_regular_file(resolved, code))
        throw Error({ATTNLAB_TEXT("%1: is no ordinary file"), {path.string()}});
    if (::access(resolved.c_str(), W_OK) != 0)
        fail(path, errno);
    return resolved;
}

/// A new empty file beside `target`; removed again unless it was renamed.
class TemporarySibling {
public:
    explicit TemporarySibling(const std::filesystem::path& target) {
        static std::atomic<unsigned> counter = 0;
        int descriptor = -1;
        // What others may not read in the target they may not read here either, from the first byte on.
        struct stat replaced {};
        const bool replaces = ::stat(target.c_str(), &replaced) == 0;
        const mode_t mode = replaces ? (replaced.st_mode & 0777) | S_IRUSR | S_IWUSR : 0666;
        do {
            path_ = target.parent_path() /
                    (".attnlab-" + std::to_string(::getpid()) + "-" + std::to_string(++counter) + ".tmp");
            descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        } while (descriptor < 0 && errno == EEXIST);
        if (descriptor < 0)
            fail(target, errno);
        ::close(descriptor);
    }
    ~TemporarySibling() {
        if (!path_.empty())
            ::unlink(path_.c_str());
    }
    TemporarySibling(const TemporarySibling&) = delete;
    TemporarySibling& operator=(const TemporarySibling&) = delete;

    const std::filesystem::path& path() const { return path_; }

    void rename_to(const std::filesystem::path& target) {
        struct stat replaced;
        if (::stat(target.c_str(), &replaced) == 0 && ::chmod(path_.c_str(), replaced.st_mode & 07777) != 0)
            fail(target, errno);
        if (::rename(path_.c_str(), target.c_str()) != 0)
            fail(target, errno);
        path_.clear();
    }

private:
    std::filesystem::path path_;
};

void flush_to_disk(const std::filesystem::path& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0)
        fail(path, errno);
    const int code = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    // Some file systems cannot flush a folder, which is no reason to call the save failed.
    if (code != 0 && !(flags & O_DIRECTORY))
        fail(path, code);
}

} // namespace

void write_atomically(const std::filesystem::path& path,
                      const std::function<void(const std::filesystem::path& temporary)>& write,
                      const RunControl& control) {
    control.checkpoint();
    const auto target = checked_target(path);
    TemporarySibling temporary(target);
    write(temporary.path());
    flush_to_disk(temporary.path(), O_RDONLY);
    control.checkpoint();
    temporary.rename_to(target);
    const auto folder = target.parent_path();
    flush_to_disk(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

} // namespace attnlab::io
