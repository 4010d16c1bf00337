#include "core/inputs.h"
#include "core/lab/in_float32.h"
#include "core/mechanisms.h"
#include "core/stages/normaliser.h"
#include "tests/tensor_numbers.h"
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/step/row_walk.h"

#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

constexpr double of_doubles = 1e-9;
constexpr double of_floats = 1e-5;

bool close(double a, double b, double tolerance = of_doubles) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

TracePtr traceOf(const AttentionProblem& problem) {
    const auto result = computed(problem);
    return TracePtr(result, &result->trace);
}

TracePtr shared(Trace trace) { return std::make_shared<const Trace>(std::move(trace)); }

std::vector<StepOperation> operations(const std::vector<WalkStep>& steps) {
    std::vector<StepOperation> all;
    for (const auto& step : steps)
        if (all.empty() || all.back() != step.operation)
            all.push_back(step.operation);
    return all;
}

/// The row's numbers agree with the trace.
void agrees(const RowWalk& walk, double tolerance = of_doubles) {
    const Trace& trace = walk.trace();
    const auto stage = [&](const char* name) {
        const Stage* found = trace.find(walk.pass().prefix + name);
        return *sliceOf(trace, *found, walk.pass().batch, walk.pass().head);
    };
    const auto scores = stage("scores"), weights = stage("weights");
    const auto masked = walk.hasRowSum() ? stage("masked") : scores; // only a softmax has one
    const auto i = walk.query();
    for (std::int64_t j = 0; j < walk.keys(); ++j) {
        double sum = 0.0;
        for (const auto& term : walk.terms(j))
            sum += term.product;
        if (walk.termCount() > 0)
            QVERIFY2(close(sum, scores.view()(i, j)), "products sum to the score");
        QCOMPARE(walk.value(StepOperation::Score, j), scores.view()(i, j));
        const StepOperation last = walk.line(StepOperation::Weights) ? StepOperation::Weights : StepOperation::Divide;
        QCOMPARE(walk.value(last, j), weights.view()(i, j));
        if (!walk.hasRowSum())
            continue;
        QVERIFY(close(walk.before(StepOperation::Shift)->values[static_cast<std::size_t>(j)], masked.view()(i, j)));
        QVERIFY(close(walk.value(StepOperation::Shift, j), masked.view()(i, j) - walk.maximum()));
        QVERIFY(close(walk.value(StepOperation::Exponential, j), std::exp(masked.view()(i, j) - walk.maximum())));
        QVERIFY(std::abs(walk.value(StepOperation::Divide, j) * walk.rowSum() -
                         walk.value(StepOperation::Exponential, j)) < 1e-6 ||
                std::isnan(walk.rowSum()));
    }
    const auto output = *sliceOf(trace, walk.outputStage(), walk.pass().batch, walk.pass().head);
    for (std::int64_t f = 0; f < walk.features(); ++f) {
        QCOMPARE(walk.output(f, walk.keys()), output.view()(i, f));
        if (!walk.isMixed())
            continue;
        double sum = 0.0;
        for (std::int64_t j = 0; j < walk.keys(); ++j)
            sum += walk.mixed()[static_cast<std::size_t>(j)] * walk.valueOf(j, f);
        QVERIFY2(close(sum, output.view()(i, f), tolerance), "weights times values are the output");
    }
}

/// Every row of every batch and head.
int walkAll(const TracePtr& trace, const std::string& prefix = {}, double tolerance = of_doubles) {
    const Tensor& weights = trace->find(prefix + "weights")->value;
    int walked = 0;
    for (int b = 0; b < weights.dim(0); ++b)
        for (int h = 0; h < weights.dim(1); ++h)
            for (std::int64_t i = 0; i < weights.dim(2); ++i) {
                const RowWalk walk(trace, {prefix, b, h}, i);
                if (walk.empty())
                    return -1;
                agrees(walk, tolerance);
                if (QTest::currentTestFailed())
                    return -1;
                for (const bool by_terms : {false, true})
                    for (const auto& step : walk.steps(by_terms))
                        if (StepWords::arithmetic(walk, step, 0).isEmpty() ||
                            StepWords::sentences(walk, step, 0).isEmpty())
                            return -1;
                ++walked;
            }
    return walked;
}

