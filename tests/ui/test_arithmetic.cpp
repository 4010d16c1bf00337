// The arithmetic of a displayed number, written out term by term.
#include "core/stages/scale.h"
#include "inspector_support.h"
#include "tests/test_main.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/panels/inspector/arithmetic.h"
#include "ui/widgets/text.h"

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

const double e2 = std::exp(-2.0);

} // namespace

class TestArithmetic : public QObject {
    Q_OBJECT

private slots:
    void numbersHaveOneStyle() {
        QCOMPARE(numberText(0.000025), QStringLiteral("2.5e−5"));
        QCOMPARE(numberText(-0.000025), QStringLiteral("−2.5e−5"));
        QCOMPARE(numberText(1e-7), QStringLiteral("1e−7"));
        QCOMPARE(numberText(-2e10), QStringLiteral("−2e10"));
        // No number but 0 reads 0.
        QCOMPARE(numberText(-0.00012, 3), QStringLiteral("−0.00012"));
        QCOMPARE(numberText(0.00015), QStringLiteral("0.00015"));
        QCOMPARE(numberText(0.04, 2), QStringLiteral("0.040"));
        QCOMPARE(numberText(0.0005), QStringLiteral("0.001"));
        QCOMPARE(numberText(-0.0), QStringLiteral("0.000"));
        QCOMPARE(numberText(0.25, 3), QStringLiteral("0.25"));
    }

    void aSimilarityIsTheProductOfTwoOutputs() {
        AttentionProblem problem; // with one key, every output is its value
        problem.tensors = {
            {"query", Tensor({2, 1}, {1, 2})}, {"key", Tensor({1, 1}, {1})}, {"value", Tensor({1, 3}, {1, 0.5, -2})}};
        problem.spec.parameters.set("similarity", true);
        const auto trace = reference_backend().run(problem, {});
        const auto lines = arithmeticOf(trace, *trace.find("similarity"), 0, 0, {0, 1});
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(partsText(lines[0], 9), QStringLiteral("(1.00·1.00) + (0.50·0.50) + (−2.00·(−2.00))"));
        QCOMPARE(lines[1].label, QStringLiteral("oᵢ·oⱼ"));
        QCOMPARE(answer(lines), 5.25);
    }

    /// A text for each of them would keep the window waiting.
    void writesOutTheFirstOfVeryManyTerms() {
        AttentionProblem problem;
        problem.spec.variant = "scaled_dot_product";
        problem.tensors["query"] = Tensor({1, 5000}, 1.0);
        problem.tensors["key"] = Tensor({2, 5000}, 0.5);
        problem.tensors["value"] = Tensor({2, 1}, 1.0);
        const auto trace = computed(problem);
        const auto lines = arithmeticOf(trace->trace, 0, 0, {0, 1});
        const auto* terms = find(lines, Step::Terms);
        QVERIFY(terms);
        QCOMPARE(terms->parts.size() + terms->left_out, 5000);
        QVERIFY(terms->parts.size() < 3000);
        QCOMPARE(terms->products.size(), terms->parts.size());
        QVERIFY(partsText(*terms, 2).endsWith(QStringLiteral("and 4998 more")));
        QCOMPARE(valueOf(lines, Step::Score), 2500.0);
    }

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
        QCOMPARE(find(lines, Step::Mask)->expression, QStringLiteral("none"));
        QCOMPARE(valueOf(lines, Step::Mask), 0.0); // the score as it is
        QVERIFY(!find(lines, Step::Bias) && !find(lines, Step::RowSum));
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
                                     << "blocked (1 > 0) → −1e6" << 0.0;
        QTest::newRow("all filled") << blockedProblem({1, 1}, {-1e6, MaskFill::Mode::Replace}) << 1 << "blocked → −1e6"
                                    << 0.5;
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

