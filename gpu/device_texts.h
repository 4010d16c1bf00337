// What a window says of its device.
#pragma once

#include "gpu/kernel_verdicts.h"

#include "core/message.h"

#include <algorithm>

namespace attnlab::gpu {

inline Message still_checking() { return Message(ATTNLAB_TEXT("The kernels of the CUDA device are being checked")); }
inline Message slower_than_cores(const std::string& device) {
    return {ATTNLAB_TEXT("The device %1 is slower than the processor"), {device}};
}
/// Of a check that ended by an exception without a message.
inline constexpr const char* no_memory_to_check = ATTNLAB_TEXT("There is not enough memory to check the CUDA device");
inline constexpr const char* check_failed =
    ATTNLAB_TEXT("The CUDA device could not be checked: %1"); ///< with the reason
/// While a kernel is checked.
inline Message checking(const std::string& device, const std::string& kernel) {
    return {ATTNLAB_TEXT("%1 is checked: %2"), {device, kernel}};
}
inline Message trusted_on(const std::string& device, const std::vector<KernelVerdict>& verdicts) {
    const auto right = std::count_if(verdicts.begin(), verdicts.end(), [](const auto& one) { return one.right; });
    return {ATTNLAB_TEXT("%1: %2 of %3 kernels are trusted"),
            {device, std::to_string(right), std::to_string(verdicts.size())}};
}

} // namespace attnlab::gpu
