#include "core/stages/scale.h"
#include "inspector_support.h"
#include "tests/test_main.h"
#include "ui/drawing/bars_drawing.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/inspector/arithmetic_view.h"
#include "ui/panels/inspector/inspector_cards.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/inspector/named_numbers.h"
#include "ui/widgets/card.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme.h"

#include <QAccessible>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
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
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("cat → The"));
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("it → milk"));
        QCOMPARE(panel_->cellCard()->place(), QStringLiteral("row 6, column 4, from 0"));
        QVERIFY(panel_->cellCard()->arithmeticText().contains("kept (4 ≤ 6)"));
        view_.setPinned(std::nullopt);
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("cat → The"));
        view_.setHovered(Cell{20, 0}); // left over from a larger matrix
        QVERIFY(!panel_->cellCard()->hint().isEmpty());
    }

    void readsTheRow() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->rowCard()->title(), QStringLiteral("What “it” reads"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 1"));
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
        auto* further = panel_->rowCard()->furtherNumbers();
        QVERIFY(further->isHidden()); // first what beginners read
        panel_->rowCard()->furtherButton()->click();
        QTRY_VERIFY(!further->isHidden());
        QCOMPARE(further->number("entropy"), QStringLiteral("0.365 nats"));
        QCOMPARE(panel_->rowCard()->numbers()->number("effective keys"), QStringLiteral("1.441"));
        QCOMPARE(panel_->rowCard()->numbers()->number("largest"), QStringLiteral("0.881"));
        QCOMPARE(panel_->rowCard()->furtherNumbers()->number("‖∂a/∂s‖"), QStringLiteral("0.210"));
    }

    void aRowWhoseSumIsNotOneHasNoEntropy() {
        auto problem = twoKeyProblem();
        problem.spec.scale_after_softmax = true; // sums to 1/2
        show(problem);
        view_.setPinned(Cell{0, 0});
        QCOMPARE(panel_->rowCard()->furtherNumbers()->number("entropy"), QStringLiteral("–"));
        QCOMPARE(panel_->rowCard()->numbers()->number("effective keys"), QStringLiteral("–"));
        QVERIFY(panel_->rowCard()->numbers()->number("largest") != QStringLiteral("–"));
    }

    void aFullyMaskedRowHasNoStatistics() {
        show(blockedProblem({1, 1}));
        view_.setPinned(Cell{0, 0});
        QCOMPARE(panel_->rowCard()->numbers()->number("effective keys"), QStringLiteral("–"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 0"));
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
        QCOMPARE(numbers->number("expected"), QStringLiteral("4.00"));
        auto problem = milkProblem();
        problem.spec.scale.id = "pre_norm"; // no theory for rows of length 1
        panel_->setTrace(computed(milkProblem()), problem);
        QCOMPARE(numbers->number("expected"), QString());
        problem = milkProblem();
        problem.spec.variant = "gaussian_kernel"; // sums of products, but not a dot product
        show(problem);                            // creates a new panel
        QCOMPARE(panel_->scoresCard()->numbers()->number("expected"), QString());
        view_.setPinned(Cell{6, 2});
        QVERIFY(panel_->cellCard()->arithmeticText().contains("scores\t"));
        QVERIFY(!panel_->cellCard()->arithmeticText().contains("q·k"));
    }

    void explainsOutputsAndMeans() {
        show(milkProblem());
        view_.setStage("output");
        view_.setPinned(Cell{6, 2});
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("it, feature 2"));
        QVERIFY(panel_->cellCard()->arithmeticText().contains("Σ a·v"));
        QVERIFY(panel_->rowCard()->isVisible());
        view_.setStage("weights");
        view_.setHead(ViewState::mean_of_heads);
        QVERIFY(panel_->cellCard()->arithmeticText().contains("head 3: "));
        QCOMPARE(panel_->scoresCard()->title(), QStringLiteral("Mean scores of the heads"));
    }

    void copiesTheArithmetic() {
        show(twoKeyProblem());
        view_.setPinned(Cell{0, 1});
        panel_->setFocus();
        QTest::keyClick(panel_.get(), Qt::Key_C, Qt::ControlModifier);
        const QString text = QGuiApplication::clipboard()->text();
        QVERIFY2(text.startsWith("0 → 1 (row 0, column 1, from 0)\n(1.00·0.00) + "), qPrintable(text));
        QVERIFY2(text.contains("÷ row Σ\t0.1353 / 1.1353 = 0.1192\n"), qPrintable(text));
    }

    void unfoldsALongSum() {
        show(problemOf(1, 3, 3, 64));
        view_.setPinned(Cell{0, 0});
        auto* ladder = panel_->cellCard()->ladder();
        auto* sum = ladder->rungs().front();
        QVERIFY(sum->hasParts());
        QVERIFY2(sum->shownTerms().contains(QStringLiteral("…")), qPrintable(sum->shownTerms()));
        QVERIFY(sum->accessibleName().contains("and 56 more"));
        const QPoint at = sum->rect().center();
        QHelpEvent asked(QEvent::ToolTip, at, sum->mapToGlobal(at));
        QCoreApplication::sendEvent(sum, &asked);
        QCOMPARE(sum->toolTip().count(QStringLiteral("·")), 64 + 1); // and q·k
        const int folded = ladder->heightForWidth(280);
        QTest::mouseClick(ladder, Qt::LeftButton, {}, sum->geometry().center());
        QVERIFY(ladder->isUnfolded());
        QVERIFY(ladder->heightForWidth(280) > folded + 5 * panel_->fontMetrics().height());
        ladder->setFocus();
        QTest::keyClick(ladder, Qt::Key_Space);
        QCOMPARE(ladder->heightForWidth(280), folded);
    }

    /// A sum of a few terms has none left out: the one that is missing may be the largest.
    void aShortSumIsWhole() {
        auto problem = milkProblem();
        for (const char* name : {"query", "key"}) {
            auto& tensor = problem.tensors.at(name);
            for (std::int64_t i = 0; i < tensor.size(); ++i)
                tensor.mutable_values()[static_cast<std::size_t>(i)] *= 100.0;
        }
        show(problem);
        view_.setPinned(Cell{6, 4});
        for (const int width : {280, 300, 340}) {
            panel_->resize(width, 700);
            QCoreApplication::processEvents();
            const auto* sum = panel_->cellCard()->ladder()->rungs().front();
            QVERIFY2(!sum->shownTerms().contains(QChar(0x2026)), qPrintable(sum->shownTerms()));
        }
    }

    void nothingIsCutAtAnyWidth() {
        auto problem = milkProblem();
        problem.spec.masks = {{"causal", {}}};
        show(problem);
        view_.setPinned(Cell{6, 4});
        const QFont usual = panel_->font();
        for (const double scale : {1.0, 1.5}) {
            QFont font = usual;
            font.setPointSizeF(usual.pointSizeF() * scale);
            panel_->setFont(font);
            for (int width = 280; width <= 340; width += 6) {
                panel_->resize(width, 600);
                QCoreApplication::processEvents();
                for (const QWidget* part : std::initializer_list<const QWidget*>{panel_->cellCard()->ladder(),
                                                                                 panel_->rowCard()->numbers()}) {
                    QCOMPARE(part->height(), part->heightForWidth(part->width()));
                    for (const auto* child : part->findChildren<QWidget*>())
                        QVERIFY(part->rect().contains(child->geometry()));
                }
            }
        }
    }

    /// What is on the screen is also what a screen reader gets.
    void everyNumberIsSaid() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        const auto name_of = [](QWidget* widget) {
            return QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name);
        };
        for (auto* rung : panel_->cellCard()->ladder()->rungs()) {
            QVERIFY2(name_of(rung).contains(rung->value()) || rung->line().step == ArithmeticLine::Step::Mask,
                     qPrintable(name_of(rung)));
            QVERIFY(name_of(panel_->cellCard()->ladder()).contains(name_of(rung)));
        }
        const auto& rungs = panel_->cellCard()->ladder()->rungs();
        QVERIFY2(name_of(rungs[0]).startsWith("q·k: ") && name_of(rungs[0]).contains(" + ") &&
                     name_of(rungs[0]).endsWith(" = " + rungs[0]->value()),
                 qPrintable(name_of(rungs[0])));
        // Perhaps with more digits.
        QVERIFY2(name_of(rungs[1]).startsWith("÷ √4: " + rungs[0]->value().chopped(1)) &&
                     name_of(rungs[1]).endsWith(" ÷ √4 = " + rungs[1]->value()),
                 qPrintable(name_of(rungs[1])));
        QStringList names;
        for (auto* widget : panel_->findChildren<QWidget*>())
            names << name_of(widget);
        QVERIFY(names.contains("entropy: " + panel_->rowCard()->furtherNumbers()->number("entropy")));
        QVERIFY(panel_->rowCard()->furtherNumbers()->number("entropy").endsWith(" nats"));
        QVERIFY(names.contains("variance of scores: " + panel_->scoresCard()->numbers()->number("variance")));
        const QString bars = name_of(panel_->rowCard()->bars());
        QVERIFY2(bars.startsWith("Weights of the row: ") && bars.contains("milk: ") && bars.contains(": masked"),
                 qPrintable(bars));
    }

    /// 0.0006 is not 0.001.
    void titlesKeepTheDigitsOfSmallWeights() {
        const auto problem = problemOf(1, 3, 60, 4);
        show(problem);
        const auto weights = computed(problem)->trace.find("weights")->value;
        int smallest = 0;
        for (int j = 0; j < 60; ++j)
            if (weights.at({0, 0, 1, j}) < weights.at({0, 0, 1, smallest}))
                smallest = j;
        const double least = weights.at({0, 0, 1, smallest});
        QVERIFY(least > 0.0 && least < 0.01);
        view_.setPinned(Cell{1, smallest});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("Why %1?").arg(distinguishingText(least, 5)));
        QCOMPARE(panel_->cellCard()->title().section(' ', 1, 1).remove('?'),
                 panel_->cellCard()->ladder()->rungs().back()->value());
    }

    void titlesSayWhatIsExplained() {
        show(milkProblem());
        const auto weight = computed(milkProblem())->trace.find("weights")->value.at({0, 0, 6, 4});
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("Why %1?").arg(distinguishingText(weight, 5)));
        int answers = 0;
        for (const auto* rung : panel_->cellCard()->ladder()->rungs())
            answers += rung->line().answer;
        QCOMPARE(answers, 1);
        QVERIFY(panel_->cellCard()->ladder()->rungs().back()->line().answer);
        view_.setStage("value"); // a number that nothing explains
        view_.setPinned(Cell{6, 2});
        QVERIFY(panel_->cellCard()->title().startsWith("The number "));
        view_.setPinned(std::nullopt);
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("Cell"));
    }

    void barsComeFromTheLargest() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        auto* bars = panel_->rowCard()->bars();
        QCOMPARE(bars->shownBars().size(), std::size_t{9});
        for (std::size_t i = 1; i < 7; ++i)
            QVERIFY(bars->bars()[static_cast<std::size_t>(bars->shownBars()[i - 1])].value >=
                    bars->bars()[static_cast<std::size_t>(bars->shownBars()[i])].value);
        QCOMPARE(bars->shownBars().back(), 8); // masked
        panel_->rowCard()->orderSwitch()->setCurrentIndex(1);
        QCOMPARE(bars->shownBars(), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Down); // the pinned one
        QTest::keyClick(bars, Qt::Key_Down);
        QTest::keyClick(bars, Qt::Key_Return);
        QVERIFY(view_.pinned() == Cell({6, 5}));
    }

    void aLongRowIsUnfolded() {
        show(problemOf(1, 2, 300, 4));
        const auto all = computed(problemOf(1, 2, 300, 4))->trace.find("weights")->value;
        int large = 0;
        for (int key = 0; key < 300; ++key)
            large = all.at({0, 0, 1, key}) > all.at({0, 0, 1, large}) ? key : large;
        view_.setPinned(Cell{1, large});
        auto* row = panel_->rowCard();
        const auto& shown = row->bars()->shownBars();
        QCOMPARE(shown.size(), std::size_t{8});
        QCOMPARE(row->moreButton()->text(), QStringLiteral("292 more"));
        int small = 0; // a pinned key is there, whatever its weight
        while (small < 299 && all.at({0, 0, 1, small}) > 1.0 / 300)
            ++small;
        view_.setPinned(Cell{1, small});
        QCOMPARE(shown.size(), std::size_t{9});
        QCOMPARE(row->bars()->bars()[static_cast<std::size_t>(shown.back())].label, QString::number(small));
        QCOMPARE(row->moreButton()->text(), QStringLiteral("291 more"));
        row->moreButton()->click();
        QCOMPARE(row->bars()->shownBars().size(), std::size_t{300});
        QCOMPARE(row->moreButton()->text(), QStringLiteral("fewer"));
        view_.setPinned(Cell{0, 0});
        QCOMPARE(row->bars()->shownBars().size(), std::size_t{300});
        row->moreButton()->click();
        QVERIFY(row->bars()->shownBars().size() <= 9);
    }

    /// The size of the dock in a window of 1280 x 800, less the formula.
    void nineTokensFit() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        panel_->resize(318, 698 - 110);
        QCoreApplication::processEvents();
        const auto* row = panel_->rowCard();
        QVERIFY2(row->geometry().bottom() < panel_->height(), qPrintable(QString::number(row->geometry().bottom())));
        QVERIFY(row->isAncestorOf(row->numbers()) && row->rect().contains(row->numbers()->geometry()));
    }

    /// A row of a large map stays until the trace of the next one is ready.
    void keepsARowUntilTheNextOneIsHere() {
        show(problemOf(1, 1, 40, 4));
        const auto trace_of = [this](const char* token, int row) {
            auto problem = problemOf(1, 1, 40, 4);
            problem.query_tokens = {token};
            panel_->setTrace(computed(problem), problem, row);
        };
        view_.setPinned({});
        trace_of("a", 700);
        view_.setHovered(Cell{700, 3});
        const QString text = panel_->cellCard()->arithmeticText();
        QVERIFY(text.contains(QStringLiteral("row 700")));
        QTRY_VERIFY(!panel_->rowCard()->isHidden());
        view_.setHovered(Cell{701, 5});
        QCOMPARE(panel_->cellCard()->arithmeticText(), text);
        QVERIFY(!panel_->rowCard()->isHidden());
        trace_of("b", 701);
        QVERIFY(!panel_->cellCard()->arithmeticText().isEmpty() && panel_->cellCard()->arithmeticText() != text);
        QCOMPARE(panel_->rowCard()->title(), QStringLiteral("What “a” reads")); // one card for each event
        QTRY_COMPARE(panel_->rowCard()->title(), QStringLiteral("What “b” reads"));
        view_.setHovered({});
        QVERIFY(panel_->cellCard()->arithmeticText().isEmpty());
        QVERIFY(!panel_->cellCard()->hint().isEmpty());
    }

    /// Beside a map the trace is one row: its figures are never called those of the head.
    void theScoresOfARowAreNotThoseOfItsHead() {
        show(problemOf(1, 1, 40, 4));
        const auto problem = problemOf(1, 1, 40, 4);
        panel_->setTrace(computed(problem), problem, 700);
        auto* card = panel_->scoresCard();
        QTRY_COMPARE(card->title(), QStringLiteral("Scores of this row"));
        QVERIFY(card->numbers()->number("expected").isEmpty());
        panel_->setHeadScores(RowProblems::ScoreMoments{{0.25, 63.5}, {0.125, 15.75}});
        QCOMPARE(card->title(), QStringLiteral("Scores of this head"));
        QCOMPARE(card->numbers()->number("mean"), QStringLiteral("0.25"));
        QCOMPARE(card->numbers()->number("variance"), QStringLiteral("63.5"));
        QCOMPARE(card->numbers()->number("expected"), QStringLiteral("4.00"));
        panel_->setTrace(computed(problem), problem, 701); // another row of the same head
        QTest::qWait(50);
        QCOMPARE(card->numbers()->number("mean"), QStringLiteral("0.25"));
        panel_->setHeadScores({});
        QCOMPARE(card->title(), QStringLiteral("Scores of this row"));
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

    void equalTokensAreToldApart() {
        MatrixData row;
        row.values = Tensor({1, 4}, 0.25);
        row.column_labels = {QStringLiteral("the"), QStringLiteral("cat"), QStringLiteral("the"), QStringLiteral(" ")};
        auto bars = rowBars(row, 0, {}, 8);
        numberEqualLabels(bars);
        QStringList labels;
        for (const auto& bar : bars.bars)
            labels << bar.label;
        QCOMPARE(labels, QStringList({"the (0)", "cat", "the (2)", QString(QChar(0x2423))}));
    }

    void neverScrollsSideways() {
        auto problem = milkProblem();
        problem.query_tokens[6] = std::string(80, 'w');
        show(problem);
        view_.setPinned(Cell{6, 4});
        QVERIFY(panel_->cellCard()->aside().contains(QChar(0x2026)));
        QVERIFY(panel_->cellCard()->aside().endsWith(QStringLiteral("→ milk")));
        QVERIFY(panel_->cellCard()->arithmeticText().startsWith(QString(80, 'w')));
        QVERIFY(panel_->rowCard()->title().contains(QChar(0x2026)));
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
