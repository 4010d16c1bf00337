// Making inputs can be cancelled at any time, and their shapes are known without their numbers.
#include "core/compare.h"
#include "core/edit/resize.h"
#include "core/mechanisms.h"
#include "tests/core/engine_support.h"
#include "tests/core/poll_support.h"
#include "tests/test_main.h"

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr std::int64_t large = 12'000'000;

AttentionProblem given(const char* variant_id, const char* name, Shape shape) {
    AttentionProblem problem;
    problem.spec.variant = variant_id;
    problem.tensors.emplace(name, Tensor(std::move(shape)));
    return problem;
}

AttentionProblem with_mask(const char* mask) {
    auto problem = dot_problem(1, 1, 1, 4000, 3000, 1, 1);
    problem.spec.masks = {{mask, {}}};
    return problem;
}

} // namespace

class TestCancelledInputs : public QObject {
    Q_OBJECT
private slots:
    void arePolledAllAlong_data() {
        QTest::addColumn<AttentionProblem>("problem");
        QTest::newRow("normal numbers") << given("scaled_dot_product", "key", {1, 1, large / 8, 8});
        QTest::newRow("one row") << given("scaled_dot_product", "query", {1, 1, 1, large});
        QTest::newRow("a mask") << with_mask("attn_mask");
        QTest::newRow("tokens from a query") << given("self", "query", {1, 2, large / 8, 4});
    }

    void arePolledAllAlong() {
        QFETCH(AttentionProblem, problem);
        auto finished = problem;
        PollWatch whole;
        QVERIFY(!complete_inputs(finished, 1, false, whole.control()).empty());
        const double longest = whole.longest();
        QVERIFY2(longest < longest_without_poll, qPrintable(QString("%1 s without a poll").arg(longest)));
        QVERIFY2(whole.polls() > 100, qPrintable(QString::number(whole.polls())));
        for (const int at : {0, whole.polls() / 2, whole.polls() - 1}) {
            auto stopped = problem;
            PollWatch watch(at);
            QVERIFY_THROWS_EXCEPTION(Cancelled, complete_inputs(stopped, 1, false, watch.control()));
        }
    }

    void callersPassTheirControlOn() {
        const auto lone = given("scaled_dot_product", "query", {1, 1, 3, 4});
        PollWatch fit(0), compared(0), one(0);
        QVERIFY_THROWS_EXCEPTION(Cancelled, fitted_inputs(lone, fit.control()));
        auto pair = dot_problem(1, 1, 1, 3, 3, 4, 4);
        pair.compared_with = pair.spec;
        pair.compared_with->masks = {{"attn_mask", {}}};
        QVERIFY_THROWS_EXCEPTION(Cancelled, complete_compared_inputs(pair, 1, compared.control()));
        QVERIFY_THROWS_EXCEPTION(Cancelled,
                                 make_input(lone, mechanism_of("scaled_dot_product").inputs.front(), 1, one.control()));
    }

    /// The same names and shapes as with the numbers.
    void outlinesHaveTheShapes() {
        for (const auto& mechanism : mechanisms()) {
            AttentionProblem problem;
            problem.spec.variant = mechanism.id;
            problem.tensors.emplace("query", Tensor({1, 1, 30'000, 4}));
            auto outlined = problem, made = problem;
            const auto names = outline_inputs(outlined, 1, true);
            QCOMPARE(names, complete_inputs(made, 1, true));
            QCOMPARE(outlined.tensors.size(), made.tensors.size());
            for (const auto& [name, tensor] : made.tensors) {
                const auto& outline = outlined.tensors.at(name);
                QCOMPARE(outline.shape(), tensor.shape());
                QCOMPARE(outline.dtype(), tensor.dtype());
                constexpr std::int64_t small = 1 << 16;
                if (tensor.size() <= small)
                    QVERIFY2(outline == tensor, name.c_str());
            }
        }
    }

    void outlinesTakeNoMemory() {
        auto problem = dot_problem(1, 1, 1, 1, 1, 1, 1);
        problem.tensors.clear();
        problem.tensors.emplace("query", Tensor({1, 1, 1, 1}));
        problem.tensors.emplace("key", Tensor({1, 1, 400'000, 1}));
        problem.tensors.emplace("value", Tensor({1, 1, 400'000, 1}));
        problem.spec.masks = {{"attn_mask", {}}};
        outline_inputs(problem, 1);
        QVERIFY(!problem.tensors.at("attn_mask").in_memory());
        QCOMPARE(problem.tensors.at("attn_mask").value(399'999), 0.0);
    }
};

ATTNLAB_TEST(TestCancelledInputs)
#include "test_cancelled_inputs.moc"
