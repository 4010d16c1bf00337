// Arrays of masks in every shape that PyTorch broadcasts: the same result as with the broadcast array, on every engine.
#include "broadcast_support.h"
#include "core/map/row_problem.h"
#include "core/stages/random_features.h"
#include "map_support.h"
#include "tests/test_main.h"

using namespace attnlab;
using namespace attnlab::test;

class TestMaskBroadcast : public QObject {
    Q_OBJECT
private slots:
    void everyEngineReadsIt_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("shape");
        for (const char* kind : {"attn_mask", "attn_bias", "painted"})
            for (int k = 0; k < static_cast<int>(std::size(broadcast_shapes)); ++k)
                QTest::addRow("%s %s", kind, to_string(broadcast_shapes[k]).c_str()) << kind << k;
    }

    void everyEngineReadsIt() {
        QFETCH(QString, kind);
        QFETCH(int, shape);
        const auto problem = broadcast_problem(kind.toUtf8().constData(), broadcast_shapes[shape]);
        QVERIFY(issues_in(problem).empty());
        const auto spread = with_array_written_out(problem);
        const auto expected = run(spread);
        const auto got = run(problem);
        for (const auto* name : {"masked", "weights", "lse", "output"})
            QCOMPARE(difference(stage(got, name), stage(expected, name), 0.0), QString());

        // The kernels read the same cells in the same order.
        const auto tiles = cpu_backend().run(problem, {}), spread_tiles = cpu_backend().run(spread, {});
        for (const auto* name : {"lse", "output"}) {
            QCOMPARE(difference(stage(tiles, name), stage(spread_tiles, name), 0.0), QString());
            QCOMPARE(difference(stage(tiles, name), stage(expected, name), 4e-6), QString());
        }
        const auto inputs = inputs_of_map(problem), spread_inputs = inputs_of_map(spread);
        for (const auto& [b, h] : {std::pair{0, 1}, std::pair{1, 3}}) {
            const AttentionMap map(inputs, b, h), spread_map(spread_inputs, b, h);
            const auto grid = grid_of(map.all(), 5, 9);
            const auto bins = map.pool(grid, Pool::Mean), spread_bins = spread_map.pool(grid, Pool::Mean);
            QVERIFY(same(bins.values(Pool::Mean), spread_bins.values(Pool::Mean)));
            QCOMPARE(bins.kept, spread_bins.kept);
            RowProblems rows(problem), spread_rows(spread);
            const auto row = run(rows.row(map, b, h, 20)), spread_row = run(spread_rows.row(spread_map, b, h, 20));
            QCOMPARE(difference(stage(row, "masked"), stage(spread_row, "masked"), 0.0), QString());
        }
    }

    void oneRowOfPaddingServesEveryBatch() {
        const auto& s = broadcast_sizes;
        for (const char* variant : {"scaled_dot_product", "performer"}) {
            auto problem = flash_problem(s.B, s.H, s.H, s.L, s.S, s.E, s.E);
            problem.spec.variant = variant;
            complete_inputs(problem, 1);
            add_mask(problem, "key_padding");
            const auto row = booleans({1, s.S}, 0.4, 5);
            problem.tensors["key_padding_mask"] = row;
            auto spread = problem;
            Tensor both({s.B, s.S}, 0.0, DType::Bool);
            for (std::int64_t j = 0; j < s.S; ++j)
                for (std::int64_t b = 0; b < s.B; ++b)
                    both.set({b, j}, row.at({0, j}));
            spread.tensors["key_padding_mask"] = both;
            const auto expected = run(spread), got = run(problem);
            QCOMPARE(difference(stage(got, "output"), stage(expected, "output"), 0.0), QString());
            if (!cpu_backend().why_not(problem)) {
                QCOMPARE(difference(stage(cpu_backend().run(problem, {}), "output"),
                                    stage(cpu_backend().run(spread, {}), "output"), 0.0),
                         QString());
                const AttentionMap map(inputs_of_map(problem), 1, 2), spread_map(inputs_of_map(spread), 1, 2);
                QCOMPARE(map.pool(grid_of(map.all(), 5, 9), Pool::Max).kept,
                         spread_map.pool(grid_of(map.all(), 5, 9), Pool::Max).kept);
            }
        }
    }

    /// A finite fill in blocked cells together with a broadcast bias.
    void finiteFillsMeetABias_data() {
        QTest::addColumn<bool>("added");
        QTest::newRow("replaced") << false;
        QTest::newRow("added") << true;
    }

    void finiteFillsMeetABias() {
        QFETCH(bool, added);
        for (const auto& shape : {Shape{37, 1}, Shape{1, 75}, Shape{2, 1, 1, 75}}) {
            auto problem = broadcast_problem("attn_bias", shape);
            add_mask(problem, "causal");
            add_mask(problem, "painted");
            problem.tensors["painted_mask"] = booleans({4, 37, 1}, 0.2, 8);
            problem.spec.mask_fill = {-5.0, added ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
            const auto expected = run(with_array_written_out(problem)), got = run(problem);
            const auto tiles = cpu_backend().run(problem, {});
            for (const auto* name : {"lse", "output"}) {
                QCOMPARE(difference(stage(got, name), stage(expected, name), 0.0), QString());
                QCOMPARE(difference(stage(tiles, name), stage(expected, name), 4e-6), QString());
            }
        }
    }

    /// There is no memory for an array of L x S cells.
    void largeInputsAreNotSpread() {
        constexpr std::int64_t length = 60000;
        auto problem = flash_problem(1, 1, 1, 8, length, 2, 2);
        add_mask(problem, "attn_bias");
        problem.tensors["attn_bias"] = Tensor({1, 1, 1, length}, 0.0);
        problem.tensors["attn_bias"].set({0, 0, 0, 7}, -infinity);
        const auto resolved = resolve(problem);
        const auto shape = flash::shape_of(resolved, flash::form_of(resolved));
        const auto masks = flash::masks_of(resolved, shape);
        QCOMPARE(masks.bias.values, problem.tensors["attn_bias"].data());
        QCOMPARE(masks.bias.row_stride, 0);
    }

    void misfitsAreSaid_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* kind, const char* shape, const char* says) {
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(kind, shape))) << kind << shape << says;
        };
        row("attn_bias", "2 4 2 75",
            "attn_bias: has shape (2, 4, 2, 75), expected (B or 1, H or 1, L or 1, S or 1) with");
        row("attn_mask", "3 1 1 75", "attn_mask: has shape (3, 1, 1, 75), expected (B or 1,");
        row("painted", "2 37 75",
            "painted_mask: has shape (2, 37, 75), expected (B*H, L or 1, S or 1) or (H or 1, L or 1, S or 1) with B = "
            "2");
        row("attn_mask", "75 37", "attn_mask: has shape (75, 37), expected (L or 1, S or 1) with L = 37 as in query");
        row("attn_mask", "37", "attn_mask: has shape (37,), expected (S or 1,) with S = 75 as in key");
        row("key_padding", "2 1", "key_padding_mask: has shape (2, 1), expected (B or 1, S) with B = 2");
        row("key_padding", "3 75", "key_padding_mask: has shape (3, 75), expected (B or 1, S) with");
    }

    void misfitsAreSaid() {
        QFETCH(QString, kind);
        QFETCH(QString, shape);
        QFETCH(QString, says);
        Shape sizes;
        for (const auto& size : shape.split(' '))
            sizes.push_back(size.toLongLong());
        const auto problem = broadcast_problem(kind.toUtf8().constData(), sizes);
        const auto issues = issues_in(problem);
        QCOMPARE(issues.size(), std::size_t{1});
        const auto text = QString::fromStdString(issues.front().english());
        QVERIFY2(text.startsWith(says), qPrintable(text));
        if (kind != QLatin1String("key_padding"))
            QVERIFY(!cell_strides(sizes, {2, 4, 37, 75}));
    }

    /// A new array is a matrix whose rows are the queries.
    void aNewOneIsAMatrix() {
        auto problem = flash_problem(2, 4, 2, 3, 5, 2, 2);
        for (const char* kind : {"attn_mask", "attn_bias", "painted", "key_padding"})
            add_mask(problem, kind);
        complete_inputs(problem, 1);
        for (const char* name : {"attn_mask", "attn_bias", "painted_mask"})
            QCOMPARE(problem.tensors.at(name).shape(), Shape({3, 5}));
        QCOMPARE(problem.tensors.at("key_padding_mask").shape(), Shape({2, 5}));
        QVERIFY(row_tokens(mask_kind("attn_bias").inputs.front()) == Axis::Query);
    }
};

ATTNLAB_TEST(TestMaskBroadcast)
#include "test_mask_broadcast.moc"