AttentionProblem problemFor(const char* id) {
    AttentionProblem problem;
    problem.spec.variant = id;
    for (const auto& input : inputs_of(problem.spec)) {
        if (input.name == "x")
            problem.tensors["x"] = normalTensor({2, 5, 4}, 3);
        else if (input.name == "query" || input.name == "key" || input.name == "value")
            problem.tensors[std::string(input.name)] = normalTensor({5, 4}, input.name.size());
    }
    return problem;
}

} // namespace

class TestStepWalk : public QObject {
    Q_OBJECT

private slots:
    void everyExactVariant_data() {
        QTest::addColumn<QString>("id");
        for (const auto& variant : mechanisms())
            QTest::newRow(std::string(variant.id).c_str()) << QString::fromStdString(std::string(variant.id));
    }
    void everyExactVariant() {
        QFETCH(QString, id);
        auto problem = problemFor(qPrintable(id));
        try {
            complete_inputs(problem, 5);
        } catch (const Error&) {
            QSKIP("needs inputs of its own shape");
        }
        if (!issues_in(problem).empty())
            QSKIP(issues_in(problem).front().english().c_str());
        const auto trace = traceOf(problem);
        // An approximation has no such row; a transformer has one in every pass.
        const std::string prefix = trace->layers.empty() ? std::string() : std::string(prefix_of(trace->layers[0]));
        if (!canWalk(*trace, {prefix, 0, 0})) {
            QVERIFY2(!trace->measures.empty() || !trace->find("scores"), "an exact variant is walked");
            return;
        }
        QVERIFY(walkAll(trace, prefix) > 0);
    }

    void masksFillsAndScales_data() {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<double>("fill");
        QTest::addColumn<bool>("added");
        QTest::addColumn<bool>("after");
        for (const QString mask : {"", "causal", "attn_mask", "key_padding", "attn_bias"})
            for (const QString scale : {"none", "sqrt_dk", "dk", "pre_norm", "score_norm"})
                for (const double fill : {-infinity, -1e9, -3.0})
                    for (const bool added : {false, true}) {
                        const bool after = scale == "dk" && added;
                        QTest::addRow("%s %s %g %s", qPrintable(mask), qPrintable(scale), fill, added ? "+" : "=")
                            << mask << scale << fill << added << after;
                    }
    }
    void masksFillsAndScales() {
        QFETCH(QString, mask);
        QFETCH(QString, scale);
        QFETCH(double, fill);
        QFETCH(bool, added);
        QFETCH(bool, after);
        auto problem = problemOf(2, 5, 5, 4);
        if (mask == "attn_mask") {
            Tensor blocked({5, 5}, 0.0, DType::Bool);
            for (int j = 0; j < 5; ++j)
                blocked.set({2, j}, 1.0); // a row with every key blocked
            blocked.set({0, 3}, 1.0);
            problem.tensors["attn_mask"] = blocked;
            problem.spec.masks = {{"attn_mask", {}}};
        } else if (mask == "attn_bias") {
            problem.tensors["attn_bias"] = normalTensor({5, 5}, 9);
            problem.spec.masks = {{"attn_bias", {}}};
        } else if (mask == "key_padding") {
            Tensor padding({1, 5}, 0.0, DType::Bool);
            padding.set({0, 4}, 1.0);
            problem.tensors["key_padding_mask"] = padding;
            problem.spec.masks = {{"key_padding", {}}};
        } else if (!mask.isEmpty()) {
            problem.spec.masks = {{mask.toStdString(), {}}};
        }
        problem.spec.scale = {scale.toStdString(), {}};
        problem.spec.scale_after_softmax = after;
        problem.spec.mask_fill = {fill, added ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
        const auto problems = issues_in(problem);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().english().c_str());
        const auto trace = traceOf(problem);
        QCOMPARE(walkAll(trace), 10);
        QCOMPARE(walkAll(shared(lab::in_float32(*trace, problem.spec)), {}, of_floats), 10);
        const RowWalk walk(trace, {}, 1);
        QCOMPARE(walk.line(StepOperation::Weights) != nullptr, after);
        QCOMPARE(walk.line(StepOperation::Bias) != nullptr, mask == "attn_bias");
        QCOMPARE(walk.line(StepOperation::Mask) != nullptr, !mask.isEmpty() && mask != "attn_bias");
    }

