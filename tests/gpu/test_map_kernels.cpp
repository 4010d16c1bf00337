// The sources of the map kernels on the emulated device against float64: single cells, and bins of all sizes.
#include "tests/gpu/emulator/kernels.h"
#include "tests/gpu/forward_support.h"

#include <QTest>

#include <cstring>

using namespace attnlab;
using namespace attnlab::gpu;

namespace {

const MapKernel& kernel_named(const QString& name) {
    for (const auto& kernel : emulator::map_kernels())
        if (name == kernel.name)
            return kernel;
    throw std::invalid_argument(name.toStdString());
}

ForwardCase case_of(const QString& mask, Precision precision) {
    ForwardCase c{.precision = precision, .L = 75, .S = 140, .E = 20, .Ev = 20};
    if (mask == "causal")
        c.band.after = 0;
    if (mask == "window")
        c.band.before = c.band.after = 9;
    if (mask == "padding")
        c.padding = true, c.S = 259;
    if (mask == "cells")
        c.kept = c.bias = true;
    if (mask == "part")
        c.first_row = 50, c.first_key = 64, c.band.after = 0;
    return c;
}

struct Bin {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0.0;
    unsigned kept = 0;
};

/// A map of the only head of a case, and what float64 makes of it.
struct MapData {
    MapData(const ForwardCase& wanted, int width) : forward(wanted, width, 3) {
        map.scores = forward.arguments;
        const auto rows = static_cast<std::size_t>(wanted.L);
        for (auto* array : {&base, &log2_sum, &factor})
            *array = DeviceArray<float>(rows);
        for (int i = 0; i < wanted.L; ++i) {
            const auto row = static_cast<std::size_t>(i);
            const auto lse = forward.expected(0, 0, i).lse;
            lses.push_back(lse);
            // A part of it in each, as row maxima and sums are.
            base[row] = lse == -std::numeric_limits<double>::infinity()
                            ? 0.0f
                            : static_cast<float>(lse * 1.4426950408889634 - 1.5);
            log2_sum[row] = 1.5f;
            factor[row] = std::exp2(-1.5f);
        }
        map.base = base.data();
        map.log2_sum = log2_sum.data();
        map.factor = factor.data();
    }

    /// Whether a cell is kept, and log2 of its weight.
    std::pair<bool, double> cell(int i, int j) const {
        const double score = forward.masked_score(0, 0, i, j);
        return {score > -std::numeric_limits<double>::infinity(),
                (score - lses[static_cast<std::size_t>(i)]) * 1.4426950408889634};
    }

    ForwardData forward;
    MapArguments map;
    DeviceArray<float> base, log2_sum, factor;
    std::vector<double> lses;
};

} // namespace

class TestMapKernels : public QObject {
    Q_OBJECT

private slots:
    void bins_data();
    void bins();
    void cells_data();
    void cells();
    void every_run_gives_the_same();
    void the_narrowest_kernel_is_chosen();
};

void TestMapKernels::bins_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("bin_rows");
    QTest::addColumn<int>("bin_columns");
    QTest::addColumn<int>("row");
    QTest::addColumn<bool>("sums");
    for (const auto* mask : {"none", "causal", "window", "padding", "cells", "part"})
        QTest::addRow("float32, %s", mask) << "map 3xtf32 32" << mask << 8 << 8 << 0 << true;
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, std::pair{1, 7}, std::pair{3, 5}, std::pair{64, 64}, std::pair{100, 200}, std::pair{17, 64}})
        QTest::addRow("float32, bins of %d x %d", rows, columns) << "map 3xtf32 32"
                                                                 << "causal" << rows << columns << 0 << true;
    QTest::newRow("float32, rows that begin within a bin") << "map 3xtf32 32"
                                                           << "causal" << 20 << 16 << 7 << true;
    QTest::newRow("float32, maxima alone") << "map 3xtf32 32"
                                           << "causal" << 8 << 8 << 0 << false;
    QTest::newRow("float32, wide") << "map 3xtf32 128"
                                   << "causal" << 8 << 8 << 0 << true;
    QTest::newRow("bfloat16") << "map bfloat16 32"
                              << "causal" << 8 << 8 << 0 << true;
    QTest::newRow("bfloat16, wide") << "map bfloat16 128"
                                    << "none" << 16 << 16 << 0 << true;
}

