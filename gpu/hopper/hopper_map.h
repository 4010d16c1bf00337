// Launch functions of pooled maps, for the table of kernels. Plain C++17.
#pragma once

#include "gpu/map.h"

namespace attnlab::gpu::hopper {

/// Query rows of a block of MapArguments.
constexpr int map_rows = 128;

/// For precision BFloat16 and widths 64 and 128; pooled bins only, and no masks but a band: see map_plan.h.
template <int width>
bool supports_map_width(const MapArguments& arguments);
template <int width>
int launch_map(const MapArguments& arguments, const Device& device, void* stream);

/// For precision Float32, with its accuracy, by six products of bfloat16; scratch memory as for a forward.
template <int width>
bool supports_split_map(const MapArguments& arguments);
template <int width>
int launch_split_map(const MapArguments& arguments, const Device& device, void* stream);

} // namespace attnlab::gpu::hopper
