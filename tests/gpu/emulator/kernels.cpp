#include "tests/gpu/emulator/kernels.h"

#include "gpu/portable/launch.h"
#include "gpu/portable/map_tiles.h"
#include "gpu/portable/plain.h"
#include "gpu/portable/shapes.h"
#include "tests/gpu/emulator/machine.h"

namespace attnlab::emulator {
namespace {

using namespace gpu;

template <class Products>
int launch_tiles(const ForwardArguments& arguments, const Device&, void*) {
    const int blocks = arguments.B * arguments.H * forward_blocks_of_a_head<Products>(arguments.L);
    run_grid(blocks, Products::warps * lanes, forward_shared_memory<Products>(),
             [&] { ForwardBlock<Emulated, Products>(arguments).run(); });
    return 0;
}

template <int width>
constexpr auto bfloat16 = launch_tiles<Products16Of<Emulated, Precision::BFloat16, width>>;
template <int width>
constexpr auto float16 = launch_tiles<Products16Of<Emulated, Precision::Float16, width>>;
template <int width>
constexpr auto float32 = launch_tiles<Products32Of<Emulated, width>>;

template <Precision precision>
int launch_plain(const ForwardArguments& arguments, const Device&, void*) {
    run_grid(static_cast<int>(plain_blocks(arguments)), plain_warps * lanes, 0,
             [&] { PlainRow<Emulated, precision>(arguments).run(); });
    return 0;
}

// NOLINTBEGIN(bugprone-macro-parentheses): names of a template and of an enumerator take none
#define ATTNLAB_TILED(precision, constant)                                                                             \
    {#precision " 16", 80, 999, Precision::constant, 16, 1.0, portable::supports_tiles, precision<16>},                \
        {#precision " 32", 80, 999, Precision::constant, 32, 1.0, portable::supports_tiles, precision<32>},            \
        {#precision " 64", 80, 999, Precision::constant, 64, 1.0, portable::supports_tiles, precision<64>},            \
        {#precision " 96", 80, 999, Precision::constant, 96, 1.0, portable::supports_tiles, precision<96>},            \
        {#precision " 128", 80, 999, Precision::constant, 128, 1.0, portable::supports_tiles, precision<128>},         \
        {#precision " 192", 80, 999, Precision::constant, 192, 1.0, portable::supports_tiles, precision<192>}, {       \
#precision " 256", 80, 999, Precision::constant, 256, 1.0, portable::supports_tiles, precision < 256>          \
    }
// NOLINTEND(bugprone-macro-parentheses)

constexpr ForwardKernel kernels[] = {ATTNLAB_TILED(bfloat16, BFloat16),
                                     ATTNLAB_TILED(float16, Float16),
                                     ATTNLAB_TILED(float32, Float32),
                                     {"plain bfloat16", 75, 999, Precision::BFloat16, 0, 0.02,
                                      portable::supports_anything, launch_plain<Precision::BFloat16>},
                                     {"plain float16", 75, 999, Precision::Float16, 0, 0.02,
                                      portable::supports_anything, launch_plain<Precision::Float16>},
                                     {"plain float32", 75, 999, Precision::Float32, 0, 0.02,
                                      portable::supports_anything, launch_plain<Precision::Float32>}};

template <class Products>
int launch_map(const MapArguments& arguments, const Device&, void*) {
    const int blocks = (arguments.scores.L + Products::rows - 1) / Products::rows;
    run_grid(blocks, Products::warps * lanes, MapMemory<Products>::all,
             [&] { MapBlock<Emulated, Products>(arguments).run(); });
    return 0;
}

template <int width>
using Float32 = MapProducts32Of<Emulated, width>;
template <int width>
using BFloat16 = MapProducts16Of<Emulated, width>;

constexpr MapKernel maps[] = {
    {"map 3xtf32 32", 80, 999, Precision::Float32, 32, Float32<32>::rows, launch_map<Float32<32>>},
    {"map 3xtf32 128", 80, 999, Precision::Float32, 128, Float32<128>::rows, launch_map<Float32<128>>},
    {"map bfloat16 32", 80, 999, Precision::BFloat16, 32, BFloat16<32>::rows, launch_map<BFloat16<32>>},
    {"map bfloat16 128", 80, 999, Precision::BFloat16, 128, BFloat16<128>::rows, launch_map<BFloat16<128>>},
};

} // namespace

ForwardKernels forward_kernels() { return {kernels, std::size(kernels)}; }

MapKernels map_kernels() { return {maps, std::size(maps)}; }

} // namespace attnlab::emulator
