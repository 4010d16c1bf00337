// Maps over a device in ordinary memory with emulated kernels, compared with those of the CPU.
#include "core/map/attention_map.h"
#include "flash_support.h"
#include "gpu/host/device_map.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr Sizes small_map{2, 2, 1, 90, 150, 12, 3};

struct Maps {
    Maps(const AttentionProblem& problem, std::size_t most_bytes)
        : runtime(std::size_t{1} << 28),
          engine(gpu::map_engine_on(runtime, emulator::forward_kernels(), emulator::map_kernels(),
                                    gpu::Precision::Float32, most_bytes)),
          device(std::make_shared<const MapInputs>(problem, engine.get()), 1, 1),
          cores(std::make_shared<const MapInputs>(problem), 1, 1) {}

    mutable gpu::FakeRuntime runtime;
    std::unique_ptr<const MapEngine> engine;
    AttentionMap device, cores;
};

QString differs_from(std::span<const float> got, std::span<const float> expected, double tolerance) {
    const auto tensor = [](std::span<const float> values) {
        return Tensor({static_cast<std::int64_t>(values.size())}, std::vector<double>(values.begin(), values.end()));
    };
    return difference(tensor(got), tensor(expected), tolerance);
}

std::vector<float> lse_of(const AttentionMap& map) { return {map.lse().begin(), map.lse().end()}; }

void compare_with_cores(const AttentionProblem& problem, std::size_t most_bytes = std::size_t{1} << 28) {
    const Maps maps(problem, most_bytes);
    QVERIFY(maps.runtime.launches > 0);
    QCOMPARE(differs_from(lse_of(maps.device), lse_of(maps.cores), 1e-5), QString());
    for (const BinGrid& grid : {BinGrid{{0, 90, 0, 150}, 20, 16}, BinGrid{{7, 81, 33, 140}, 9, 100}})
        for (const Pool pool : {Pool::Max, Pool::Mean}) {
            const auto got = maps.device.pool(grid, pool), expected = maps.cores.pool(grid, pool);
            QCOMPARE(differs_from(got.kept, expected.kept, 0.0), QString());
            QCOMPARE(differs_from(got.values(pool), expected.values(pool), 1e-5), QString());
            QCOMPARE(got.sum.size(), expected.sum.size());
        }
    const CellRect cells{5, 80, 3, 149};
    std::vector<float> got(static_cast<std::size_t>(cells.rows() * cells.columns())), expected(got.size());
    maps.device.weights(cells, got.data());
    maps.cores.weights(cells, expected.data());
    QCOMPARE(differs_from(got, expected, 1e-5), QString());
}

} // namespace

class TestDeviceMap : public QObject {
    Q_OBJECT

    int last_call_ = 0; ///< of a run without failures

private slots:
    void equals_the_cores_data();
    void equals_the_cores();
    void far_fills();
    void what_is_no_number_stays_on_the_cores();
    void any_failure_goes_to_the_cores_data();
    void any_failure_goes_to_the_cores();
    void no_launch_takes_long();
    void cancels_between_launches();
    void a_cancelled_map_is_no_failure();
    void what_is_too_wide_stays_on_the_cores();
};

void TestDeviceMap::equals_the_cores_data() {
    QTest::addColumn<int>("mask");
    QTest::addColumn<int>("most_bytes");
    for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
        QTest::addRow("%s", mask_cases[m].name) << m << (1 << 28);
    QTest::newRow("in strips") << 1 << 1;
}

void TestDeviceMap::equals_the_cores() {
    QFETCH(int, mask);
    QFETCH(int, most_bytes);
    auto problem =
        flash_problem(small_map.B, small_map.H, small_map.Hkv, small_map.L, small_map.S, small_map.E, small_map.Ev);
    mask_cases[mask].apply(problem, small_map);
    compare_with_cores(problem, static_cast<std::size_t>(most_bytes));
}