    void theWayOfARow() {
        const RowWalk walk(traceOf(milkProblem()), {"", 0, 2}, 4);
        using enum explain::Operation;
        const std::vector<StepOperation> way{Products, Score, Scale, Mask, Shift, Exponential, RowSum, Divide, Mix};
        QCOMPARE(operations(walk.steps(false)), way);
        QCOMPARE(walk.steps(false).size(), way.size());
        QCOMPARE(operations(walk.steps(true)), way);
        QCOMPARE(walk.steps(true).size(), std::size_t{4 + 1 + 1 + 1 + 1 + 1 + 9 + 1 + 9});
        QCOMPARE(walk.steps(true)[2], (WalkStep{Products, 3}));
    }

    void aLessonNamesItsSteps() {
        const RowWalk masked(traceOf(milkProblem()), {}, 4);
        const auto steps = masked.steps(false);
        QCOMPARE(steps[static_cast<std::size_t>(stepAt(steps, "exp"))].operation, StepOperation::Exponential);
        QCOMPARE(steps[static_cast<std::size_t>(stepAt(steps, "mask"))].operation, StepOperation::Mask);
        for (const auto& id : stepIds())
            QCOMPARE(stepIdOf(steps[static_cast<std::size_t>(stepAt(steps, id))].operation), id);
        // Without a mask the next line takes its place.
        const auto open = RowWalk(traceOf(problemOf(1, 3, 3, 4)), {}, 0).steps(false);
        QCOMPARE(open[static_cast<std::size_t>(stepAt(open, "mask"))].operation, StepOperation::Shift);
    }

    void manyTermsAndKeysComeAFewAtATime() {
        const RowWalk walk(traceOf(problemOf(1, 2, 200, 300)), {}, 1);
        const auto steps = walk.steps(true);
        QVERIFY(steps.size() < 100);
        std::int64_t before = 0;
        for (const auto& step : steps) {
            if (step.operation != StepOperation::Products)
                break;
            QVERIFY(step.reached > before);
            before = step.reached;
        }
        QCOMPARE(before, 300);
        QCOMPARE(steps.back(), (WalkStep{StepOperation::Mix, 200}));
    }

