// The first maxima of a map, computed with the lse of its rows in one pass, compared with pool() and the reference.
#include "core/map/map_inputs.h"
#include "core/map/opening.h"
#include "core/stages/scale.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <atomic>
#include <map>

using namespace attnlab;
using namespace attnlab::test;

namespace {

struct Opened {
    std::unique_ptr<AttentionMap> map;
    std::map<std::int64_t, MapBins> strips; ///< by their first row of bins
};

Opened open(const std::shared_ptr<const MapInputs>& inputs, std::int64_t batch, std::int64_t head, const BinGrid& grid,
            std::int64_t rows_at_a_time, const RunControl& control = {}, int threads = 0) {
    Opened opened;
    const FirstBins bins{grid.bin_rows, grid.bin_columns, rows_at_a_time, [&](std::int64_t first_row, MapBins strip) {
                             if (!opened.strips.emplace(first_row, std::move(strip)).second)
                                 throw std::logic_error("a strip came twice");
                         }};
    opened.map = std::make_unique<AttentionMap>(inputs, batch, head, bins, control, threads);
    return opened;
}

BinGrid all_of(const MapInputs& inputs, std::int64_t bin_rows, std::int64_t bin_columns) {
    return {{0, inputs.rows(), 0, inputs.columns()}, bin_rows, bin_columns};
}

/// All strips exist, and agree with `expected(row, column)` in kept cells and largest weight.
template <class Bin>
void compare_strips(const Opened& opened, const BinGrid& grid, std::int64_t rows_at_a_time, Bin expected) {
    QCOMPARE(std::ssize(opened.strips), (grid.rows() + rows_at_a_time - 1) / rows_at_a_time);
    for (const auto& [first_row, strip] : opened.strips) {
        QCOMPARE(first_row % rows_at_a_time, std::int64_t{0});
        QCOMPARE(strip.rows, std::min(rows_at_a_time, grid.rows() - first_row));
        QCOMPARE(strip.columns, grid.columns());
        QVERIFY(strip.sum.empty());
        for (std::int64_t r = 0; r < strip.rows; ++r)
            for (std::int64_t c = 0; c < strip.columns && !QTest::currentTestFailed(); ++c) {
                const auto at = strip.index(r, c);
                const auto [kept, log2_max] = expected(first_row + r, c);
                check("kept", first_row + r, c, strip.kept[at], kept, 0.0);
                check("log2", first_row + r, c, strip.log2_max[at], log2_max, log_tolerance);
            }
    }
}

bool in_one_pass(const MapInputs& inputs, std::int64_t bin_rows, std::int64_t bin_columns) {
    return can_pool_in_opening_pass(inputs.data().head(0, 0), bin_rows, bin_columns);
}

/// Compares with pool(), which other tests compare with the reference.
void compare_with_pool(const AttentionProblem& problem, const BinGrid& grid, std::int64_t rows_at_a_time) {
    const auto inputs = inputs_of_map(problem);
    const AttentionMap map(inputs, 0, 0);
    const auto bins = map.pool(grid, Pool::Max);
    const auto opened = open(inputs, 0, 0, grid, rows_at_a_time);
    for (std::size_t row = 0; row < map.lse().size(); ++row)
        check("lse", static_cast<std::int64_t>(row), 0, opened.map->lse()[row], map.lse()[row], 1e-6);
    compare_strips(opened, grid, rows_at_a_time, [&](std::int64_t row, std::int64_t column) {
        const auto at = bins.index(row, column);
        return std::pair<double, double>(bins.kept[at], bins.log2_max[at]);
    });
}

constexpr Sizes opening_sizes[] = {
    {1, 1, 1, 520, 203, 16, 0}, {1, 2, 1, 641, 131, 3, 0}, {2, 1, 1, 512, 300, 5, 0}, {1, 1, 1, 600, 1, 4, 0}};
constexpr std::pair<int, int> bin_sizes[] = {{5, 7}, {32, 64}, {8, 4}, {700, 1}, {3, 500}};

} // namespace

