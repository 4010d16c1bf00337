#include "tests/differential/hopper_kernels.h"

#include "tests/gpu/emulated_forward.h"

#include <iterator>

namespace attnlab::differential {
namespace {

using namespace gpu;

template <int width>
bool supports_16_bits(const ForwardArguments& arguments) {
    return hopper::supports(arguments, width);
}
template <int width>
bool supports_32_bits(const ForwardArguments& arguments) {
    return hopper::supports_in_parts(arguments, width);
}

int launch(const ForwardArguments& arguments, const Device&, void*) {
    hopper::emulated::run_forward(arguments, hopper::Order::Overlapped, 2, hopper::emulated::Delay::None);
    return 0;
}

constexpr ForwardKernel kernels[] = {
    {"hopper bfloat16 64", 90, 90, Precision::BFloat16, 64, 1.0, supports_16_bits<64>, launch},
    {"hopper bfloat16 128", 90, 90, Precision::BFloat16, 128, 1.0, supports_16_bits<128>, launch},
    {"hopper float16 64", 90, 90, Precision::Float16, 64, 1.0, supports_16_bits<64>, launch},
    {"hopper float16 128", 90, 90, Precision::Float16, 128, 1.0, supports_16_bits<128>, launch},
    {"hopper float32 64", 90, 90, Precision::Float32, 64, 1.0, supports_32_bits<64>, launch},
    {"hopper float32 128", 90, 90, Precision::Float32, 128, 1.0, supports_32_bits<128>, launch},
};

} // namespace

ForwardKernels hopper_kernels() { return {kernels, std::size(kernels)}; }

} // namespace attnlab::differential
