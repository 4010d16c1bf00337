#include "core/model/weights/weight_types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace attnlab::model {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are read as they are stored");

/// Copies through stack buffers, so that the compiler sees no aliasing and vectorizes the conversion.
template <class Stored, class To>
void widen_each(const std::byte* in, std::span<float> out, To to) {
    constexpr std::size_t at_once = 64;
    std::array<Stored, at_once> stored{};
    std::array<float, at_once> numbers;
    for (std::size_t done = 0; done < out.size(); done += at_once) {
        const auto count = std::min(at_once, out.size() - done);
        std::memcpy(stored.data(), in + done * sizeof(Stored), count * sizeof(Stored));
        for (std::size_t i = 0; i < at_once; ++i)
            numbers[i] = to(stored[i]);
        std::memcpy(out.data() + done, numbers.data(), count * sizeof(float));
    }
}

} // namespace

void widen_f64(const std::byte* in, std::span<float> out) {
    widen_each<double>(in, out, [](double stored) { return static_cast<float>(stored); });
}

void widen_f32(const std::byte* in, std::span<float> out) { std::memcpy(out.data(), in, out.size_bytes()); }

void widen_f16(const std::byte* in, std::span<float> out) { widen_each<std::uint16_t>(in, out, half_to_float); }

void widen_bf16(const std::byte* in, std::span<float> out) {
    widen_each<std::uint16_t>(in, out,
                              [](std::uint16_t stored) { return std::bit_cast<float>(std::uint32_t{stored} << 16); });
}

// The blocks of ggml (ggml-quants.c, dequantize_row_*). A product and a sum are two statements, so that no compiler
// makes one rounding of them.

namespace {

using Byte = std::uint8_t;

float half_at(const Byte* in) {
    std::uint16_t half;
    std::memcpy(&half, in, sizeof(half));
    return half_to_float(half);
}

float scaled(float scale, int number) { return scale * static_cast<float>(number); }

/// Copies through stack buffers, so that the compiler sees no aliasing and vectorizes the conversion.
template <int block, int bytes, class Widen>
void each_block(const std::byte* in, std::span<float> out, Widen widen) {
    for (std::size_t i = 0; i < out.size() / block; ++i) {
        std::array<Byte, bytes> stored;
        std::array<float, block> numbers;
        std::memcpy(stored.data(), in + i * bytes, bytes);
        widen(stored.data(), numbers.data());
        std::memcpy(out.data() + i * block, numbers.data(), sizeof(numbers));
    }
}

/// Blocks of 32 numbers of four bits, or of five whose highest bits are in `high`.
template <class To>
void widen_nibbles(const Byte* quants, std::uint32_t high, float* out, To to) {
    std::array<int, 32> numbers;
    for (unsigned i = 0; i < 16; ++i)
        numbers[i] = quants[i] & 15;
    for (unsigned i = 0; i < 16; ++i)
        numbers[i + 16] = quants[i] >> 4;
    if (high != 0)
        for (unsigned i = 0; i < 32; ++i)
            numbers[i] |= static_cast<int>((high >> i & 1) << 4);
    for (unsigned i = 0; i < 32; ++i)
        out[i] = to(numbers[i]);
}

std::uint32_t bits_at(const Byte* in) {
    std::uint32_t bits;
    std::memcpy(&bits, in, sizeof(bits));
    return bits;
}

auto shifted(float scale, int zero) {
    return [=](int quant) { return scaled(scale, quant - zero); };
}
auto from_minimum(float scale, float minimum) {
    return [=](int quant) {
        const float product = scaled(scale, quant);
        return product + minimum;
    };
}

/// Scale and minimum of group `i` of eight, six bits each in 12 bytes.
std::pair<int, int> scale_and_minimum(const Byte* packed, int i) {
    if (i < 4)
        return {packed[i] & 63, packed[i + 4] & 63};
    return {(packed[i + 4] & 15) | (packed[i - 4] >> 6 << 4), (packed[i + 4] >> 4) | (packed[i] >> 6 << 4)};
}

/// Eight groups of 32 numbers: two to 32 bytes of nibbles. `high`, if not null, has a fifth bit of each.
void widen_groups(const Byte* head, const Byte* high, const Byte* quants, float* out) {
    const float scale = half_at(head), minimum = half_at(head + 2);
    for (int group = 0; group < 8; ++group) {
        const auto [own_scale, own_minimum] = scale_and_minimum(head + 4, group);
        const auto to = from_minimum(scaled(scale, own_scale), -scaled(minimum, own_minimum));
        const auto* nibbles = quants + group / 2 * 32;
        const int shift = group % 2 * 4;
        std::array<int, 32> numbers;
        for (std::size_t i = 0; i < 32; ++i)
            numbers[i] = nibbles[i] >> shift & 15;
        if (high)
            for (std::size_t i = 0; i < 32; ++i)
                numbers[i] |= (high[i] >> group & 1) << 4;
        for (std::size_t i = 0; i < 32; ++i)
            out[group * 32 + static_cast<int>(i)] = to(numbers[i]);
    }
}

} // namespace

