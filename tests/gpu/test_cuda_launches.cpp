// How the backend uses a device: memory, copies, the length of launches, cancelling and progress.
#include "gpu/hopper/forward_plan.h"
#include "gpu/host/pinned.h"
#include "tests/gpu/backend_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::gpu;

namespace {

/// Gives an address for pinned memory of any size; these tests read and write none of it.
class AddressesOnly : public FakeRuntime {
public:
    AddressesOnly() : FakeRuntime(0) {}
    void* allocate_pinned(std::size_t) override {
        ++pinned;
        return &byte_;
    }
    void release_pinned(void*) noexcept override { --pinned; }

private:
    unsigned char byte_ = 0;
};

} // namespace

class TestCudaLaunches : public QObject {
    Q_OBJECT

private slots:
    void rows_are_converted_on_the_device_data();
    void rows_are_converted_on_the_device();
    void pinned_memory_serves_the_next_run();
    void little_pinned_memory_is_kept();
    void scratch_memory_is_part_of_the_plan();
    void lengths_and_padding_take_the_fast_path_data();
    void lengths_and_padding_take_the_fast_path();
    void no_launch_takes_long_data();
    void no_launch_takes_long();
    void parts_of_a_launch_equal_the_whole_data() { add_mask_cases(); }
    void parts_of_a_launch_equal_the_whole();
    void inputs_larger_than_pinned_memory_go_in_parts();
    void cancels_between_launches();
    void cancels_between_pieces();
    void cancels_wherever_it_is_asked();
    void reports_progress();
};

void TestCudaLaunches::rows_are_converted_on_the_device_data() {
    QTest::addColumn<int>("precision");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("conversions"); // of queries, keys and values
    QTest::newRow("float32 as it is") << static_cast<int>(Precision::Float32) << 16 << 0;
    QTest::newRow("float32, padded") << static_cast<int>(Precision::Float32) << 12 << 3;
    QTest::newRow("bfloat16") << static_cast<int>(Precision::BFloat16) << 16 << 3;
    QTest::newRow("bfloat16, padded") << static_cast<int>(Precision::BFloat16) << 15 << 3;
    QTest::newRow("float16") << static_cast<int>(Precision::Float16) << 16 << 3;
}

/// What is copied to it is float32 without padding, in every precision.
void TestCudaLaunches::rows_are_converted_on_the_device() {
    QFETCH(int, precision);
    QFETCH(int, width);
    QFETCH(int, conversions);
    const auto problem = flash_problem(1, 2, 2, 20, 30, width, width);
    FakeRuntime runtime(plenty_of_memory);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), static_cast<Precision>(precision));
    QVERIFY(backend->run(problem, {}).notes.empty());
    QCOMPARE(runtime.conversions, conversions);
    QCOMPARE(runtime.bytes_to_device, sizeof(float) * static_cast<std::size_t>(width) * 2 * (20 + 30 + 30));
}

void TestCudaLaunches::pinned_memory_serves_the_next_run() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    FakeRuntime runtime(plenty_of_memory);
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

void TestCudaLaunches::little_pinned_memory_is_kept() {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    AddressesOnly runtime;
    {
        PinnedMemory memory(runtime);
        std::vector<Buffer> buffers;
        for (int k = 0; k < 5; ++k)
            buffers.push_back(memory.take(300 * megabyte));
        QCOMPARE(runtime.pinned, 5);
        for (auto& buffer : buffers)
            memory.give_back(std::move(buffer));
        QCOMPARE(runtime.pinned, 3); // 900 MB
        memory.give_back(memory.take(2000 * megabyte));
        QCOMPARE(runtime.pinned, 3);
        const auto reused = memory.take(200 * megabyte);
        QCOMPARE(runtime.pinned, 3);
        QCOMPARE(reused.bytes(), 300 * megabyte);
    }
    QCOMPARE(runtime.pinned, 0);
}

/// A kernel that fills its scratch memory first.
void TestCudaLaunches::scratch_memory_is_part_of_the_plan() {
    static const auto plain = emulated_kernel("float32 16");
    auto hungry = plain;
    hungry.scratch_bytes_of_a_number = 6;
    hungry.launch = [](const ForwardArguments& a, const Device& device, void* stream) {
        const auto numbers = a.B * (a.H * a.L * a.E + a.Hkv * a.S * (a.E + a.Ev));
        std::memset(a.scratch, 0x55, static_cast<std::size_t>(6 * numbers));
        return plain.launch(a, device, stream);
    };
    const auto problem = flash_problem(1, 4, 2, 70, 90, 16, 16);
    for (const std::size_t memory : {plenty_of_memory, std::size_t{150000}}) {
        FakeRuntime runtime(memory);
        const auto backend = backend_on(runtime, {&hungry, 1}, Precision::Float32);
        const auto trace = backend->run(problem, {});
        QVERIFY(trace.notes.empty());
        QVERIFY(memory == plenty_of_memory || runtime.launches > 1);
        QCOMPARE(difference(stage(trace, "output"), stage(run(problem), "output"), 4e-6), QString());
    }
}

