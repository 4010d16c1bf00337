// What the backend computes over a device in ordinary memory with emulated kernels, compared with the float64
// reference.
#include "core/stages/scale.h"
#include "gpu/host/device_forward.h"
#include "tests/gpu/backend_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;

namespace {

constexpr Sizes small{2, 4, 2, 37, 75, 9, 5};

/// As in the backend, divided into small pieces.
DeviceResult in_pieces(const AttentionProblem& given, FakeRuntime& runtime, std::size_t budget) {
    const auto problem = resolve(given);
    const auto shape = flash::shape_of(problem, flash::form_of(problem));
    DeviceProblem wanted{.shape = shape, .scale = flash::scales_of(problem, shape).scores};
    wanted.masks = flash::masks_of(problem, shape);
    wanted.source = [&](const char* name, std::int64_t first, std::int64_t rows) {
        return flash::rows_in_float32(problem, name, first, rows);
    };
    PinnedMemory pinned(runtime);
    return forward_on(runtime, emulator::forward_kernels(), wanted, {}, pinned, budget, {.rows = 16, .keys = 32});
}

/// With the least memory that suffices.
std::pair<DeviceResult, std::size_t> in_smallest_pieces(const AttentionProblem& problem, FakeRuntime& runtime) {
    for (std::size_t budget = 10000;; budget += 1000)
        try {
            return {in_pieces(problem, runtime, budget), budget};
        } catch (const OutOfMemory&) { // retry with more
        }
}

} // namespace

class TestCudaBackend : public QObject {
    Q_OBJECT

private slots:
    void equals_the_reference_data() { add_mask_cases(); }
    void equals_the_reference();
    void reads_arrays_that_broadcast();
    void equals_the_reference_in_pieces_data() { add_mask_cases(); }
    void equals_the_reference_in_pieces();
    void far_fills_data();
    void far_fills();
    void odd_values_come_to_the_rows_that_read_them_data() { add_mask_cases(); }
    void odd_values_come_to_the_rows_that_read_them();
    void rows_that_are_nan_in_one_piece_of_the_keys();
    void queries_that_are_no_numbers_go_to_the_cpu();
    void scales_data();
    void scales();
    void sixteen_bits_are_near_data();
    void sixteen_bits_are_near();
    void odd_shapes_data();
    void odd_shapes();
    void refuses_what_it_cannot_data();
    void refuses_what_it_cannot();
};