    /// Large numbers have enough digits to make the line true.
    void differencesOfLargeNumbersAreTrue() {
        const auto lines =
            arithmeticOf(computed(blockedProblem({1, 1}, {-1e9, MaskFill::Mode::Add}))->trace, 0, 0, {0, 1});
        QVERIFY(find(lines, Step::Shift));
        const QString expression = QString(find(lines, Step::Shift)->expression).replace(QStringLiteral("−"), "-");
        const auto parts = QRegularExpression("^(\\S+) - \\((\\S+)\\)$").match(expression);
        QVERIFY2(parts.hasMatch(), qPrintable(expression));
        QCOMPARE(parts.captured(1).toDouble() - parts.captured(2).toDouble(), valueOf(lines, Step::Shift));
        QVERIFY(valueOf(lines, Step::Shift) < 0.0);
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
        // NaN differs from itself, but nothing was added to it and no step besides the softmax made it.
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
        // An additive bias is distinguished from it.
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

    /// Who computes each line from the numbers that it shows gets the result that it shows.
    void linesAreTrueAsTheyAreShown() {
        const auto read = [](QString text) {
            return text.remove('(').remove(')').replace(QStringLiteral("−"), QStringLiteral("-")).toDouble();
        };
        int lines_seen = 0, small = 0;
        for (int i = 0; i < 400; ++i) {
            // Weights from 1e-13 to almost 1.
            auto problem = twoKeyProblem();
            problem.tensors["key"] = Tensor({2, 4}, {0.1371 * i, 0.2917, -0.3, 0.017, 0.7137, -1.31, 0.2, 0.1});
            const auto trace = computed(problem);
            for (const int key : {0, 1})
                for (const auto& line : arithmeticOf(trace->trace, 0, 0, {0, key})) {
                    const auto same = [&](double result) {
                        // To half a unit of the last digit that is shown.
                        const double shown = read(line.value_text);
                        return distinguishingText(result, 5) == line.value_text ||
                               std::abs(result - shown) <= 1e-12 * std::abs(shown);
                    };
                    QString text = line.expression;
                    if (line.step == Step::Softmax) {
                        const auto parts = text.split(" / ");
                        QVERIFY2(same(read(parts[0]) / read(parts[1])), qPrintable(text + " = " + line.value_text));
                        small += line.value < 1e-7;
                    } else if (line.step == Step::Shift) {
                        const auto parts = text.split(" − ");
                        QVERIFY2(same(read(parts[0]) - read(parts[1])), qPrintable(text + " = " + line.value_text));
                    } else if (line.step == Step::Exponential) {
                        QVERIFY2(same(std::exp(read(line.power))), qPrintable(text + " = " + line.value_text));
                    } else {
                        continue;
                    }
                    ++lines_seen;
                }
        }
        QVERIFY(lines_seen > 2000);
        QVERIFY(small > 10);
    }

    void sharesAreNotRoundedToOne() {
        QCOMPARE(shareText(0.999532, 4), QString("0.9995"));
        QCOMPARE(shareText(0.99996, 5), QString("0.99996"));
        QCOMPARE(shareText(1.0, 4), QString("1.000"));
        QCOMPARE(shareText(0.365, 4), QString("0.365"));
        QCOMPARE(distinguishingText(0.99996, 5), QString("0.99996"));
        QCOMPARE(distinguishingText(0.00054996, 5), QString("0.00055"));
        QCOMPARE(distinguishingText(1e-7, 5), QString("1e−7"));
        QCOMPARE(distinguishingText(-0.5, 5), QString("−0.5000"));
    }

    // For any scale, position and mask, the last line has the number in the trace.
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
                    QVERIFY(!find(lines, Step::Weight)); // exp / row sum is the weight itself
                    double sum = 0.0;
                    for (const auto& term : trace->trace.pass().score_terms(0, head, i, j))
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
        const auto lines = arithmeticOf(trace->trace, 0, ViewState::mean_of_heads, {8, 0});
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].parts.size(), 4);
        QVERIFY(lines[0].parts[2].startsWith("head 2: "));
        QVERIFY(std::abs(answer(lines) - trace->trace.find("weights_mean")->value.at({0, 8, 0})) < 1e-15);
    }

    void writesOutAnOutput() {
        const auto trace = computed(twoKeyProblem());
        const auto lines = arithmeticOf(trace->trace, *trace->trace.find("output"), 0, 0, {0, 1});
        QCOMPARE(lines[0].parts.size(), 2);
        QVERIFY(lines[0].parts[0].endsWith(" (1)") && lines[0].parts[1].endsWith(" (0)"));
        double sum = 0.0; // of the numbers as they are written
        for (const auto& part : lines[0].parts) {
            auto factors = part.section(' ', 0, 0).replace(QStringLiteral("−"), "-").split(QStringLiteral("·"));
            QCOMPARE(factors[1].startsWith('('), factors[1].contains('-'));
            factors[1].remove('(').remove(')');
            sum += factors[0].toDouble() * factors[1].toDouble();
        }
        QVERIFY2(distinguishingText(sum, 5) == lines[1].value_text, qPrintable(lines[0].parts.join(" + ")));
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
};

ATTNLAB_TEST(TestArithmetic)
#include "test_arithmetic.moc"