class TestMapOpening : public QObject {
    Q_OBJECT
private slots:
    void equalsReference_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("size");
        for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
            for (int s = 0; s < static_cast<int>(std::size(opening_sizes)); ++s)
                QTest::addRow("%s, %s", mask_cases[m].name, qPrintable(text_of(opening_sizes[s]))) << m << s;
    }

    void equalsReference() {
        QFETCH(int, mask);
        QFETCH(int, size);
        const auto& s = opening_sizes[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, 1);
        mask_cases[mask].apply(problem, s);
        on_every_engine(problem, [&](const AttentionProblem& given, const Trace& trace, flash::Precision precision) {
            const auto inputs = inputs_of_map(given, precision);
            const Expected expected(given, trace, s.B - 1, s.H - 1);
            for (const auto& [rows, columns] : bin_sizes) {
                const auto grid = all_of(*inputs, rows, columns);
                QCOMPARE(in_one_pass(*inputs, rows, columns), given.spec.mask_fill.value == -infinity);
                const auto opened = open(inputs, s.B - 1, s.H - 1, grid, 16);
                compare_strips(opened, grid, 16, [&](std::int64_t row, std::int64_t column) {
                    const auto bin = expected.bin(grid.bin(row, column));
                    return std::pair(bin.kept, bin.kept > 0 ? std::log2(bin.max) : not_a_number);
                });
            }
        });
    }

    void lseAndWeights_data() {
        QTest::addColumn<QByteArray>("scale");
        for (const auto* scale : {"sqrt_dk", "none", "pre_norm"})
            QTest::newRow(scale) << QByteArray(scale);
    }

    void lseAndWeights() {
        QFETCH(QByteArray, scale);
        auto problem = flash_problem(1, 1, 1, 700, 333, 12, 1);
        problem.spec.scale = parse_scale(scale.toStdString());
        add_mask(problem, "causal");
        const auto inputs = inputs_of_map(problem);
        const auto opened = open(inputs, 0, 0, all_of(*inputs, 4, 4), 256);
        const AttentionMap map(inputs, 0, 0);
        std::vector<float> got(700 * 333), expected = got;
        opened.map->weights(map.all(), got.data());
        map.weights(map.all(), expected.data());
        for (std::int64_t row = 0; row < 700 && !QTest::currentTestFailed(); ++row) {
            const auto at = static_cast<std::size_t>(row);
            check("lse", row, 0, opened.map->lse()[at], map.lse()[at], 1e-6);
            for (std::size_t j = at * 333; j < (at + 1) * 333; ++j)
                check("weight", row, static_cast<std::int64_t>(j), got[j], expected[j], 1e-6);
        }
    }

    /// Underflow differs from masked: the largest weights of bins far below the row's maximum are finite in base 2.
    void keepsWhatFloat32WouldLose() {
        auto problem = flash_problem(1, 1, 1, 512, 600, 4, 1);
        problem.spec.scale = parse_scale("custom:60");
        compare_with_pool(problem, {{0, 512, 0, 600}, 4, 4}, 7);
    }

    void rowsThatAreNoNumbers_data() {
        QTest::addColumn<double>("value");
        QTest::newRow("NaN") << not_a_number;
        QTest::newRow("infinite") << infinity;
    }

    void rowsThatAreNoNumbers() {
        QFETCH(double, value);
        auto problem = flash_problem(1, 1, 1, 900, 210, 4, 1);
        problem.spec.scale = parse_scale("none");
        problem.tensors["query"].set({0, 0, 40, 1}, value);
        problem.tensors["query"].set({0, 0, 41, 1}, -value);
        problem.tensors["key"].set({0, 0, 80, 1}, 1.5);
        compare_with_pool(problem, {{0, 900, 0, 210}, 4, 8}, 20);
    }

    void aFillThatCounts() {
        for (const auto mode : {MaskFill::Mode::Replace, MaskFill::Mode::Add}) {
            auto problem = flash_problem(1, 1, 1, 600, 140, 4, 1);
            add_mask(problem, "window:0");
            problem.spec.mask_fill = {-3.0, mode};
            QVERIFY(!in_one_pass(*inputs_of_map(problem), 4, 4));
            compare_with_pool(problem, {{0, 600, 0, 140}, 4, 4}, 256);
        }
    }

    void fewRowsAndManyBins() {
        QVERIFY(!in_one_pass(*inputs_of_map(flash_problem(1, 1, 1, 600, 600, 4, 1)), 3, 5));
        const auto few = flash_problem(1, 1, 1, 33, 900, 4, 1);
        QVERIFY(!in_one_pass(*inputs_of_map(few), 4, 4));
        compare_with_pool(few, {{0, 33, 0, 900}, 4, 4}, 3);
        const auto many = flash_problem(1, 1, 1, 512, 8193, 1, 1);
        QVERIFY(!in_one_pass(*inputs_of_map(many), 16, 1) && in_one_pass(*inputs_of_map(many), 16, 2));
        const auto none = flash_problem(1, 1, 1, 600, 0, 4, 1);
        compare_with_pool(none, {{0, 600, 0, 0}, 4, 4}, 3);
    }

    void sameForAnyNumberOfThreads() {
        auto problem = flash_problem(1, 1, 1, 1100, 777, 9, 1);
        add_mask(problem, "window:200");
        const auto inputs = inputs_of_map(problem);
        const auto grid = all_of(*inputs, 6, 5);
        const auto one = open(inputs, 0, 0, grid, 11, {}, 1);
        for (const int threads : {2, 7}) {
            const auto more = open(inputs, 0, 0, grid, 11, {}, threads);
            QVERIFY(std::equal(one.map->lse().begin(), one.map->lse().end(), more.map->lse().begin()));
            QVERIFY(one.strips.size() == more.strips.size());
            for (const auto& [row, strip] : one.strips) {
                QVERIFY(same(strip.log2_max, more.strips.at(row).log2_max));
                QVERIFY(strip.kept == more.strips.at(row).kept);
            }
        }
    }

    void poolOfHead() {
        const auto problem = flash_problem(1, 2, 1, 600, 500, 4, 1);
        const auto inputs = inputs_of_map(problem);
        const AttentionMap map(inputs, 0, 1);
        for (const auto pool : {Pool::Max, Pool::Mean})
            for (const CellRect& cells : {map.all(), CellRect{5, 580, 3, 77}}) {
                const BinGrid grid{cells, 9, 11};
                const auto [got, notes, on_data] = pool_of_head(inputs, 0, 1, grid, pool);
                const auto expected = map.pool(grid, pool);
                QVERIFY(notes.empty() && on_data.empty());
                QCOMPARE(got.rows, expected.rows);
                QVERIFY(got.kept == expected.kept);
                for (std::size_t bin = 0; bin < expected.kept.size(); ++bin) {
                    QVERIFY(close(got.log2_max[bin], expected.log2_max[bin], log_tolerance));
                    QVERIFY(pool == Pool::Max || close(got.mean(bin), expected.mean(bin), tolerance));
                }
            }
    }

    void reportsAndCancels() {
        const auto inputs = inputs_of_map(flash_problem(1, 1, 1, 3000, 2048, 16, 1));
        const auto grid = all_of(*inputs, 4, 4);
        std::vector<double> fractions;
        RunControl control;
        control.progress = [&](double fraction) { fractions.push_back(fraction); };
        open(inputs, 0, 0, grid, 256, control, 1); // only the calling thread reports
        QVERIFY(fractions.size() > 2 && std::is_sorted(fractions.begin(), fractions.end()));
        QCOMPARE(fractions.back(), 1.0);

        std::atomic<int> polls{0};
        RunControl cancelled;
        cancelled.cancelled = [&] { return ++polls > 5; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, open(inputs, 0, 0, grid, 256, cancelled));
        QVERIFY2(polls < 30, qPrintable(QString::number(polls)));
    }

    void refuses() {
        const auto inputs = inputs_of_map(flash_problem(1, 1, 1, 600, 20, 4, 1));
        QVERIFY_THROWS_EXCEPTION(Error, open(inputs, 0, 1, all_of(*inputs, 4, 4), 8));
        QVERIFY_THROWS_EXCEPTION(Error, open(inputs, 0, 0, all_of(*inputs, 0, 4), 8));
        const FirstBins bins{4, 4, 8, [](std::int64_t, const MapBins&) { throw Error(Message{"full"}); }};
        QVERIFY_THROWS_EXCEPTION(Error, AttentionMap(inputs, 0, 0, bins));
    }
};

ATTNLAB_TEST(TestMapOpening)
#include "test_map_opening.moc"
