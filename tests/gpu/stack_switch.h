// Tells the address sanitizer, where there is one, which stack runs: it looks over what is left of a stack when an
// exception is thrown.
#pragma once

#include <csetjmp>
#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
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
/// The sanitizer's _longjmp looks through the whole stack that it leaves, which takes most of the time.
[[noreturn]] inline void jump(jmp_buf& to) {
    using Jump = void (*)(jmp_buf, int);
    static const auto plain = reinterpret_cast<Jump>(dlsym(dlopen("libc.so.6", RTLD_LAZY), "_longjmp"));
    plain(to, 1);
    __builtin_unreachable();
}
#else
inline void leave(Stack*, const Stack&) {}
inline void arrive(const Stack&, Stack&) {}
inline void forget(const Stack&) {}
[[noreturn]] inline void jump(jmp_buf& to) { _longjmp(to, 1); }
#endif

} // namespace attnlab::emulator
