#include "core/model/weights/widen.h"

#include "core/model/weights/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

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

} // namespace attnlab::model
