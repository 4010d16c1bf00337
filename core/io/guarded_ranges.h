// Ranges of mapped memory in which a fault gives zeros instead of ending the process.
#pragma once

#include <cstddef>

namespace attnlab::io {

struct GuardedRange;

/// From now on a SIGBUS in the range, which is mapped and begins at a page, marks it as broken and puts zeros from that
/// page on to its end; other faults go to the handler that was there before. Returns nullptr on failure.
GuardedRange* guard(const std::byte* begin, std::size_t size);
/// Before the range is unmapped.
void release(GuardedRange* range);
bool is_broken(const GuardedRange& range);

} // namespace attnlab::io
