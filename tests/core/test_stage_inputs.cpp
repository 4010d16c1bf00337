// Which inputs the numbers of a stage depend on, tried on every mechanism.
#include "core/inputs.h"
#include "core/stages/position.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// What there is of a mechanism's optional inputs, too.
AttentionProblem problem_with_all(const AttentionSpec& spec) {
    AttentionProblem problem;
    problem.spec = spec;
    complete_inputs(problem, 1);
    for (const auto& input : inputs_of(spec)) {
        if (problem.tensors.contains(std::string(input.name)))
            continue;
        auto more = problem;
        more.tensors[std::string(input.name)] = make_input(problem, input, 2);
        if (issues_in(more).empty())
            problem = std::move(more);
    }
    return problem;
}

bool are_equal(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() && difference(a, b, 0.0).isEmpty(); }

} // namespace

class TestStageInputs : public QObject {
    Q_OBJECT
private slots:
    void whatChangesAStageMayReachIt_data() {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<QString>("position");
        for (const auto& mechanism : mechanisms())
            QTest::newRow(std::string(mechanism.id).c_str()) << QString::fromStdString(std::string(mechanism.id)) << ""
                                                             << "";
        for (const auto& mode : scale_modes())
            QTest::addRow("scale %s", std::string(mode.id).c_str())
                << "multi_head" << QString::fromStdString(std::string(mode.id)) << "";
        for (const char* position : {"alibi", "t5", "rope"})
            QTest::addRow("position %s", position) << "grouped_query"
                                                   << "" << position;
    }

    void whatChangesAStageMayReachIt() {
        QFETCH(QString, variant);
        QFETCH(QString, scale);
        QFETCH(QString, position);
        AttentionSpec spec;
        spec.variant = variant.toStdString();
        spec.scale.id = scale.toStdString();
        spec.position.id = position.toStdString();
        const auto& mechanism = attnlab::mechanism_of(spec.variant);
        spec.statistics = !mechanism.refuses.statistics;
        for (const auto& parameter : mechanism.parameters)
            if (parameter.name == "gradients")
                spec.parameters.set("gradients", true);
        auto problem = problem_with_all(spec);
        if (!issues_in(problem).empty()) { // not every scale has gradients
            spec.parameters = {};
            problem = problem_with_all(spec);
        }
        QVERIFY2(issues_in(problem).empty(), issues_in(problem).empty() ? "" : issues_in(problem)[0].english().c_str());
        const auto before = run(problem);
        for (const auto& [name, tensor] : problem.tensors) {
            auto other = problem;
            auto numbers = random_normal(tensor.shape(), 77);
            if (tensor.dtype() != DType::Float64)
                continue; // indices and masks: they may reach everything
            other.tensors[name] = numbers;
            if (!issues_in(other).empty())
                continue;
            const auto after = run(other);
            for (const auto& stage : before.stages) {
                const Stage* changed = after.find(stage.name);
                if (changed && !are_equal(changed->value, stage.value))
                    QVERIFY2(stage_may_depend_on(problem.spec, name, stage.name),
                             qPrintable(QString::fromStdString(name + " changes " + stage.name)));
            }
        }
    }

    void weightsDoNotDependOnValues() {
        const AttentionSpec spec;
        for (const char* stage : {"scores", "scaled", "masked", "weights", "lse", "weights_mean", "query", "key"})
            QVERIFY2(!stage_may_depend_on(spec, "value", stage), stage);
        for (const char* stage : {"value", "output"})
            QVERIFY2(stage_may_depend_on(spec, "value", stage), stage);
        AttentionSpec heads;
        heads.variant = "multi_head";
        QVERIFY(stage_may_depend_on(heads, "w_q", "weights") && !stage_may_depend_on(heads, "w_q", "key"));
        QVERIFY(!stage_may_depend_on(heads, "w_o", "weights") && stage_may_depend_on(heads, "w_o", "output"));
        AttentionSpec bilinear;
        bilinear.variant = "bilinear";
        QVERIFY(stage_may_depend_on(bilinear, "bilinear_w", "weights") &&
                !stage_may_depend_on(bilinear, "bilinear_w", "query"));
        AttentionSpec dynamic;
        dynamic.variant = "dynamic_context"; // reads again what it has read
        QVERIFY(stage_may_depend_on(dynamic, "value", "weights"));
        AttentionSpec unknown;
        unknown.variant = "of a newer version";
        QVERIFY(stage_may_depend_on(unknown, "value", "weights"));
    }
};

ATTNLAB_TEST(TestStageInputs)
#include "test_stage_inputs.moc"
