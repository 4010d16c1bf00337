#include "core/io/mapped_file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace attnlab::io {

/// Never freed, since the handler may look at it at any time; used again for other ranges.
struct GuardedRange {
    std::atomic<std::uintptr_t> begin = 0; ///< 0: unused
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> is_broken = false;
    GuardedRange* next = nullptr;
};

namespace {

// Only what a signal handler may use: atomics that take no lock, and system calls.
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
std::atomic<GuardedRange*> first_range = nullptr;
std::uintptr_t page_size = 0;
struct sigaction earlier_action {};

GuardedRange* range_of(std::uintptr_t address) {
    for (auto* range = first_range.load(); range; range = range->next)
        if (const auto begin = range->begin.load(); begin != 0 && begin <= address && address < range->end.load())
            return range;
    return nullptr;
}

/// All of the rest at once: where a file ends, every page after it would fault.
bool put_zeros(GuardedRange& range, std::uintptr_t address) {
    const auto page = address / page_size * page_size;
    void* place = reinterpret_cast<void*>(page); // NOLINT(performance-no-int-to-ptr)
    const auto* put = ::mmap(place, range.end.load() - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (put == MAP_FAILED) // NOLINT
        return false;
    range.is_broken.store(true);
    return true;
}

void pass_on(int number, siginfo_t* info, void* context) {
    if (earlier_action.sa_flags & SA_SIGINFO)
        return earlier_action.sa_sigaction(number, info, context);
    // NOLINTNEXTLINE: SIG_DFL and SIG_IGN are macros with casts
    if (earlier_action.sa_handler != SIG_DFL && earlier_action.sa_handler != SIG_IGN)
        return earlier_action.sa_handler(number);
    ::sigaction(number, &earlier_action, nullptr); // the instruction runs again, and ends the process
}

void on_bus_error(int number, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    auto* range = info->si_code > 0 ? range_of(address) : nullptr; // at most 0: sent by a process
    if (!range || !put_zeros(*range, address))
        pass_on(number, info, context);
}

bool install_handler() {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &earlier_action) == 0;
}

GuardedRange* unused_range() {
    for (auto* range = first_range.load(); range; range = range->next)
        if (range->begin.load() == 0)
            return range;
    auto* range = new (std::nothrow) GuardedRange;
    if (range) {
        range->next = first_range.load();
        first_range.store(range);
    }
    return range;
}

std::mutex& changing_ranges() {
    static std::mutex mutex;
    return mutex;
}

} // namespace

GuardedRange* guard(const std::byte* begin, std::size_t size) {
    const std::lock_guard lock(changing_ranges());
    static const bool is_installed = install_handler();
    auto* range = is_installed ? unused_range() : nullptr;
    if (!range)
        return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    range->is_broken.store(false);
    range->end.store((address + size + page_size - 1) / page_size * page_size);
    range->begin.store(address);
    return range;
}

void release(GuardedRange* range) {
    const std::lock_guard lock(changing_ranges());
    range->begin.store(0);
}

bool is_broken(const GuardedRange& range) { return range.is_broken.load(); }

MappedFile::MappedFile(const std::filesystem::path& path) : file_(path) {
    file_.settle();
    const auto size = static_cast<std::size_t>(file_.size());
    const int descriptor = file_.duplicate();
    void* place = descriptor < 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int code = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (place != MAP_FAILED && !(guard_ = guard(static_cast<const std::byte*>(place), size)))
        ::munmap(place, size);
    if (!guard_)
        throw Error({ATTNLAB_TEXT("%1: cannot be mapped into memory: %2"),
                     {path.string(), std::generic_category().message(place == MAP_FAILED ? code : ENOMEM)}});
    bytes_ = {static_cast<const std::byte*>(place), size};
}

MappedFile::~MappedFile() {
    release(guard_);
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size()); // NOLINT: munmap takes no const
}

void MappedFile::check() const {
    file_.check();
    if (is_broken(*guard_))
        throw Error({ATTNLAB_TEXT("%1: could not be read while it was open; open it again"), {file_.path().string()}});
}

} // namespace attnlab::io
