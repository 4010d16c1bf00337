// The arrays of a piece in one allocation on the device, and the arguments of a launch over them.
#pragma once

#include "gpu/host/device_forward.h"
#include "gpu/host/masks.h"

namespace attnlab::gpu {

/// A row's width in memory. Plain kernels take any width, but rows still begin at multiples of 16 bytes.
inline std::int64_t padded_width(const ForwardKernel& kernel, std::int64_t width) {
    return kernel.width > 0 ? kernel.width : (width + 7) / 8 * 8;
}

class PieceArrays {
public:
    /// In bytes, each a multiple of 256.
    struct Offsets {
        std::size_t query = 0, key = 0, value = 0, lengths = 0, padding = 0, kept = 0, bias = 0;
        std::size_t inputs = 0; ///< total bytes of these
        std::size_t lse = 0, output = 0, scratch = 0, staging = 0, all = 0;
    };

    /// `masks` must outlive it.
    PieceArrays(const flash::Shape& shape, const PackedMasks& masks, const ForwardKernel& kernel, Precision precision,
                std::size_t staging_bytes);

    std::int64_t width() const { return width_; }
    std::int64_t value_width() const { return value_width_; }
    std::size_t element_bytes() const { return precision_ == Precision::Float32 ? 4 : 2; }

    Offsets offsets_of(const Piece& piece) const;
    /// `memory` has offsets_of(piece).all bytes.
    ForwardArguments arguments_of(const Piece& piece, const Offsets& at, unsigned char* memory,
                                  const DeviceProblem& problem) const;

private:
    void set_masks(const Piece& piece, const Offsets& at, const unsigned char* memory, ForwardArguments& a) const;
    std::int64_t group() const { return shape_.H / shape_.Hkv; }

    const flash::Shape shape_;
    const PackedMasks& masks_;
    const ForwardKernel& kernel_;
    const Precision precision_;
    const std::size_t staging_bytes_;
    const std::int64_t width_, value_width_;
};

} // namespace attnlab::gpu