void TestDeviceMap::far_fills() {
    for (const double shift : {-1e9, -3.4028234663852886e38, -1e300, 1e9, 3.4028234663852886e38}) {
        auto problem =
            flash_problem(small_map.B, small_map.H, small_map.Hkv, small_map.L, small_map.S, small_map.E, small_map.Ev);
        add_mask(problem, "window:100");
        add_mask(problem, "attn_bias");
        auto& bias = problem.tensors["attn_bias"] = Tensor({small_map.L, small_map.S});
        for (std::int64_t i = 0; i < small_map.L; ++i)
            for (std::int64_t j = 0; j < small_map.S; ++j)
                bias.set({i, j}, i % 7 == 0 || j % 5 == 1 ? shift : 0.5);
        for (const double fill : {-infinity, shift}) {
            problem.spec.mask_fill.value = fill;
            compare_with_cores(problem);
            if (QTest::currentTestFailed())
                return;
        }
    }
}

/// For kernels, an infinite number is a sum of others.
void TestDeviceMap::what_is_no_number_stays_on_the_cores() {
    auto problem = flash_problem(2, 2, 1, 10, 20, 4, 1);
    problem.tensors["key"].set({1, 0, 3, 2}, infinity);
    const Maps maps(problem, 1 << 28);
    QCOMPARE(maps.runtime.launches, 0);
    QVERIFY(maps.device.notes().empty());
}

void TestDeviceMap::any_failure_goes_to_the_cores_data() {
    QTest::addColumn<bool>("for_room");
    QTest::addColumn<bool>("stays_broken");
    QTest::newRow("one call") << false << false;
    QTest::newRow("every call from then on") << false << true;
    QTest::newRow("no room from then on") << true << true;
}

void TestDeviceMap::any_failure_goes_to_the_cores() {
    QFETCH(bool, for_room);
    QFETCH(bool, stays_broken);
    auto problem = flash_problem(1, 1, 1, 70, 90, 12, 3);
    add_mask(problem, "key_padding");
    problem.tensors["key_padding_mask"] = booleans({1, 90}, 0.3, 5);
    const BinGrid grid{{0, 70, 0, 90}, 20, 16};
    const CellRect cells{5, 60, 3, 80};
    const auto weights_of = [&](const AttentionMap& map) {
        std::vector<float> weights(static_cast<std::size_t>(cells.rows() * cells.columns()));
        map.weights(cells, weights.data());
        return weights;
    };
    const AttentionMap cores(std::make_shared<const MapInputs>(problem), 0, 0);
    const auto maxima = cores.pool(grid, Pool::Max).values(Pool::Max), weights = weights_of(cores);
    const auto run_failing = [&](int call) {
        gpu::FakeRuntime runtime(std::size_t{1} << 28);
        runtime.failing_call = call;
        runtime.fails_for_room = for_room;
        runtime.stays_broken = stays_broken;
        {
            const auto engine = gpu::map_engine_on(runtime, emulator::forward_kernels(), emulator::map_kernels());
            const AttentionMap map(std::make_shared<const MapInputs>(problem, engine.get()), 0, 0);
            const auto differs = differs_from(map.pool(grid, Pool::Max).values(Pool::Max), maxima, 1e-5) +
                                 differs_from(weights_of(map), weights, 1e-5);
            if (!differs.isEmpty())
                throw std::logic_error("wrong numbers: " + differs.toStdString());
            const auto notes = map.notes();
            if (notes.size() > 1 || (notes.empty() != map.backend().starts_with("cuda · float32 · Fake · map 3xtf32")))
                throw std::logic_error("notes do not go with what computed");
            // A final wait for an idle stream may fail unnoticed.
            const bool unnoticed = runtime.failed == "cudaStreamSynchronize";
            if (!notes.empty() && !for_room && !unnoticed &&
                notes[0].english().find(runtime.failed) == std::string::npos)
                throw std::logic_error("the note does not say what failed");
            if (notes.empty() && stays_broken && !runtime.failed.empty() && call + 2 < last_call_)
                throw std::logic_error("no note after " + runtime.failed);
        }
        if (runtime.used != 0 || runtime.pinned != 0)
            throw std::logic_error("memory is left behind");
        return runtime.calls;
    };
    last_call_ = run_failing(0);
    QVERIFY(last_call_ > 30);
    for (int call = 1; call <= last_call_; ++call)
        try {
            run_failing(call);
        } catch (const std::exception& error) {
            QFAIL(qPrintable(QStringLiteral("call %1: %2").arg(call).arg(QString::fromUtf8(error.what()))));
        }
}