void TestCudaBackend::equals_the_reference() {
    QFETCH(int, mask);
    auto problem = flash_problem(small.B, small.H, small.Hkv, small.L, small.S, small.E, small.Ev);
    mask_cases[mask].apply(problem, small);
    const auto differs = differences(run_emulated(problem), problem, 4e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::reads_arrays_that_broadcast() {
    for (const char* kind : {"attn_mask", "attn_bias"})
        for (const auto& shape : broadcast_shapes) {
            const auto problem = broadcast_problem(kind, shape);
            const auto differs = differences(run_emulated(problem), with_array_written_out(problem), 4e-6);
            QVERIFY2(differs.isEmpty(), qPrintable(differs + QString::fromStdString(to_string(shape))));
        }
}

void TestCudaBackend::equals_the_reference_in_pieces() {
    QFETCH(int, mask);
    auto problem = flash_problem(small.B, small.H, small.Hkv, small.L, small.S, small.E, small.Ev);
    mask_cases[mask].apply(problem, small);
    const auto expected = run(problem);
    FakeRuntime runtime(plenty_of_memory);
    const auto [result, budget] = in_smallest_pieces(problem, runtime);
    QVERIFY(runtime.launches >= 2 * 2 * 3);
    QVERIFY(runtime.most_used <= budget);
    const auto resolved = resolve(problem);
    const auto shape = flash::shape_of(resolved, flash::form_of(resolved));
    const auto tensor = [](attnlab::Shape sizes_of, const std::vector<float>& values) {
        return Tensor(std::move(sizes_of), std::vector<double>(values.begin(), values.end()));
    };
    const auto differs =
        difference(tensor({shape.B, shape.H, shape.L, shape.Ev}, result.output), stage(expected, "output"), 4e-6) +
        difference(tensor({shape.B, shape.H, shape.L}, result.lse), stage(expected, "lse"), 4e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::far_fills_data() {
    QTest::addColumn<double>("shift");
    for (const double shift : {-65504.0, -0x1.fep127, -3.4028234663852886e38, -0x1p127, -1e300, -1e9, -1e15, -100.0,
                               100.0, 3.4028234663852886e38, 1e300, -infinity})
        QTest::addRow("%g", shift) << shift;
}

/// Rows that are shifted as a whole, and some keys of others; by a fill, by a bias, by both.
void TestCudaBackend::far_fills() {
    QFETCH(double, shift);
    for (const bool by_fill : {true, false})
        for (const bool by_bias : {true, false}) {
            auto problem = flash_problem(1, 2, 1, 21, 70, 9, 5);
            auto blocked = booleans({21, 70}, 0.3, 4);
            auto bias = Tensor({21, 70});
            for (std::int64_t i = 0; i < 21; ++i)
                for (std::int64_t j = 0; j < 70; ++j) {
                    blocked.set({i, j}, i % 4 == 0 ? 1.0 : blocked.at({i, j}));
                    bias.set({i, j}, i % 3 == 0 || j % 5 == 1 ? shift : 0.5);
                }
            if (by_fill) {
                add_mask(problem, "attn_mask");
                problem.tensors["attn_mask"] = blocked;
                problem.spec.mask_fill.value = shift;
            }
            if (by_bias) {
                add_mask(problem, "attn_bias");
                problem.tensors["attn_bias"] = bias;
            }
            const auto differs = differences(run_emulated(problem), problem, 5e-6);
            QVERIFY2(differs.isEmpty(), qPrintable(differs));
        }
}

void TestCudaBackend::odd_values_come_to_the_rows_that_read_them() {
    QFETCH(int, mask);
    auto problem = flash_problem(small.B, small.H, small.Hkv, small.L, small.S, small.E, small.Ev);
    mask_cases[mask].apply(problem, small);
    problem.tensors["value"].set({0, 0, small.S - 1, 1}, not_a_number);
    problem.tensors["value"].set({1, 1, 20, 0}, infinity);
    const auto trace = run_emulated(problem);
    const auto differs = differences(trace, problem, 5e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
    QVERIFY(has_note(trace, "value holds values that are NaN or infinite: 2"));
}

/// The previous pieces may have read nothing.
void TestCudaBackend::rows_that_are_nan_in_one_piece_of_the_keys() {
    auto problem = flash_problem(1, 1, 1, 16, 128, 16, 16);
    add_mask(problem, "attn_bias");
    auto& bias = problem.tensors["attn_bias"] = Tensor({16, 128});
    for (std::int64_t i = 0; i < 16; ++i)
        for (std::int64_t j = 0; j < 96; ++j)
            bias.set({i, j}, -infinity);
    problem.tensors["key"].set({0, 0, 120, 3}, not_a_number);
    FakeRuntime runtime(plenty_of_memory);
    const auto result = in_smallest_pieces(problem, runtime).first;
    QVERIFY(runtime.launches > 1);
    for (std::size_t i = 0; i < 16; ++i) {
        QVERIFY(std::isnan(result.lse[i]));
        QVERIFY(std::isnan(result.output[16 * i]));
    }
}

void TestCudaBackend::queries_that_are_no_numbers_go_to_the_cpu() {
    for (const double number : {infinity, not_a_number}) {
        auto problem = flash_problem(1, 1, 1, 9, 40, 16, 16);
        problem.tensors["key"].set({0, 0, 7, 3}, number);
        FakeRuntime runtime(plenty_of_memory);
        const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
        QVERIFY(backend->why_not(problem).has_value());
        const auto trace = backend->run(problem, {});
        QCOMPARE(runtime.launches, 0);
        QVERIFY(has_note(trace, "instead of cuda: A device takes no query or key that is NaN or infinite"));
        const auto differs = differences(trace, problem, 5e-6);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
}

void TestCudaBackend::scales_data() {
    QTest::addColumn<QString>("scale");
    QTest::addColumn<bool>("after");
    for (const auto* scale : {"none", "dk", "custom:-0.31", "custom:0", "pre_norm:0.1", "long_sequence", "softcap:1.5"})
        QTest::addRow("%s", scale) << scale << false;
    QTest::newRow("dk, after the softmax") << "dk" << true;
}

void TestCudaBackend::scales() {
    QFETCH(QString, scale);
    QFETCH(bool, after);
    auto problem = flash_problem(1, 2, 1, 20, 40, 7, 6);
    problem.spec.scale = parse_scale(scale.toStdString());
    problem.spec.scale_after_softmax = after;
    problem.spec.masks = {{"causal", {}}};
    const auto differs = differences(run_emulated(problem), problem, 6e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::sixteen_bits_are_near_data() {
    QTest::addColumn<int>("precision");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("bfloat16") << static_cast<int>(Precision::BFloat16) << 3e-2;
    QTest::newRow("float16") << static_cast<int>(Precision::Float16) << 4e-3;
}

void TestCudaBackend::sixteen_bits_are_near() {
    QFETCH(int, precision);
    QFETCH(double, tolerance);
    const auto problem = flash_problem(1, 2, 2, 20, 70, 20, 20);
    const auto differs = differences(run_emulated(problem, static_cast<Precision>(precision)), problem, tolerance);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::odd_shapes_data() {
    QTest::addColumn<QList<int>>("s");
    for (const QList<int>& s : {QList<int>{1, 1, 1, 1, 1, 1, 1},
                                {1, 2, 1, 3, 0, 4, 4},
                                {1, 1, 1, 0, 5, 4, 4},
                                {0, 1, 1, 5, 5, 4, 4},
                                {1, 1, 1, 5, 9, 300, 2},
                                {1, 1, 1, 5, 9, 3, 280},
                                {2, 1, 1, 4, 4, 0, 3}})
        QTest::addRow("B%d H%d/%d %dx%d d%d v%d", s[0], s[1], s[2], s[3], s[4], s[5], s[6]) << s;
}

void TestCudaBackend::odd_shapes() {
    QFETCH(QList<int>, s);
    const auto problem = flash_problem(s[0], s[1], s[2], s[3], s[4], s[5], s[6]);
    const auto differs = differences(run_emulated(problem), problem, 8e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::refuses_what_it_cannot_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("why");
    QTest::newRow("variant") << "variant"
                             << "additive";
    QTest::newRow("statistics") << "statistics"
                                << "Attention in tiles keeps no weights";
    QTest::newRow("scale") << "scale"
                           << "Attention in tiles multiplies scores by one number; the scale qk_norm";
    QTest::newRow("numbers") << "numbers"
                             << "Numbers up to 65504 can be stored in this precision; there may be some of 70000";
}

void TestCudaBackend::refuses_what_it_cannot() {
    QFETCH(QString, what);
    QFETCH(QString, why);
    auto problem = flash_problem(1, 1, 1, 2, 2, 2, 2);
    if (what == "variant")
        problem.spec.variant = "additive";
    if (what == "scale")
        problem.spec.scale = parse_scale("qk_norm");
    problem.spec.statistics = what == "statistics";
    if (what == "numbers")
        problem.tensors["value"].set({0, 0, 1, 0}, -70000.0);
    FakeRuntime runtime(plenty_of_memory);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float16);
    const auto refused = backend->why_not(problem);
    QVERIFY(refused.has_value());
    QVERIFY2(QString::fromStdString(refused->english()).contains(why), refused->english().c_str());
}

ATTNLAB_TEST(TestCudaBackend)
#include "test_cuda_backend.moc"
