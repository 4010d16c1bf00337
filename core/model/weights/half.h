// float16 as ggml and PyTorch store it.
#pragma once

#include <bit>
#include <cstdint>

namespace attnlab::model {

/// Exact, without branches so that loops over it become vector code.
inline float half_to_float(std::uint16_t half) {
    constexpr std::uint32_t infinite = 0x7f80'0000;
    constexpr float two_to_112 = 0x1p112F, beyond = 0x1p16F; // what exponent 31, infinity and NaN, would stand for
    const auto magnitude = std::bit_cast<float>((half & 0x7fffu) << 13) * two_to_112;
    const auto bits = std::bit_cast<std::uint32_t>(magnitude);
    const std::uint32_t sign = (half & 0x8000u) << 16;
    return std::bit_cast<float>(sign | bits | (magnitude >= beyond ? infinite : 0));
}

} // namespace attnlab::model
