// Stored numbers to float32: plain ones, and the blocks of GGUF by the formulas of ggml (bit for bit).
#pragma once

#include <cstddef>
#include <span>

namespace attnlab::model {

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

} // namespace attnlab::model
