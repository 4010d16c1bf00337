// Aligned scratch memory for SIMD loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

namespace attnlab::flash {

struct AlignedDelete {
    void operator()(float* memory) const { ::operator delete[](memory, std::align_val_t(64)); }
};
using AlignedFloats = std::unique_ptr<float[], AlignedDelete>;

/// Uninitialized.
inline AlignedFloats aligned_floats(std::int64_t count) {
    return AlignedFloats(new (std::align_val_t(64)) float[static_cast<std::size_t>(std::max<std::int64_t>(1, count))]);
}

} // namespace attnlab::flash
