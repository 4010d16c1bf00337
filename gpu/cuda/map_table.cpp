// All kernels for a map; of those of the same width the first that supports it is used.
#include "gpu/hopper/hopper_forward.h"
#include "gpu/hopper/hopper_map.h"
#include "gpu/portable/launch.h"

#include <iterator>

namespace attnlab::gpu {
namespace {

using namespace portable;

constexpr int any = 9999;
constexpr auto f32 = Precision::Float32, bf16 = Precision::BFloat16;

constexpr MapKernel kernels[] = {
    // name, least and most compute capability, precision, width, rows of a block, functions, bytes of scratch memory
    {"hopper map bfloat16 64", 90, 90, bf16, 64, hopper::map_rows, hopper::launch_map<64>,
     hopper::supports_map_width<64>},
    {"hopper map bfloat16 128", 90, 90, bf16, 128, hopper::map_rows, hopper::launch_map<128>,
     hopper::supports_map_width<128>},
    {"hopper map 6 x bfloat16 64", 90, 90, f32, 64, hopper::map_rows, hopper::launch_split_map<64>,
     hopper::supports_split_map<64>, hopper::split_bytes},
    {"hopper map 6 x bfloat16 128", 90, 90, f32, 128, hopper::map_rows, hopper::launch_split_map<128>,
     hopper::supports_split_map<128>, hopper::split_bytes},
    {"map bfloat16 32", 80, any, bf16, 32, map_rows<bf16, 32>(), launch_map_bfloat16<32>},
    {"map bfloat16 64", 80, any, bf16, 64, map_rows<bf16, 64>(), launch_map_bfloat16<64>},
    {"map bfloat16 128", 80, any, bf16, 128, map_rows<bf16, 128>(), launch_map_bfloat16<128>},
    {"map bfloat16 256", 80, any, bf16, 256, map_rows<bf16, 256>(), launch_map_bfloat16<256>},
    {"map 3xtf32 32", 80, any, f32, 32, map_rows<f32, 32>(), launch_map_float32<32>},
    {"map 3xtf32 64", 80, any, f32, 64, map_rows<f32, 64>(), launch_map_float32<64>},
    {"map 3xtf32 128", 80, any, f32, 128, map_rows<f32, 128>(), launch_map_float32<128>},
    {"map 3xtf32 256", 80, any, f32, 256, map_rows<f32, 256>(), launch_map_float32<256>},
};

} // namespace

MapKernels map_kernels() { return {kernels, static_cast<int>(std::size(kernels))}; }

} // namespace attnlab::gpu