void TestCudaLaunches::lengths_and_padding_take_the_fast_path_data() {
    QTest::addColumn<QString>("masks");
    QTest::addColumn<bool>("at_the_end");
    QTest::addColumn<bool>("is_fast");
    QTest::newRow("lengths of batches") << "valid_lens" << true << true;
    QTest::newRow("padding at the end") << "key_padding" << true << true;
    QTest::newRow("padding between") << "key_padding" << false << false;
    QTest::newRow("lengths and padding, causal") << "valid_lens,key_padding,causal" << true << true;
}

/// The Hopper kernels process cell by cell what needs_cells() says.
void TestCudaLaunches::lengths_and_padding_take_the_fast_path() {
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
    static const auto plain = emulated_kernel("float32 16");
    static bool needs_cells = false;
    auto watching = plain;
    watching.launch = [](const ForwardArguments& a, const Device& device, void* stream) {
        needs_cells = hopper::needs_cells(a);
        return plain.launch(a, device, stream);
    };
    FakeRuntime runtime(plenty_of_memory);
    const auto backend = backend_on(runtime, {&watching, 1}, Precision::Float32);
    const auto differs = differences(backend->run(problem, {}), problem, 4e-6);
    QVERIFY2(differs.isEmpty(), qPrintable(differs));
    QCOMPARE(needs_cells, !is_fast);
}

void TestCudaLaunches::no_launch_takes_long_data() {
    QTest::addColumn<double>("speed"); // of the device, relative to what the table of kernels says
    for (const double speed : {1.0 / 16, 1.0 / 4, 1.0, 4.0})
        QTest::addRow("%g of what the table says", speed) << speed;
}

void TestCudaLaunches::no_launch_takes_long() {
    QFETCH(double, speed);
    auto slow = emulated_kernel("float32 16");
    slow.speed = 0.05;
    FakeRuntime runtime(plenty_of_memory);
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

void TestCudaLaunches::parts_of_a_launch_equal_the_whole() {
    QFETCH(int, mask);
    constexpr Sizes sizes{2, 4, 2, 150, 75, 9, 5};
    auto problem = flash_problem(sizes.B, sizes.H, sizes.Hkv, sizes.L, sizes.S, sizes.E, sizes.Ev);
    mask_cases[mask].apply(problem, sizes);
    // From a few rows to several batches of a launch.
    for (const double operations_of_a_second : {1e5, 4e6, 2e7}) {
        FakeRuntime runtime(plenty_of_memory);
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

void TestCudaLaunches::inputs_larger_than_pinned_memory_go_in_parts() {
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
void TestCudaLaunches::cancels_between_launches() {
    const auto problem = flash_problem(1, 1, 1, 2000, 300, 16, 16);
    FakeRuntime runtime(plenty_of_memory);
    runtime.operations_of_a_second = 1e6;
    auto kernels = std::vector<ForwardKernel>(emulator::forward_kernels().begin(), emulator::forward_kernels().end());
    for (auto& kernel : kernels)
        kernel.speed = 1e-4;
    const auto backend = backend_on(runtime, {kernels.data(), static_cast<int>(kernels.size())}, Precision::Float32);
    RunControl control;
    control.cancelled = [&] { return runtime.launches >= 3; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, backend->run(problem, control));
    QCOMPARE(runtime.launches, 3);
    QCOMPARE(runtime.used, std::size_t{0});
}

void TestCudaLaunches::cancels_wherever_it_is_asked() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    const auto run_cancelled = [&](int at) {
        FakeRuntime runtime(plenty_of_memory);
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

void TestCudaLaunches::cancels_between_pieces() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    FakeRuntime runtime(plenty_of_memory);
    const auto backend = backend_on(runtime, emulator::forward_kernels(), Precision::Float32);
    RunControl control;
    control.cancelled = [&] { return runtime.launches >= 1; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, backend->run(problem, control));
    QCOMPARE(runtime.launches, 1);
    QCOMPARE(runtime.used, std::size_t{0});
}

void TestCudaLaunches::reports_progress() {
    const auto problem = flash_problem(1, 8, 8, 128, 16, 16, 16);
    std::vector<double> reported;
    RunControl control;
    control.progress = [&](double fraction) { reported.push_back(fraction); };
    run_emulated(problem, Precision::Float32, control);
    QVERIFY(reported.size() > 2);
    QVERIFY(std::is_sorted(reported.begin(), reported.end()));
    QCOMPARE(reported.back(), 1.0);
}

ATTNLAB_TEST(TestCudaLaunches)
#include "test_cuda_launches.moc"
