// Maps compared with the float64 reference: every cell and every bin, for awkward shapes, every mask and every
// instruction set; in bfloat16, on a matrix unit.
#include "core/stages/scale.h"
#include "map_support.h"
#include "tests/test_main.h"

#include <atomic>

using namespace attnlab;
using namespace attnlab::test;

namespace {

void compare_weights(const AttentionMap& map, const Expected& expected, const CellRect& cells) {
    std::vector<float> weights(static_cast<std::size_t>(cells.rows() * cells.columns()), -1.0f), logs = weights;
    map.weights(cells, weights.data());
    map.weights(cells, logs.data(), AttentionMap::Form::Log2);
    for (std::int64_t i = 0; i < cells.rows(); ++i)
        for (std::int64_t j = 0; j < cells.columns() && !QTest::currentTestFailed(); ++j) {
            const auto at = static_cast<std::size_t>(i * cells.columns() + j);
            const auto cell =
                static_cast<std::size_t>((cells.first_row + i) * expected.columns + cells.first_column + j);
            const double weight = expected.kept[cell] ? expected.weights[cell] : not_a_number;
            check("weight", i, j, weights[at], weight, tolerance);
            check("log2", i, j, logs[at], std::log2(weight), log_tolerance);
        }
}

void compare_bins(const AttentionMap& map, const Expected& expected, const BinGrid& grid) {
    const auto bins = map.pool(grid, Pool::Mean), maxima = map.pool(grid, Pool::Max);
    QCOMPARE(bins.rows, grid.rows());
    QCOMPARE(bins.columns, grid.columns());
    QVERIFY(maxima.kept == bins.kept);
    QVERIFY(maxima.sum.empty());
    for (std::int64_t r = 0; r < grid.rows(); ++r)
        for (std::int64_t c = 0; c < grid.columns() && !QTest::currentTestFailed(); ++c) {
            const auto at = bins.index(r, c);
            const auto bin = expected.bin(grid.bin(r, c));
            const double max = bin.kept > 0 ? bin.max : not_a_number;
            check("kept", r, c, bins.kept[at], bin.kept, 0.0);
            check("max", r, c, bins.max(at), max, tolerance);
            check("log2", r, c, bins.log2_max[at], std::log2(max), log_tolerance);
            check("log2 alone", r, c, maxima.log2_max[at], std::log2(max), log_tolerance);
            check("mean", r, c, bins.mean(at), bin.sum / bin.kept, tolerance);
        }
}

/// Cells, bins of awkward sizes, one bin, and a rectangle inside.
void compare_head(const AttentionMap& map, const Expected& expected) {
    const auto all = map.all();
    const CellRect inside{all.last_row / 3, (all.last_row + 1) * 4 / 5, all.last_column / 4,
                          (all.last_column + 3) * 5 / 8};
    compare_weights(map, expected, all);
    if (QTest::currentTestFailed())
        return;
    compare_weights(map, expected,
                    {inside.first_row, std::min(inside.last_row, all.last_row), inside.first_column,
                     std::min(inside.last_column, all.last_column)});
    for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 7}, {1000, 1000}})
        if (!QTest::currentTestFailed())
            compare_bins(map, expected, grid_of(all, rows, columns));
    if (!QTest::currentTestFailed())
        compare_bins(map, expected, {all, 32, 64});
}

void compare(const AttentionProblem& problem) {
    on_every_engine(problem, [](const AttentionProblem& given, const Trace& trace, flash::Precision precision) {
        const auto inputs = inputs_of_map(given, precision);
        for (std::int64_t b = 0; b < inputs->batches(); ++b)
            for (std::int64_t h = 0; h < inputs->heads() && !QTest::currentTestFailed(); ++h)
                compare_head(AttentionMap(inputs, b, h), Expected(given, trace, b, h));
    });
}

const Sizes map_sizes[] = {{1, 1, 1, 1, 1, 1, 1},      {1, 1, 1, 2, 2, 3, 3},       {2, 4, 2, 113, 203, 16, 0},
                           {1, 2, 1, 203, 113, 65, 3}, {1, 1, 1, 257, 131, 127, 1}, {1, 6, 3, 31, 67, 1, 2},
                           {1, 1, 1, 1, 300, 64, 1},   {1, 1, 1, 129, 1, 4, 1}};

} // namespace

