// The backend over a device in ordinary memory with emulated kernels, compared with the float64 reference.
#include "broadcast_support.h"
#include "core/flash/cpu_backend.h"
#include "core/stages/scale.h"
#include "gpu/hopper/forward_plan.h"
#include "gpu/host/backend.h"
#include "gpu/host/device_forward.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;

namespace {

constexpr std::size_t plenty = std::size_t{1} << 28;

bool has_note(const Trace& trace, const char* part) {
    return std::any_of(trace.notes.begin(), trace.notes.end(),
                       [&](const Note& note) { return note.message.english().find(part) != std::string::npos; });
}

Trace run_emulated(const AttentionProblem& problem, Precision precision = Precision::Float32,
                   const RunControl& control = {}) {
    FakeRuntime runtime(plenty);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), precision);
    if (const auto why = backend->why_not(problem))
        throw Error(*why);
    auto trace = backend->run(problem, control);
    if (runtime.used != 0)
        throw std::logic_error("memory of the device is left behind");
    if (has_note(trace, "instead of cuda"))
        throw std::logic_error("the cpu backend computed it");
    return trace;
}

QString differences(const Trace& got, const AttentionProblem& problem, double tolerance) {
    const auto expected = run(problem);
    const auto output = difference(stage(got, "output"), stage(expected, "output"), tolerance);
    return output + difference(stage(got, "lse"), stage(expected, "lse"), tolerance);
}

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
    void equals_the_reference_data();
    void equals_the_reference();
    void reads_arrays_that_broadcast();
    void equals_the_reference_in_pieces_data() { equals_the_reference_data(); }
    void equals_the_reference_in_pieces();
    void far_fills_data();
    void far_fills();
    void odd_values_come_to_the_rows_that_read_them_data() { equals_the_reference_data(); }
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
    void too_little_memory_goes_to_the_cpu();
    void memory_that_others_took_makes_smaller_pieces();
    void any_failure_goes_to_the_cpu_data();
    void any_failure_goes_to_the_cpu();
    void a_failure_that_no_cpu_can_mend_comes_out();
    void pinned_memory_serves_the_next_run();
    void scratch_memory_is_part_of_the_plan();
    void lengths_and_padding_take_the_fast_path_data();
    void lengths_and_padding_take_the_fast_path();
    void no_launch_takes_long_data();
    void no_launch_takes_long();
    void parts_of_a_launch_equal_the_whole_data() { equals_the_reference_data(); }
    void parts_of_a_launch_equal_the_whole();
    void inputs_larger_than_pinned_memory_go_in_parts();
    void cancels_between_launches();
    void cancels_between_pieces();
    void cancels_wherever_it_is_asked();
    void reports_progress();
};

void TestCudaBackend::equals_the_reference_data() {
    QTest::addColumn<int>("mask");
    for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
        QTest::addRow("%s", mask_cases[m].name) << m;
}

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
    FakeRuntime runtime(plenty);
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
    FakeRuntime runtime(plenty);
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
        FakeRuntime runtime(plenty);
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
    FakeRuntime runtime(plenty);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float16);
    const auto refused = backend->why_not(problem);
    QVERIFY(refused.has_value());
    QVERIFY2(QString::fromStdString(refused->english()).contains(why), refused->english().c_str());
}

void TestCudaBackend::too_little_memory_goes_to_the_cpu() {
    auto problem = flash_problem(1, 1, 1, 300, 200, 16, 16);
    FakeRuntime runtime(10000);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    const auto trace = backend->run(problem, {});
    QCOMPARE(runtime.launches, 0);
    QVERIFY(has_note(trace, "The cpu backend computed this instead of cuda: The device Fake has 0 MB free"));
    QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
    problem.spec.scale = parse_scale("softcap:1"); // unsupported by the cpu backend
    QVERIFY_EXCEPTION_THROWN(backend->run(problem, {}), OutOfMemory);
}

void TestCudaBackend::memory_that_others_took_makes_smaller_pieces() {
    const auto problem = flash_problem(1, 8, 8, 64, 64, 16, 16);
    FakeRuntime runtime(100000);
    runtime.pretended = std::size_t{1} << 30;
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    const auto trace = backend->run(problem, {});
    QVERIFY(runtime.launches > 1);
    QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
}

