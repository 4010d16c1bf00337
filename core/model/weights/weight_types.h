// Types of stored weights, and their conversion to float32.
#pragma once

#include "core/model/weights/weight_files.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attnlab::model {

// float16 as ggml and PyTorch store it.

/// Exact, without branches so that loops over it become vector code.
inline float half_to_float(std::uint16_t half) {
    constexpr std::uint32_t infinite = 0x7f80'0000;
    constexpr float two_to_112 = 0x1p112F, beyond = 0x1p16F; // what exponent 31, infinity and NaN, would stand for
    const auto magnitude = std::bit_cast<float>((half & 0x7fffu) << 13) * two_to_112;
    const auto bits = std::bit_cast<std::uint32_t>(magnitude);
    const std::uint32_t sign = (half & 0x8000u) << 16;
    return std::bit_cast<float>(sign | bits | (magnitude >= beyond ? infinite : 0));
}

// Stored numbers to float32: plain ones, and the blocks of GGUF by the formulas of ggml (bit for bit).

/// `in` holds as many numbers as `out`, little-endian and not aligned; whole blocks of 32 (Q?_0, Q?_1, MXFP4) or 256
/// (Q?_K). F64 is rounded to the nearest; a NaN stays one.
void widen_f64(const std::byte* in, std::span<float> out);
void widen_f32(const std::byte* in, std::span<float> out);
void widen_f16(const std::byte* in, std::span<float> out);
void widen_bf16(const std::byte* in, std::span<float> out);
void widen_q8_0(const std::byte* in, std::span<float> out);
void widen_q4_0(const std::byte* in, std::span<float> out);
void widen_q4_1(const std::byte* in, std::span<float> out);
void widen_q5_0(const std::byte* in, std::span<float> out);
void widen_q5_1(const std::byte* in, std::span<float> out);
void widen_q4_k(const std::byte* in, std::span<float> out);
void widen_q5_k(const std::byte* in, std::span<float> out);
void widen_q6_k(const std::byte* in, std::span<float> out);
void widen_mxfp4(const std::byte* in, std::span<float> out);

// Types of weights: their blocks, and how they become float32.

struct WeightTypeInfo {
    WeightType type;
    std::string_view name;
    std::int64_t block; ///< numbers that are stored together; 1 for plain numbers
    std::int64_t bytes; ///< of a block
    /// Widens whole blocks: `out` has their numbers.
    void (*widen)(const std::byte* blocks, std::span<float> out);
};

const WeightTypeInfo& info_of(WeightType type);
std::span<const WeightTypeInfo> weight_types();

} // namespace attnlab::model