class TestAttentionMap : public QObject {
    Q_OBJECT
private slots:
    void equalsReference_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("size");
        for (int m = 0; m < static_cast<int>(std::size(mask_cases)); ++m)
            for (int s = 0; s < static_cast<int>(std::size(map_sizes)); ++s)
                QTest::addRow("%s, %s", mask_cases[m].name, qPrintable(text_of(map_sizes[s]))) << m << s;
    }

    void equalsReference() {
        QFETCH(int, mask);
        QFETCH(int, size);
        const auto& s = map_sizes[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        mask_cases[mask].apply(problem, s);
        compare(problem);
    }

    void scales_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<bool>("after");
        for (const auto* scale : {"none", "sqrt_dk", "temperature:0.7", "custom:0", "pre_norm", "long_sequence"})
            for (const bool after : {false, true})
                QTest::addRow("%s%s", scale, after ? " after" : "") << QString(scale) << after;
    }

    void scales() {
        QFETCH(QString, scale);
        QFETCH(bool, after);
        auto problem = flash_problem(2, 2, 1, 37, 150, 5, 6);
        problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.scale_after_softmax = after;
        compare(problem);
    }

    void nothing_data() {
        QTest::addColumn<int>("L");
        QTest::addColumn<int>("S");
        QTest::addColumn<int>("E");
        QTest::newRow("no queries") << 0 << 5 << 3;
        QTest::newRow("no keys") << 5 << 0 << 3;
        QTest::newRow("neither") << 0 << 0 << 3;
        QTest::newRow("no features") << 4 << 5 << 0;
    }

    void nothing() {
        QFETCH(int, L);
        QFETCH(int, S);
        QFETCH(int, E);
        compare(flash_problem(1, 2, 1, L, S, E, 1));
    }

    /// Sums over a strip of rows equal the number of its rows that read anything, for any bins.
    void stripsSumUp_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("bin_rows");
        QTest::addColumn<int>("bin_columns");
        for (const int m : {0, 2, 5, 9, 15})
            for (const auto& [rows, columns] : {std::pair{1, 700}, {7, 13}, {33, 32}, {64, 128}, {500, 129}, {1100, 1}})
                QTest::addRow("%s, %d x %d", mask_cases[m].name, rows, columns) << m << rows << columns;
    }

    void stripsSumUp() {
        QFETCH(int, mask);
        QFETCH(int, bin_rows);
        QFETCH(int, bin_columns);
        const Sizes s{1, 1, 1, 1100, 700, 9, 1};
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        problem.spec.scale = parse_scale("custom:3"); // scores of size 30: beyond the precision of a float32 lse
        mask_cases[mask].apply(problem, s);
        const bool fills_empty_rows =
            QLatin1String(mask_cases[mask].name) == QLatin1String("replaced by -1e6, empty rows");
        if (fills_empty_rows)
            problem.tensors["attn_mask"].mutable_values()[0] = 1.0; // a row that reads only its fill
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        const BinGrid grid{map.all(), bin_rows, bin_columns};
        const auto strips = row_profile(map.pool(grid, Pool::Mean));
        for (std::int64_t r = 0; r < grid.rows(); ++r) {
            double rows = 0.0;
            for (auto i = grid.bin(r, 0).first_row; i < grid.bin(r, 0).last_row; ++i)
                rows += std::isfinite(map.lse()[static_cast<std::size_t>(i)]) && !fills_empty_rows ? 1.0 : 0.0;
            const double sum = strips.sum[static_cast<std::size_t>(r)];
            QVERIFY2(std::abs(sum - rows) <= 1e-6 * rows,
                     qPrintable(QStringLiteral("%1, expected %2").arg(sum, 0, 'g', 9).arg(rows)));
        }
    }

    /// Kernels take numbers below 1e-38 as 0; times an infinite key, 0 would be NaN.
    void smallQueriesMeetInfiniteKeys() {
        auto problem = flash_problem(1, 1, 1, 3, 5, 2, 1);
        problem.tensors["query"] = Tensor({1, 1, 3, 2}, {-2e-37, 0, 1e-60, 0, -1, 0});
        problem.tensors["key"] = Tensor({1, 1, 5, 2}, {0, 0, infinity, 0, 0, 0, -infinity, 0, 0, 0});
        problem.spec.scale = parse_scale("custom:0.03");
        problem.spec.masks = {parse_mask("attn_mask")};
        problem.tensors["attn_mask"] = Tensor({3, 5}, {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0}, DType::Bool);
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        const auto exact = run(problem);
        for (std::int64_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(map.lse()[static_cast<std::size_t>(i)] - stage(exact, "lse").at({0, 0, i})) < 1e-5);
    }

    void threadsAgree_data() {
        QTest::addColumn<int>("bin_rows");
        QTest::addColumn<int>("bin_columns");
        for (const auto& [rows, columns] : {std::pair{1, 1}, {5, 3}, {33, 32}, {900, 600}, {300, 64}})
            QTest::addRow("%d x %d", rows, columns) << rows << columns;
    }

    void threadsAgree() {
        QFETCH(int, bin_rows);
        QFETCH(int, bin_columns);
        auto problem = flash_problem(1, 1, 1, 900, 600, 8, 1);
        add_mask(problem, "causal");
        const auto inputs = inputs_of_map(problem);
        const AttentionMap one(inputs, 0, 0, {}, 1);
        const BinGrid grid{one.all(), bin_rows, bin_columns};
        const auto expected = one.pool(grid, Pool::Mean, {}, 1);
        for (const int threads : {2, 5}) {
            const AttentionMap map(inputs, 0, 0, {}, threads);
            const auto bins = map.pool(grid, Pool::Mean, {}, threads);
            QVERIFY(std::equal(map.lse().begin(), map.lse().end(), one.lse().begin()));
            QVERIFY(same(bins.log2_max, expected.log2_max));
            QVERIFY(bins.sum == expected.sum);
            QVERIFY(bins.kept == expected.kept);
        }
    }

    /// The values in a rectangle do not depend on the cells outside.
    void rectanglesAgree() {
        auto problem = flash_problem(1, 1, 1, 150, 400, 20, 1);
        add_mask(problem, "window:60");
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        std::vector<float> all(150 * 400);
        map.weights(map.all(), all.data());
        const CellRect part{41, 77, 13, 260};
        std::vector<float> some(static_cast<std::size_t>(part.rows() * part.columns()));
        map.weights(part, some.data());
        const auto bins = map.pool({part, 1, 1}, Pool::Max);
        for (std::int64_t i = 0; i < part.rows(); ++i)
            for (std::int64_t j = 0; j < part.columns(); ++j) {
                const auto at = static_cast<std::size_t>(i * part.columns() + j);
                const float expected =
                    all[static_cast<std::size_t>((part.first_row + i) * 400 + part.first_column + j)];
                QVERIFY(some[at] == expected || (std::isnan(some[at]) && std::isnan(expected)));
                QVERIFY(close(bins.max(at), expected, tolerance));
            }
    }

    void tooSmallForFloat32IsNotZero() {
        auto problem = flash_problem(1, 1, 1, 3, 2, 1, 1);
        problem.spec.scale = parse_scale("none");
        problem.tensors["query"] = Tensor({1, 1, 3, 1}, {1000.0, 1.0, 0.0});
        problem.tensors["key"] = Tensor({1, 1, 2, 1}, {0.0, 1.0});
        add_mask(problem, "valid_lens");
        problem.tensors["valid_lens"] = Tensor({1, 3}, {2.0, 2.0, 1.0});
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        const auto bins = map.pool({map.all(), 1, 1}, Pool::Mean);
        QCOMPARE(bins.max(0), 0.0f);
        QVERIFY(std::abs(bins.log2_max[0] + 1000.0f * 1.442695f) < 0.01f);
        QVERIFY(!bins.masked(0));
        QVERIFY(bins.masked(5));
        QVERIFY(std::isnan(bins.max(5)) && std::isnan(bins.mean(5)) && std::isnan(bins.log2_max[5]));
        QCOMPARE(bins.max(4), 1.0f);
    }

    /// A row of NaN is neither masked nor lost; unread keys may have any value.
    void numbersThatAreNone() {
        auto problem = flash_problem(1, 1, 1, 70, 90, 4, 1);
        add_mask(problem, "causal");
        problem.tensors["query"].set({0, 0, 40, 1}, not_a_number);
        problem.tensors["key"].set({0, 0, 80, 1}, not_a_number);
        problem.tensors["query"].set({0, 0, 5, 0}, infinity);
        on_every_engine(problem, [](const AttentionProblem& given, const Trace&, flash::Precision precision) {
            const AttentionMap map(inputs_of_map(given, precision), 0, 0);
            const auto bins = map.pool({map.all(), 10, 10}, Pool::Mean);
            for (std::int64_t r = 0; r < 7; ++r)
                for (std::int64_t c = 0; c < 9; ++c) {
                    const auto at = bins.index(r, c);
                    QCOMPARE(bins.kept[at], c < r ? 100.0f : c == r ? 55.0f : 0.0f);
                    const bool number = c <= r && r != 4 && r != 0;
                    QCOMPARE(std::isfinite(bins.log2_max[at]), number);
                    QCOMPARE(std::isfinite(bins.mean(at)), number);
                }
        });
    }

    void grids_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("wanted");
        QTest::addColumn<int>("bin");
        QTest::addColumn<int>("count");
        QTest::newRow("even") << 512 << 8 << 64 << 8;
        QTest::newRow("last is short") << 113 << 7 << 17 << 7;
        QTest::newRow("none without cells") << 9 << 6 << 2 << 5;
        QTest::newRow("more bins than cells") << 9 << 600 << 1 << 9;
        QTest::newRow("no cells") << 0 << 4 << 1 << 0;
    }

    void grids() {
        QFETCH(int, size);
        QFETCH(int, wanted);
        QFETCH(int, bin);
        QFETCH(int, count);
        const auto grid = grid_of({5, 5 + size, 7, 8}, wanted, 1);
        QCOMPARE(grid.bin_rows, bin);
        QCOMPARE(grid.rows(), count);
        if (count > 0)
            QCOMPARE(grid.bin(count - 1, 0), (CellRect{5 + (count - 1) * bin, 5 + size, 7, 8}));
    }

    void profiles() {
        auto problem = flash_problem(1, 1, 1, 90, 70, 5, 1);
        add_mask(problem, "causal:bottom_right");
        const AttentionMap map(inputs_of_map(problem), 0, 0);
        const auto bins = map.pool({map.all(), 9, 7}, Pool::Mean);
        const auto rows = row_profile(bins), columns = column_profile(bins);
        const auto direct_rows = map.pool({map.all(), 9, 70}, Pool::Mean);
        const auto direct_columns = map.pool({map.all(), 90, 7}, Pool::Mean);
        QVERIFY(same(rows.log2_max, direct_rows.log2_max));
        QVERIFY(rows.kept == direct_rows.kept);
        QVERIFY(rows.masked(0) && !rows.masked(9));
        QVERIFY(same(columns.log2_max, direct_columns.log2_max));
        QVERIFY(columns.kept == direct_columns.kept);
        for (std::size_t c = 0; c < columns.sum.size(); ++c)
            QVERIFY(close(columns.mean(c), direct_columns.mean(c), tolerance));
        QCOMPARE(rows.columns, std::int64_t{1});
        QCOMPARE(columns.rows, std::int64_t{1});
    }

    void needsNoValue() {
        auto problem = flash_problem(1, 1, 1, 20, 30, 4, 4);
        const auto expected = AttentionMap(inputs_of_map(problem), 0, 0).pool({{0, 20, 0, 30}, 4, 4}, Pool::Max);
        problem.tensors.erase("value");
        problem.spec.statistics = true;
        for (const auto* name : {"query", "key"})
            problem.tensors[name] = problem.tensors[name].reshaped({problem.tensors[name].dim(2), 4});
        const auto got = AttentionMap(inputs_of_map(problem), 0, 0).pool({{0, 20, 0, 30}, 4, 4}, Pool::Max);
        QVERIFY(got.log2_max == expected.log2_max);
    }

    void refuses_data() {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<bool>("after");
        QTest::addColumn<QString>("says");
        QTest::newRow("mechanism") << "additive"
                                   << "" << false << "additive";
        QTest::newRow("scale") << "scaled_dot_product"
                               << "score_norm" << false << "score_norm";
        QTest::newRow("negative") << "scaled_dot_product"
                                  << "custom:-2" << true << "-2";
    }

    void refuses() {
        QFETCH(QString, variant);
        QFETCH(QString, scale);
        QFETCH(bool, after);
        QFETCH(QString, says);
        auto problem = flash_problem(1, 1, 1, 4, 4, 4, 4);
        problem.spec.variant = variant.toStdString();
        if (!scale.isEmpty())
            problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.scale_after_softmax = after;
        const auto why = MapInputs::why_not(problem);
        QVERIFY(why);
        QVERIFY2(QString::fromStdString(why->english()).contains(says), why->english().c_str());
        QVERIFY_THROWS_EXCEPTION(Error, MapInputs{problem});
    }

    void refusesWhatIsNotThere() {
        const auto inputs = inputs_of_map(flash_problem(2, 3, 1, 10, 20, 4, 4));
        for (const auto& [b, h] : {std::pair{-1, 0}, {2, 0}, {0, 3}, {0, -1}})
            QVERIFY_THROWS_EXCEPTION(Error, AttentionMap(inputs, b, h));
        const AttentionMap map(inputs, 1, 2);
        float cell = 0.0f;
        for (const CellRect cells :
             {CellRect{-1, 0, 0, 1}, {0, 11, 0, 1}, {5, 4, 0, 1}, {0, 1, -1, 1}, {0, 1, 0, 21}}) {
            QVERIFY_THROWS_EXCEPTION(Error, map.weights(cells, &cell));
            QVERIFY_THROWS_EXCEPTION(Error, map.pool({cells, 1, 1}, Pool::Max));
        }
        QVERIFY_THROWS_EXCEPTION(Error, map.pool({map.all(), 0, 1}, Pool::Max));
        QVERIFY_THROWS_EXCEPTION(Error, grid_of(map.all(), 1, 0));
        RunControl small;
        small.memory_limit = 100;
        QVERIFY_THROWS_EXCEPTION(Error, map.pool({map.all(), 1, 1}, Pool::Max, small));
    }

    void cancels() {
        const auto inputs = inputs_of_map(flash_problem(1, 1, 1, 700, 2048, 16, 1));
        const AttentionMap map(inputs, 0, 0);
        std::vector<float> out(700 * 2048);
        const auto polls_of = [&](auto work) {
            std::atomic<int> polls{0};
            RunControl control;
            control.cancelled = [&] { return ++polls > 5; };
            try {
                work(control);
                return -1;
            } catch (const Cancelled&) {
                return polls.load();
            }
        };
        for (const int polls :
             {polls_of([&](const RunControl& c) { AttentionMap(inputs, 0, 0, c); }), polls_of([&](const RunControl& c) {
                  map.pool({map.all(), 4, 4}, Pool::Max, c);
              }),
              polls_of(
                  [&](const RunControl& c) { map.weights(map.all(), out.data(), AttentionMap::Form::Weight, c); })})
            QVERIFY2(polls > 5 && polls < 30, qPrintable(QString::number(polls)));
    }

    void reportsProgress() {
        const auto inputs = inputs_of_map(flash_problem(1, 1, 1, 1500, 64, 8, 1));
        std::vector<double> fractions;
        RunControl control;
        control.progress = [&](double fraction) { fractions.push_back(fraction); };
        const AttentionMap map(inputs, 0, 0);
        map.pool({map.all(), 16, 16}, Pool::Mean, control, 1); // others leave a busy caller little to report
        QVERIFY(fractions.size() > 1);
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QCOMPARE(fractions.back(), 1.0);
    }
};

ATTNLAB_TEST(TestAttentionMap)
#include "test_attention_map.moc"
