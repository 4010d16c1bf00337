// Launch functions of this folder, for the table of kernels. Plain C++17.
#pragma once

#include "gpu/convert.h"
#include "gpu/map.h"
#include "gpu/portable/shapes.h"

namespace attnlab::gpu::portable {

/// Widths that the tiled kernels are compiled for.
constexpr int widths[] = {16, 32, 64, 96, 128, 192, 256};

/// Everything except empty inputs, which need no kernel.
bool supports_tiles(const ForwardArguments& arguments);
bool supports_anything(const ForwardArguments& arguments);

/// Each is defined for the widths above.
template <int width>
int launch_bfloat16(const ForwardArguments& arguments, const Device& device, void* stream);
template <int width>
int launch_float16(const ForwardArguments& arguments, const Device& device, void* stream);
template <int width>
int launch_float32(const ForwardArguments& arguments, const Device& device, void* stream);

/// Any E and Ev, any precision.
int launch_plain(const ForwardArguments& arguments, const Device& device, void* stream);

/// Queues a conversion on a cudaStream_t and returns a cudaError_t.
int launch_conversion(const RowConversion& rows, void* stream);

/// Maps: each is defined for the widths 32, 64, 128 and 256.
template <int width>
int launch_map_bfloat16(const MapArguments& arguments, const Device& device, void* stream);
template <int width>
int launch_map_float32(const MapArguments& arguments, const Device& device, void* stream);

/// The query rows of a block of these.
template <Precision precision, int width>
constexpr int map_rows() {
    return precision == Precision::Float32 ? MapProducts32Of<void, width>::rows : MapProducts16Of<void, width>::rows;
}

} // namespace attnlab::gpu::portable
