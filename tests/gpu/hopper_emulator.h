// The functions of gpu/hopper/ptx.cuh and gpu/hopper/wgmma.cuh for a CPU. Included before a kernel's header, it makes
// that header run there; see launch().
#pragma once

#include "tests/gpu/hopper_block.h"

#include <type_traits>

// The keywords of CUDA C++ in a kernel's header.
#define __device__
#define __forceinline__ inline
#define ATTNLAB_UNROLL

namespace attnlab::gpu::hopper {

struct Bfloat16 {};
struct Float16 {};
using TensorMap = TileSource;

using emulated::Block;

namespace emulated {
/// How often count_up() was called, and how often it may be.
inline int counted = 0, most_counted = 0;
} // namespace emulated

inline int thread_index() { return Block::current().thread(); }
inline int block_index() { return Block::current().index; }
inline int grid_size() { return Block::current().grid; }
inline int count_up(int* counter) {
    if (++emulated::counted > emulated::most_counted)
        throw emulated::Fault("work is taken more than " + std::to_string(emulated::most_counted) + " times");
    return (*counter)++;
}
inline std::uint32_t shared_memory() { return atom_bytes; }

inline void sync_block() { Block::current().come_to(0, Block::current().size(), true); }
template <class Number>
void store_shared(std::uint32_t address, Number number) {
    Block::current().store_word(address, std::bit_cast<std::uint32_t>(number));
}
template <class Number>
Number load_shared(std::uint32_t address) {
    return std::bit_cast<Number>(Block::current().load_word(address));
}

inline void sync_named(int id, int threads) { Block::current().come_to(id, threads, true); }
inline void arrive_named(int id, int threads) { Block::current().come_to(id, threads, false); }

template <int registers>
void take_registers() {
    static_assert(registers % 8 == 0 && registers >= 24 && registers <= 256);
}
template <int registers>
void give_registers() {
    static_assert(registers % 8 == 0 && registers >= 24 && registers <= 256);
}

inline void init_barrier(std::uint32_t barrier, int arrivals) { Block::current().init_barrier(barrier, arrivals); }
inline void fence_barrier_init() {}
inline void arrive(std::uint32_t barrier) { Block::current().arrive(barrier, 0); }
inline void arrive_expecting(std::uint32_t barrier, int bytes) { Block::current().arrive(barrier, bytes); }
inline void wait(std::uint32_t barrier, int parity) { Block::current().wait(barrier, parity); }

inline void prefetch(const TensorMap&) {}
inline void copy_box(std::uint32_t panel, const TensorMap& map, std::uint32_t barrier, int column, int row, int head,
                     int batch) {
    Block::current().copy(panel, map, barrier, column, row, head, batch);
}

inline std::uint16_t rounded(float value, bool bfloat16) { return bfloat16 ? to_bfloat16(value) : to_float16(value); }
template <class Number>
std::uint32_t packed(float first, float second) {
    constexpr bool bfloat16 = std::is_same_v<Number, Bfloat16>;
    return rounded(first, bfloat16) | static_cast<std::uint32_t>(rounded(second, bfloat16)) << 16;
}

inline float first_bfloat16(std::uint32_t pair) { return std::bit_cast<float>(pair << 16); }
inline float second_bfloat16(std::uint32_t pair) { return std::bit_cast<float>(pair & 0xFFFF0000u); }

inline float exp2_fast(float x) { return std::exp2(x); }
inline float log2_of(float x) { return std::log2(x); }
inline float tanh_of(float x) { return std::tanh(x); }
inline float multiply_add(float a, float b, float c) { return std::fma(a, b, c); }
inline float larger(float a, float b) { return std::fmax(a, b); }

inline int of_first_lane(int value) {
    return static_cast<int>(Block::current().exchanged(static_cast<std::uint32_t>(value), 0));
}
inline std::uint32_t from_lane_xor(std::uint32_t value, int mask) {
    return Block::current().exchanged(value, thread_index() % 32 ^ mask);
}
inline float from_lane_xor(float value, int mask) {
    return std::bit_cast<float>(from_lane_xor(std::bit_cast<std::uint32_t>(value), mask));
}

inline void fence_products() { Block::current().fence(); }
inline void commit_products() { Block::current().commit(); }
template <int pending>
void wait_products() {
    Block::current().wait_products(pending);
}
inline void finish_before_wait(float, std::uint32_t) {}
template <class Register, int count>
void hold(Register (&)[count]) {}

template <class Number, bool b_is_mn_major, int count>
void multiply(float (&d)[count], std::uint64_t a, std::uint64_t b, bool adds) {
    const emulated::Product product{.bfloat16 = std::is_same_v<Number, Bfloat16>,
                                    .b_is_mn_major = b_is_mn_major,
                                    .adds = adds,
                                    .n = count * 2,
                                    .a = a,
                                    .b = b};
    Block::current().multiply(product, d, nullptr);
}
template <class Number, bool b_is_mn_major, int count>
void multiply(float (&d)[count], const std::uint32_t (&a)[4], std::uint64_t b, bool adds) {
    const emulated::Product product{.bfloat16 = std::is_same_v<Number, Bfloat16>,
                                    .a_in_registers = true,
                                    .b_is_mn_major = b_is_mn_major,
                                    .adds = adds,
                                    .n = count * 2,
                                    .b = b};
    Block::current().multiply(product, d, a);
}

namespace emulated {

/// Runs `kernel` by all threads of all blocks, which go on in turn. Returns the number of bytes copied by the copy
/// engine.
inline std::int64_t launch(int blocks, int threads, Delay delay, unsigned seed, const std::function<void()>& kernel) {
    std::vector<std::unique_ptr<Block>> running;
    for (int index = 0; index < blocks; ++index) {
        running.push_back(std::make_unique<Block>(threads, index, blocks, delay, seed + static_cast<unsigned>(index)));
        running.back()->begin(kernel);
    }
    std::int64_t bytes = 0;
    while (!running.empty())
        for (auto block = running.begin(); block != running.end();) {
            if ((*block)->go_on()) {
                ++block;
            } else {
                bytes += (*block)->copied_bytes;
                block = running.erase(block);
            }
        }
    return bytes;
}

} // namespace emulated
} // namespace attnlab::gpu::hopper
