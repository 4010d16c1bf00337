// Two settings of the same inputs, compared with numbers computed by hand and with NumPy.
#include "core/compare.h"
#include "core/io/npz.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/places.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Stage map_stage(const char* name, Shape shape, std::vector<double> values) {
    Stage stage{name, Tensor(std::move(shape), std::move(values)), {}, StageRole::Step, {}, {}};
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    return stage;
}

Trace trace_of(std::vector<Stage> stages) {
    Trace trace;
    trace.stages = std::move(stages);
    return trace;
}

/// One row of weights.
Trace row(std::vector<double> weights) {
    const auto width = static_cast<std::int64_t>(weights.size());
    return trace_of({map_stage("weights", {1, 1, 1, width}, std::move(weights))});
}

/// Scale 1/sqrt(d) as A and none as B, over arrays of the golden files.
AttentionProblem scales_problem() {
    AttentionProblem problem;
    problem.tensors = io::read_npz(ATTNLAB_GOLDEN_DIR "/scale_sqrt_dk.in.npz").tensors;
    problem.compared_with = without_scale(problem.spec);
    return problem;
}

Computed computed(const AttentionProblem& problem, const RunControl& control = {}) {
    const Backend* backends[] = {&reference_backend()};
    return compute(problem, backends, "auto", control);
}

AttentionSpec spec_of(std::string_view variant) {
    AttentionSpec spec;
    spec.variant = variant;
    return spec;
}

