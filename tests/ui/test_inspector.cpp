#include "core/stages/scale.h"
#include "inspector_support.h"
#include "tests/test_main.h"
#include "ui/drawing/bar_chart.h"
#include "ui/matrix/slice.h"
#include "ui/panels/inspector/cell_card.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/number_table.h"
#include "ui/panels/inspector/row_bars.h"
#include "ui/panels/inspector/row_card.h"
#include "ui/panels/inspector/scores_card.h"
#include "ui/widgets/card.h"
#include "ui/widgets/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestInspector : public QObject {
    Q_OBJECT

    ViewState view_;
    std::unique_ptr<InspectorPanel> panel_;

    void show(const AttentionProblem& problem) {
        view_.setStage("weights");
        view_.setHead(0);
        view_.setPinned(std::nullopt);
        view_.setHovered(std::nullopt);
        panel_ = std::make_unique<InspectorPanel>(view_);
        panel_->resize(300, 700);
        panel_->setTrace(computed(problem), problem);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }
    void cleanup() { panel_.reset(); }

    void hintsUntilThereIsACell() {
        show(milkProblem());
        QVERIFY(!panel_->cellCard()->hint().isEmpty());
        QVERIFY(!panel_->rowCard()->isVisible());
        view_.setHovered(Cell{1, 0});
        QCOMPARE(panel_->cellCard()->hint(), QString());
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("cat → The"));
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("it → milk"));
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("row 6, column 4"));
        QVERIFY(panel_->cellCard()->arithmeticText().contains("kept (4 ≤ 6)"));
        view_.setPinned(std::nullopt);
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("cat → The"));
        view_.setHovered(Cell{20, 0}); // left over from a larger matrix
        QVERIFY(!panel_->cellCard()->hint().isEmpty());
    }

    void readsTheRow() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->rowCard()->title(), QStringLiteral("Row: what “it” reads"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 1.0000"));
        const auto& bars = panel_->rowCard()->bars()->bars();
        QCOMPARE(bars.size(), std::size_t{9});
        QCOMPARE(bars[4].label, QStringLiteral("milk"));
        const auto trace = computed(milkProblem());
        QCOMPARE(bars[4].value, trace->trace.find("weights")->value.at({0, 0, 6, 4}));
        QVERIFY(!bars[6].blocked && bars[7].blocked && bars[8].blocked);
        emit panel_->rowCard()->bars()->barClicked(1);
        QVERIFY(view_.pinned() == Cell({6, 1}));
    }

    void numbersOfTheRow() {
        show(twoKeyProblem());
        view_.setPinned(Cell{0, 0});
        // a = (0.880797, 0.119203): H = 0.365334, e^H = 1.440995, |J| = 2 a1 a2 = 0.209987
        QCOMPARE(panel_->rowCard()->numbers()->number("entropy"), QStringLiteral("0.365 nats"));
        QCOMPARE(panel_->rowCard()->numbers()->number("effective keys"), QStringLiteral("1.441"));
        QCOMPARE(panel_->rowCard()->numbers()->number("max weight"), QStringLiteral("0.881"));
        QCOMPARE(panel_->rowCard()->numbers()->number("‖∂a/∂s‖"), QStringLiteral("0.210"));
    }

    void aFullyMaskedRowHasNoStatistics() {
        show(blockedProblem({1, 1}));
        view_.setPinned(Cell{0, 0});
        QCOMPARE(panel_->rowCard()->numbers()->number("effective keys"), QStringLiteral("–"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 0.0000"));
        QVERIFY(panel_->rowCard()->bars()->bars()[0].blocked && panel_->rowCard()->bars()->bars()[1].blocked);
    }

    void longRowsLeaveBlockedKeysOut() {
        auto problem = problemOf(1, 40, 40, 2);
        problem.spec.masks = {{"causal", {}}};
        show(problem);
        view_.setPinned(Cell{2, 30});
        const auto& bars = panel_->rowCard()->bars()->bars();
        QCOMPARE(bars.size(), std::size_t{4}); // three kept ones and the pinned one
        QCOMPARE(bars[3].label, QStringLiteral("30"));
        emit panel_->rowCard()->bars()->barClicked(3);
        QVERIFY(view_.pinned() == Cell({2, 30}));
    }

    void comparesVarianceWithTheory() {
        show(milkProblem());
        const auto* numbers = panel_->scoresCard()->numbers();
        QCOMPARE(numbers->number("theory"), QStringLiteral("4.00"));
        auto problem = milkProblem();
        problem.spec.scale.id = "pre_norm"; // no theory for rows of length 1
        panel_->setTrace(computed(milkProblem()), problem);
        QCOMPARE(numbers->number("theory"), QString());
        problem = milkProblem();
        problem.spec.variant = "gaussian_kernel"; // sums of products, but not a dot product
        show(problem);                            // creates a new panel
        QCOMPARE(panel_->scoresCard()->numbers()->number("theory"), QString());
        view_.setPinned(Cell{6, 2});
        QVERIFY(panel_->cellCard()->arithmeticText().contains("scores\t"));
        QVERIFY(!panel_->cellCard()->arithmeticText().contains("q·k"));
    }

    void explainsOutputsAndMeans() {
        show(milkProblem());
        view_.setStage("output");
        view_.setPinned(Cell{6, 2});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("it, feature 2"));
        QVERIFY(panel_->cellCard()->arithmeticText().contains("Σ a·v"));
        QVERIFY(panel_->rowCard()->isVisible());
        view_.setStage("weights");
        view_.setHead(ViewState::MeanOfHeads);
        QVERIFY(panel_->cellCard()->arithmeticText().contains("head 3: "));
        QCOMPARE(panel_->scoresCard()->title(), QStringLiteral("Mean scores of the heads"));
    }

    void copiesTheArithmetic() {
        show(twoKeyProblem());
        view_.setPinned(Cell{0, 1});
        panel_->setFocus();
        QTest::keyClick(panel_.get(), Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith("0 → 1 (row 0, column 1)\n(1.00·0.00) + "), qPrintable(text));
        QVERIFY2(text.contains("÷ row Σ\t0.1353 / 1.1353 = 0.1192\n"), qPrintable(text));
    }

    void unfoldsALongSum() {
        show(problemOf(1, 3, 3, 64));
        view_.setPinned(Cell{0, 0});
        QLabel* terms = nullptr;
        for (auto* label : panel_->findChildren<QLabel*>())
            if (label->text().contains("href"))
                terms = label;
        QVERIFY(terms);
        QVERIFY(terms->text().contains("and 56 more"));
        emit terms->linkActivated("fold");
        QVERIFY(!terms->text().contains("and 56 more"));
        QCOMPARE(terms->text().count(QStringLiteral("·")), 64);
    }

    /// A row of a large map stays until the trace of the next one is ready.
    void keepsARowUntilTheNextOneIsHere() {
        show(problemOf(1, 1, 40, 4));
        const auto traceOf = [this](const char* token, int row) {
            auto problem = problemOf(1, 1, 40, 4);
            problem.query_tokens = {token};
            panel_->setTrace(computed(problem), problem, row);
        };
        view_.setPinned({});
        traceOf("a", 700);
        view_.setHovered(Cell{700, 3});
        const QString text = panel_->cellCard()->arithmeticText();
        QVERIFY(text.contains(QStringLiteral("row 700")));
        QTRY_VERIFY(!panel_->rowCard()->isHidden());
        view_.setHovered(Cell{701, 5});
        QCOMPARE(panel_->cellCard()->arithmeticText(), text);
        QVERIFY(!panel_->rowCard()->isHidden());
        traceOf("b", 701);
        QVERIFY(!panel_->cellCard()->arithmeticText().isEmpty() && panel_->cellCard()->arithmeticText() != text);
        QCOMPARE(panel_->rowCard()->title(), QStringLiteral("Row: what “a” reads")); // one card for each event
        QTRY_COMPARE(panel_->rowCard()->title(), QStringLiteral("Row: what “b” reads"));
        view_.setHovered({});
        QVERIFY(panel_->cellCard()->arithmeticText().isEmpty());
        QVERIFY(!panel_->cellCard()->hint().isEmpty());
    }

    void aLongRowHasFewBars() {
        MatrixData row;
        row.values = Tensor({2, 1000}, 1e-6);
        row.blocked = Tensor({2, 1000}, 0.0, DType::Bool);
        for (int key = 100; key < 130; ++key)
            row.values.set({1, key}, 0.001 * key);
        for (int key = 500; key < 1000; ++key)
            row.blocked.set({1, key}, 1.0);
        const auto bars = rowBars(row, 1, 110, 24);
        QCOMPARE(bars.bars.size(), std::size_t{24});
        QCOMPARE(bars.keys.front(), 106);
        QCOMPARE(bars.keys.back(), 129);
        QCOMPARE(bars.highlighted, 4);
        QCOMPARE(bars.bars[4].label, QStringLiteral("110"));
        QCOMPARE(bars.blocked, 500);
        QCOMPARE(bars.smaller, 500 - 24);
        const auto other = rowBars(row, 1, 3, 24);
        QCOMPARE(other.highlighted, -1);
        QCOMPARE(other.keys, bars.keys);
    }

    void neverScrollsSideways() {
        auto problem = milkProblem();
        problem.query_tokens[6] = std::string(80, 'w');
        show(problem);
        view_.setPinned(Cell{6, 4});
        panel_->resize(280, 400);
        QCoreApplication::processEvents();
        const auto* scroll = panel_->findChild<QScrollArea*>();
        QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
        QVERIFY(scroll->widget()->width() <= scroll->viewport()->width());
        QVERIFY(scroll->verticalScrollBar()->maximum() > 0);
    }
};

ATTNLAB_TEST(TestInspector)
#include "test_inspector.moc"
