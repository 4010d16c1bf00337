// Every level of a pyramid equals the result of AttentionMap, however it was computed; the cache respects its limit.
#include "core/map/map_pyramid.h"
#include "flash_support.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <atomic>
#include <thread>

using namespace attnlab;
using namespace attnlab::test;

namespace {

std::shared_ptr<const AttentionMap> map_of(std::int64_t L, std::int64_t S, const char* mask = nullptr) {
    auto problem = flash_problem(1, 1, 1, L, S, 2, 1);
    if (mask)
        add_mask(problem, mask);
    return std::make_shared<const AttentionMap>(std::make_shared<const MapInputs>(problem), 0, 0);
}

constexpr std::size_t plenty = std::size_t{1} << 30;

void compare(const MapBins& got, const MapBins& expected) {
    QCOMPARE(got.rows, expected.rows);
    QCOMPARE(got.columns, expected.columns);
    QVERIFY(got.kept == expected.kept);
    for (std::size_t bin = 0; bin < expected.kept.size(); ++bin) {
        QVERIFY(got.log2_max[bin] == expected.log2_max[bin] || (got.masked(bin) && std::isnan(got.log2_max[bin])));
        QVERIFY(close(got.mean(bin), expected.mean(bin), 1e-6));
    }
}

} // namespace

