// Reports the running stack to the address sanitizer, if any, which inspects the rest of a stack when an exception is
// thrown.
#pragma once

#include <csetjmp>
#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace attnlab::emulator {

/// A stack that control leaves and returns to.
struct Stack {
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    void* frames = nullptr; ///< of the sanitizer
};

#ifdef __SANITIZE_ADDRESS__
/// Call just before control switches; `from` is null if it never returns.
inline void leave(Stack* from, const Stack& to) {
    __sanitizer_start_switch_fiber(from ? &from->frames : nullptr, to.bottom, to.bytes);
}
/// Call first after control switched to `to`; records the location of `from`.
inline void arrive(const Stack& to, Stack& from) {
    __sanitizer_finish_switch_fiber(to.frames, &from.bottom, &from.bytes);
}
/// Call before a stack is reused, since its last fiber may not have finished.
inline void forget(const Stack& stack) { __asan_unpoison_memory_region(stack.bottom, stack.bytes); }
/// The sanitizer's _longjmp scans the whole stack that it leaves, which takes most of the time.
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
