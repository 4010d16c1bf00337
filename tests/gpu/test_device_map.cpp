// Maps over a device in ordinary memory, whose kernels run emulated, against those that the cores compute.
#include "core/map/attention_map.h"
#include "flash_support.h"
#include "gpu/host/device_map.h"
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/fake_runtime.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr Sizes small{2, 2, 1, 90, 150, 12, 3};

struct Maps {
    Maps(const AttentionProblem& problem, std::size_t most_bytes)
        : runtime(std::size_t{1} << 28),
          engine(gpu::map_engine_on(runtime, emulator::forward_kernels(), emulator::map_kernels(),
                                    gpu::Precision::Float32, most_bytes)),
          device(std::make_shared<const MapInputs>(problem, engine.get()), 1, 1),
          cores(std::make_shared<const MapInputs>(problem), 1, 1) {}

    gpu::FakeRuntime runtime;
    std::unique_ptr<const MapEngine> engine;
    AttentionMap device, cores;
};

QString differs(const std::vector<float>& got, const std::vector<float>& expected, double tolerance) {
    const auto tensor = [](const std::vector<float>& values) {
        return Tensor({static_cast<std::int64_t>(values.size())}, std::vector<double>(values.begin(), values.end()));
    };
    return difference(tensor(got), tensor(expected), tolerance);
}

} // namespace

class TestDeviceMap : public QObject {
    Q_OBJECT

private slots:
    void equals_the_cores_data();
    void equals_the_cores();
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
    auto problem = flash_problem(small.B, small.H, small.Hkv, small.L, small.S, small.E, small.Ev);
    mask_cases[mask].apply(problem, small);
    const Maps maps(problem, static_cast<std::size_t>(most_bytes));
    QVERIFY(maps.runtime.launches > 0);
    const std::vector<float> lse(maps.device.lse().begin(), maps.device.lse().end());
    QCOMPARE(differs(lse, {maps.cores.lse().begin(), maps.cores.lse().end()}, 1e-5), QString());
    for (const BinGrid& grid : {BinGrid{{0, 90, 0, 150}, 20, 16}, BinGrid{{7, 81, 33, 140}, 9, 100}})
        for (const Pool pool : {Pool::Max, Pool::Mean}) {
            const auto got = maps.device.pool(grid, pool), expected = maps.cores.pool(grid, pool);
            QCOMPARE(differs(got.kept, expected.kept, 0.0), QString());
            QCOMPARE(differs(got.values(pool), expected.values(pool), 1e-5), QString());
            QCOMPARE(got.sum.size(), expected.sum.size());
        }
    const CellRect cells{5, 80, 3, 149};
    std::vector<float> got(static_cast<std::size_t>(cells.rows() * cells.columns())), expected(got.size());
    maps.device.weights(cells, got.data());
    maps.cores.weights(cells, expected.data());
    QCOMPARE(differs(got, expected, 1e-5), QString());
}

void TestDeviceMap::what_is_too_wide_stays_on_the_cores() {
    const Maps maps(flash_problem(2, 2, 1, 10, 20, 200, 1), 1 << 28);
    QCOMPARE(maps.runtime.launches, 0);
    QCOMPARE(differs({maps.device.lse().begin(), maps.device.lse().end()},
                     {maps.cores.lse().begin(), maps.cores.lse().end()}, 0.0),
             QString());
}

QTEST_APPLESS_MAIN(TestDeviceMap)
#include "test_device_map.moc"
