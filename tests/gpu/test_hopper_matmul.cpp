// The small product that verifies descriptors, swizzle and fragments, by the kernel's own source on the CPU.
#include "tests/gpu/hopper_emulator.h"

#include "gpu/hopper/matmul_kernel.cuh"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab::gpu::hopper;
using emulated::Delay;

namespace {

TileSource matrix(const std::vector<std::uint16_t>& numbers, bool bfloat16, int rows, int columns) {
    TileSource source;
    source.numbers = numbers.data();
    source.bfloat16 = bfloat16;
    source.columns = source.row_stride = columns;
    source.rows = source.box_rows = rows;
    source.heads = source.batches = 1;
    return source;
}

template <class Number, int n, bool b_is_mn_major, bool a_in_registers>
double largest_error(Delay delay) {
    constexpr bool bfloat16 = std::is_same_v<Number, Bfloat16>;
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<std::uint16_t> a(matmul_rows * matmul_depth), b(matmul_depth * n);
    for (auto* numbers : {&a, &b})
        for (auto& bits : *numbers)
            bits = rounded(normal(random), bfloat16);
    std::vector<float> c(static_cast<std::size_t>(matmul_rows) * n, std::nanf(""));
    constexpr int b_rows = matmul_b_rows<n, b_is_mn_major>();
    const MatmulParameters parameters{matrix(a, bfloat16, matmul_rows, matmul_depth),
                                      matrix(b, bfloat16, b_rows, b_is_mn_major ? n : matmul_depth), a.data(),
                                      c.data()};
    emulated::launch(1, warpgroup_threads, delay, 1,
                     [&] { matmul_block<Number, n, b_is_mn_major, a_in_registers>(parameters); });
    double largest = 0.0;
    for (int i = 0; i < matmul_rows; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < matmul_depth; ++k)
                sum +=
                    static_cast<double>(emulated::number(a[static_cast<std::size_t>(i * matmul_depth + k)], bfloat16)) *
                    emulated::number(b[static_cast<std::size_t>(b_is_mn_major ? k * n + j : j * matmul_depth + k)],
                                     bfloat16);
            const double error = std::fabs(c[static_cast<std::size_t>(i * n + j)] - sum);
            largest = error <= largest ? largest : error <= HUGE_VAL ? error : HUGE_VAL;
        }
    return largest;
}

template <class Number, int n>
void check_forms() {
    for (const auto delay : {Delay::None, Delay::Longest, Delay::Random}) {
        QVERIFY((largest_error<Number, n, false, false>(delay) < 1e-4));
        QVERIFY((largest_error<Number, n, false, true>(delay) < 1e-4));
        QVERIFY((largest_error<Number, n, true, false>(delay) < 1e-4));
        QVERIFY((largest_error<Number, n, true, true>(delay) < 1e-4));
    }
}

} // namespace

class TestHopperMatmul : public QObject {
    Q_OBJECT

private slots:
    void bfloat16_64() { check_forms<Bfloat16, 64>(); }
    void bfloat16_128() { check_forms<Bfloat16, 128>(); }
    void bfloat16_256() { check_forms<Bfloat16, 256>(); }
    void float16_64() { check_forms<Float16, 64>(); }
    void float16_256() { check_forms<Float16, 256>(); }

    void a_deadlock_is_found() {
        const auto kernel = [] {
            if (thread_index() == 0)
                init_barrier(1024, 2);
            sync_block();
            if (thread_index() == 0)
                arrive(1024);
            wait(1024, 0);
        };
        for (const auto delay : {Delay::None, Delay::Longest, Delay::Random})
            QVERIFY_THROWS_EXCEPTION(emulated::Fault, emulated::launch(1, 128, delay, 1, kernel));
    }
};

ATTNLAB_TEST(TestHopperMatmul)
#include "test_hopper_matmul.moc"
