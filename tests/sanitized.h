// Limits of time in tests that also run under sanitizers.
#pragma once

namespace attnlab {

/// How many times slower the code may be because of a sanitizer; 1 without one.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int sanitizer_slowdown = 10;
#else
inline constexpr int sanitizer_slowdown = 1;
#endif

} // namespace attnlab
