#include "core/lab/scene.h"
#include "core/lab/training.h"
#include "core/random.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem head(const char* scale, std::int64_t width = 16) {
    AttentionProblem problem;
    problem.spec.scale = parse_scale(scale);
    problem.tensors = {{"query", random_normal({4, width}, 1)},
                       {"key", random_normal({4, width}, 2)},
                       {"value", random_normal({4, 3}, 3)}};
    return problem;
}

double loss_of(const AttentionProblem& problem) {
    const auto trace = run(problem);
    const auto output = stage(trace, "output").values(), value = stage(trace, "value").values();
    double loss = 0.0;
    for (std::size_t k = 0; k < output.size(); ++k)
        loss += (output[k] - value[k]) * (output[k] - value[k]) / static_cast<double>(output.size());
    return loss;
}

} // namespace

class TrainingTest : public QObject {
    Q_OBJECT
private slots:
    void goes_down_the_slope_of_the_loss() {
        // One small step lowers the loss by rate times the squared length of the gradient.
        const auto problem = head("sqrt_dk");
        constexpr double rate = 1e-4, nudge = 1e-5;
        const auto trained = lab::train(problem, {1, 1, rate});
        QCOMPARE(trained.loss.size(), std::size_t{2});
        QVERIFY(close(trained.loss[0], loss_of(problem), 1e-12));
        QVERIFY(close(trained.loss[1], loss_of(trained.problem), 1e-12));
        double squares = 0.0;
        for (const char* name : {"query", "key"})
            for (std::size_t k = 0; k < 64; ++k) {
                auto up = problem, down = problem;
                up.tensors.at(name).mutable_values()[k] += nudge;
                down.tensors.at(name).mutable_values()[k] -= nudge;
                const double slope = (loss_of(up) - loss_of(down)) / (2.0 * nudge);
                squares += slope * slope;
                const double moved = trained.problem.tensors.at(name).data()[k] - problem.tensors.at(name).data()[k];
                QVERIFY(close(moved, -rate * slope, 1e-11));
            }
        QVERIFY(close(trained.loss[0] - trained.loss[1], rate * squares, 1e-2 * rate * squares));
    }

    void looks_at_any_step_of_the_same_training() {
        const auto whole = lab::train(head("sqrt_dk"), {20, 20, 5.0});
        const auto early = lab::train(head("sqrt_dk"), {20, 7, 5.0});
        QCOMPARE(early.loss, whole.loss);
        QVERIFY(close(loss_of(early.problem), whole.loss[7], 1e-12));
        const auto before = lab::train(head("sqrt_dk"), {20, 0, 5.0});
        QCOMPARE(before.problem.tensors.at("query"), head("sqrt_dk").tensors.at("query"));
        QVERIFY(whole.loss.back() < whole.loss.front());
    }

    void learns_with_a_scale_alone() {
        for (int seed = 0; seed < 5; ++seed) {
            AttentionProblem problem;
            problem.tensors = {{"query", random_normal({10, 256}, 3 * seed + 1)},
                               {"key", random_normal({10, 256}, 3 * seed + 2)},
                               {"value", random_normal({10, 8}, 3 * seed + 3)}};
            problem.spec.scale = parse_scale("none");
            const auto none = lab::train(problem, {100, 100, 10.0}).loss.back();
            problem.spec.scale = parse_scale("sqrt_dk");
            const auto scaled = lab::train(problem, {100, 100, 10.0}).loss.back();
            QVERIFY2(scaled < 0.3 && none > 2.0 * scaled, qPrintable(QString("%1 %2").arg(scaled).arg(none)));
        }
    }

    void belongs_to_a_scene() {
        lab::Scene scene;
        scene.draw = lab::RandomInputs{};
        scene.draw->L = scene.draw->S = 4;
        scene.training = lab::Training{10, 10, 1.0};
        scene.settings = {{.id = "slow", .spec = {}, .tensors = {}, .rate = 0.1},
                          {.id = "usual", .spec = {}, .tensors = {}}};
        const auto result = lab::compute(scene);
        QCOMPARE(result.settings[0].loss.size(), std::size_t{11});
        QCOMPARE(result.settings[0].loss[0], result.settings[1].loss[0]);
        QVERIFY(result.settings[0].loss[10] != result.settings[1].loss[10]);
    }

    void knows_the_loss_of_even_weights() {
        auto problem = head("none");
        for (double& number : problem.tensors.at("query").mutable_values())
            number = 0.0;
        QVERIFY(close(lab::even_loss(run(problem)), loss_of(problem), 1e-12));
        QVERIFY(std::isnan(lab::even_loss({})));
    }

    void refuses_what_it_cannot_train() {
        auto problem = head("none");
        problem.tensors.insert_or_assign("key", random_normal({5, 16}, 2));
        QVERIFY_THROWS_EXCEPTION(Error, lab::train(problem, {}));
        problem = head("none");
        problem.spec.variant = "additive";
        QVERIFY_THROWS_EXCEPTION(Error, lab::train(problem, {}));
    }

    void can_be_cancelled() {
        int polls = 0;
        RunControl control;
        control.cancelled = [&polls] { return ++polls > 200; };
        QVERIFY_THROWS_EXCEPTION(Cancelled, lab::train(head("none"), {1000, 1000, 1.0}, control));
    }
};

ATTNLAB_TEST(TrainingTest)
#include "test_training.moc"