class TestMapPyramid : public QObject {
    Q_OBJECT
private slots:
    void levels_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::addColumn<int>("base");
        QTest::addColumn<int>("top");
        QTest::newRow("one cell") << 1 << 1 << 0 << 0;
        QTest::newRow("one tile") << 256 << 100 << 0 << 0;
        QTest::newRow("two tiles") << 100 << 257 << 1 << 1;
        QTest::newRow("four tiles") << 700 << 3 << 2 << 2;
        QTest::newRow("a small base") << 4096 << 3 << 2 << 4;
        QTest::newRow("the largest base") << 16384 << 3 << 2 << 6;
        QTest::newRow("beyond") << 16385 << 3 << 3 << 7;
        QTest::newRow("no keys") << 5 << 0 << 0 << 0;
    }

    void levels() {
        QFETCH(int, L);
        QFETCH(int, S);
        QFETCH(int, base);
        QFETCH(int, top);
        MapPyramid pyramid(map_of(L, S), Pool::Max, plenty);
        QCOMPARE(pyramid.base_level(), base);
        QCOMPARE(pyramid.top_level(), top);
        QVERIFY(pyramid.tile_rows(top) <= 1 && pyramid.tile_columns(top) <= 1);
        QCOMPARE(pyramid.level_for(0.3, 0.3), 0);
        QCOMPARE(pyramid.level_for(1.0, 1.0), 0);
        QCOMPARE(pyramid.level_for(1e9, 1e9), top);
        for (const double cells : {1.1, 2.0, 7.9}) {
            const int level = pyramid.level_for(cells, cells);
            QVERIFY(level == top || (pyramid.bin_rows(level) >= cells && pyramid.bin_columns(level) >= cells));
            QVERIFY(level == 0 || pyramid.bin_rows(level - 1) < cells || pyramid.bin_columns(level - 1) < cells);
        }
    }

    /// The short side keeps single cells while the long one is merged.
    void aStripHasLongBins() {
        const auto map = map_of(3, 5000);
        MapPyramid pyramid(map, Pool::Max, plenty);
        QCOMPARE(pyramid.bin_rows(pyramid.top_level()), 1);
        QCOMPARE(pyramid.bin_columns(pyramid.top_level()), std::int64_t{1} << pyramid.top_level());
        QCOMPARE(pyramid.level_for(0.01, 10.0), 4);
        QCOMPARE(pyramid.tiles_over(4, map->all()).size(), std::size_t{2});
        QCOMPARE(pyramid.parent({4, 0, 1}), (MapTile{5, 0, 0}));
        MapPyramid upright(map_of(5000, 3), Pool::Max, plenty);
        QCOMPARE(upright.bin_columns(upright.top_level()), 1);
        QCOMPARE(upright.tile_rows(upright.top_level()), 1);
    }

    void tilesCoverEveryCellOnce_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::newRow("usual") << 600 << 1300;
        QTest::newRow("one row") << 1 << 3000;
        QTest::newRow("one column") << 3000 << 1;
        QTest::newRow("strip") << 60 << 5000;
    }

    void tilesCoverEveryCellOnce() {
        QFETCH(int, L);
        QFETCH(int, S);
        MapPyramid pyramid(map_of(L, S), Pool::Max, plenty);
        for (int level = 0; level <= pyramid.top_level(); ++level) {
            std::int64_t cells = 0;
            for (std::int64_t row = 0; row < pyramid.tile_rows(level); ++row)
                for (std::int64_t column = 0; column < pyramid.tile_columns(level); ++column) {
                    const auto grid = pyramid.grid({level, row, column});
                    QVERIFY(grid.rows() <= MapPyramid::tile_bins && grid.columns() <= MapPyramid::tile_bins);
                    QVERIFY(grid.cells.rows() > 0 && grid.cells.columns() > 0);
                    cells += grid.cells.rows() * grid.cells.columns();
                }
            QCOMPARE(cells, std::int64_t{L} * S);
        }
    }

    /// By merging after build(), and by computing each tile separately.
    void equalsDirectPooling_data() {
        QTest::addColumn<QByteArray>("mask");
        QTest::addColumn<bool>("build");
        QTest::addColumn<int>("L");
        for (const auto* mask : {"", "causal", "window:300"})
            for (const bool build : {false, true})
                for (const int L : {1, 70, 700, 900})
                    QTest::addRow("%s%s L=%d", mask, build ? " built" : "", L) << QByteArray(mask) << build << L;
    }

    void equalsDirectPooling() {
        QFETCH(QByteArray, mask);
        QFETCH(bool, build);
        QFETCH(int, L);
        const auto map = map_of(L, 4500, mask.isEmpty() ? nullptr : mask.constData());
        MapPyramid pyramid(map, Pool::Mean, plenty);
        QCOMPARE(pyramid.base_level(), 2);
        if (build)
            pyramid.build();
        for (int level = pyramid.top_level(); level >= 0; --level)
            for (std::int64_t row = 0; row < pyramid.tile_rows(level); ++row)
                for (std::int64_t column = 0; column < pyramid.tile_columns(level); column += level == 0   ? 5
                                                                                              : level == 1 ? 2
                                                                                                           : 1) {
                    const MapTile tile{level, row, column};
                    QCOMPARE(pyramid.find(tile) != nullptr, build && level >= pyramid.base_level());
                    compare(*pyramid.request(tile), map->pool(pyramid.grid(tile), Pool::Mean));
                    QVERIFY(pyramid.find(tile));
                }
    }

    void differenceEqualsTheDenseOne_data() {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<QByteArray>("b");
        QTest::newRow("scales") << QByteArray() << QByteArray();
        QTest::newRow("a mask and none") << QByteArray("causal") << QByteArray();
        QTest::newRow("two masks") << QByteArray("window:90") << QByteArray("causal");
    }

    /// On every level, B − A of the reference with 0 where a cell is blocked: its mean over all cells of a bin.
    void differenceEqualsTheDenseOne() {
        QFETCH(QByteArray, a);
        QFETCH(QByteArray, b);
        constexpr std::int64_t L = 310, S = 520;
        const auto side = [&](const QByteArray& mask, const char* scale) {
            auto problem = flash_problem(1, 1, 1, L, S, 4, 1);
            problem.spec.scale = {scale, {}};
            if (!mask.isEmpty())
                add_mask(problem, mask.constData());
            return problem;
        };
        const auto problem_a = side(a, "sqrt_dk"), problem_b = side(b, "dk");
        const auto pyramid_of = [](const AttentionProblem& problem) {
            return std::make_shared<MapPyramid>(std::make_shared<const MapInputs>(problem), 0, 0, Pool::Mean, plenty);
        };
        const Expected expected_a(problem_a, reference_backend().run(problem_a, {}), 0, 0),
            expected_b(problem_b, reference_backend().run(problem_b, {}), 0, 0);
        const auto map_a = pyramid_of(problem_a), map_b = pyramid_of(problem_b);
        for (const auto pool : {Pool::Mean, Pool::Max}) {
            MapPyramid difference(map_a, map_b, pool, plenty);
            QCOMPARE(difference.shown_pool(), Pool::Mean);
            double largest = 0.0;
            for (int level = difference.top_level(); level >= 0; --level)
                for (const auto& tile : difference.tiles_over(level, difference.map().all())) {
                    const auto bins = difference.request(tile);
                    const auto grid = difference.grid(tile);
                    for (std::int64_t row = 0; row < grid.rows(); ++row)
                        for (std::int64_t column = 0; column < grid.columns(); ++column) {
                            const auto cells = grid.bin(row, column);
                            const auto of_a = expected_a.bin(cells), of_b = expected_b.bin(cells);
                            const auto bin = bins->index(row, column);
                            QCOMPARE(bins->masked(bin), of_a.kept == 0.0 && of_b.kept == 0.0);
                            if (bins->masked(bin))
                                continue;
                            const auto count = static_cast<double>(cells.rows() * cells.columns());
                            const double dense =
                                pool == Pool::Max ? of_b.max - of_a.max : (of_b.sum - of_a.sum) / count;
                            check("B - A", cells.first_row, cells.first_column, bins->mean(bin), dense, tolerance);
                            largest = std::max(largest, std::abs(dense));
                        }
                }
            QVERIFY(largest > 0.01); // far above the tolerance
        }
    }

    void refusesSizesThatDoNotFit() {
        const auto a = std::make_shared<MapPyramid>(map_of(30, 40), Pool::Mean, plenty),
                   b = std::make_shared<MapPyramid>(map_of(30, 41), Pool::Mean, plenty);
        try {
            MapPyramid difference(a, b, Pool::Mean, plenty);
            QFAIL("no error");
        } catch (const Error& error) {
            QCOMPARE(QString::fromUtf8(error.what()),
                     QStringLiteral("Map B has 30 × 41 cells and map A 30 × 40: only maps "
                                    "of equal size can be compared."));
        }
    }

    /// A head opened by the pyramid itself, and one opened before.
    void opensWithItsBase() {
        for (const auto pool : {Pool::Max, Pool::Mean}) {
            auto problem = flash_problem(1, 1, 1, 1500, 5000, 2, 1);
            add_mask(problem, "causal");
            const auto inputs = std::make_shared<const MapInputs>(problem);
            MapPyramid opened(inputs, 0, 0, pool, plenty),
                built(std::make_shared<const AttentionMap>(inputs, 0, 0), pool, plenty);
            built.build();
            QCOMPARE(opened.base_level(), 2);
            QCOMPARE(opened.bytes(), built.bytes());
            for (int level = opened.base_level(); level <= opened.top_level(); ++level)
                for (const auto& tile : opened.tiles_over(level, opened.map().all())) {
                    const auto got = opened.find(tile), expected = built.find(tile);
                    QVERIFY(got && expected);
                    QVERIFY(got->kept == expected->kept);
                    for (std::size_t bin = 0; bin < expected->kept.size(); ++bin)
                        QVERIFY(close(got->log2_max[bin], expected->log2_max[bin], 2e-5));
                }
        }
    }

    void overview() {
        const auto map = map_of(1500, 700, "causal");
        MapPyramid pyramid(map, Pool::Mean, plenty);
        const auto small = pyramid.overview(96);
        const auto bin = std::int64_t{1} << pyramid.top_level(); // 188 x 88 of them
        QVERIFY(small.rows <= 96 && small.columns <= 96);
        compare(small, map->pool({map->all(), 2 * bin, bin}, Pool::Mean));
    }

    void mergesFinerTilesThatAreThere() {
        const auto map = map_of(512, 512);
        MapPyramid pyramid(map, Pool::Mean, plenty);
        for (const MapTile tile : {MapTile{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}})
            pyramid.request(tile);
        RunControl never;
        never.cancelled = [] { return true; }; // polled if anything is computed
        compare(*pyramid.request({1, 0, 0}, never), map->pool(pyramid.grid({1, 0, 0}), Pool::Mean));
    }

    void keepsTheLimit() {
        const auto map = map_of(1024, 1024);
        constexpr std::size_t tile_bytes = 256 * 256 * 2 * sizeof(float);
        MapPyramid pyramid(map, Pool::Max, 3 * tile_bytes);
        const MapTile tiles[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
        for (int k = 0; k < 3; ++k)
            pyramid.request(tiles[k]);
        QCOMPARE(pyramid.bytes(), 3 * tile_bytes);
        QVERIFY(pyramid.find(tiles[0])); // now tile 1 is the least recently used
        const auto last = pyramid.request(tiles[3]);
        QCOMPARE(pyramid.bytes(), 3 * tile_bytes);
        QVERIFY(!pyramid.find(tiles[1]));
        QVERIFY(pyramid.find(tiles[0]) && pyramid.find(tiles[2]) && pyramid.find(tiles[3]));
        pyramid.set_byte_limit(1);
        QCOMPARE(pyramid.bytes(), tile_bytes);
        QCOMPARE(pyramid.find(tiles[3]), last);
        pyramid.build(); // more than fits
        QCOMPARE(pyramid.bytes(), tile_bytes);
    }

    void findsWhatCovers() {
        MapPyramid pyramid(map_of(1024, 1024), Pool::Max, plenty);
        QVERIFY(!pyramid.find_covering({0, 3, 2}).second);
        const auto whole = pyramid.request({2, 0, 0});
        const auto [tile, bins] = pyramid.find_covering({0, 3, 2});
        QCOMPARE(bins, whole);
        QVERIFY(tile == (MapTile{2, 0, 0}));
        const auto quarter = pyramid.request({1, 1, 1});
        QCOMPARE(pyramid.find_covering({0, 3, 2}).second, quarter);
        QCOMPARE(pyramid.find_covering({0, 0, 2}).second, whole);
    }

    void centreFirst() {
        MapPyramid pyramid(map_of(2000, 2000), Pool::Max, plenty);
        const auto tiles = pyramid.tiles_over(0, {300, 1500, 700, 1400});
        QCOMPARE(tiles.size(), std::size_t{5 * 4});
        QVERIFY(tiles.front() == (MapTile{0, 3, 4}));
        for (const auto& tile : tiles)
            QVERIFY(tile.row >= 1 && tile.row <= 5 && tile.column >= 2 && tile.column <= 5);
        QVERIFY(tiles.back().row == 1 || tiles.back().row == 5);
        QVERIFY(pyramid.tiles_over(0, {10, 10, 0, 5}).empty());
        QCOMPARE(pyramid.tiles_over(0, {-500, 9000, -1, 1}).size(), std::size_t{8});
    }

    void refusesTilesThatAreNotThere() {
        MapPyramid pyramid(map_of(300, 600), Pool::Max, plenty);
        for (const MapTile tile : {MapTile{-1, 0, 0}, {3, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0, -1, 0}})
            QVERIFY_THROWS_EXCEPTION(Error, pyramid.request(tile));
    }

    void cancels() {
        MapPyramid pyramid(map_of(2048, 4096), Pool::Max, plenty);
        std::atomic<int> polls{0};
        RunControl control;
        control.cancelled = [&] { return ++polls > 5; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, pyramid.request({0, 0, 0}, control));
        QVERIFY(!pyramid.find({0, 0, 0}));
        polls = 0;
        QVERIFY_THROWS_EXCEPTION(Cancelled, pyramid.build(control));
        QVERIFY2(polls < 30, qPrintable(QString::number(polls)));
        QVERIFY(pyramid.request({0, 0, 0}));
    }

    /// A thread that waits for another's tile can be cancelled, and computes the tile itself if the other was
    /// cancelled.
    void waitsForOthers() {
        const auto map = map_of(512, 512);
        MapPyramid pyramid(map, Pool::Mean, plenty);
        std::atomic<bool> started{false}, cancel_first{false};
        RunControl first;
        first.cancelled = [&] {
            started = true;
            while (!cancel_first)
                std::this_thread::yield();
            return true;
        };
        std::jthread maker([&] {
            try {
                pyramid.request({0, 0, 0}, first, 1);
            } catch (const Cancelled&) {
            }
        });
        while (!started)
            std::this_thread::yield();
        RunControl impatient;
        impatient.cancelled = [] { return true; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, pyramid.request({0, 0, 0}, impatient, 1));
        std::jthread release([&] { cancel_first = true; });
        QVERIFY(pyramid.request({0, 0, 0}, {}, 1));
    }

    void manyWorkers() {
        const auto map = map_of(1024, 1024, "causal");
        MapPyramid pyramid(map, Pool::Mean, std::size_t{4} << 20); // drops tiles all the time
        std::atomic<int> wrong{0};
        {
            std::vector<std::jthread> workers;
            for (int worker = 0; worker < 4; ++worker)
                workers.emplace_back([&, worker] {
                    for (int k = 0; k < 40; ++k) {
                        const MapTile tile{0, (k + worker) % 4, k / 4 % 4};
                        const auto bins = pyramid.request(tile, {}, 1);
                        pyramid.find_covering({0, k % 4, 0});
                        if (bins->rows != 256 || bins->masked(0) != (tile.column > tile.row))
                            ++wrong;
                    }
                });
        }
        QCOMPARE(wrong.load(), 0);
        QVERIFY(pyramid.bytes() <= std::size_t{4} << 20);
    }

    void reportsProgress() {
        MapPyramid pyramid(map_of(12000, 300), Pool::Max, plenty);
        std::vector<double> fractions;
        RunControl control;
        control.progress = [&](double fraction) { fractions.push_back(fraction); };
        pyramid.build(control);
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QVERIFY(fractions.size() > 5);
        QCOMPARE(fractions.back(), 1.0);
    }
};

ATTNLAB_TEST(TestMapPyramid)
#include "test_map_pyramid.moc"