void TestMapKernels::bins() {
    QFETCH(QString, kernel);
    QFETCH(QString, mask);
    QFETCH(int, bin_rows);
    QFETCH(int, bin_columns);
    QFETCH(int, row);
    QFETCH(bool, sums);
    const auto& chosen = kernel_named(kernel);
    MapData data(case_of(mask, chosen.precision), chosen.width);
    auto& map = data.map;
    const int L = map.scores.L, S = map.scores.S;
    map.bin_rows = bin_rows, map.bin_columns = bin_columns, map.row = row;
    const int blocks = (L + chosen.rows_of_block - 1) / chosen.rows_of_block, high = chosen.bins_of_a_block(bin_rows),
              wide = bin_columns_of(map);
    const auto all = static_cast<std::size_t>(blocks * high * wide);
    DeviceArray<float> largest(all, 99.0f), sum(all, 99.0f);
    DeviceArray<std::uint32_t> kept(all, 99u);
    map.largest = largest.data(), map.kept = kept.data(), map.sum = sums ? sum.data() : nullptr;
    QCOMPARE(chosen.launch(map, nullptr), 0);

    std::vector<Bin> expected(all);
    for (int i = 0; i < L; ++i)
        for (int j = 0; j < S; ++j) {
            const auto [is_kept, log2_weight] = data.cell(i, j);
            if (!is_kept)
                continue;
            const int block = i / chosen.rows_of_block, first = (row + block * chosen.rows_of_block) / bin_rows;
            auto& bin = expected.at(
                static_cast<std::size_t>((block * high + (row + i) / bin_rows - first) * wide + j / bin_columns));
            bin.largest = std::max(bin.largest, log2_weight);
            bin.sum += std::exp2(log2_weight);
            ++bin.kept;
        }
    const double tolerance = chosen.precision == Precision::Float32 ? 2e-5 : 1e-4;
    for (std::size_t k = 0; k < all; ++k) {
        QCOMPARE(kept[k], expected[k].kept);
        QVERIFY2(expected[k].kept == 0 ? largest[k] == -std::numeric_limits<float>::infinity()
                                       : std::abs(static_cast<double>(largest[k]) - expected[k].largest) < tolerance,
                 qPrintable(QStringLiteral("bin %1: %2, expected %3").arg(k).arg(largest[k]).arg(expected[k].largest)));
        if (sums)
            QVERIFY(std::abs(static_cast<double>(sum[k]) - expected[k].sum) <= tolerance * (1e-3 + expected[k].sum));
        else
            QCOMPARE(sum[k], 99.0f);
    }
}

void TestMapKernels::cells_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<bool>("log2");
    for (const auto* mask : {"none", "causal", "padding", "cells"})
        for (const bool log2 : {false, true})
            QTest::addRow("%s, %s", mask, log2 ? "log2" : "weights") << "map 3xtf32 32" << mask << log2;
    QTest::newRow("bfloat16") << "map bfloat16 32"
                              << "window" << true;
}

void TestMapKernels::cells() {
    QFETCH(QString, kernel);
    QFETCH(QString, mask);
    QFETCH(bool, log2);
    const auto& chosen = kernel_named(kernel);
    MapData data(case_of(mask, chosen.precision), chosen.width);
    auto& map = data.map;
    const int L = map.scores.L, S = map.scores.S;
    DeviceArray<float> got(static_cast<std::size_t>(L * S), 99.0f);
    map.cells = got.data();
    map.cells_as_log2 = log2;
    QCOMPARE(chosen.launch(map, nullptr), 0);
    const double tolerance = chosen.precision == Precision::Float32 ? 2e-5 : 1e-4;
    for (int i = 0; i < L; ++i)
        for (int j = 0; j < S; ++j) {
            const auto [kept, log2_weight] = data.cell(i, j);
            const float cell = got[static_cast<std::size_t>(i * S + j)];
            QCOMPARE(std::isnan(cell), !kept);
            if (kept)
                QVERIFY(std::abs(static_cast<double>(cell) - (log2 ? log2_weight : std::exp2(log2_weight))) <
                        tolerance);
        }
}

void TestMapKernels::every_run_gives_the_same() {
    const auto& chosen = kernel_named("map 3xtf32 32");
    MapData data(case_of("cells", chosen.precision), chosen.width);
    auto& map = data.map;
    map.bin_rows = 30, map.bin_columns = 33;
    const int blocks = (map.scores.L + chosen.rows_of_block - 1) / chosen.rows_of_block;
    const auto all = static_cast<std::size_t>(blocks * chosen.bins_of_a_block(30) * bin_columns_of(map));
    DeviceArray<float> largest(all), sum(all), first(all);
    DeviceArray<std::uint32_t> kept(all);
    map.largest = largest.data(), map.kept = kept.data(), map.sum = first.data();
    chosen.launch(map, nullptr);
    map.sum = sum.data();
    chosen.launch(map, nullptr);
    QVERIFY(std::memcmp(first.data(), sum.data(), all * sizeof(float)) == 0);
}

void TestMapKernels::the_narrowest_kernel_is_chosen() {
    const auto kernels = emulator::map_kernels();
    QCOMPARE(choose(kernels, 90, Precision::Float32, 20)->width, 32);
    QCOMPARE(choose(kernels, 90, Precision::BFloat16, 33)->width, 128);
    QVERIFY(!choose(kernels, 90, Precision::Float32, 129));
    QVERIFY(!choose(kernels, 75, Precision::Float32, 20));
    QVERIFY(!choose(kernels, 90, Precision::Float16, 20));
}

QTEST_APPLESS_MAIN(TestMapKernels)
#include "test_map_kernels.moc"
