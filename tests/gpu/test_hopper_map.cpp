// The Hopper maps' own source on the CPU, compared with float64.
#include "tests/gpu/hopper_emulator.h"

#include "gpu/hopper/map_kernel.cuh"
#include "tests/gpu/map_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab::gpu;
using namespace attnlab::gpu::hopper;
using emulated::Delay;

namespace {

struct Case {
    const char* name;
    int L, S, bin_rows, bin_columns;
    Band band = {};
    int row = 0;
    bool sums = true;
};

constexpr int all = Band::unlimited;
constexpr Case cases[] = {
    {"a single cell", 1, 1, 1, 128},
    {"exact tiles", 256, 512, 128, 256},
    {"ragged", 300, 331, 64, 128},
    {"bins of several blocks", 530, 400, 512, 384},
    {"single rows", 130, 200, 1, 128},
    {"odd bins", 290, 270, 37, 256, {}, 11},
    {"causal", 400, 400, 100, 128, {all, 0, 0}},
    {"causal from the end", 260, 600, 64, 256, {all, 600 - 260, 0}},
    {"window", 500, 500, 64, 128, {70, 20, 0}},
    {"prefix", 270, 300, 128, 128, {all, 0, 150}},
    {"keys that no row reads", 300, 900, 64, 128, {all, 0, 0}},
    {"maxima alone", 300, 331, 64, 128, {all, 40, 0}, 0, false},
};

template <int width>
int launch(const MapArguments& arguments, Delay delay, unsigned seed) {
    using Tile = MapTile<width>;
    const auto& a = arguments.scores;
    const MapParameters parameters{map_source(arguments, a.query, a.L), map_source(arguments, a.key, a.S),
                                   plan_map(arguments)};
    // Fewer blocks than work: they must continue with more.
    emulated::launch(std::min(2, parameters.plan.works), Tile::threads, delay, seed,
                     [&] { map_block<Tile>(parameters); });
    return 0;
}

MapCase map_of(const Case& wanted, int width) {
    MapCase map{.forward = {.precision = Precision::BFloat16, .L = wanted.L, .S = wanted.S}};
    map.forward.E = map.forward.Ev = width;
    map.forward.band = wanted.band;
    map.bin_rows = wanted.bin_rows;
    map.bin_columns = wanted.bin_columns;
    map.row = wanted.row;
    map.sums = wanted.sums;
    return map;
}

MapKernel kernel_of(int width) {
    MapKernel kernel{};
    kernel.precision = Precision::BFloat16;
    kernel.width = width;
    kernel.rows_of_block = MapTile<64>::group_rows;
    return kernel;
}

void verify(const MapCase& map, int width, Delay delay, unsigned seed = 1) {
    const auto kernel = kernel_of(width);
    MapData data(map, kernel);
    QVERIFY(supports_map(data.arguments));
    try {
        width == 64 ? launch<64>(data.arguments, delay, seed) : launch<128>(data.arguments, delay, seed);
    } catch (const emulated::Fault& fault) {
        QFAIL(fault.what());
    }
    const auto wrong = data.wrong();
    QVERIFY2(wrong.empty(), wrong.c_str());
}

} // namespace

class TestHopperMap : public QObject {
    Q_OBJECT

private slots:
    void agrees_with_float64_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("delay");
        for (int index = 0; index < static_cast<int>(std::size(cases)); ++index) {
            QTest::addRow("%s, late", cases[index].name) << index << 64 << static_cast<int>(Delay::Longest);
            QTest::addRow("%s, any time, 128", cases[index].name) << index << 128 << static_cast<int>(Delay::Random);
        }
    }
    void agrees_with_float64() {
        QFETCH(int, index);
        QFETCH(int, width);
        QFETCH(int, delay);
        verify(map_of(cases[index], width), width, static_cast<Delay>(delay));
    }

    void many_orders_of_events() {
        for (unsigned seed = 1; seed <= 5; ++seed)
            verify(map_of(cases[6], 64), 64, Delay::Random, seed);
    }

    void a_part_of_a_problem() {
        auto map = map_of(cases[6], 64);
        map.forward.first_row = 200;
        map.forward.first_key = 130;
        map.forward.band = {100, 0, 140};
        verify(map, 64, Delay::Random);
    }

    void what_is_left_to_the_tiled_kernel() {
        const auto kernel = kernel_of(64);
        const auto supported = [&](auto change) {
            auto map = map_of(cases[2], 64);
            change(map);
            return supports_map(MapData(map, kernel).arguments);
        };
        QVERIFY(supported([](auto&) {}));
        QVERIFY(!supported([](auto& map) { map.cells = true; }));
        QVERIFY(!supported([](auto& map) { map.bin_columns = 64; }));
        QVERIFY(!supported([](auto& map) { map.forward.kept = true; }));
        QVERIFY(!supported([](auto& map) { map.forward.lengths_by_row = true; }));
        QVERIFY(!supported([](auto& map) { map.forward.scale = -1.0f; }));
    }
};

ATTNLAB_TEST(TestHopperMap)
#include "test_hopper_map.moc"
