// sliding_window: the masks that it expands to, and the cells that they keep.
#include "core/resolved_problem.h"
#include "core/stages/mask.h"
#include "core/stages/sliding_window.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;

class TestSlidingWindow : public QObject {
    Q_OBJECT

private slots:
    /// j <= i and j > i - n, as transformers' sliding_window_overlay on top of the causal mask.
    void keepsItselfAndTheKeysBefore_data() {
        QTest::addColumn<int>("n");
        for (const int n : {1, 2, 3, 4, 7, 40})
            QTest::addRow("%d", n) << n;
    }
    void keepsItselfAndTheKeysBefore() {
        QFETCH(int, n);
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({1, 1, 9, 2}));
        problem.spec.masks = parse_masks("sliding_window:" + std::to_string(n));
        QCOMPARE(problem.spec.masks.size(), std::size_t{2});
        QCOMPARE(sliding_window_of(problem.spec.masks), std::optional<std::int64_t>(n));
        const auto blocked = blocked_cells(resolve(problem));
        for (int i = 0; i < 9; ++i)
            for (int j = 0; j < 9; ++j)
                QVERIFY2((blocked.at({0, 0, i, j}) == 0.0) == (j <= i && j > i - n),
                         qPrintable(QString("n %1, cell (%2, %3)").arg(n).arg(i).arg(j)));
    }

    void standsForCausalAndAWindow() {
        const auto masks = parse_masks("sliding_window");
        QCOMPARE(masks.at(0).id, std::string("causal"));
        QVERIFY(masks.at(1) == parse_mask("window:6"));
        QVERIFY(!sliding_window_of({}));
        QVERIFY(!sliding_window_of(std::vector{parse_mask("causal")}));
        QVERIFY(!sliding_window_of(std::vector{parse_mask("causal"), parse_mask("window:5")}));
        QVERIFY(!sliding_window_of(std::vector{parse_mask("causal:bottom_right"), parse_mask("window:6")}));
        QCOMPARE(sliding_window_of(std::vector{parse_mask("window:6"), parse_mask("causal")}),
                 std::optional<std::int64_t>(4));
    }

    void isFoundInReaches_data() {
        QTest::addColumn<QString>("window");
        QTest::addColumn<int>("n"); // 0: none
        QTest::newRow("none to the right") << "window:3,0" << 4;
        QTest::newRow("some to the right") << "window:3,2" << 4;
        QTest::newRow("all to the right") << "window:3,inf" << 4;
        QTest::newRow("itself") << "window:0,-1" << 1;
        QTest::newRow("all to the left") << "window:inf,0" << 0;
        QTest::newRow("everything") << "window:-1,-1" << 0;
        QTest::newRow("as far as it may be") << "window:499999999,0" << 500000000;
        QTest::newRow("farther") << "window:500000000,0" << 0;
        QTest::newRow("wider") << "window:1000000000" << 0;
    }
    void isFoundInReaches() {
        QFETCH(QString, window);
        QFETCH(int, n);
        const std::vector masks{parse_mask("causal"), parse_mask(window.toStdString())};
        QCOMPARE(sliding_window_of(masks).value_or(0), std::int64_t{n});
        if (n == 0)
            return;
        const auto cells = [](std::vector<Selection> chosen) {
            AttentionProblem problem;
            for (const char* name : {"query", "key", "value"})
                problem.tensors.emplace(name, Tensor({1, 1, 9, 2}));
            problem.spec.masks = std::move(chosen);
            return blocked_cells(resolve(problem));
        };
        QVERIFY(cells(masks) == cells(sliding_window(n)));
    }

    void isNotFoundInInvalidMasks() {
        Selection window{"window", {}}, causal{"causal", {}};
        window.parameters.set("w", std::int64_t{-1});
        QVERIFY(!sliding_window_of(std::vector{causal, window}));
        window.parameters.set("w", std::int64_t{2});
        window.parameters.set("left", std::int64_t{2}); // beside a width
        QVERIFY(!sliding_window_of(std::vector{causal, window}));
        causal.parameters.set("alignment", std::string("middle"));
        QVERIFY(!sliding_window_of(std::vector{causal, parse_mask("window:2")}));
    }

    void takesThePlaceOfWhatIsThere() {
        const std::vector masks{parse_mask("window:3"), parse_mask("prefix:1"), parse_mask("causal")};
        const auto with = with_sliding_window(masks, 2);
        QCOMPARE(with.size(), std::size_t{3});
        QCOMPARE(sliding_window_of(with), std::optional<std::int64_t>(2));
        QVERIFY(with_sliding_window(with, {}) == std::vector{parse_mask("prefix:1")});
    }

    void refusesOtherNumbers_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"sliding_window:0", "sliding_window:-4", "sliding_window:x", "sliding_window:2.5", "sliding_windows:4"})
            QTest::addRow("%s", text) << text;
    }
    void refusesOtherNumbers() {
        QFETCH(QString, text);
        QVERIFY_THROWS_EXCEPTION(Error, parse_masks(text.toStdString()));
    }
};

ATTNLAB_TEST(TestSlidingWindow)
#include "test_sliding_window.moc"
