// Launch functions of this folder, for the table of kernels. Plain C++17.
#pragma once

#include "gpu/forward_kernels.h"

namespace attnlab::gpu::hopper {

/// Widths that the kernels are compiled for.
constexpr int widths[] = {64, 128, 256};

template <int width>
bool supports_width(const ForwardArguments& arguments);

/// For precisions BFloat16 and Float16, each defined for the widths above. `in_turn` is the simpler order, kept for
/// comparison with the overlapped one.
template <int width>
int launch_overlapped(const ForwardArguments& arguments, const Device& device, void* stream);
template <int width>
int launch_in_turn(const ForwardArguments& arguments, const Device& device, void* stream);

/// Scratch memory for each number that is split.
constexpr int split_bytes = 6;

/// For precision Float32 and widths 64 and 128, with the accuracy of float32.
template <int width>
bool supports_split(const ForwardArguments& arguments);
template <int width>
int launch_split(const ForwardArguments& arguments, const Device& device, void* stream);

} // namespace attnlab::gpu::hopper
