// Tells the address sanitizer, where there is one, which stack runs: it looks over what is left of a stack when an
// exception is thrown.
#pragma once

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace attnlab::emulator {

/// A stack that control leaves and comes back to.
struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* frames = nullptr; ///< of the sanitizer
};

#ifdef __SANITIZE_ADDRESS__
/// Just before control goes from one to the other; `from` is null where it never comes back.
inline void leave(Stack* from, const Stack& to) {
    __sanitizer_start_switch_fiber(from ? &from->frames : nullptr, to.bottom, to.bytes);
}
/// First thing after control came to `to`; learns where `from` lies.
inline void arrive(const Stack& to, Stack& from) {
    __sanitizer_finish_switch_fiber(to.frames, &from.bottom, &from.bytes);
}
/// Before a stack serves anew: whoever ran on it may not have come to an end.
inline void forget(const Stack& stack) { __asan_unpoison_memory_region(stack.bottom, stack.bytes); }
#else
inline void leave(Stack*, const Stack&) {}
inline void arrive(const Stack&, Stack&) {}
inline void forget(const Stack&) {}
#endif

} // namespace attnlab::emulator
