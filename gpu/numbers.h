// 16-bit floating-point numbers as bits. Rounds to the nearest, ties to even. Plain C++17, shared by device and host.
#pragma once

#include "gpu/device_macros.h"

#include <cstdint>
#include <cstring>

namespace attnlab::gpu {

ATTNLAB_HOST_DEVICE inline std::uint32_t bits_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

ATTNLAB_HOST_DEVICE inline float float_of(std::uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

ATTNLAB_HOST_DEVICE inline std::uint16_t to_bfloat16(float value) {
    const std::uint32_t bits = bits_of(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return static_cast<std::uint16_t>(bits >> 16 | 0x40u); // NaN stays one
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

ATTNLAB_HOST_DEVICE inline float from_bfloat16(std::uint16_t bits) {
    return float_of(static_cast<std::uint32_t>(bits) << 16);
}

ATTNLAB_HOST_DEVICE inline std::uint16_t to_float16(float value) {
    const std::uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u)
        return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (size >= 0x47800000u) // 65536
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (size < 0x38800000u) { // 2^-14: the result is subnormal, in steps of 2^-24, to which adding 1/2 rounds
        const float shifted = float_of(size) + 0.5f;
        return static_cast<std::uint16_t>(sign | (bits_of(shifted) - bits_of(0.5f)));
    }
    const std::uint32_t rounded = size + 0xfffu + (size >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

ATTNLAB_HOST_DEVICE inline float from_float16(std::uint16_t bits) {
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16, size = bits & 0x7fffu;
    if (size >= 0x7c00u)
        return float_of(sign | 0x7f800000u | (size & 0x3ffu) << 13);
    if (size < 0x400u) {
        const float value = static_cast<float>(size) * 0x1p-24f;
        return float_of(sign | bits_of(value));
    }
    return float_of(sign | ((size << 13) + 0x38000000u));
}

} // namespace attnlab::gpu