void TestCudaBackend::any_failure_goes_to_the_cpu_data() {
    QTest::addColumn<bool>("for_room");
    QTest::addColumn<bool>("stays_broken");
    QTest::newRow("one call") << false << false;
    QTest::newRow("every call from then on") << false << true;
    QTest::newRow("no room, once") << true << false;
    QTest::newRow("no room from then on") << true << true;
}

/// For any failing call: several pieces on both streams.
void TestCudaBackend::any_failure_goes_to_the_cpu() {
    QFETCH(bool, for_room);
    QFETCH(bool, stays_broken);
    const auto problem = flash_problem(2, 8, 8, 96, 16, 12, 12);
    const auto expected = run(problem);
    const auto run_failing = [&](int call) {
        FakeRuntime runtime(plenty);
        runtime.failing_call = call;
        runtime.fails_for_room = for_room;
        runtime.stays_broken = stays_broken;
        {
            const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
            const auto trace = backend->run(problem, {});
            if (difference(stage(trace, "output"), stage(expected, "output"), 4e-6) != QString() ||
                difference(stage(trace, "lse"), stage(expected, "lse"), 4e-6) != QString())
                throw std::logic_error("wrong numbers");
            // Work that does not fit may fit in smaller pieces. The final wait for an idle stream may fail unnoticed.
            const bool noted = has_note(trace, "The cpu backend computed this instead of cuda: ");
            const bool named = has_note(trace, runtime.failed.c_str()) || for_room;
            if (!noted && !(runtime.failed.empty() || runtime.failed == "cudaStreamSynchronize" || for_room))
                throw std::logic_error("no note after " + runtime.failed);
            if (noted && !named)
                throw std::logic_error("the note does not say what failed");
            if (noted && trace.notes.size() != 1)
                throw std::logic_error("several notes");
        }
        if (runtime.used != 0 || runtime.pinned != 0)
            throw std::logic_error("memory is left behind");
        return runtime.calls;
    };
    const int calls = run_failing(0);
    QVERIFY(calls > 20);
    for (int call = 1; call <= calls; ++call)
        try {
            run_failing(call);
        } catch (const std::exception& error) {
            QFAIL(qPrintable(QStringLiteral("call %1: %2").arg(call).arg(QString::fromUtf8(error.what()))));
        }
}

void TestCudaBackend::a_failure_that_no_cpu_can_mend_comes_out() {
    auto problem = flash_problem(1, 1, 1, 30, 20, 16, 16);
    problem.spec.scale = parse_scale("softcap:1"); // unsupported by the cpu backend
    FakeRuntime runtime(plenty);
    runtime.failing_call = 4;
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    QVERIFY_EXCEPTION_THROWN(backend->run(problem, {}), Error);
    QVERIFY(!runtime.failed.empty());
    QCOMPARE(runtime.used, std::size_t{0});
}

void TestCudaBackend::pinned_memory_serves_the_next_run() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    FakeRuntime runtime(plenty);
    {
        const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
        const auto first = backend->run(problem, {});
        QCOMPARE(runtime.pinned_so_far, 4); // inputs and outputs of two pieces
        const auto second = backend->run(problem, {});
        QCOMPARE(runtime.pinned_so_far, 4);
        QCOMPARE(difference(stage(first, "output"), stage(second, "output"), 0.0), QString());
        backend->run(flash_problem(1, 2, 2, 1200, 32, 16, 16), {});
        QVERIFY(runtime.pinned_so_far > 4);
        QCOMPARE(runtime.used, std::size_t{0});
    }
    QCOMPARE(runtime.pinned, 0);
}

/// A kernel that fills its scratch memory first.
void TestCudaBackend::scratch_memory_is_part_of_the_plan() {
    static const ForwardKernel* plain = nullptr;
    for (const auto& kernel : emulator::forward_kernels())
        if (std::string_view(kernel.name) == "float32 16")
            plain = &kernel;
    ForwardKernel hungry = *plain;
    hungry.scratch_bytes_of_a_number = 6;
    hungry.launch = [](const ForwardArguments& a, const Device& device, void* stream) {
        const auto numbers = a.B * (a.H * a.L * a.E + a.Hkv * a.S * (a.E + a.Ev));
        std::memset(a.scratch, 0x55, static_cast<std::size_t>(6 * numbers));
        return plain->launch(a, device, stream);
    };
    const auto problem = flash_problem(1, 4, 2, 70, 90, 16, 16);
    for (const std::size_t memory : {plenty, std::size_t{150000}}) {
        FakeRuntime runtime(memory);
        const auto backend = backend_on(runtime, {&hungry, 1}, Precision::Float32);
        const auto trace = backend->run(problem, {});
        QVERIFY(trace.notes.empty());
        QVERIFY(memory == plenty || runtime.launches > 1);
        QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
    }
}