bool near(double got, double expected) { return close(got, expected, 1e-12); }

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private slots:
    void divergence_data() {
        QTest::addColumn<QList<double>>("p");
        QTest::addColumn<QList<double>>("q");
        QTest::addColumn<double>("expected");
        const auto add = [](const char* name, const QList<double>& p, const QList<double>& q, double expected) {
            QTest::newRow(name) << p << q << expected;
        };
        // 0.5 ln(0.5/0.9) + 0.5 ln(0.5/0.1) and 0.9 ln(0.9/0.5) + 0.1 ln(0.1/0.5)
        add("halves", {0.5, 0.5}, {0.9, 0.1}, 0.5108256237659907);
        add("the other way", {0.9, 0.1}, {0.5, 0.5}, 0.3680642071684971);
        add("equal", {0.3, 0.7}, {0.3, 0.7}, 0.0);
        add("0 log 0", {0.0, 1.0}, {0.5, 0.5}, 0.6931471805599453);
        add("0 where the other reads", {0.5, 0.5}, {0.0, 1.0}, infinity);
        add("0 in both", {0.0, 0.5, 0.5}, {0.0, 0.9, 0.1}, 0.5108256237659907);
        add("tiny", {1.0, 0.0}, {1e-300, 1.0}, 690.7755278982137);
        add("fully masked", {0.0, 0.0}, {0.5, 0.5}, not_a_number);
        add("beside fully masked", {0.5, 0.5}, {0.0, 0.0}, not_a_number);
        add("negative", {1.5, -0.5}, {0.5, 0.5}, not_a_number);
        add("sum 2", {1.0, 1.0}, {0.5, 0.5}, not_a_number);
        add("not a number", {not_a_number, 1.0}, {0.5, 0.5}, not_a_number);
    }

    void divergence() {
        QFETCH(QList<double>, p);
        QFETCH(QList<double>, q);
        QFETCH(double, expected);
        const double got = kl_divergence(std::vector(p.begin(), p.end()), std::vector(q.begin(), q.end()));
        QVERIFY2(near(got, expected), qPrintable(QString::number(got, 'g', 17)));
    }

    void numbersOfTwoScales() {
        const auto both = computed(scales_problem());
        QVERIFY(both.compared && !both.compared->error);
        const auto got = compare(both.trace, both.compared->trace);
        QCOMPARE(got.difference.value.shape(), Shape({2, 2, 5, 6}));
        QCOMPARE(got.difference.name, "weights");
        QVERIFY(near(got.difference.value.at({1, 1, 4, 2}), -0.002776919544825923));
        QVERIFY(near(got.all.max_absolute, 0.29442673938250835));
        QVERIFY(near(got.all.mean_absolute, 0.06033249590578868));
        QCOMPARE(got.all.cells, 120);
        QCOMPARE(got.all.left_out, 0);
        QCOMPARE(got.heads.size(), 2u);
        QVERIFY(near(got.heads[0].max_absolute, 0.1814890354470841) &&
                near(got.heads[0].mean_absolute, 0.05696799909324757));
        QVERIFY(near(got.heads[1].max_absolute, 0.29442673938250835) &&
                near(got.heads[1].mean_absolute, 0.06369699271832979));
        const auto one = gap_over(got.difference.value.values().subspan(60, 30));
        QVERIFY(near(one.max_absolute, 0.1814890354470841) && near(one.mean_absolute, 0.061161396975579464));
        QVERIFY(near(got.a_from_b->mean, 0.11538318705449732));
        QVERIFY(near(got.b_from_a->mean, 0.09585527331324568));
        QCOMPARE(got.a_from_b->rows.shape(), Shape({2, 2, 5}));
        QVERIFY(near(got.a_from_b->rows.at({0, 0, 0}), 0.030664295982782995));
        QVERIFY(near(got.a_from_b->rows.at({1, 1, 4}), 0.002500958398536691));
        QVERIFY(near(got.b_from_a->rows.at({1, 1, 4}), 0.0025080818256877323));
        QCOMPARE(got.a_from_b->finite, 20);
        const auto output = output_gap(both.trace, both.compared->trace);
        QVERIFY(output && near(output->relative, 0.4127699200801848) && near(output->max_absolute, 0.8341906189500106));
    }

    void equalSettingsDifferByNothing() {
        auto problem = dot_problem(1, 2, 2, 4, 4, 3, 3);
        problem.spec.masks = {{"causal", {}}};
        problem.compared_with = problem.spec;
        const auto both = computed(problem);
        for (const auto& stage : both.trace.stages) {
            const auto got = compare(both.trace, both.compared->trace, stage.name);
            QCOMPARE(got.all.max_absolute, 0.0);
            // The -inf of `masked` too: equal infinities differ by 0.
            QVERIFY2(got.all.left_out == 0, stage.name.c_str());
        }
        QCOMPARE(compare(both.trace, both.compared->trace).a_from_b->mean, 0.0);
        QCOMPARE(output_gap(both.trace, both.compared->trace)->relative, 0.0);
    }

    void infinityBesideANumberIsLeftOut() {
        const auto a = trace_of({map_stage("masked", {1, 1, 1, 4}, {-infinity, 1.0, 2.0, not_a_number})});
        const auto b = trace_of({map_stage("masked", {1, 1, 1, 4}, {0.5, 1.0, -1.0, 0.0})});
        const auto got = compare(a, b, "masked");
        QCOMPARE(got.all.left_out, 2);
        QCOMPARE(got.all.cells, 2);
        QCOMPARE(got.all.max_absolute, 3.0);
        QCOMPARE(got.all.mean_absolute, 1.5);
        QCOMPARE(got.difference.value.at({0, 0, 0, 0}), infinity);
    }

    void aMaskMakesTheDivergenceInfinite() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
        problem.compared_with = problem.spec;
        problem.compared_with->masks = {{"causal", {}}};
        const auto both = computed(problem);
        const auto got = compare(both.trace, both.compared->trace);
        QCOMPARE(got.a_from_b->infinite, 2); // the last row reads every key in both
        QCOMPARE(got.a_from_b->finite, 1);
        QCOMPARE(got.a_from_b->mean, 0.0);
        QCOMPARE(got.b_from_a->infinite, 0);
        QCOMPARE(got.b_from_a->finite, 3);
        // KL(B || A) of the first row: B reads only key 0.
        const double first = stage(both.trace, "weights").at({0, 0, 0, 0});
        QVERIFY(near(got.b_from_a->rows.at({0, 0, 0}), -std::log(first)));
    }

    void rowsThatAreNoDistribution() {
        const auto got = compare(row({0.0, 0.0}), row({0.25, 0.75}));
        QVERIFY(std::isnan(got.a_from_b->rows.at({0, 0, 0})));
        QVERIFY(std::isnan(got.a_from_b->mean));
        QCOMPARE(got.a_from_b->finite + got.a_from_b->infinite, 0);
        Trace outputs = row({0.5, 0.5});
        outputs.stages[0].axes.back() = Axis::Feature;
        QVERIFY(!compare(outputs, outputs).a_from_b);
    }

    void stagesThatCannotBeCompared() {
        QCOMPARE(error_of([] {
                     compare(row({0.5, 0.5}), row({0.2, 0.3, 0.5}));
                 }),
                 "weights: A's shape is (1, 1, 1, 2), B's is (1, 1, 1, 3); only equal shapes can be compared");
        QCOMPARE(error_of([] {
                     compare(row({0.5, 0.5}), row({0.5, 0.5}), "soup");
                 }),
                 "A has no stage 'soup'; it has weights");
        QCOMPARE(error_of([] { compare(row({0.5, 0.5}), Trace()); }), "B has no stage 'weights'; it has ");
        Trace layers; // of about a hundred stages
        for (const char* name : {"encoder.0.query", "encoder.0.weights", "decoder.0.query", "decoder.0.weights"})
            layers.stages.emplace_back().name = name;
        QCOMPARE(error_of([&] {
                     compare(row({0.5, 0.5}), layers);
                 }),
                 "B has no stage 'weights'; it has encoder.0.weights, decoder.0.weights");
        QCOMPARE(error_of([&] {
                     compare(row({0.5, 0.5}), layers, "query");
                 }),
                 "A has no stage 'query'; it has weights");
        QVERIFY(!output_gap(row({1.0}), row({1.0})));
    }

    void everyPairOfMechanisms() {
        AttentionProblem problem = dot_problem(1, 2, 2, 4, 4, 3, 3);
        int compared = 0;
        for (const auto& first : mechanisms())
            for (const auto& second : mechanisms()) {
                AttentionProblem pair = problem;
                pair.spec.variant = first.id;
                complete_inputs(pair, 1, true);
                pair.compared_with = spec_of(second.id);
                complete_compared_inputs(pair, 1);
                const auto both = computed(pair);
                const auto pair_name = std::string(first.id) + " beside " + std::string(second.id);
                QVERIFY2(both.compared, pair_name.c_str());
                if (both.compared->error)
                    continue;
                const auto& a = both.trace;
                const auto& b = both.compared->trace;
                const bool fits = a.find("weights") && b.find("weights") &&
                                  stage(a, "weights").shape() == stage(b, "weights").shape();
                QVERIFY2(error_of([&] { compare(a, b); }).isEmpty() == fits, pair_name.c_str());
                compared += fits;
            }
        QVERIFY2(compared >= 2 * static_cast<int>(mechanisms().size()), qPrintable(QString::number(compared)));
    }

    void whatIsWrongWithBLeavesA() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
        problem.compared_with = spec_of("self");
        const auto both = computed(problem);
        QVERIFY(both.trace.find("weights"));
        QVERIFY(both.compared && both.compared->error);
        QVERIFY(both.compared->trace.stages.empty());
        QVERIFY2(both.compared->error->english().find("is missing") != std::string::npos,
                 both.compared->error->english().c_str());
        problem.compared_with->variant = "nonsense";
        QVERIFY(computed(problem).compared->error);
        problem.spec.variant = "nonsense";
        QVERIFY_THROWS_EXCEPTION(Error, computed(problem));
    }

    void stagesOfBothShareTheMemoryLimit() {
        auto problem = dot_problem(1, 1, 1, 20, 20, 4, 4);
        problem.compared_with = without_scale(problem.spec);
        auto alone = problem;
        alone.compared_with.reset();
        RunControl control;
        control.memory_limit = 1;
        while (!error_of([&] { computed(alone, control); }).isEmpty())
            control.memory_limit += 100;
        // Memory for one of them: A is computed, B reports too little memory.
        const auto both = computed(problem, control);
        QVERIFY(both.compared->error && !both.trace.stages.empty());
        control.memory_limit *= 2;
        QVERIFY(!computed(problem, control).compared->error);
    }

    void bothSharesTheProgressAndTheCancel() {
        auto problem = scales_problem();
        std::vector<double> fractions;
        RunControl control;
        control.progress = [&](double fraction) { fractions.push_back(fraction); };
        computed(problem, control);
        QVERIFY(std::ranges::is_sorted(fractions));
        QCOMPARE(fractions.back(), 1.0);
        int polls = 0;
        control.cancelled = [&] {
            ++polls;
            return false;
        };
        computed(problem, control);
        const int all = std::exchange(polls, 0);
        control.cancelled = [&] { return ++polls == all; }; // at the last poll, within B
        QVERIFY_THROWS_EXCEPTION(Cancelled, computed(problem, control));
    }

    void inputsForBLeaveAAlone() {
        auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
        problem.compared_with = spec_of("self");
        const auto before = computed(problem).trace;
        const auto added = complete_compared_inputs(problem, 1);
        QVERIFY(std::ranges::find(added, "x") != added.end());
        const auto both = computed(problem);
        QVERIFY(!both.compared->error);
        QCOMPARE(difference(stage(both.trace, "weights"), stage(before, "weights"), 0.0), QString());
    }

    void anInputThatAWouldReadTooStaysMissing() {
        // multi_head reads a context if there is one: made for B, it would change A.
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        complete_inputs(problem, 1);
        QVERIFY(!problem.tensors.contains("context"));
        problem.compared_with = spec_of("cross");
        const auto weights = stage(computed(problem).trace, "weights");
        complete_compared_inputs(problem, 1);
        QVERIFY(!problem.tensors.contains("context"));
        const auto both = computed(problem);
        QCOMPARE(difference(stage(both.trace, "weights"), weights, 0.0), QString());
    }

    void presets() {
        AttentionSpec spec;
        spec.masks = {{"causal", {}}};
        spec.scale = {"temperature", {}};
        spec.scale_after_softmax = true;
        QCOMPARE(without_scale(spec).scale.id, "none");
        QVERIFY(!without_scale(spec).scale_after_softmax);
        QCOMPARE(without_scale(spec).masks, spec.masks);
        QVERIFY(without_masks(spec).masks.empty());
        QVERIFY(!exact_counterpart(spec));
        spec.variant = "multi_head"; // reads x, not query, key and value
        QVERIFY(!exact_counterpart(spec));
        spec.variant = "gaussian_kernel";
        const auto exact = exact_counterpart(spec);
        QVERIFY(exact);
        QCOMPARE(exact->variant, AttentionSpec().variant);
        QCOMPARE(exact->masks, spec.masks);
        QVERIFY(exact->parameters.all().empty());
    }
};

ATTNLAB_TEST(TestCompare)
#include "test_compare.moc"
