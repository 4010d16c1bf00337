// How the caller of a long run cancels it, watches it and limits its memory.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace attnlab {

/// How a caller controls a run. All members may be left empty.
struct RunControl {
    std::function<bool()> cancelled = nullptr;         ///< polled often, from the worker's thread; must be thread-safe
    std::function<void(double)> progress = nullptr;    ///< fraction done, 0 to 1, from the worker's thread
    std::int64_t memory_limit = std::int64_t{4} << 30; ///< limit of all stages together, in bytes

    /// Throws Cancelled when cancelled() returns true.
    void checkpoint() const;
    void report(double fraction) const;
    /// The control of a part of the run whose own progress 0 .. 1 maps to `from` .. `to` of the whole.
    RunControl part(double from, double to) const;
    /// The same control for a part of the run that reports nothing.
    RunControl silent() const;
    /// True when `count` float64 arrays of this shape are within memory_limit.
    bool has_room(const Shape& shape, double count) const;
    /// Throws Error when `count` float64 arrays of this shape are more than memory_limit; `name` is the first of them.
    void require_memory(std::string_view name, const Shape& shape, double count) const;
};

} // namespace attnlab