void TestCudaBackend::lengths_and_padding_take_the_fast_path_data() {
    QTest::addColumn<QString>("masks");
    QTest::addColumn<bool>("at_the_end");
    QTest::addColumn<bool>("is_fast");
    QTest::newRow("lengths of batches") << "valid_lens" << true << true;
    QTest::newRow("padding at the end") << "key_padding" << true << true;
    QTest::newRow("padding between") << "key_padding" << false << false;
    QTest::newRow("lengths and padding, causal") << "valid_lens,key_padding,causal" << true << true;
}

/// The Hopper kernels process cell by cell what needs_cells() says.
void TestCudaBackend::lengths_and_padding_take_the_fast_path() {
    QFETCH(QString, masks);
    QFETCH(bool, at_the_end);
    QFETCH(bool, is_fast);
    auto problem = flash_problem(3, 2, 2, 70, 90, 16, 16);
    for (const auto& mask : masks.split(','))
        problem.spec.masks.push_back({mask.toStdString(), {}});
    if (masks.contains("valid_lens"))
        problem.tensors["valid_lens"] = Tensor({3}, {90.0, 11.0, 0.0});
    if (masks.contains("key_padding")) {
        auto& padding = problem.tensors["key_padding_mask"] = Tensor({3, 90});
        for (std::int64_t b = 0; b < 3; ++b)
            for (std::int64_t j = 0; j < 90; ++j)
                padding.set({b, j}, at_the_end ? j >= 60 + 15 * b : j % 7 == b);
    }
    static const ForwardKernel* plain = nullptr;
    static bool needs_cells = false;
    for (const auto& kernel : emulator::forward_kernels())
        if (std::string_view(kernel.name) == "float32 16")
            plain = &kernel;
    ForwardKernel watching = *plain;
    watching.launch = [](const ForwardArguments& a, const Device& device, void* stream) {
        needs_cells = hopper::needs_cells(a);
        return plain->launch(a, device, stream);
    };
    FakeRuntime runtime(plenty);
    const auto backend = backend_on(runtime, {&watching, 1}, Precision::Float32);
    const auto differs = differences(backend->run(problem, {}), problem, 4e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
    QCOMPARE(needs_cells, !is_fast);
}

void TestCudaBackend::no_launch_takes_long_data() {
    QTest::addColumn<double>("speed"); // of the device, relative to what the table of kernels says
    for (const double speed : {1.0 / 16, 1.0 / 4, 1.0, 4.0})
        QTest::addRow("%g of what the table says", speed) << speed;
}

void TestCudaBackend::no_launch_takes_long() {
    QFETCH(double, speed);
    static const ForwardKernel* plain = nullptr;
    for (const auto& kernel : emulator::forward_kernels())
        if (std::string_view(kernel.name) == "float32 16")
            plain = &kernel;
    ForwardKernel slow = *plain;
    slow.speed = 0.05;
    FakeRuntime runtime(plenty);
    runtime.operations_of_a_second = slow.speed * 1e12 / 132.0 * speed;
    const auto problem = flash_problem(2, 4, 2, 512, 300, 16, 16);
    const auto backend = backend_on(runtime, {&slow, 1}, Precision::Float32);
    const auto trace = backend->run(problem, {});
    QVERIFY(trace.notes.empty());
    QVERIFY(runtime.clock > 0.15 / speed);
    QVERIFY2(runtime.longest_launch <= 0.2, qPrintable(QString::number(runtime.longest_launch)));
    // Nor are there more launches than that takes.
    const int enough = static_cast<int>(runtime.clock / 0.1);
    QVERIFY2(runtime.launches <= 3 * enough + 24, qPrintable(QString::number(runtime.launches)));
    const auto differs = differences(trace, problem, 4e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
}

void TestCudaBackend::parts_of_a_launch_equal_the_whole() {
    QFETCH(int, mask);
    constexpr Sizes sizes{2, 4, 2, 150, 75, 9, 5};
    auto problem = flash_problem(sizes.B, sizes.H, sizes.Hkv, sizes.L, sizes.S, sizes.E, sizes.Ev);
    mask_cases[mask].apply(problem, sizes);
    // From a few rows to several batches of a launch.
    for (const double operations_of_a_second : {1e5, 4e6, 2e7}) {
        FakeRuntime runtime(plenty);
        runtime.operations_of_a_second = operations_of_a_second;
        auto kernels =
            std::vector<ForwardKernel>(emulator::forward_kernels().begin(), emulator::forward_kernels().end());
        for (auto& kernel : kernels)
            kernel.speed = operations_of_a_second * 132e-12;
        const auto backend =
            backend_on(runtime, {kernels.data(), static_cast<int>(kernels.size())}, Precision::Float32);
        const auto trace = backend->run(problem, {});
        QVERIFY(runtime.launches > 1);
        const auto differs = differences(trace, problem, 4e-6);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
}

void TestCudaBackend::inputs_larger_than_pinned_memory_go_in_parts() {
    // 2 x 3000 keys of 300 numbers are more than an eighth of the memory.
    const auto problem = flash_problem(2, 1, 1, 40, 3000, 300, 300);
    for (const auto precision : {Precision::Float32, Precision::BFloat16}) {
        FakeRuntime runtime(std::size_t{24} << 20);
        const auto backend = backend_on(runtime, emulator::forward_kernels(), precision);
        const auto trace = backend->run(problem, {});
        QVERIFY(trace.notes.empty());
        QVERIFY(runtime.most_pinned_bytes < std::size_t{3} << 20);
        const auto differs = differences(trace, problem, precision == Precision::Float32 ? 4e-6 : 0.02);
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
}

/// Cancel waits for one launch at most.
void TestCudaBackend::cancels_between_launches() {
    const auto problem = flash_problem(1, 1, 1, 2000, 300, 16, 16);
    FakeRuntime runtime(plenty);
    runtime.operations_of_a_second = 1e6;
    auto kernels = std::vector<ForwardKernel>(emulator::forward_kernels().begin(), emulator::forward_kernels().end());
    for (auto& kernel : kernels)
        kernel.speed = 1e-4;
    const auto backend = backend_on(runtime, {kernels.data(), static_cast<int>(kernels.size())}, Precision::Float32);
    RunControl control;
    control.cancelled = [&] { return runtime.launches >= 3; };
    QVERIFY_EXCEPTION_THROWN(backend->run(problem, control), Cancelled);
    QCOMPARE(runtime.launches, 3);
    QCOMPARE(runtime.used, std::size_t{0});
}

void TestCudaBackend::cancels_wherever_it_is_asked() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    const auto run_cancelled = [&](int at) {
        FakeRuntime runtime(plenty);
        int asked = 0;
        RunControl control;
        control.cancelled = [&] { return ++asked == at; };
        const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
        bool cancelled = false;
        try {
            backend->run(problem, control);
        } catch (const Cancelled&) {
            cancelled = true;
        }
        if (cancelled != (at != 0) || runtime.used != 0)
            throw std::logic_error("not cancelled, or memory is left behind");
        return asked;
    };
    const int asked = run_cancelled(0);
    for (int at = 1; at <= asked; ++at)
        run_cancelled(at);
}

void TestCudaBackend::cancels_between_pieces() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    FakeRuntime runtime(plenty);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    RunControl control;
    control.cancelled = [&] { return runtime.launches >= 1; };
    QVERIFY_EXCEPTION_THROWN(backend->run(problem, control), Cancelled);
    QCOMPARE(runtime.launches, 1);
    QCOMPARE(runtime.used, std::size_t{0});
}

void TestCudaBackend::reports_progress() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    std::vector<double> reported;
    RunControl control;
    control.progress = [&](double fraction) { reported.push_back(fraction); };
    run_emulated(problem, Precision::Float32, control);
    QVERIFY(reported.size() > 2);
    QVERIFY(std::is_sorted(reported.begin(), reported.end()));
    QCOMPARE(reported.back(), 1.0);
}

ATTNLAB_TEST(TestCudaBackend)
#include "test_cuda_backend.moc"
