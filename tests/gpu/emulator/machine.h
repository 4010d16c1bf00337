// The Machine of the tests: implements the instructions of gpu/portable/ptx.h as described in the PTX ISA.
#pragma once

#include "gpu/forward_kernels.h"
#include "gpu/numbers.h"
#include "tests/gpu/emulator/block.h"

#include <cmath>
#include <cstring>

namespace attnlab::emulator {

struct Emulated {
    static int thread() { return Block::current().thread(); }
    static int block() { return Block::current().number(); }
    static void sync_block() { Block::current().sync_block(); }
    static void sync_warp() {
        Block::current().together("syncwarp", nullptr, [](void* const*) {});
    }

    template <class T>
    static T shuffle_xor(T value, int across) {
        struct Operand {
            T value;
            int across;
            T result;
        } own{value, across, {}};
        Block::current().together("shfl.bfly", &own, [](void* const* operands) {
            for (int l = 0; l < lanes; ++l) {
                auto& operand = *static_cast<Operand*>(operands[l]);
                operand.result = static_cast<Operand*>(operands[l ^ operand.across])->value;
            }
        });
        return own.result;
    }
    template <class T>
    static T shuffle(T value, int lane) {
        struct Operand {
            T value;
            int lane;
            T result;
        } own{value, lane, {}};
        Block::current().together("shfl.idx", &own, [](void* const* operands) {
            for (int l = 0; l < lanes; ++l) {
                auto& operand = *static_cast<Operand*>(operands[l]);
                operand.result = static_cast<Operand*>(operands[operand.lane])->value;
            }
        });
        return own.result;
    }

    static float exp2(float x) { return std::exp2(x); }
    static float log2(float x) { return std::log2(x); }
    static float tanh(float x) { return std::tanh(x); }

    template <class T>
    static T load(int at) {
        auto& block = Block::current();
        T value;
        std::memcpy(&value, block.memory().read(at, sizeof(T), block.warp()), sizeof(T));
        return value;
    }
    template <class T>
    static void store(int at, T value) {
        auto& block = Block::current();
        std::memcpy(block.memory().write(at, sizeof(T), block.warp()), &value, sizeof(T));
    }

    template <gpu::Precision precision>
    static float number(const void* from, std::int64_t at) {
        if constexpr (precision == gpu::Precision::Float32)
            return static_cast<const float*>(from)[at];
        else if constexpr (precision == gpu::Precision::BFloat16)
            return gpu::from_bfloat16(static_cast<const std::uint16_t*>(from)[at]);
        else
            return gpu::from_float16(static_cast<const std::uint16_t*>(from)[at]);
    }
    static float read(const float* from, bool valid) { return valid ? *from : 0.0f; }
    static void copy16(int at, const void* from, bool valid) { Block::current().begin_copy(at, from, valid); }
    static void commit() { Block::current().commit_copies(); }
    template <int groups>
    static void wait() {
        Block::current().wait_for_copies(groups);
    }

    static void load_matrices(unsigned (&r)[4], int at);
    static void load_matrices_transposed(unsigned (&r)[4], int at);

    template <gpu::Precision precision>
    static unsigned pack(float low, float high) {
        const auto bits = [](float x) {
            return precision == gpu::Precision::BFloat16 ? gpu::to_bfloat16(x) : gpu::to_float16(x);
        };
        return static_cast<unsigned>(bits(low)) | static_cast<unsigned>(bits(high)) << 16;
    }
    static unsigned tf32(float x);

    template <gpu::Precision precision>
    static void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
        multiply16(precision == gpu::Precision::BFloat16 ? gpu::from_bfloat16 : gpu::from_float16, c, a, b0, b1);
    }
    static void multiply_tf32(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1);

private:
    static void multiply16(float (*number)(std::uint16_t), float (&c)[4], const unsigned (&a)[4], unsigned b0,
                           unsigned b1);
};

} // namespace attnlab::emulator
