#include "core/flash/precision.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace attnlab::flash {

std::string_view name_of(Precision precision) {
    switch (precision) {
    case Precision::BFloat16:
        return "bfloat16";
    case Precision::Split:
        return "split";
    default:
        return "float32";
    }
}

void round_to_bfloat16(std::span<float> numbers) {
    for (float& number : numbers) {
        if (!std::isfinite(number))
            continue;
        const auto bits = std::bit_cast<std::uint32_t>(number);
        number = std::bit_cast<float>((bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u);
    }
}

} // namespace attnlab::flash
