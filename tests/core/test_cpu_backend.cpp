// The cpu backend's refusals, notes, and selection by "auto".
#include "core/flash/cpu_backend.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const Backend* const both[] = {&reference_backend(), &cpu_backend()};

/// L x S cells with small inputs.
AttentionProblem wide_problem(std::int64_t length) { return dot_problem(1, 1, 1, length, length, 2, 2); }

QString refusal(const AttentionProblem& problem) {
    const auto why = cpu_backend().why_not(problem);
    return why ? QString::fromStdString(why->english()) : QString();
}

} // namespace

class TestCpuBackend : public QObject {
    Q_OBJECT
private slots:
    void refuses_data() {
        QTest::addColumn<int>("choice");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << 0 << "";
        QTest::newRow("other mechanism") << 1 << "those of additive are not";
        QTest::newRow("statistics") << 2 << "statistics";
        QTest::newRow("score norm") << 3 << "score_norm";
        QTest::newRow("large added fill") << 4 << "fill of -1e+09";
        QTest::newRow("large fill without a mask") << 5 << "";
        QTest::newRow("large number") << 6 << "float32; values up to 1e+300 may leave its range (key)";
        QTest::newRow("unknown scale") << 7 << "'loud'";
        QTest::newRow("unknown mask") << 8 << "'stripes'";
        QTest::newRow("position") << 9 << "has rope";
        QTest::newRow("infinite number") << 10 << "";
        QTest::newRow("large factor") << 11 << "may leave its range (query, scaled)";
        QTest::newRow("large scores") << 12 << "may leave its range (scores)";
        QTest::newRow("cosines of large numbers") << 13 << "";
    }

    void refuses() {
        QFETCH(int, choice);
        QFETCH(QString, says);
        auto problem = dot_problem(1, 1, 1, 4, 5, 3, 2);
        auto& spec = problem.spec;
        if (choice == 1) {
            spec.variant = "additive";
            complete_inputs(problem, 1);
        } else if (choice == 2)
            spec.statistics = true;
        else if (choice == 3)
            spec.scale = parse_scale("score_norm");
        else if (choice == 4 || choice == 5)
            spec.mask_fill = {-1e9, MaskFill::Mode::Add};
        else if (choice == 6)
            problem.tensors["key"].mutable_values()[3] = 1e300;
        else if (choice == 7)
            spec.scale.id = "loud";
        else if (choice == 8)
            spec.masks = {{"stripes", {}}};
        else if (choice == 9)
            spec.position.id = "rope";
        else if (choice == 10)
            problem.tensors["key"].mutable_values()[3] = infinity;
        else if (choice == 11)
            spec.scale = parse_scale("custom:1e38");
        else if (choice == 12 || choice == 13)
            problem.tensors["key"].mutable_values()[3] = problem.tensors["query"].mutable_values()[0] = 3e19;
        if (choice == 13)
            spec.scale = parse_scale("pre_norm");
        if (choice == 4)
            spec.masks = {parse_mask("causal")};
        const auto why = refusal(problem);
        QVERIFY2(says.isEmpty() ? why.isEmpty() : why.contains(says), qPrintable(why));
        if (!says.isEmpty())
            QVERIFY_THROWS_EXCEPTION(Error, compute(problem, both, "cpu"));
    }

    void throwsForBadData() {
        auto problem = dot_problem(1, 1, 1, 4, 5, 3, 2);
        problem.spec.masks = {parse_mask("valid_lens")};
        QVERIFY_THROWS_EXCEPTION(Error, compute(problem, both, "cpu")); // missing
        problem.tensors["valid_lens"] = Tensor({1}, 6.0);
        QVERIFY_THROWS_EXCEPTION(Error, compute(problem, both, "cpu")); // beyond S
        problem.tensors["valid_lens"] = Tensor({1}, 5.0);
        compute(problem, both, "cpu");
        problem.tensors["key"] = random_normal({1, 1, 5, 4}, 1);
        QVERIFY_THROWS_EXCEPTION(Error, compute(problem, both, "cpu"));
    }

    void lowerRanks() {
        auto problem = dot_problem(1, 1, 1, 7, 9, 3, 2);
        const auto whole = cpu_backend().run(problem, {});
        for (auto& [name, tensor] : problem.tensors)
            tensor = tensor.reshaped({tensor.dim(2), tensor.dim(3)});
        QCOMPARE(stage(cpu_backend().run(problem, {}), "output"), stage(whole, "output"));
    }

    void autoShowsEveryStageOfSmallProblems() {
        const auto computed = compute(wide_problem(100), both);
        QVERIFY(computed.trace.find("weights"));
        QVERIFY(QString::fromStdString(computed.backend).contains("reference"));
    }

    void autoKeepsNoCellsOfLargeProblems() {
        const auto computed = compute(wide_problem(4100), both);
        QVERIFY(!computed.trace.find("weights"));
        QVERIFY(QString::fromStdString(computed.backend).startsWith("cpu · float32 · "));
        QVERIFY(has_note(computed.trace, "17 million cells"));
    }

    void autoFallsBackAndSaysWhy() {
        // Replaces the reference, which would be slow.
        class Patient : public Backend {
        public:
            std::string_view id() const override { return "patient"; }
            std::string title() const override { return "patient"; }
            std::optional<Message> why_not(const ResolvedProblem&) const override { return std::nullopt; }
            Trace run(const ResolvedProblem&, const RunControl&) const override { return {}; }
        } patient;
        const Backend* const backends[] = {&patient, &cpu_backend()};
        auto problem = wide_problem(4100);
        QVERIFY(QString::fromStdString(compute(problem, backends).backend).startsWith("cpu"));
        problem.spec.statistics = true;
        const auto computed = compute(problem, backends);
        QCOMPARE(computed.backend, std::string("patient"));
        QVERIFY(has_note(computed.trace, "patient computed every stage, although they are large"));
        QVERIFY(has_note(computed.trace, "no statistics"));
    }

    void unknownBackend() {
        QVERIFY_THROWS_EXCEPTION(Error, compute(wide_problem(2), both, "abacus"));
        const Backend* const alone[] = {&cpu_backend()};
        QVERIFY(!compute(wide_problem(2), alone).trace.find("weights"));
    }

    void notes() {
        auto problem = dot_problem(1, 1, 1, 4, 5, 3, 2);
        problem.query_tokens = {"the", "cat"};
        problem.tensors["query"].set({0, 0, 1, 0}, not_a_number);
        QVERIFY(has_note(cpu_backend().run(problem, {}), "weights are NaN: 1 (first: “cat”)"));
        QVERIFY(has_note(cpu_backend().run(dot_problem(1, 1, 1, 2, 0, 3, 2), {}), "There are no keys"));
    }

    void memoryLimit() {
        RunControl control;
        control.memory_limit = 1000;
        QVERIFY_THROWS_EXCEPTION(Error, cpu_backend().run(wide_problem(100), control));
    }
};

ATTNLAB_TEST(TestCpuBackend)
#include "test_cpu_backend.moc"
