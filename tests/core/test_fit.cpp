// Inputs that no longer fit: what becomes of them.
#include "core/edit/resize.h"
#include "core/inputs.h"
#include "core/random.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;

namespace {

Tensor numbered(Shape shape) {
    Tensor tensor(std::move(shape));
    double next = 0.0;
    for (auto& value : tensor.mutable_values())
        value = ++next;
    return tensor;
}

/// Four heads over nine tokens of twelve features.
AttentionProblem fourHeads() {
    AttentionProblem problem;
    problem.spec.variant = "multi_head";
    problem.spec.parameters.set("num_heads", std::int64_t{4});
    problem.tensors.emplace("x", numbered({9, 12}));
    complete_inputs(problem, 1);
    return problem;
}

AttentionProblem withHeads(AttentionProblem problem, std::int64_t heads) {
    problem.spec.parameters.set("num_heads", heads);
    return problem;
}

} // namespace

class TestFit : public QObject {
    Q_OBJECT

private slots:
    void nothingIsDoneToInputsThatFit() { QVERIFY(!fitted_inputs(fourHeads())); }

    void arraysOfPositionsKeepWhatTheyHold_data() {
        QTest::addColumn<int>("heads");
        QTest::newRow("fewer") << 2;
        QTest::newRow("more") << 6;
    }

    void arraysOfPositionsKeepWhatTheyHold() {
        QFETCH(int, heads);
        auto problem = fourHeads();
        problem.spec.position = {"t5", {}};
        problem.tensors.insert_or_assign("relative_attention_bias", numbered({16, 4}));
        QVERIFY(issues_in(problem).empty());
        const auto fitted = fitted_inputs(withHeads(problem, heads));
        QVERIFY(fitted);
        QVERIFY(issues_in(fitted->problem).empty());
        QCOMPARE(fitted->resized, std::vector<std::string>{"relative_attention_bias"});
        const auto& table = fitted->problem.tensors.at("relative_attention_bias");
        QCOMPARE(table.shape(), (Shape{16, heads}));
        QCOMPARE(table.at({3, 1}), 14.0);
        if (heads > 4)
            QCOMPARE(table.at({3, 4}), 0.0);
    }

    void biasesOfEachHeadKeepWhatTheyHold() {
        auto problem = fourHeads();
        problem.spec.masks = {{"attn_bias", {}}};
        problem.tensors.emplace("attn_bias", numbered({1, 4, 9, 9}));
        QVERIFY(issues_in(problem).empty());
        const auto fitted = fitted_inputs(withHeads(problem, 2));
        QVERIFY(fitted);
        QVERIFY(fitted->remade.empty());
        const auto& bias = fitted->problem.tensors.at("attn_bias");
        QCOMPARE(bias.shape(), (Shape{1, 2, 9, 9}));
        QCOMPARE(bias.at({0, 1, 8, 8}), 162.0);
    }

    /// A bias for each key applies to every head and query: nothing is cropped or padded.
    void whatBroadcastsIsLeftAlone_data() {
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("(B,1,1,S)") << QList<int>{1, 1, 1, 9};
        QTest::newRow("(1,S)") << QList<int>{1, 9};
        QTest::newRow("(L,1)") << QList<int>{9, 1};
        QTest::newRow("(S)") << QList<int>{9};
        QTest::newRow("(1,L,S)") << QList<int>{1, 9, 9};
    }

    void whatBroadcastsIsLeftAlone() {
        QFETCH(QList<int>, shape);
        auto problem = fourHeads();
        problem.spec.masks = {{"attn_bias", {}}};
        problem.tensors.emplace("attn_bias", numbered(Shape(shape.begin(), shape.end())));
        QVERIFY(issues_in(problem).empty());
        QVERIFY(!fitted_inputs(problem));
        QVERIFY(!fitted_inputs(withHeads(problem, 2)));
        QVERIFY(issues_in(withHeads(problem, 2)).empty());
    }

    /// Batches that share the heads' matrices keep sharing them.
    void matricesOfHeadsStayMatricesOfHeads() {
        auto problem = fourHeads();
        problem.tensors.insert_or_assign("x", numbered({3, 9, 12}));
        problem.spec.masks = {{"attn_bias", {}}};
        problem.tensors.emplace("attn_bias", numbered({4, 1, 8}));
        const auto fitted = fitted_inputs(problem);
        QVERIFY(fitted);
        QCOMPARE(fitted->problem.tensors.at("attn_bias").shape(), (Shape{4, 1, 9}));
    }

    void resizingLeavesWhatBroadcasts() {
        auto problem = fourHeads();
        problem.spec.masks = {{"attn_bias", {}}, {"attn_mask", {}}};
        problem.tensors.emplace("attn_bias", numbered({1, 1, 1, 9}));
        problem.tensors.emplace("attn_mask", Tensor({9, 1}, 0.0, DType::Bool));
        const auto longer = resized_shapes(problem, "x", {11, 12});
        QCOMPARE(longer.at("attn_bias"), (Shape{1, 1, 1, 11}));
        QCOMPARE(longer.at("attn_mask"), (Shape{11, 1}));
        // An array that becomes broadcast does not change others.
        const auto row = resized_shapes(problem, "attn_bias", {1, 1, 1, 1});
        QCOMPARE(row.at("x"), (Shape{9, 12}));
        QVERIFY(issues_in(resized(problem, "attn_bias", {1, 1, 1, 1})).empty());
    }

    void projectionsAreMadeAnew() {
        auto problem = fourHeads();
        problem.spec.masks = {{"attn_bias", {}}};
        problem.tensors.emplace("attn_bias", numbered({4, 9, 9}));
        const auto fitted = fitted_inputs(withHeads(problem, 5));
        QVERIFY(fitted);
        QVERIFY(std::ranges::count(fitted->remade, "w_q") == 1);
        QCOMPARE(fitted->resized, std::vector<std::string>{"attn_bias"});
        QVERIFY(issues_in(fitted->problem).empty());
    }

    /// Generated inputs are named as such, with their size.
    void whatIsMissingIsNamed() {
        auto problem = fourHeads();
        problem.tensors.erase("x");
        const auto fitted = fitted_inputs(problem);
        QVERIFY(fitted);
        QCOMPARE(fitted->made, std::vector<std::string>{"x"});
        QCOMPARE(fitted->problem.tensors.at("x").dim(-1), 12);
        QVERIFY(fitted_inputs(withHeads(fourHeads(), 5))->made.empty());
    }

    void whereNothingHelpsNothingIsOffered() {
        auto problem = fourHeads();
        problem.tensors.insert_or_assign("x", numbered({9}));
        QVERIFY(!fitted_inputs(problem));
    }
};

ATTNLAB_TEST(TestFit)
#include "test_fit.moc"