void widen_q8_0(const std::byte* in, std::span<float> out) {
    each_block<32, 34>(in, out, [](const Byte* block, float* numbers) {
        const float scale = half_at(block);
        for (int i = 0; i < 32; ++i)
            numbers[i] = scaled(scale, static_cast<std::int8_t>(block[2 + i]));
    });
}

void widen_q4_0(const std::byte* in, std::span<float> out) {
    each_block<32, 18>(in, out, [](const Byte* block, float* numbers) {
        widen_nibbles(block + 2, 0, numbers, shifted(half_at(block), 8));
    });
}

void widen_q4_1(const std::byte* in, std::span<float> out) {
    each_block<32, 20>(in, out, [](const Byte* block, float* numbers) {
        widen_nibbles(block + 4, 0, numbers, from_minimum(half_at(block), half_at(block + 2)));
    });
}

void widen_q5_0(const std::byte* in, std::span<float> out) {
    each_block<32, 22>(in, out, [](const Byte* block, float* numbers) {
        widen_nibbles(block + 6, bits_at(block + 2), numbers, shifted(half_at(block), 16));
    });
}

void widen_q5_1(const std::byte* in, std::span<float> out) {
    each_block<32, 24>(in, out, [](const Byte* block, float* numbers) {
        widen_nibbles(block + 8, bits_at(block + 4), numbers, from_minimum(half_at(block), half_at(block + 2)));
    });
}

void widen_q4_k(const std::byte* in, std::span<float> out) {
    each_block<256, 144>(in, out,
                         [](const Byte* block, float* numbers) { widen_groups(block, nullptr, block + 16, numbers); });
}

void widen_q5_k(const std::byte* in, std::span<float> out) {
    each_block<256, 176>(
        in, out, [](const Byte* block, float* numbers) { widen_groups(block, block + 16, block + 48, numbers); });
}

void widen_q6_k(const std::byte* in, std::span<float> out) {
    each_block<256, 210>(in, out, [](const Byte* block, float* numbers) {
        const auto *low = block, *high = block + 128, *scales = block + 192;
        const float scale = half_at(block + 208);
        for (int group = 0; group < 8; ++group) { // of 32 numbers with two scales; four share 64 bytes of `low`
            const auto *nibbles = low + group / 4 * 64 + group % 2 * 32, *pairs = high + group / 4 * 32;
            const int shift = group % 4 / 2 * 4, pair_shift = group % 4 * 2;
            for (int half = 0; half < 2; ++half) {
                const auto own = scaled(scale, static_cast<std::int8_t>(scales[group * 2 + half]));
                for (int i = half * 16; i < half * 16 + 16; ++i) {
                    const int quant = (nibbles[i] >> shift & 15) | (pairs[i] >> pair_shift & 3) << 4;
                    numbers[group * 32 + i] = scaled(own, quant - 32);
                }
            }
        }
    });
}

void widen_mxfp4(const std::byte* in, std::span<float> out) {
    // Twice the numbers of E2M1, of the OCP microscaling formats; the scale is half its power of two instead.
    constexpr std::array<int, 16> twice{0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};
    each_block<32, 17>(in, out, [&](const Byte* block, float* numbers) {
        const float scale = std::ldexp(1.0F, block[0] - 128);
        widen_nibbles(block + 1, 0, numbers,
                      [&](int quant) { return scaled(scale, twice[static_cast<std::size_t>(quant)]); });
    });
}

namespace {

constexpr WeightTypeInfo table[] = {
    {WeightType::F64, "F64", 1, 8, widen_f64},         {WeightType::F32, "F32", 1, 4, widen_f32},
    {WeightType::F16, "F16", 1, 2, widen_f16},         {WeightType::BF16, "BF16", 1, 2, widen_bf16},
    {WeightType::Q8_0, "Q8_0", 32, 34, widen_q8_0},    {WeightType::Q4_0, "Q4_0", 32, 18, widen_q4_0},
    {WeightType::Q4_1, "Q4_1", 32, 20, widen_q4_1},    {WeightType::Q5_0, "Q5_0", 32, 22, widen_q5_0},
    {WeightType::Q5_1, "Q5_1", 32, 24, widen_q5_1},    {WeightType::Q4_K, "Q4_K", 256, 144, widen_q4_k},
    {WeightType::Q5_K, "Q5_K", 256, 176, widen_q5_k},  {WeightType::Q6_K, "Q6_K", 256, 210, widen_q6_k},
    {WeightType::MXFP4, "MXFP4", 32, 17, widen_mxfp4},
};

} // namespace

std::span<const WeightTypeInfo> weight_types() { return table; }

const WeightTypeInfo& info_of(WeightType type) {
    return *std::find_if(std::begin(table), std::end(table),
                         [&](const WeightTypeInfo& candidate) { return candidate.type == type; });
}

std::string_view name_of(WeightType type) { return info_of(type).name; }

} // namespace attnlab::model
