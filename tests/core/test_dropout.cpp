#include "core/lab/in_float32.h"
#include "core/mechanisms.h"
#include "core/random.h"
#include "core/stages/mask.h"
#include "core/stages/softmax.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem made(const std::string& variant, double rate) {
    AttentionProblem problem;
    problem.spec.variant = variant;
    complete_inputs(problem, 3);
    if (rate > 0.0)
        problem.spec.parameters.set("dropout", rate);
    return problem;
}

const Parameter* declared(const Mechanism& variant, std::string_view name) {
    const auto found = std::ranges::find(variant.parameters, name, &Parameter::name);
    return found == variant.parameters.end() ? nullptr : &*found;
}

} // namespace

class DropoutTest : public QObject {
    Q_OBJECT
private slots:
    void everyMechanismWithWeights_data() {
        QTest::addColumn<QString>("id");
        for (const auto& variant : mechanisms())
            QTest::newRow(std::string(variant.id).c_str()) << QString::fromStdString(std::string(variant.id));
    }
    /// The dropped weights are 0 or a / (1 - p), and the output is made of them.
    void everyMechanismWithWeights() {
        QFETCH(QString, id);
        const auto& mechanism = mechanism_of(id.toStdString());
        // Performer never forms weights, a carried state has none; given weights are nothing but weights. Those of
        // these two are made of several softmaxes.
        const bool none = id == "performer" || id == "given_weights" || carries_state(mechanism) ||
                          id == "differential" || id == "nsa";
        QCOMPARE(declared(mechanism, "dropout") != nullptr, !none);
        if (none)
            return;
        const auto off = run(made(id.toStdString(), 0.0)), on = run(made(id.toStdString(), 0.5));
        int dropped = 0;
        for (const auto& after : on.stages) {
            if (!after.name.ends_with("weights_dropped"))
                continue;
            ++dropped;
            QVERIFY(!off.find(after.name));
            const auto* before = on.beside(after, "weights");
            for (std::size_t k = 0; k < after.value.values().size(); ++k) {
                const double kept = after.value.values()[k];
                QVERIFY(kept == 0.0 || close(kept, 2.0 * before->value.values()[k], 1e-15));
            }
            const auto* mixed =
                on.beside(after, "head_output") ? on.beside(after, "head_output") : on.beside(after, "output");
            const auto* value = id == "linformer" ? on.find("projected_value") : on.beside(after, "value");
            QCOMPARE(difference(mixed->value, mix_values_of(after.value, value->value), 1e-12), QString());
        }
        QVERIFY(dropped > 0);
        if (id != "transformer") // later layers see what earlier ones dropped
            QCOMPARE(difference(stage(on, "weights"), stage(off, "weights"), 0.0), QString());
    }

    void tilesDropTheSame() {
        auto plain = made("scaled_dot_product", 0.4), tiles = plain;
        for (auto* problem : {&plain, &tiles}) {
            problem->spec.masks = {parse_mask("causal")};
            problem->spec.parameters.set("seed", std::int64_t{5});
        }
        tiles.spec.variant = "flash";
        QCOMPARE(difference(stage(run(tiles), "output"), stage(run(plain), "output"), 1e-12), QString());
    }

    void theMeanStays() {
        const Tensor weights({1, 1, 1, 4}, {0.1, 0.2, 0.3, 0.4});
        Tensor sum({1, 1, 1, 4});
        constexpr int seeds = 4000;
        for (int seed = 0; seed < seeds; ++seed) {
            const auto after = dropped(weights, {0.25, static_cast<std::uint64_t>(seed)});
            for (std::size_t k = 0; k < 4; ++k)
                sum.mutable_values()[k] += after.values()[k] / seeds;
        }
        for (std::size_t k = 0; k < 4; ++k)
            QVERIFY2(close(sum.values()[k], weights.values()[k], 0.02), qPrintable(QString::number(sum.values()[k])));
    }

    void seedsOfMechanismsThatDrawThemselves() {
        auto problem = made("linformer", 0.5);
        problem.spec.parameters.set("seed", std::int64_t{1});
        const auto first = run(problem);
        problem.spec.parameters.set("dropout_seed", std::int64_t{1});
        const auto other = run(problem);
        QCOMPARE(difference(stage(first, "weights"), stage(other, "weights"), 0.0), QString());
        QVERIFY(!(stage(first, "weights_dropped") == stage(other, "weights_dropped")));
    }

    void exactResultsBesideAnApproximationDropNothing() {
        const auto on = run(made("longformer", 0.5)), off = run(made("longformer", 0.0));
        for (const auto* name : {"exact_weights", "exact_output", "difference"})
            QCOMPARE(difference(stage(on, name), stage(off, name), 0.0), QString());
    }

    void eachAttentionOfATransformerDropsOthers() {
        const auto trace = run(made("transformer", 0.5));
        const auto zeros = [&](const char* name) {
            std::vector<bool> cells;
            for (const double weight : stage(trace, name).values())
                cells.push_back(weight == 0.0);
            return cells;
        };
        QVERIFY(zeros("decoder.0.self.weights_dropped") != zeros("decoder.0.cross.weights_dropped"));
    }

    void inFloat32() {
        const auto problem = made("scaled_dot_product", 0.5);
        const auto exact = run(problem);
        const auto single = lab::in_float32(exact, problem.spec);
        QCOMPARE(difference(stage(single, "weights_dropped"), stage(exact, "weights_dropped"), 1e-6), QString());
        QCOMPARE(difference(stage(single, "output"), stage(exact, "output"), 1e-5), QString());
    }

private:
    static Tensor mix_values_of(const Tensor& weights, const Tensor& value) {
        const auto group = weights.dim(1) / value.dim(1), S = weights.dim(3), Ev = value.dim(3), L = weights.dim(2);
        Tensor mixed({weights.dim(0), weights.dim(1), L, Ev});
        const auto out = mixed.mutable_values();
        for (std::int64_t head = 0; head < weights.dim(0) * weights.dim(1); ++head)
            for (std::int64_t i = 0; i < L; ++i)
                for (std::int64_t j = 0; j < S; ++j)
                    for (std::int64_t c = 0; c < Ev; ++c)
                        out[static_cast<std::size_t>((head * L + i) * Ev + c)] +=
                            weights.data()[(head * L + i) * S + j] * value.data()[(head / group * S + j) * Ev + c];
        return mixed;
    }
};

ATTNLAB_TEST(DropoutTest)
#include "test_dropout.moc"
