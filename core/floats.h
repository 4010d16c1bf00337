// Many numbers that are written by all cores.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

namespace attnlab {

/// Memory for numbers, unset. From 32 MB on it is in large pages where the system has them: asking for each page of
/// 4 KB can take longer than writing the numbers. Throws std::bad_alloc.
void* allocate_numbers(std::size_t bytes);
void free_numbers(void* memory, std::size_t bytes) noexcept;

/// Allocates for a vector that leaves its new numbers unset where no value is given.
template <class Number>
struct UnsetAllocator {
    using value_type = Number; // NOLINT(readability-identifier-naming): the standard library's name

    UnsetAllocator() = default;
    template <class Other>
    UnsetAllocator(const UnsetAllocator<Other>&) {}

    Number* allocate(std::size_t count) { return static_cast<Number*>(allocate_numbers(count * sizeof(Number))); }
    void deallocate(Number* memory, std::size_t count) noexcept { free_numbers(memory, count * sizeof(Number)); }
    template <class Other>
    void construct(Other* place) {
        ::new (static_cast<void*>(place)) Other;
    }
    template <class Other, class... Arguments>
    void construct(Other* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) Other(std::forward<Arguments>(arguments)...);
    }
    bool operator==(const UnsetAllocator&) const = default;
};

/// `Floats(n)` and resize() leave numbers unset: zeros, written by one core, would take as long as a small product, and
/// that core would ask the system for all of the memory.
using Floats = std::vector<float, UnsetAllocator<float>>;

} // namespace attnlab
