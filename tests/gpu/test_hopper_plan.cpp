// The host side of the Hopper forward before a launch.
#include "gpu/hopper/forward_plan.h"
#include "tests/test_main.h"

#include <QTest>

#include <set>

using namespace attnlab::gpu;
using namespace attnlab::gpu::hopper;

namespace {

bool kept(const Band& band, int i, int j) { return j >= i - band.before && (j <= i + band.after || j < band.prefix); }

/// By checking every cell of every tile.
void verify_tiles(const Band& band, int first_row, int last_row, int keys, int tile) {
    const auto tiles = key_tiles(band, first_row, last_row, keys, tile);
    QVERIFY(tiles.begin >= 0 && tiles.end <= (keys + tile - 1) / tile);
    QVERIFY(tiles.count() == 0 || (tiles.whole_begin >= tiles.begin && tiles.whole_begin <= tiles.whole_end));
    for (int n = 0; n <= keys / tile; ++n) {
        bool some = false, every = (n + 1) * tile <= keys;
        for (int i = first_row; i <= last_row; ++i)
            for (int j = n * tile; j < std::min(keys, (n + 1) * tile); ++j) {
                some = some || kept(band, i, j);
                every = every && kept(band, i, j);
            }
        QVERIFY(!some || (n >= tiles.begin && n < tiles.end));
        const bool whole = n >= tiles.whole_begin && n < std::min(tiles.whole_end, tiles.end);
        QVERIFY(!whole || every);
        // No tile is processed cell by cell unnecessarily.
        QVERIFY(whole || !every);
    }
}

} // namespace

class TestHopperPlan : public QObject {
    Q_OBJECT

private slots:
    void tiles_of_bands() {
        constexpr int all = Band::unlimited - 1;
        for (const Band band : {Band{all, all, 0}, Band{all, 0, 0}, Band{all, -7, 0}, Band{all, 9, 0}, Band{5, 0, 0},
                                Band{20, 11, 0}, Band{0, 0, 0}, Band{all, 0, 13}, Band{12, 3, 20}, Band{-4, 9, 0}})
            for (const int rows : {1, 8, 12})
                for (int first_row = 0; first_row < 50; first_row += 7)
                    for (const int keys : {0, 1, 8, 37})
                        verify_tiles(band, first_row, first_row + rows - 1, keys, 8);
    }

    /// Work of different length is handed out by a counter; equal shares would leave some blocks idle.
    void even_work() {
        ForwardArguments arguments;
        arguments.H = 4;
        arguments.Hkv = 2;
        arguments.L = arguments.S = 4096;
        arguments.E = arguments.Ev = 128;
        const auto even = [&] { return plan_forward(arguments, {128, 128}).even; };
        QVERIFY(even());
        arguments.band.after = 0;
        QVERIFY(!even());
        arguments.band = {4095, 4095, 0}; // keeps everything
        QVERIFY(even());
        arguments.band = {300, Band::unlimited, 0};
        QVERIFY(!even());
        arguments.band = {Band::unlimited, 0, 4096};
        QVERIFY(even());
        arguments.blocked = Blocked::Replaced; // everything is read
        arguments.band = {Band::unlimited, 0, 0};
        QVERIFY(even());
        arguments.blocked = Blocked::Skipped;
        arguments.band = {};
        const std::int32_t length = 17;
        arguments.valid_lengths = {&length, 1, 0};
        QVERIFY(!even());
    }

    void wide_tiles() {
        ForwardArguments arguments;
        arguments.L = 64;
        arguments.E = arguments.Ev = 128;
        const auto wide = [&](int S) {
            arguments.S = S;
            return takes_wide_tiles(arguments, 128, 176);
        };
        QVERIFY(wide(8192));  // 8272 keys
        QVERIFY(!wide(4096)); // 4224 keys
        QVERIFY(!wide(100));
        QVERIFY(wide(176));
        QVERIFY(wide(Band::unlimited));
        arguments.band.after = 0; // keeps tiles from being all alike
        QVERIFY(!wide(8192));
        arguments.band = {};
        arguments.softcap = 2.0f;
        QVERIFY(!wide(8192));
        arguments.softcap = 0.0f;
        const std::int32_t length = 17;
        arguments.valid_lengths = {&length, 1, 0};
        QVERIFY(!wide(8192));
    }

    void a_band_moves_with_the_launch() {
        const Band band{30, 4, 25};
        const auto moved = band_of_launch(band, 200, 170);
        for (int i = 0; i < 40; ++i)
            for (int j = 0; j < 90; ++j)
                QCOMPARE(kept(moved, i, j), kept(band, 200 + i, 170 + j));
        const auto unlimited = band_of_launch({}, 0, Band::unlimited - 1);
        QVERIFY(unlimited.after >= Band::unlimited - 1 && unlimited.before >= Band::unlimited - 1);
        // No sum with a position overflows 32 bits.
        const auto far = band_of_launch({Band::unlimited - 1, Band::unlimited - 1, 0}, Band::unlimited - 1, 0);
        QVERIFY(far.after <= Band::unlimited && far.before >= -Band::unlimited);
    }

    void every_block_of_rows_is_work_once() {
        ForwardPlan plan;
        plan.B = 3;
        plan.H = 5;
        plan.blocks = 4;
        plan.works = 60;
        for (const int section : {1, 4, 15}) {
            plan.heads_of_section = section;
            std::set<std::pair<int, int>> seen;
            for (int index = 0; index < plan.works; ++index) {
                const auto work = work_at(plan, index);
                QVERIFY(work.head >= 0 && work.head < 15 && work.block >= 0 && work.block < 4);
                seen.insert({work.head, work.block});
            }
            QCOMPARE(seen.size(), std::size_t{60});
            QCOMPARE(work_at(plan, 0).block, 3); // the longest under a causal mask
        }
    }

    void what_is_supported() {
        ForwardArguments arguments;
        arguments.precision = Precision::BFloat16;
        arguments.L = arguments.S = 10;
        arguments.E = arguments.Ev = 64;
        arguments.query.row_stride = arguments.key.row_stride = arguments.value.row_stride = 64;
        QVERIFY(supports(arguments, 64));
        QVERIFY(!supports(arguments, 128));
        arguments.precision = Precision::Float32;
        QVERIFY(!supports(arguments, 64));
        arguments.precision = Precision::Float16;
        arguments.key.row_stride = 68; // 136 bytes: the copy engine requires multiples of 16
        QVERIFY(!supports(arguments, 64));
    }

    void when_cells_are_looked_at() {
        ForwardArguments arguments;
        QVERIFY(!needs_cells(arguments));
        arguments.band.after = 0;
        QVERIFY(!needs_cells(arguments));
        arguments.scale = -1.0f;
        QVERIFY(needs_cells(arguments));
        arguments.scale = 1.0f;
        arguments.softcap = 2.0f;
        QVERIFY(needs_cells(arguments));
    }
};

ATTNLAB_TEST(TestHopperPlan)
#include "test_hopper_plan.moc"
