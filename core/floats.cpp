#include "core/floats.h"

#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace attnlab {
namespace {

#ifdef __linux__
constexpr std::size_t large_page = std::size_t{2} << 20;
/// malloc asks the system each time for so many, and keeps fewer bytes for the next matrix of the same size.
constexpr std::size_t least_in_large_pages = 16 * large_page;
#endif

} // namespace

void* allocate_numbers(std::size_t bytes) {
#ifdef __linux__
    if (bytes >= least_in_large_pages) {
        void* const memory = std::aligned_alloc(large_page, (bytes + large_page - 1) / large_page * large_page);
        if (!memory)
            throw std::bad_alloc();
        ::madvise(memory, bytes, MADV_HUGEPAGE); // without them it is slower, and nothing else
        return memory;
    }
#endif
    return ::operator new(bytes);
}

void free_numbers(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef __linux__
    if (bytes >= least_in_large_pages) {
        std::free(memory);
        return;
    }
#endif
    ::operator delete(memory);
}

} // namespace attnlab
