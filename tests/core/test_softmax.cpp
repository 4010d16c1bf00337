#include "core/stages/mask.h"
#include "core/stages/softmax.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class SoftmaxTest : public QObject {
    Q_OBJECT
private slots:
    void gives_known_rows_data();
    void gives_known_rows();
    void takes_a_finite_fill_literally();
    void takes_no_keys();
};

void SoftmaxTest::gives_known_rows_data() {
    QTest::addColumn<QList<double>>("scores");
    QTest::addColumn<QList<double>>("weights");
    QTest::addColumn<double>("lse");
    const double nan = not_a_number, inf = infinity;
    QTest::newRow("equal scores") << QList{5.0, 5.0, 5.0, 5.0} << QList{.25, .25, .25, .25} << 5.0 + std::log(4.0);
    QTest::newRow("logarithms") << QList{std::log(1.0), std::log(2.0), std::log(5.0)} << QList{.125, .25, .625}
                                << std::log(8.0);
    QTest::newRow("one key") << QList{-3.5} << QList{1.0} << -3.5;
    QTest::newRow("700 and -700") << QList{700.0, -700.0} << QList{1.0, std::exp(-1400.0)} << 700.0;
    QTest::newRow("all 700") << QList{700.0, 700.0} << QList{.5, .5} << 700.0 + std::log(2.0);
    QTest::newRow("all -700") << QList{-700.0, -700.0} << QList{.5, .5} << -700.0 + std::log(2.0);
    QTest::newRow("1e308") << QList{1e308, -1e308} << QList{1.0, 0.0} << 1e308;
    QTest::newRow("a blocked key") << QList{0.0, -inf, 0.0} << QList{.5, 0.0, .5} << std::log(2.0);
    QTest::newRow("every key blocked") << QList{-inf, -inf} << QList{0.0, 0.0} << -inf;
    QTest::newRow("NaN first") << QList{nan, 1.0} << QList{nan, nan} << nan;
    QTest::newRow("NaN last") << QList{1.0, nan} << QList{nan, nan} << nan;
    QTest::newRow("NaN among blocked") << QList{-inf, nan, -inf} << QList{nan, nan, nan} << nan;
}

void SoftmaxTest::gives_known_rows() {
    QFETCH(QList<double>, scores);
    QFETCH(QList<double>, weights);
    QFETCH(double, lse);
    const auto S = static_cast<std::int64_t>(scores.size());
    // Followed by a plain row: a row does not affect the next one.
    std::vector<double> two(scores.begin(), scores.end());
    two.insert(two.end(), scores.size(), 1.0);
    const auto result = softmax_rows(Tensor({1, 1, 2, S}, two));
    QCOMPARE(result.lse.shape(), Shape({1, 1, 2}));
    std::vector<double> expected(weights.begin(), weights.end());
    expected.insert(expected.end(), weights.size(), 1.0 / static_cast<double>(S));
    QCOMPARE(difference(result.weights, Tensor({1, 1, 2, S}, expected), 1e-15), QString());
    QVERIFY(close(result.lse.data()[0], lse, 1e-15));
    QVERIFY(close(result.lse.data()[1], 1.0 + std::log(static_cast<double>(S)), 1e-15));
}

void SoftmaxTest::takes_a_finite_fill_literally() {
    const Tensor scores({1, 1, 1, 3}, {1.0, 2.0, 4.0});
    const Tensor blocked({1, 1, 1, 3}, 1.0, DType::Bool);
    const auto replaced = softmax_rows(apply_masks(scores, {}, blocked, {-1e6, MaskFill::Mode::Replace}));
    QCOMPARE(difference(replaced.weights, Tensor({1, 1, 1, 3}, 1.0 / 3.0), 1e-15), QString());
    // 1e9 costs seven digits of the scores.
    const auto added = softmax_rows(apply_masks(scores, {}, blocked, {-1e9, MaskFill::Mode::Add}));
    QCOMPARE(difference(added.weights, softmax_rows(scores).weights, 1e-6), QString());
    const auto infinite = softmax_rows(apply_masks(scores, {}, blocked, {-infinity, MaskFill::Mode::Add}));
    QCOMPARE(infinite.weights, Tensor({1, 1, 1, 3}));
}

void SoftmaxTest::takes_no_keys() {
    const auto result = softmax_rows(Tensor({1, 2, 3, 0}));
    QCOMPARE(result.weights.shape(), Shape({1, 2, 3, 0}));
    QCOMPARE(result.lse, Tensor({1, 2, 3}, -infinity));
}

ATTNLAB_TEST(SoftmaxTest)
#include "test_softmax.moc"
