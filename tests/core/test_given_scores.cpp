// Masked softmax of scores that are given.
#include "core/mechanisms.h"
#include "core/random.h"
#include "engine_support.h"
#include "tests/test_main.h"

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

class GivenScoresTest : public QObject {
    Q_OBJECT

private slots:
    void masked_softmax_data();
    void masked_softmax();
    void the_output_mixes_values();
    void a_minus_infinity_blocks();
    void positions_and_scales_are_refused();
};

/// As `masked_softmax(X, valid_lens)` of the textbook: keys from the length on have weight 0.
void GivenScoresTest::masked_softmax_data() {
    QTest::addColumn<Tensor>("lengths");
    QTest::newRow("one of each sequence") << Tensor({2}, {2, 3}, DType::Int64);
    QTest::newRow("one of each row") << Tensor({2, 2}, {1, 3, 2, 4}, DType::Int64);
}

void GivenScoresTest::masked_softmax() {
    QFETCH(Tensor, lengths);
    AttentionProblem problem;
    problem.spec.variant = "given_scores";
    problem.spec.masks = {{"valid_lens", {}}};
    const auto scores = random_normal({2, 2, 4}, 5);
    problem.tensors = {{"scores", scores}, {"valid_lens", lengths}};
    const auto trace = run(problem);
    const auto* weights = trace.find("weights");
    QVERIFY(weights);
    QCOMPARE(weights->value.shape(), (Shape{2, 1, 2, 4}));
    for (std::int64_t b = 0; b < 2; ++b)
        for (std::int64_t i = 0; i < 2; ++i) {
            const auto valid = static_cast<std::int64_t>(lengths.value(lengths.rank() == 1 ? b : 2 * b + i));
            double sum = 0.0;
            for (std::int64_t j = 0; j < valid; ++j)
                sum += std::exp(scores.value((2 * b + i) * 4 + j));
            for (std::int64_t j = 0; j < 4; ++j) {
                const double expected = j < valid ? std::exp(scores.value((2 * b + i) * 4 + j)) / sum : 0.0;
                QVERIFY(std::abs(weights->value.value((2 * b + i) * 4 + j) - expected) < 1e-15);
            }
        }
    QVERIFY(!trace.find("query") && !trace.find("key"));
    QVERIFY(trace.find("output")->value.values().size() == weights->value.values().size());
    QVERIFY(has_note(trace, "the output is the weights"));
}

void GivenScoresTest::the_output_mixes_values() {
    AttentionProblem problem;
    problem.spec.variant = "given_scores";
    problem.tensors = {{"scores", Tensor({1, 2}, {0.0, std::log(3.0)})}, {"value", Tensor({2, 1}, {4.0, 8.0})}};
    const auto trace = run(problem);
    QVERIFY(std::abs(trace.find("output")->value.value(0) - 7.0) < 1e-14);
    QVERIFY(!has_note(trace, "the output is the weights"));
}

void GivenScoresTest::a_minus_infinity_blocks() {
    AttentionProblem problem;
    problem.spec.variant = "given_scores";
    problem.tensors = {{"scores", Tensor({1, 3}, {1.0, -infinity, 1.0})}};
    const auto trace = run(problem);
    const auto& weights = trace.find("weights")->value;
    QCOMPARE(weights.value(0), 0.5);
    QCOMPARE(weights.value(1), 0.0);
    QVERIFY(!has_note(trace, "query"));
    problem.tensors = {{"scores", Tensor({1, 3}, {1.0, infinity, 1.0})}};
    QVERIFY(has_note(run(problem), "Rows whose weights are NaN"));
    QVERIFY(!has_note(run(problem), "query"));
}

void GivenScoresTest::positions_and_scales_are_refused() {
    AttentionProblem problem;
    problem.spec.variant = "given_scores";
    problem.tensors = {{"scores", Tensor({1, 3}, 1.0)}};
    problem.spec.scale = {"sqrt_dk", {}};
    QVERIFY_EXCEPTION_THROWN(run(problem), Error);
    problem.spec.scale = {"none", {}};
    problem.spec.position = {"rope", {}};
    QVERIFY_EXCEPTION_THROWN(run(problem), Error);
}

ATTNLAB_TEST(GivenScoresTest)
#include "test_given_scores.moc"
