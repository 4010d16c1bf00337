// The Hopper maps' own source on the CPU, compared with float64.
#include "tests/gpu/hopper_emulator.h"

#include "gpu/hopper/map_kernel.cuh"
#include "gpu/hopper/split_kernel.cuh"
#include "tests/gpu/map_cases.h"
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
    {"bins of 16", 150, 203, 16, 16},
    {"bins of 32, causal", 300, 331, 32, 32, {all, 0, 0}},
    {"bins of 64, window", 300, 300, 64, 64, {70, 20, 0}},
    {"odd rows of bins of 16, prefix", 270, 300, 37, 16, {all, 0, 150}, 11},
    {"bins of 32, maxima alone", 300, 331, 100, 32, {all, 40, 0}, 0, false},
    {"a single cell in a bin of 64", 1, 1, 1, 64},
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

template <class Tile>
void launch(const MapArguments& arguments, const TileSource& query, const TileSource& key, Delay delay, unsigned seed) {
    const MapParameters parameters{query, key, plan_map(arguments, Tile::rows)};
    // Fewer blocks than work: they must continue with more.
    emulated::launch(std::min(2, parameters.plan.works), Tile::threads, delay, seed,
                     [&] { map_block<Tile>(parameters); });
}

template <int width>
void launch(const MapArguments& arguments, Delay delay, unsigned seed) {
    const auto& a = arguments.scores;
    if (a.precision == Precision::BFloat16) {
        using Tile = MapTile<width>;
        launch<Tile>(arguments, map_source(arguments, a.query, a.L, Tile::group_rows),
                     map_source(arguments, a.key, a.S, Tile::keys), delay, seed);
        return;
    }
    using Tile = MapTile<width, split_parts>;
    std::vector<std::uint16_t> parts(static_cast<std::size_t>(MapSplit(arguments, nullptr).length));
    const MapSplit split(arguments, parts.data());
    for (const auto& one : {split.query, split.key})
        emulated::launch(2, split_threads, Delay::None, 1, [&] { split_block<width>(one); });
    launch<Tile>(arguments, split_source(split.query, width, Tile::group_rows),
                 split_source(split.key, width, Tile::keys), delay, seed);
}

MapCase map_of(const Case& wanted, int width, Precision precision = Precision::BFloat16) {
    MapCase map{.forward = {.precision = precision, .L = wanted.L, .S = wanted.S}};
    map.forward.E = map.forward.Ev = width;
    map.forward.band = wanted.band;
    map.bin_rows = wanted.bin_rows;
    map.bin_columns = wanted.bin_columns;
    map.row = wanted.row;
    map.sums = wanted.sums;
    return map;
}

MapKernel kernel_of(int width, Precision precision = Precision::BFloat16) {
    MapKernel kernel{};
    kernel.precision = precision;
    kernel.width = width;
    kernel.rows_of_block = MapTile<64>::group_rows;
    return kernel;
}

void verify(const MapCase& map, int width, Delay delay, unsigned seed = 1) {
    const auto kernel = kernel_of(width, map.forward.precision);
    MapData data(map, kernel);
    QVERIFY(map.forward.precision == Precision::BFloat16 ? supports_map(data.arguments, width)
                                                         : supports_map_in_parts(data.arguments, width));
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
        QTest::addColumn<bool>("in_parts");
        for (int index = 0; index < static_cast<int>(std::size(cases)); ++index) {
            QTest::addRow("%s, late", cases[index].name) << index << 64 << static_cast<int>(Delay::Longest) << false;
            QTest::addRow("%s, any time, 128", cases[index].name)
                << index << 128 << static_cast<int>(Delay::Random) << false;
            QTest::addRow("%s, float32", cases[index].name) << index << 64 << static_cast<int>(Delay::Random) << true;
            if (index % 3 == 0)
                QTest::addRow("%s, float32, 128", cases[index].name)
                    << index << 128 << static_cast<int>(Delay::Longest) << true;
        }
    }
    void agrees_with_float64() {
        QFETCH(int, index);
        QFETCH(int, width);
        QFETCH(int, delay);
        QFETCH(bool, in_parts);
        verify(map_of(cases[index], width, in_parts ? Precision::Float32 : Precision::BFloat16), width,
               static_cast<Delay>(delay));
    }

    void many_orders_of_events() {
        for (unsigned seed = 1; seed <= 5; ++seed)
            verify(map_of(cases[12], 64), 64, Delay::Random, seed);
    }

    void a_part_of_a_problem() {
        auto map = map_of(cases[12], 64);
        map.forward.first_row = 200;
        map.forward.first_key = 130;
        map.forward.band = {100, 0, 140};
        verify(map, 64, Delay::Random);
    }

    void what_is_left_to_the_tiled_kernel() {
        const auto kernel = kernel_of(64);
        const auto supported = [&](auto change) {
            auto map = map_of(cases[8], 64);
            change(map);
            return supports_map(MapData(map, kernel).arguments, 64);
        };
        QVERIFY(supported([](auto&) {}));
        QVERIFY(!supported([](auto& map) { map.cells = true; }));
        QVERIFY(supported([](auto& map) { map.bin_columns = 16; }));
        QVERIFY(!supported([](auto& map) { map.bin_columns = 48; }));
        QVERIFY(!supported([](auto& map) { map.bin_columns = 8; }));
        QVERIFY(!supported([](auto& map) { map.forward.kept = true; }));
        QVERIFY(!supported([](auto& map) { map.forward.lengths_by_row = true; }));
        QVERIFY(!supported([](auto& map) { map.forward.scale = -1.0f; }));
    }
};

ATTNLAB_TEST(TestHopperMap)
#include "test_hopper_map.moc"
