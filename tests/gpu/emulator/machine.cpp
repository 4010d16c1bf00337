#include "tests/gpu/emulator/machine.h"

namespace attnlab::emulator {
namespace {

struct MatrixLoad {
    int at;
    unsigned* r;
};

/// Every group of eight lanes gives the row addresses of one matrix of 16-bit numbers; matrix m belongs to lanes 8 m ..
/// 8 m + 7.
void load_matrices_of(const char* instruction, bool transposed, unsigned (&r)[4], int at) {
    auto& block = Block::current();
    MatrixLoad own{at, r};
    const int warp = block.warp();
    block.together(instruction, &own, [&](void* const* operands) {
        for (int m = 0; m < 4; ++m) {
            std::uint16_t matrix[8][8];
            for (int row = 0; row < 8; ++row) {
                const int from = static_cast<MatrixLoad*>(operands[8 * m + row])->at;
                std::memcpy(matrix[row], block.memory().read(from, 16, warp), 16);
            }
            for (int l = 0; l < lanes; ++l) {
                const int row = l / 4, column = l % 4 * 2;
                const unsigned low = transposed ? matrix[column][row] : matrix[row][column];
                const unsigned high = transposed ? matrix[column + 1][row] : matrix[row][column + 1];
                static_cast<MatrixLoad*>(operands[l])->r[m] = low | high << 16;
            }
        }
    });
}

/// A lane's operands of mma.
struct Multiply {
    float* c;
    const unsigned* a;
    unsigned b[2];
};

/// Tensor cores truncate to float32.
float truncated(double sum) {
    const float nearest = static_cast<float>(sum);
    return std::abs(static_cast<double>(nearest)) > std::abs(sum) ? std::nextafter(nearest, 0.0f) : nearest;
}

/// c += a b for a (16,depth) and b (depth,8) that are already assembled.
template <int depth>
void multiply_matrices(void* const* operands, const float (&a)[16][depth], const float (&b)[depth][8]) {
    for (int l = 0; l < lanes; ++l)
        for (int part = 0; part < 4; ++part) {
            const int row = l / 4 + part / 2 * 8, column = l % 4 * 2 + part % 2;
            float& c = static_cast<Multiply*>(operands[l])->c[part];
            double sum = static_cast<double>(c);
            for (int k = 0; k < depth; ++k)
                sum += static_cast<double>(a[row][k]) * static_cast<double>(b[k][column]);
            c = truncated(sum);
        }
}

} // namespace

void Emulated::load_matrices(unsigned (&r)[4], int at) { load_matrices_of("ldmatrix", false, r, at); }

void Emulated::load_matrices_transposed(unsigned (&r)[4], int at) { load_matrices_of("ldmatrix.trans", true, r, at); }

unsigned Emulated::tf32(float x) {
    const unsigned bits = gpu::bits_of(x);
    return (bits & 0x7fffffffu) >= 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
}

void Emulated::multiply16(float (*number)(std::uint16_t), float (&c)[4], const unsigned (&a)[4], unsigned b0,
                          unsigned b1) {
    Multiply own{c, a, {b0, b1}};
    Block::current().together("mma.m16n8k16", &own, [number](void* const* operands) {
        float left[16][16], right[16][8];
        for (int l = 0; l < lanes; ++l) {
            const auto& lane = *static_cast<Multiply*>(operands[l]);
            const int group = l / 4, t = l % 4;
            for (int half = 0; half < 2; ++half) {
                const auto part = [&](unsigned both) { return number(static_cast<std::uint16_t>(both >> 16 * half)); };
                for (int r = 0; r < 4; ++r)
                    left[group + r % 2 * 8][2 * t + half + r / 2 * 8] = part(lane.a[r]);
                for (int r = 0; r < 2; ++r)
                    right[2 * t + half + r * 8][group] = part(lane.b[r]);
            }
        }
        multiply_matrices<16>(operands, left, right);
    });
}

void Emulated::multiply_tf32(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    Multiply own{c, a, {b0, b1}};
    Block::current().together("mma.m16n8k8.tf32", &own, [](void* const* operands) {
        const auto number = [](unsigned bits) { return gpu::float_of(bits & 0xffffe000u); };
        float left[16][8], right[8][8];
        for (int l = 0; l < lanes; ++l) {
            const auto& lane = *static_cast<Multiply*>(operands[l]);
            const int group = l / 4, t = l % 4;
            for (int r = 0; r < 4; ++r)
                left[group + r % 2 * 8][t + r / 2 * 4] = number(lane.a[r]);
            for (int r = 0; r < 2; ++r)
                right[t + r * 4][group] = number(lane.b[r]);
        }
        multiply_matrices<8>(operands, left, right);
    });
}

} // namespace attnlab::emulator