/// The first launch shows how slow the device is.
void TestDeviceMap::no_launch_takes_long() {
    const Maps maps(flash_problem(2, 2, 1, 2048, 64, 16, 3), 1 << 28);
    auto& runtime = maps.runtime;
    runtime.operations_of_a_second = 6e6;
    const BinGrid grid{{0, 2048, 0, 64}, 16, 16};
    maps.device.pool(grid, Pool::Max);
    QVERIFY(runtime.longest_launch > 1.0);
    std::vector<float> got(2048 * 64), expected(got.size());
    for (const bool single_cells : {false, true}) {
        runtime.clock = runtime.longest_launch = 0.0;
        runtime.launches = 0;
        if (single_cells)
            maps.device.weights({0, 2048, 0, 64}, got.data());
        else
            QCOMPARE(differs_from(maps.device.pool(grid, Pool::Max).values(Pool::Max),
                                  maps.cores.pool(grid, Pool::Max).values(Pool::Max), 1e-5),
                     QString());
        QVERIFY(runtime.clock > 1.0);
        QVERIFY2(runtime.longest_launch <= 0.2, qPrintable(QString::number(runtime.longest_launch)));
        QVERIFY2(runtime.launches <= 3 * runtime.clock / 0.1, qPrintable(QString::number(runtime.launches)));
    }
    maps.cores.weights({0, 2048, 0, 64}, expected.data());
    QCOMPARE(differs_from(got, expected, 1e-5), QString());
}

/// Cancel waits for one launch at most.
void TestDeviceMap::cancels_between_launches() {
    const Maps maps(flash_problem(2, 2, 1, 2048, 64, 16, 3), 1 << 28);
    auto& runtime = maps.runtime;
    runtime.operations_of_a_second = 6e6;
    maps.device.pool({{0, 2048, 0, 64}, 16, 16}, Pool::Max);
    std::vector<float> weights(2048 * 64);
    for (const bool single_cells : {false, true}) {
        runtime.launches = 0;
        RunControl control;
        control.cancelled = [&] { return runtime.launches >= 3; };
        if (single_cells)
            QVERIFY_THROWS_EXCEPTION(
                Cancelled, maps.device.weights({0, 2048, 0, 64}, weights.data(), AttentionMap::Form::Weight, control));
        else
            QVERIFY_THROWS_EXCEPTION(Cancelled, maps.device.pool({{0, 2048, 0, 64}, 16, 16}, Pool::Max, control));
        QCOMPARE(runtime.launches, 3);
    }
    QVERIFY(maps.device.notes().empty());
}

void TestDeviceMap::a_cancelled_map_is_no_failure() {
    const auto problem = flash_problem(2, 2, 1, 300, 90, 12, 3);
    const Maps maps(problem, 1);
    RunControl control;
    int asked = 0;
    control.cancelled = [&] { return ++asked == 3; };
    QVERIFY_THROWS_EXCEPTION(Cancelled, maps.device.pool({{0, 300, 0, 90}, 20, 16}, Pool::Max, control));
    QVERIFY(maps.device.notes().empty());
    QCOMPARE(maps.runtime.pinned, maps.runtime.pinned_so_far); // kept for reuse
}

void TestDeviceMap::what_is_too_wide_stays_on_the_cores() {
    const Maps maps(flash_problem(2, 2, 1, 10, 20, 200, 1), 1 << 28);
    QCOMPARE(maps.runtime.launches, 0);
    QCOMPARE(differs_from(lse_of(maps.device), lse_of(maps.cores), 0.0), QString());
}

ATTNLAB_TEST(TestDeviceMap)
#include "test_device_map.moc"
