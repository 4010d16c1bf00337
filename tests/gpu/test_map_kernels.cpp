// The sources of the map kernels on the emulated device against float64: single cells, and bins of all sizes.
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/map_cases.h"
#include "tests/test_main.h"

#include <QTest>

#include <cstring>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

const MapKernel& kernel_named(const QString& name) {
    for (const auto& kernel : emulator::map_kernels())
        if (name == QLatin1String(kernel.name))
            return kernel;
    throw std::invalid_argument(name.toStdString());
}

} // namespace

Q_DECLARE_METATYPE(MapCase)

class TestMapKernels : public QObject {
    Q_OBJECT

private slots:
    void agrees_with_float64_data();
    void agrees_with_float64();
    void every_run_gives_the_same();
    void the_narrowest_kernel_is_chosen();
    void kernels_that_take_some_maps_come_first();
};

void TestMapKernels::agrees_with_float64_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<MapCase>("map");
    for (const auto* name : {"map 3xtf32 32", "map bfloat16 32"}) {
        const auto& kernel = kernel_named(QLatin1String(name));
        for (const auto& [what, map] : map_cases(kernel.precision, kernel.width))
            QTest::addRow("%s: %s", name, what.c_str()) << QString(QLatin1String(name)) << map;
    }
    for (const auto& kernel : emulator::map_kernels())
        for (const int bin : {16, 64}) {
            MapCase map{.forward = {.precision = kernel.precision, .L = 75, .S = 140}, .bin_rows = bin};
            map.forward.E = map.forward.Ev = kernel.width - 3;
            map.bin_columns = bin;
            map.forward.band.after = bin;
            QTest::addRow("%s, bins of %d", kernel.name, bin) << QString(QLatin1String(kernel.name)) << map;
        }
}

void TestMapKernels::agrees_with_float64() {
    QFETCH(QString, kernel);
    QFETCH(MapCase, map);
    const auto& chosen = kernel_named(kernel);
    MapData data(map, chosen);
    QCOMPARE(chosen.launch(data.arguments, {}, nullptr), 0);
    const auto wrong = data.wrong();
    QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestMapKernels::every_run_gives_the_same() {
    for (const int bin : {30, 64}) {
        const auto& chosen = kernel_named(QStringLiteral("map 3xtf32 32"));
        MapCase map{.forward = {.L = 75, .S = 140, .E = 20, .Ev = 20}, .bin_rows = bin, .bin_columns = bin};
        map.forward.kept = map.forward.bias = bin == 30;
        MapData first(map, chosen), second(map, chosen);
        chosen.launch(first.arguments, {}, nullptr);
        chosen.launch(second.arguments, {}, nullptr);
        QVERIFY(std::memcmp(first.sum.data(), second.sum.data(), first.sum.size() * sizeof(float)) == 0);
    }
}

void TestMapKernels::the_narrowest_kernel_is_chosen() {
    const auto kernels = emulator::map_kernels();
    QCOMPARE(map_width(kernels, 90, Precision::Float32, 20), 32);
    QCOMPARE(map_width(kernels, 90, Precision::BFloat16, 33), 128);
    QCOMPARE(map_width(kernels, 90, Precision::Float32, 129), 0);
    QCOMPARE(map_width(kernels, 75, Precision::Float32, 20), 0);
    QCOMPARE(map_width(kernels, 90, Precision::Float16, 20), 0);
    QCOMPARE(map_width(kernels, 90, Precision::Float32, 20, [](const MapKernel& kernel) { return kernel.width != 32; }),
             128);
}

void TestMapKernels::kernels_that_take_some_maps_come_first() {
    const auto launch = [](const MapArguments&, const Device&, void*) { return 0; };
    const auto wide_bins = [](const MapArguments& map) { return map.bin_columns >= 16; };
    const MapKernel table[] = {{"some", 90, 90, Precision::Float32, 64, 128, launch, wide_bins},
                               {"all", 80, 999, Precision::Float32, 64, 64, launch}};
    const MapKernels kernels{table, 2};
    MapArguments map;
    map.scores.E = 64;
    const auto chosen = [&](int capability, int bin_columns, const MapPredicate& trusted = {}) {
        map.bin_columns = bin_columns;
        const auto* kernel = choose(kernels, capability, map, trusted);
        return std::string(kernel ? kernel->name : "none");
    };
    QCOMPARE(chosen(90, 16), std::string("some"));
    QCOMPARE(chosen(90, 8), std::string("all"));
    QCOMPARE(chosen(86, 16), std::string("all"));
    QCOMPARE(chosen(75, 16), std::string("none"));
    QCOMPARE(chosen(90, 16, [](const MapKernel& kernel) { return kernel.supports == nullptr; }), std::string("all"));
}

ATTNLAB_TEST(TestMapKernels)
#include "test_map_kernels.moc"
