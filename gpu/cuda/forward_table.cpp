// All kernels for a forward. `speed` is roughly the TFLOP/s of an H200, precise enough for choosing.
#include "gpu/forward_kernels.h"
#include "gpu/hopper/hopper_forward.h"
#include "gpu/portable/launch.h"

#include <iterator>

namespace attnlab::gpu {
namespace {

using namespace portable;
using namespace hopper;

constexpr int any = 9999;
constexpr auto f32 = Precision::Float32, bf16 = Precision::BFloat16, f16 = Precision::Float16;

constexpr ForwardKernel kernels[] = {
    // name, least and most compute capability, precision, width, speed, functions, bytes of scratch memory
    {"hopper bfloat16 64", 90, 90, bf16, 64, 450.0, supports_width<64>, launch_overlapped<64>},
    {"hopper bfloat16 128", 90, 90, bf16, 128, 600.0, supports_width<128>, launch_overlapped<128>},
    {"hopper bfloat16 256", 90, 90, bf16, 256, 550.0, supports_width<256>, launch_overlapped<256>},
    {"hopper in turn bfloat16 64", 90, 90, bf16, 64, 400.0, supports_width<64>, launch_in_turn<64>},
    {"hopper in turn bfloat16 128", 90, 90, bf16, 128, 500.0, supports_width<128>, launch_in_turn<128>},
    {"hopper in turn bfloat16 256", 90, 90, bf16, 256, 450.0, supports_width<256>, launch_in_turn<256>},
    {"hopper float16 64", 90, 90, f16, 64, 450.0, supports_width<64>, launch_overlapped<64>},
    {"hopper float16 128", 90, 90, f16, 128, 600.0, supports_width<128>, launch_overlapped<128>},
    {"hopper float16 256", 90, 90, f16, 256, 550.0, supports_width<256>, launch_overlapped<256>},
    {"hopper in turn float16 64", 90, 90, f16, 64, 400.0, supports_width<64>, launch_in_turn<64>},
    {"hopper in turn float16 128", 90, 90, f16, 128, 500.0, supports_width<128>, launch_in_turn<128>},
    {"hopper in turn float16 256", 90, 90, f16, 256, 450.0, supports_width<256>, launch_in_turn<256>},
    {"hopper 6 x bfloat16 64", 90, 90, f32, 64, 90.0, supports_split<64>, launch_split<64>, split_bytes},
    {"hopper 6 x bfloat16 128", 90, 90, f32, 128, 90.0, supports_split<128>, launch_split<128>, split_bytes},
    {"tiled bfloat16 16", 80, any, bf16, 16, 300.0, supports_tiles, launch_bfloat16<16>},
    {"tiled bfloat16 32", 80, any, bf16, 32, 300.0, supports_tiles, launch_bfloat16<32>},
    {"tiled bfloat16 64", 80, any, bf16, 64, 300.0, supports_tiles, launch_bfloat16<64>},
    {"tiled bfloat16 96", 80, any, bf16, 96, 300.0, supports_tiles, launch_bfloat16<96>},
    {"tiled bfloat16 128", 80, any, bf16, 128, 300.0, supports_tiles, launch_bfloat16<128>},
    {"tiled bfloat16 192", 80, any, bf16, 192, 300.0, supports_tiles, launch_bfloat16<192>},
    {"tiled bfloat16 256", 80, any, bf16, 256, 300.0, supports_tiles, launch_bfloat16<256>},
    {"tiled float16 16", 80, any, f16, 16, 300.0, supports_tiles, launch_float16<16>},
    {"tiled float16 32", 80, any, f16, 32, 300.0, supports_tiles, launch_float16<32>},
    {"tiled float16 64", 80, any, f16, 64, 300.0, supports_tiles, launch_float16<64>},
    {"tiled float16 96", 80, any, f16, 96, 300.0, supports_tiles, launch_float16<96>},
    {"tiled float16 128", 80, any, f16, 128, 300.0, supports_tiles, launch_float16<128>},
    {"tiled float16 192", 80, any, f16, 192, 300.0, supports_tiles, launch_float16<192>},
    {"tiled float16 256", 80, any, f16, 256, 300.0, supports_tiles, launch_float16<256>},
    {"tiled 3xtf32 16", 80, any, f32, 16, 50.0, supports_tiles, launch_float32<16>},
    {"tiled 3xtf32 32", 80, any, f32, 32, 50.0, supports_tiles, launch_float32<32>},
    {"tiled 3xtf32 64", 80, any, f32, 64, 50.0, supports_tiles, launch_float32<64>},
    {"tiled 3xtf32 96", 80, any, f32, 96, 50.0, supports_tiles, launch_float32<96>},
    {"tiled 3xtf32 128", 80, any, f32, 128, 50.0, supports_tiles, launch_float32<128>},
    {"tiled 3xtf32 192", 80, any, f32, 192, 50.0, supports_tiles, launch_float32<192>},
    {"tiled 3xtf32 256", 80, any, f32, 256, 50.0, supports_tiles, launch_float32<256>},
    {"plain bfloat16", 75, any, bf16, 0, 2.0, supports_anything, launch_plain},
    {"plain float16", 75, any, f16, 0, 2.0, supports_anything, launch_plain},
    {"plain float32", 75, any, f32, 0, 2.0, supports_anything, launch_plain},
};

} // namespace

ForwardKernels forward_kernels() { return {kernels, static_cast<int>(std::size(kernels))}; }

} // namespace attnlab::gpu
