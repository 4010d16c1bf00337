// The common part of the fuzzers.
#pragma once

#include "core/io/file_formats.h"
#include "core/message.h"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace attnlab::fuzz {

/// Small enough that valid inputs never run out of memory: an input that does has bypassed the limits.
inline constexpr io::ReadLimits limits{1 << 20, 1 << 23};

inline std::span<const std::byte> bytes(const std::uint8_t* data, std::size_t size) {
    return std::as_bytes(std::span(data, size));
}

inline std::string text(const std::uint8_t* data, std::size_t size) { return {data, data + size}; }

inline void require(bool holds) {
    if (!holds)
        std::abort();
}

/// Invalid input may only give an Error.
template <class Body>
int guarded(Body body) {
    try {
        body();
    } catch (const Error&) {
    }
    return 0;
}

} // namespace attnlab::fuzz
