#include "core/stages/scale.h"
#include "traces.h"
#include "ui/card.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/number_table.h"
#include "ui/inspector/row_bars.h"
#include "ui/plot/bar_chart.h"
#include "ui/slice.h"
#include "ui/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;
using Step = ArithmeticLine::Step;
using Lines = std::vector<ArithmeticLine>;

namespace {

const ArithmeticLine* find(const Lines& lines, Step step) {
    const auto found = std::find_if(lines.begin(), lines.end(), [step](const auto& line) { return line.step == step; });
    return found == lines.end() ? nullptr : &*found;
}

double valueOf(const Lines& lines, Step step) {
    const auto* line = find(lines, step);
    return line ? line->value : std::nan("missing");
}

QString textOf(const Lines& lines, Step step) {
    const auto* line = find(lines, step);
    return line ? line->expression + QLatin1Char('|') + line->value_text : QStringLiteral("missing");
}

double answer(const Lines& lines) {
    double value = std::nan("missing");
    int count = 0;
    for (const auto& line : lines)
        if (line.answer && ++count)
            value = line.value;
    return count == 1 ? value : std::nan("not one answer");
}

Tensor painted(Shape shape, std::vector<double> blocked) { return {std::move(shape), std::move(blocked), DType::Bool}; }

/// twoKeyProblem with these keys blocked.
AttentionProblem blockedProblem(std::vector<double> blocked, MaskFill fill = {}) {
    auto problem = twoKeyProblem();
    problem.tensors["attn_mask"] = painted({1, 2}, std::move(blocked));
    problem.spec.masks = {{"attn_mask", {}}};
    problem.spec.mask_fill = fill;
    return problem;
}

const double e2 = std::exp(-2.0);

} // namespace

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
        panel_->setProblem(problem);
        panel_->setTrace(computed(problem));
        panel_->show();
        QVERIFY(QTest::qWaitForWindowExposed(panel_.get()));
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }
    void cleanup() { panel_.reset(); }

    void writesOutAWeight() {
        const auto trace = computed(twoKeyProblem());
        const auto lines = arithmeticOf(trace->trace, 0, 0, {0, 1});
        const auto* terms = find(lines, Step::Terms);
        QVERIFY(terms);
        QCOMPARE(terms->parts, QStringList(4, "(1.00·0.00)"));
        QCOMPARE(find(lines, Step::Score)->label, QStringLiteral("q·k"));
        QCOMPARE(valueOf(lines, Step::Score), 0.0);
        QCOMPARE(find(lines, Step::Stage)->label, QStringLiteral("÷ √4"));
        QCOMPARE(valueOf(lines, Step::Stage), 0.0);
        QVERIFY(!find(lines, Step::Mask) && !find(lines, Step::Bias) && !find(lines, Step::RowSum));
        QCOMPARE(textOf(lines, Step::Shift), QStringLiteral("0.0000 − 2.0000|−2.0000"));
        QCOMPARE(textOf(lines, Step::Exponential), QStringLiteral("e^−2.0000|0.1353"));
        QCOMPARE(textOf(lines, Step::Softmax), QStringLiteral("0.1353 / 1.1353|0.1192"));
        QCOMPARE(valueOf(lines, Step::Softmax), e2 / (1 + e2));
        QCOMPARE(answer(lines), e2 / (1 + e2));
    }

    void answersForTheStageOnShow() {
        const auto trace = computed(twoKeyProblem());
        QCOMPARE(answer(arithmeticOf(trace->trace, *trace->trace.find("scores"), 0, 0, {0, 0})), 4.0);
        QCOMPARE(answer(arithmeticOf(trace->trace, *trace->trace.find("scaled"), 0, 0, {0, 0})), 2.0);
    }

    void masks_data() {
        QTest::addColumn<AttentionProblem>("problem");
        QTest::addColumn<int>("key");
        QTest::addColumn<QString>("mask");
        QTest::addColumn<double>("weight");
        QTest::newRow("kept") << blockedProblem({0, 1}) << 0 << "kept (0 ≤ 0)" << 1.0;
        QTest::newRow("blocked") << blockedProblem({0, 1}) << 1 << "blocked (1 > 0) → −∞" << 0.0;
        QTest::newRow("first key blocked") << blockedProblem({1, 0}) << 0 << "blocked → −∞" << 0.0;
        QTest::newRow("kept after a blocked key") << blockedProblem({1, 0}) << 1 << "kept" << 1.0;
        QTest::newRow("nothing blocked") << blockedProblem({0, 0}) << 1 << "kept" << e2 / (1 + e2);
        QTest::newRow("all blocked") << blockedProblem({1, 1}) << 1 << "blocked → −∞" << 0.0;
        QTest::newRow("finite fill") << blockedProblem({0, 1}, {-1e6, MaskFill::Mode::Replace}) << 1
                                     << "blocked (1 > 0) → −1.000e+06" << 0.0;
        QTest::newRow("all filled") << blockedProblem({1, 1}, {-1e6, MaskFill::Mode::Replace}) << 1
                                    << "blocked → −1.000e+06" << 0.5;
        QTest::newRow("fill added") << blockedProblem({1, 1}, {-10, MaskFill::Mode::Add}) << 0 << "blocked → −8.0000"
                                    << 1 / (1 + e2);
    }
    void masks() {
        QFETCH(AttentionProblem, problem);
        QFETCH(int, key);
        QFETCH(double, weight);
        const auto lines = arithmeticOf(computed(problem)->trace, 0, 0, {0, key});
        QVERIFY(find(lines, Step::Mask));
        QTEST(find(lines, Step::Mask)->expression, "mask");
        QCOMPARE(answer(lines), weight);
    }

    void saysWhenARowIsFullyMasked() {
        const auto lines = arithmeticOf(computed(blockedProblem({1, 1}))->trace, 0, 0, {0, 0});
        QVERIFY(find(lines, Step::Remark));
        QVERIFY(find(lines, Step::Remark)->expression.contains("Every key of this row is blocked"));
        QVERIFY(!find(lines, Step::Exponential) && !find(lines, Step::Softmax) && !find(lines, Step::RowSum));
    }

    void saysInWordsThatARowIsNaN() {
        auto problem = twoKeyProblem();
        problem.tensors["query"].set({0, 0}, std::nan(""));
        const auto lines = arithmeticOf(computed(problem)->trace, 0, 0, {0, 1});
        QVERIFY(find(lines, Step::Remark));
        QVERIFY(find(lines, Step::Remark)->expression.contains("NaN"));
        // NaN differs from itself, but nothing was added to it and no step beside the softmax made it.
        QVERIFY(!find(lines, Step::Bias) && !find(lines, Step::Weight) && !find(lines, Step::RowSum));
    }

    void showsABias() {
        auto problem = twoKeyProblem();
        problem.tensors["attn_bias"] = Tensor({1, 2}, {-0.5, 3.0});
        problem.spec.masks = {{"attn_bias", {}}};
        const auto trace = computed(problem);
        QCOMPARE(textOf(arithmeticOf(trace->trace, 0, 0, {0, 0}), Step::Bias), QStringLiteral("− 0.5000|1.5000"));
        QCOMPARE(textOf(arithmeticOf(trace->trace, 0, 0, {0, 1}), Step::Bias), QStringLiteral("+ 3.0000|3.0000"));
    }

    void scaleAfterTheSoftmax() {
        auto problem = twoKeyProblem();
        problem.spec.scale_after_softmax = true;
        const auto lines = arithmeticOf(computed(problem)->trace, 0, 0, {0, 0});
        const double share = 1 / (1 + std::exp(-4.0));
        QCOMPARE(valueOf(lines, Step::Softmax), share);
        QCOMPARE(find(lines, Step::Weight)->label, QStringLiteral("softmax, then ÷ √4"));
        QCOMPARE(valueOf(lines, Step::Weight), share / 2);
        QCOMPARE(valueOf(lines, Step::RowSum), 0.5);
        QCOMPARE(answer(lines), share / 2);
    }

    void laterStagesFollowTheWeights() {
        auto trace = computed(twoKeyProblem())->trace;
        const Stage weights = *trace.find("weights");
        trace.stages.insert(trace.stages.end() - 1, {"weights_dropped",
                                                     Tensor(weights.value.shape(), 0.25),
                                                     weights.axes,
                                                     StageRole::Step,
                                                     {"dropout %1", {"0.5"}},
                                                     ""});
        const auto lines = arithmeticOf(trace, *trace.find("weights_dropped"), 0, 0, {0, 0});
        QCOMPARE(lines.back().label, QStringLiteral("dropout 0.5"));
        QCOMPARE(lines.back().value, 0.25);
        QVERIFY(lines.back().answer);
    }

    void writesOutThePositionBetweenScaleAndMask() {
        auto problem = problemOf(1, 3, 3, 4);
        problem.spec.position = {"alibi", {}};
        auto trace = computed(problem);
        auto lines = arithmeticOf(trace->trace, 0, 0, {2, 0});
        const auto scaled = trace->trace.find("scaled")->value.at({0, 0, 2, 0});
        const double bias = -2.0 / 256.0; // one head, two tokens apart
        QCOMPARE(find(lines, Step::Bias)->label, QStringLiteral("position"));
        QCOMPARE(valueOf(lines, Step::Bias), scaled + bias);
        QVERIFY(find(lines, Step::Bias)->expression.startsWith(QStringLiteral("− 0.0078")));
        QCOMPARE(std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.step == Step::Bias; }), 1);
        // An additive bias is told apart from it.
        problem.spec.masks = {{"attn_bias", {}}};
        problem.tensors["attn_bias"] = Tensor({3, 3}, 5.0);
        trace = computed(problem);
        lines = arithmeticOf(trace->trace, 0, 0, {2, 0});
        std::vector<double> values;
        for (const auto& one : lines)
            if (one.step == Step::Bias)
                values.push_back(one.value);
        QCOMPARE(values.size(), std::size_t{2});
        QVERIFY(std::abs(values[1] - (scaled + bias + 5.0)) < 1e-12);
    }

    // Whatever the scale, the position and the mask: the lines end at the number that the trace holds.
    void agreesWithTheTrace_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("position");
        QTest::addColumn<QString>("mask");
        for (const auto& mode : scale_modes())
            for (const char* position : {"", "alibi", "t5", "rope"})
                for (const char* mask : {"", "causal"})
                    QTest::addRow("%s %s %s", mode.id.data(), position, mask)
                        << QString::fromStdString(std::string(mode.id)) << position << mask;
    }
    void agreesWithTheTrace() {
        QFETCH(QString, scale);
        QFETCH(QString, position);
        QFETCH(QString, mask);
        auto problem = problemOf(2, 3, 5, 4); // L != S
        problem.spec.position.id = position.toStdString();
        problem.spec.scale.id = scale.toStdString();
        if (!mask.isEmpty())
            problem.spec.masks = {{mask.toStdString(), {}}};
        complete_inputs(problem, 1);
        const auto trace = computed(problem);
        const auto& weights = trace->trace.find("weights")->value;
        for (int head = 0; head < 2; ++head)
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 5; ++j) {
                    const auto lines = arithmeticOf(trace->trace, 0, head, {i, j});
                    QCOMPARE(answer(lines), weights.at({0, head, i, j}));
                    QVERIFY(!find(lines, Step::Weight)); // exp / row sum gave the weight itself
                    double sum = 0.0;
                    for (const auto& term : trace->trace.score_terms(0, head, i, j))
                        sum += term.product;
                    QVERIFY(std::abs(valueOf(lines, Step::Score) - sum) < 1e-12);
                }
    }

    void cellsOutsideHaveNoArithmetic() {
        const auto trace = computed(twoKeyProblem());
        QVERIFY(arithmeticOf(trace->trace, 0, 0, {1, 0}).empty());
        QVERIFY(arithmeticOf(trace->trace, 0, 0, {0, 2}).empty());
        QVERIFY(arithmeticOf(trace->trace, 0, 0, {-1, 0}).empty());
        QVERIFY(arithmeticOf(trace->trace, 1, 0, {0, 0}).empty());
        QVERIFY(arithmeticOf(Trace(), 0, 0, {0, 0}).empty());
    }

    void theMeanListsTheHeads() {
        const auto trace = computed(milkProblem());
        const auto lines = arithmeticOf(trace->trace, 0, ViewState::MeanOfHeads, {8, 0});
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].parts.size(), 4);
        QVERIFY(lines[0].parts[2].startsWith("head 3: "));
        QVERIFY(std::abs(answer(lines) - trace->trace.find("weights_mean")->value.at({0, 8, 0})) < 1e-15);
    }

    void writesOutAnOutput() {
        const auto trace = computed(twoKeyProblem());
        const auto lines = arithmeticOf(trace->trace, *trace->trace.find("output"), 0, 0, {0, 1});
        QCOMPARE(lines[0].parts, QStringList({"0.12·−30.0 (1)", "0.88·1.00 (0)"}));
        QCOMPARE(answer(lines), trace->trace.find("output")->value.at({0, 0, 0, 1}));
        QVERIFY(std::abs(answer(lines) - (1 - 30 * e2) / (1 + e2)) < 1e-12);
    }

    void anythingElseIsItsValue() {
        const auto trace = computed(twoKeyProblem());
        const auto lines = arithmeticOf(trace->trace, *trace->trace.find("value"), 0, 0, {1, 1});
        QCOMPARE(lines.front().step, Step::Value);
        QCOMPARE(answer(lines), -30.0);
    }

    void foldsLongSums_data() {
        QTest::addColumn<int>("terms");
        QTest::addColumn<QString>("end");
        QTest::newRow("short") << 8 << "+ x8";
        QTest::newRow("one more is no longer") << 9 << "+ x9";
        QTest::newRow("long") << 64 << "+ x8 … and 56 more";
    }
    void foldsLongSums() {
        QFETCH(int, terms);
        QFETCH(QString, end);
        ArithmeticLine line;
        line.separator = QStringLiteral(" + ");
        for (int i = 1; i <= terms; ++i)
            line.parts << QStringLiteral("x%1").arg(i);
        QVERIFY2(partsText(line, 8).endsWith(end), qPrintable(partsText(line, 8)));
    }

    void hintsUntilThereIsACell() {
        show(milkProblem());
        QVERIFY(!panel_->hint().isEmpty());
        QVERIFY(!panel_->rowCard()->isVisible());
        view_.setHovered(Cell{1, 0});
        QCOMPARE(panel_->hint(), QString());
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("cat → The"));
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("it → milk"));
        QCOMPARE(panel_->cellCard()->aside(), QStringLiteral("row 7, column 5"));
        QVERIFY(panel_->arithmeticText().contains("kept (5 ≤ 7)"));
        view_.setPinned(std::nullopt);
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("cat → The"));
        view_.setHovered(Cell{20, 0}); // left over from a larger matrix
        QVERIFY(!panel_->hint().isEmpty());
    }

    void readsTheRow() {
        show(milkProblem());
        view_.setPinned(Cell{6, 4});
        QCOMPARE(panel_->rowCard()->title(), QStringLiteral("Row: what “it” reads"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 1.0000"));
        const auto& bars = panel_->bars()->bars();
        QCOMPARE(bars.size(), std::size_t{9});
        QCOMPARE(bars[4].label, QStringLiteral("milk"));
        const auto trace = computed(milkProblem());
        QCOMPARE(bars[4].value, trace->trace.find("weights")->value.at({0, 0, 6, 4}));
        QVERIFY(!bars[6].blocked && bars[7].blocked && bars[8].blocked);
        emit panel_->bars()->barClicked(1);
        QVERIFY(view_.pinned() == Cell({6, 1}));
    }

    void numbersOfTheRow() {
        show(twoKeyProblem());
        view_.setPinned(Cell{0, 0});
        // a = (0.880797, 0.119203): H = 0.365334, e^H = 1.440995, |J| = 2 a1 a2 = 0.209987
        QCOMPARE(panel_->rowNumbers()->number("entropy"), QStringLiteral("0.365 nats"));
        QCOMPARE(panel_->rowNumbers()->number("effective keys"), QStringLiteral("1.441"));
        QCOMPARE(panel_->rowNumbers()->number("max weight"), QStringLiteral("0.881"));
        QCOMPARE(panel_->rowNumbers()->number("‖∂a/∂s‖"), QStringLiteral("0.210"));
    }

    void aFullyMaskedRowHasNoStatistics() {
        show(blockedProblem({1, 1}));
        view_.setPinned(Cell{0, 0});
        QCOMPARE(panel_->rowNumbers()->number("effective keys"), QStringLiteral("–"));
        QCOMPARE(panel_->rowCard()->aside(), QStringLiteral("sum 0.0000"));
        QVERIFY(panel_->bars()->bars()[0].blocked && panel_->bars()->bars()[1].blocked);
    }

    void longRowsLeaveBlockedKeysOut() {
        auto problem = problemOf(1, 40, 40, 2);
        problem.spec.masks = {{"causal", {}}};
        show(problem);
        view_.setPinned(Cell{2, 30});
        const auto& bars = panel_->bars()->bars();
        QCOMPARE(bars.size(), std::size_t{4}); // three kept ones and the pinned one
        QCOMPARE(bars[3].label, QStringLiteral("30"));
        emit panel_->bars()->barClicked(3);
        QVERIFY(view_.pinned() == Cell({2, 30}));
    }

    void comparesVarianceWithTheory() {
        show(milkProblem());
        const auto* numbers = panel_->scoreNumbers();
        QCOMPARE(numbers->number("theory"), QStringLiteral("4.00"));
        auto problem = milkProblem();
        problem.spec.scale.id = "pre_norm"; // no theory for rows of length 1
        panel_->setProblem(problem);
        QCOMPARE(numbers->number("theory"), QString());
        problem = milkProblem();
        problem.spec.variant = "gaussian_kernel"; // sums of products, but no dot product
        show(problem);                            // makes a new panel
        QCOMPARE(panel_->scoreNumbers()->number("theory"), QString());
        view_.setPinned(Cell{6, 2});
        QVERIFY(panel_->arithmeticText().contains("scores\t"));
        QVERIFY(!panel_->arithmeticText().contains("q·k"));
    }

    void explainsOutputsAndMeans() {
        show(milkProblem());
        view_.setStage("output");
        view_.setPinned(Cell{6, 2});
        QCOMPARE(panel_->cellCard()->title(), QStringLiteral("it, feature 2"));
        QVERIFY(panel_->arithmeticText().contains("Σ a·v"));
        QVERIFY(panel_->rowCard()->isVisible());
        view_.setStage("weights");
        view_.setHead(ViewState::MeanOfHeads);
        QVERIFY(panel_->arithmeticText().contains("head 4: "));
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

    /// A row of a large map stays until the trace of the other one is here.
    void keepsARowUntilTheNextOneIsHere() {
        show(problemOf(1, 1, 40, 4));
        const auto row = computed(problemOf(1, 1, 40, 4));
        view_.setPinned({});
        panel_->setTrace(row, 700);
        view_.setHovered(Cell{700, 3});
        const QString text = panel_->arithmeticText();
        QVERIFY(text.contains(QStringLiteral("row 70")));
        view_.setHovered(Cell{701, 5});
        QCOMPARE(panel_->arithmeticText(), text);
        QVERIFY(!panel_->rowCard()->isHidden());
        panel_->setTrace(row, 701);
        QVERIFY(!panel_->arithmeticText().isEmpty() && panel_->arithmeticText() != text);
        view_.setHovered({});
        QVERIFY(panel_->arithmeticText().isEmpty());
        QVERIFY(!panel_->hint().isEmpty());
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

QTEST_MAIN(TestInspector)
#include "test_inspector.moc"
