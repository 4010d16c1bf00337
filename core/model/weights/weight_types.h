// Types of weights: their blocks, and how they become float32.
#pragma once

#include "core/model/weights/weight_files.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace attnlab::model {

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