    void normalisersHaveTheirTexts_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("expected");
        for (const auto& row : normalisers().subspan(1))
            QTest::newRow(row.id.data()) << QString::fromUtf8(row.id.data(), std::ssize(row.id))
                                         << QString::fromUtf8(row.step_text).section('%', 0, 0);
    }
    void normalisersHaveTheirTexts() {
        QFETCH(QString, id);
        QFETCH(QString, expected);
        auto problem = problemOf(1, 3, 4, 2);
        problem.spec.normaliser = {id.toStdString(), {}};
        const auto trace = traceOf(problem);
        const RowWalk walk(trace, {}, 1);
        const auto text = StepWords::sentences(walk, {StepOperation::Weights, 4}, 0); // softmax1 has it with rounding
        QVERIFY2(text.contains(expected) && !text.contains('%'), qPrintable(text));
        if (walk.row().normaliser() == "sparsemax") {
            const auto kept = std::ranges::count_if(walk.row().weights(), [](double weight) { return weight > 0.0; });
            QVERIFY2(text.contains(QString("keys with a weight %1, of 4").arg(kept)), qPrintable(text));
        }
    }

    void saysWhatTheScaleDid() {
        auto problem = problemOf(1, 3, 4, 2);
        const auto words = [&](const char* scale, std::map<std::string, double> parameters = {}) {
            problem.spec.scale = {scale, {}};
            for (const auto& [name, value] : parameters)
                problem.spec.scale.parameters.set(name, value);
            return StepWords::sentences(RowWalk(traceOf(problem), {}, 1), {StepOperation::Scale, 4}, 0);
        };
        QVERIFY2(words("none").contains("stay as they are"), qPrintable(words("none")));
        QVERIFY2(words("dk").contains("become 0.500 times as large"), qPrintable(words("dk")));
        const auto cold = words("temperature", {{"t", 0.05}});
        QVERIFY2(cold.contains("become 20.0 times as large"), qPrintable(cold));
        const auto turned = words("custom", {{"c", -3.0}});
        QVERIFY2(turned.contains("become 3.00 times as large and change sign"), qPrintable(turned));
    }

    void aRowWithEveryKeyBlockedHasNoSoftmax() {
        auto problem = problemOf(1, 3, 4, 2);
        problem.tensors["attn_mask"] = Tensor({3, 4}, 1.0, DType::Bool);
        problem.spec.masks = {{"attn_mask", {}}};
        const RowWalk walk(traceOf(problem), {}, 1);
        QVERIFY(walk.isFullyMasked());
        QVERIFY(!walk.hasRowSum());
        QCOMPARE(walk.value(StepOperation::Weights, 2), 0.0);
        const WalkStep weights{StepOperation::Weights, 4};
        QVERIFY2(StepWords::sentences(walk, weights, 0).contains(QStringLiteral("−∞ − (−∞)")),
                 qPrintable(StepWords::sentences(walk, weights, 0)));
        QCOMPARE(stepAt(walk.steps(false), "exp"), stepAt(walk.steps(false), "divide"));
        problem.spec.mask_fill.value = -1e9;
        const RowWalk finite(traceOf(problem), {}, 1);
        QVERIFY(finite.hasRowSum());
        QCOMPARE(finite.value(StepOperation::Divide, 2), 0.25);
    }

    void dropoutAppendedKeysAndSharedHeads() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.spec.parameters.set("num_heads", std::int64_t{2});
        problem.spec.parameters.set("add_zero_attn", true);
        problem.spec.parameters.set("dropout", 0.5);
        problem.tensors["x"] = normalTensor({1, 5, 4}, 3);
        complete_inputs(problem, 5);
        const RowWalk walk(traceOf(problem), {"", 0, 1}, 3);
        agrees(walk);
        QCOMPARE(walk.appendedKeys(), 1);
        QVERIFY(walk.line(StepOperation::Dropout));
        QVERIFY(StepWords::sentences(walk, {StepOperation::Score, 6}, 5).contains("appends"));
        QVERIFY(!StepWords::sentences(walk, {StepOperation::Score, 6}, 4).contains("appends"));

        auto grouped = problemOf(4, 3, 3, 4);
        grouped.tensors["key"] = normalTensor({1, 2, 3, 4}, 2);
        grouped.tensors["value"] = normalTensor({1, 2, 3, 4}, 3);
        const RowWalk shares(traceOf(grouped), {"", 0, 3}, 1);
        agrees(shares);
        QCOMPARE(shares.headsOfAGroup(), 2);
        QCOMPARE(shares.valueOf(2, 1), grouped.tensors["value"].at({0, 1, 2, 1}));
    }

    void aLabelIsNoAppendedKey() {
        auto problem = problemOf(1, 2, 3, 2);
        problem.key_tokens = {"2", "3", "+1"};
        const RowWalk walk(traceOf(problem), {}, 1);
        QCOMPARE(walk.appendedKeys(), 0);
        QVERIFY(!StepWords::sentences(walk, {StepOperation::Score, 3}, 2).contains("appends"));
    }

    void saysThatWeightsAreRounded() {
        auto problem = milkProblem();
        problem.spec.rounding = Rounding{DType::BFloat16, Rounding::Where::All};
        const RowWalk walk(traceOf(problem), {}, 4);
        const auto said = StepWords::sentences(walk, {StepOperation::Weights, 9}, 0);
        QVERIFY2(said.contains("rounded to bfloat16"), qPrintable(said));
        QVERIFY(walk.isMixed());
    }

    /// A learned sink is one more exponential in the sum, of no key.
    void saysThatNoKeyGetsTheRest() {
        const auto plain = traceOf(twoKeyProblem());
        const WalkStep divide{StepOperation::Divide, 2};
        QVERIFY(StepWords::sentences(RowWalk(plain, {}, 0), divide, 0).contains("sums to 1"));
        Trace with_sink = *plain;
        const auto stage = [&](const char* name) -> Tensor& {
            return std::ranges::find(with_sink.stages, name, &Stage::name)->value;
        };
        stage("lse").set({0, 0, 0}, stage("lse").value(0) + std::log(2.0));
        for (double& weight : stage("weights").mutable_values())
            weight /= 2.0;
        const auto said = StepWords::sentences(RowWalk(shared(std::move(with_sink)), {}, 0), divide, 0);
        QVERIFY2(said.contains("the keys get 0.5000, no key the rest"), qPrintable(said));
    }

    void anInfiniteScoreIsSaid() {
        auto problem = twoKeyProblem();
        problem.tensors["key"].set({0, 0}, infinity);
        const RowWalk walk(traceOf(problem), {}, 0);
        for (const auto operation : {StepOperation::Shift, StepOperation::Exponential, StepOperation::RowSum,
                                     StepOperation::Divide, StepOperation::Mix}) {
            const auto said = StepWords::sentences(walk, {operation, 2}, 0);
            QVERIFY2(said.contains("everything that follows is NaN"), qPrintable(said));
        }
    }

    void saysWhatDropoutDid() {
        auto problem = milkProblem();
        problem.spec.parameters.set("dropout", 0.5);
        for (const std::int64_t seed : {1, 2, 3}) {
            problem.spec.parameters.set("seed", seed);
            const RowWalk walk(traceOf(problem), {}, 3); // a causal row with four keys
            const auto& line = walk.line(StepOperation::Dropout)->values;
            const auto dropped = std::count(line.begin(), line.begin() + 4, 0.0);
            const auto said = StepWords::sentences(walk, {StepOperation::Dropout, 9}, 0);
            QVERIFY2(said.startsWith(QString("Dropout sets %1 of 4 weights to 0.").arg(dropped)), qPrintable(said));
            QCOMPARE(said.contains("2.00 times as large"), dropped < 4);
        }
    }

    void aBlockedKeysValueDoesNotMatter() {
        auto problem = milkProblem();
        problem.tensors["value"].set({0, 0, 8, 1}, infinity);
        const RowWalk walk(traceOf(problem), {}, 4);
        QVERIFY(walk.isMixed());
        QVERIFY(std::isfinite(walk.output(1, 9)) && walk.row().part(8, 1) == 0.0);
    }

    void theArithmeticIsWrittenOut() {
        // Scores 4 and 0, scaled 2 and 0, exp 1 and e^-2.
        const RowWalk walk(traceOf(twoKeyProblem()), {}, 0);
        const auto said = [&](StepOperation operation, std::int64_t reached, std::int64_t key) {
            return StepWords::arithmetic(walk, {operation, reached}, key);
        };
        QCOMPARE(said(StepOperation::Products, 2, 0), QStringLiteral("1.0000 · 1.0000 = 1.0000, so far 2.0000"));
        QCOMPARE(said(StepOperation::Scale, 2, 0), QStringLiteral("4.0000 ÷ √4 = 2.0000"));
        QCOMPARE(said(StepOperation::Exponential, 2, 1), QStringLiteral("exp(0.0000 − 2.0000) = 0.1353"));
        QCOMPARE(said(StepOperation::RowSum, 2, 1), QStringLiteral("1.0000 + 0.1353 = 1.1353"));
        QCOMPARE(said(StepOperation::Divide, 2, 1), QStringLiteral("0.1353 / 1.1353 = 0.1192"));
        QCOMPARE(said(StepOperation::Mix, 1, 1), QStringLiteral("0.8808 × value of 0 = (8.81, 0.88)"));
        QVERIFY(said(StepOperation::Mix, 2, 1).startsWith(QStringLiteral("0.8808 × value of 0 + 0.1192 × value of 1")));
    }

    void whatIsNoRowIsEmpty() {
        const auto trace = traceOf(problemOf(1, 3, 3, 2));
        QVERIFY(RowWalk(trace, {}, 3).empty());
        QVERIFY(RowWalk(trace, {}, -1).empty());
        QVERIFY(RowWalk(trace, {"encoder.0.self.", 0, 0}, 0).empty());
        QVERIFY(RowWalk(nullptr, {}, 0).empty());
        QVERIFY(RowWalk(trace, {}, 3).steps(true).empty());
    }
};

ATTNLAB_TEST(TestStepWalk)
#include "test_step_walk.moc"
