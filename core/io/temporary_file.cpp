#include "core/io/temporary_file.h"

#include "core/io/file_bytes.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <limits.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace attnlab::io {
namespace {

/// Distinguishes this host from others that share the folder: on some network file systems locks are not visible to
/// them.
std::string host_tag() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    std::string machine;
    std::getline(std::ifstream("/etc/machine-id"), machine);
    std::uint64_t hash = 0xcbf29ce484222325; // FNV-1a: the same in every build
    for (const char c : machine + '/' + name.data())
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    std::string tag;
    for (int digit = 0; digit < 8; ++digit, hash >>= 4)
        tag += "0123456789abcdef"[hash & 15];
    return tag;
}

/// The prefix of this host's temporaries.
const std::string& prefix() {
    static const std::string text = ".attnlab-" + host_tag() + "-";
    return text;
}
constexpr std::string_view suffix = ".tmp";

/// A path to be removed by signals. Never freed, so that a handler can read it at any time.
struct Slot {
    enum State { Free, Filling, Taken };
    std::atomic<int> state = Free;
    std::array<char, PATH_MAX> path;
};
std::array<Slot, 32> slots; // more at once are rare; the next run removes the others

int take_slot(const std::string& path) {
    if (path.size() >= PATH_MAX)
        return -1;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        int state = Slot::Free;
        if (!slots[i].state.compare_exchange_strong(state, Slot::Filling))
            continue;
        std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
        slots[i].state = Slot::Taken;
        return static_cast<int>(i);
    }
    return -1;
}

void say(const char* text) {
    // A failure here cannot be handled.
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0)
        return;
}

/// Calls only async-signal-safe functions.
void clean_up_and_end(int signal) {
    for (const auto& slot : slots)
        if (slot.state.load() == Slot::Taken)
            ::unlink(slot.path.data());
    for (const auto& slot : slots) // folders, which are empty by now
        if (slot.state.load() == Slot::Taken)
            ::rmdir(slot.path.data());
    say(signal == SIGINT    ? "attnlab: interrupted\n"
        : signal == SIGTERM ? "attnlab: terminated\n"
                            : "attnlab: hung up\n");
    ::raise(signal); // SA_RESETHAND: this now ends the process
}

/// Unlinks a file without a writer.
void remove_if_stale(int folder, const char* name) {
    const int file = ::openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat found;
    if (::fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid() &&
        ::flock(file, LOCK_EX | LOCK_NB) == 0)
        ::unlinkat(folder, name, 0);
    ::close(file);
}

} // namespace

void remove_stale_temporaries(const std::filesystem::path& folder) noexcept {
    DIR* entries = ::opendir(folder.empty() ? "." : folder.c_str());
    if (!entries)
        return;
    while (const auto* entry = ::readdir(entries)) {
        const std::string_view name = entry->d_name;
        if (name.starts_with(prefix()) && name.ends_with(suffix))
            remove_if_stale(::dirfd(entries), entry->d_name);
    }
    ::closedir(entries);
}

void clean_up_on_signals() {
    prefix();
    for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
        struct sigaction present;
        if (::sigaction(signal, nullptr, &present) != 0 || present.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {};
        action.sa_handler = clean_up_and_end;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
        ::sigaction(signal, &action, nullptr);
    }
}

TemporaryName::TemporaryName(const std::filesystem::path& folder) {
    static std::atomic<unsigned> counter = 0;
    path_ = folder / (prefix() + std::to_string(::getpid()) + "-" + std::to_string(++counter) + std::string(suffix));
    slot_ = take_slot(path_.string());
}

TemporaryName::~TemporaryName() {
    if (slot_ >= 0)
        slots[static_cast<std::size_t>(slot_)].state = Slot::Free;
}

RemovedBySignals::RemovedBySignals(const std::filesystem::path& path) : slot_(take_slot(path.string())) {}

RemovedBySignals::~RemovedBySignals() {
    if (slot_ >= 0)
        slots[static_cast<std::size_t>(slot_)].state = Slot::Free;
}

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
