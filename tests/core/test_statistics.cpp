#include "core/stages/scale.h"
#include "core/stages/score.h"
#include "core/statistics.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class StatisticsTest : public QObject {
    Q_OBJECT
private slots:
    void has_closed_forms_data();
    void has_closed_forms();
    void says_nan_of_nan();
    void averages_rows_that_have_keys();
    void means_need_shares();
    void takes_moments_of_finite_values();
    void sees_the_slope_of_saturated_rows();
    void rows_that_are_no_distributions_have_no_entropy();
    void rows_have_the_entropy_of_their_shares();
    void a_factor_after_the_normaliser_changes_the_slope_alone_data();
    void a_factor_after_the_normaliser_changes_the_slope_alone();
    void predicts_the_variance_of_scores_data();
    void predicts_the_variance_of_scores();
};

void StatisticsTest::has_closed_forms_data() {
    QTest::addColumn<QList<double>>("weights");
    QTest::addColumn<double>("entropy");
    QTest::addColumn<double>("largest");
    QTest::addColumn<double>("jacobian");
    for (const int n : {1, 2, 5, 100})
        QTest::addRow("uniform over %d", n)
            << QList<double>(n, 1.0 / n) << std::log(n) << 1.0 / n << std::sqrt((n - 1.0)) / n;
    QTest::newRow("one-hot") << QList{0.0, 1.0, 0.0} << 0.0 << 1.0 << 0.0;
    // diag(a) - a a^T of (p, 1 - p) is p (1 - p) times ((1, -1), (-1, 1)).
    for (const double p : {0.9, 0.5, 1e-3})
        QTest::addRow("two keys, p = %g", p) << QList{p, 1.0 - p} << -p * std::log(p) - (1.0 - p) * std::log(1.0 - p)
                                             << std::max(p, 1.0 - p) << 2.0 * p * (1.0 - p);
}

void StatisticsTest::has_closed_forms() {
    QFETCH(QList<double>, weights);
    QFETCH(double, entropy);
    QFETCH(double, largest);
    QFETCH(double, jacobian);
    const std::vector<double> row(weights.begin(), weights.end());
    const auto got = row_statistics(row);
    QVERIFY(close(got.entropy, entropy, 1e-13));
    QVERIFY(close(got.effective_keys, std::exp(entropy), 1e-13));
    QCOMPARE(got.max_weight, largest);
    QVERIFY(close(got.jacobian_norm, jacobian, 1e-13));
}

/// 1 minus the largest weight is rounded to 0 long before the slope is.
void StatisticsTest::sees_the_slope_of_saturated_rows() {
    for (const double e : {1e-7, 1e-9, 1e-12, 1e-20, 1e-100}) {
        const std::vector two{1.0 - e, e}, three{e, 1.0 - 2.0 * e, e};
        QVERIFY(std::abs(row_statistics(two).jacobian_norm / (2.0 * e) - 1.0) < 1e-6);
        QVERIFY(std::abs(row_statistics(three).jacobian_norm / (std::sqrt(10.0) * e) - 1.0) < 1e-6);
    }
}

void StatisticsTest::says_nan_of_nan() {
    const std::vector<double> row = {not_a_number, 0.5};
    const auto got = row_statistics(row);
    for (const double value : {got.entropy, got.effective_keys, got.max_weight, got.jacobian_norm})
        QVERIFY(std::isnan(value));
}

void StatisticsTest::averages_rows_that_have_keys() {
    const Tensor weights({3, 2}, {0.5, 0.5, 0.0, 0.0, 1.0, 0.0});
    const auto mean = mean_statistics(matrix_at(weights));
    QVERIFY(close(mean.entropy, std::log(2.0) / 2.0, 1e-15));
    QVERIFY(close(mean.effective_keys, 1.5, 1e-15));
    QCOMPARE(mean.max_weight, 0.75);
    const Tensor blocked({2, 2});
    QCOMPARE(mean_statistics(matrix_at(blocked)).max_weight, 0.0);
    QCOMPARE(mean_statistics({}).entropy, 0.0);
}

/// Weights scaled after the softmax, or below 0: they still have a largest one.
void StatisticsTest::means_need_shares() {
    QVERIFY(are_shares(std::vector{0.25, 0.75}) && are_shares(std::vector{0.5, 0.496}));
    for (const auto& row : {std::vector{0.25, 0.25}, {1.5, -0.5}, {0.0, 0.0}, {not_a_number, 1.0}})
        QVERIFY(!are_shares(row));
    for (const auto& row : {std::vector{0.25, 0.25}, {1.5, -0.5}, {-0.5, -0.5}}) {
        const Tensor weights({2, 2}, {0.5, 0.5, row[0], row[1]});
        const auto mean = mean_statistics(matrix_at(weights));
        QVERIFY(std::isnan(mean.entropy) && std::isnan(mean.effective_keys) && std::isnan(mean.jacobian_norm));
        QCOMPARE(mean.max_weight, (0.5 + std::max({0.0, row[0], row[1]})) / 2.0);
    }
}

void StatisticsTest::takes_moments_of_finite_values() {
    const std::vector<double> values = {1.0, -infinity, 3.0, not_a_number, 8.0};
    QCOMPARE(moments(values).mean, 4.0);
    QVERIFY(close(moments(values).variance, 26.0 / 3.0, 1e-15));
    QCOMPARE(moments(std::vector<double>{-infinity}).variance, 0.0);
}

/// Dropped weights, negative marks of dropped cells, and a sound row.
void StatisticsTest::rows_that_are_no_distributions_have_no_entropy() {
    AttentionProblem problem;
    problem.spec.variant = "given_weights";
    problem.spec.statistics = true;
    problem.tensors["weights"] = Tensor({1, 1, 4, 2}, {1.25, 0, 0.5, -0.5, 0.5, 0.5, 0, 0});
    const auto trace = run(problem);
    for (const auto* name : {"entropy", "effective_keys", "jacobian_norm"}) {
        const auto& numbers = stage(trace, name);
        QVERIFY(std::isnan(numbers.at({0, 0, 0})) && std::isnan(numbers.at({0, 0, 1})));
        QVERIFY(std::isfinite(numbers.at({0, 0, 2})) && std::isfinite(numbers.at({0, 0, 3})));
    }
    QCOMPARE(stage(trace, "max_weight").at({0, 0, 0}), 1.25);
    QVERIFY(has_note(trace, "2 rows are not distributions, as after dropout"));
}

void StatisticsTest::rows_have_the_entropy_of_their_shares() {
    const auto got = row_statistics(std::vector{2.0, 1.0, 1.0});
    QVERIFY(close(got.entropy, 1.5 * std::log(2.0), 1e-15) && close(got.effective_keys, std::pow(2.0, 1.5), 1e-14));
    QVERIFY(std::isnan(got.jacobian_norm));
    QCOMPARE(got.sum, 4.0);
    QCOMPARE(got.max_weight, 2.0);
    const auto negative = row_statistics(std::vector{1.5, -0.5});
    QVERIFY(std::isnan(negative.entropy) && std::isnan(negative.effective_keys) && std::isnan(negative.jacobian_norm));
    QCOMPARE(negative.support, 2.0);
}

void StatisticsTest::a_factor_after_the_normaliser_changes_the_slope_alone_data() {
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<QString>("scale");
    for (const auto* normaliser : {"", "softmax1", "sigmoid", "sparsemax"})
        for (const auto* scale : {"custom:3", "custom:-0.5", "sqrt_dk"})
            QTest::addRow("%s, %s", *normaliser ? normaliser : "softmax", scale) << normaliser << scale;
}

void StatisticsTest::a_factor_after_the_normaliser_changes_the_slope_alone() {
    QFETCH(QString, normaliser);
    QFETCH(QString, scale);
    auto problem = dot_problem(1, 2, 2, 3, 4, 5, 1, 7);
    problem.spec.statistics = true;
    problem.spec.normaliser.id = normaliser.toStdString();
    problem.spec.scale = parse_scale("none");
    const auto before = run(problem);
    problem.spec.scale = parse_scale(scale.toStdString());
    problem.spec.scale_after_softmax = true;
    const auto after = run(problem);
    const double factor = stage(after, "row_sum").values()[0] / stage(before, "row_sum").values()[0];
    const auto same = [&](const char* name, double times) {
        for (std::size_t row = 0; row < stage(before, name).values().size(); ++row)
            QVERIFY2(close(stage(after, name).values()[row], times * stage(before, name).values()[row], 1e-12), name);
    };
    // A negative factor makes negative weights, which have no entropy with other normalisers.
    if (factor > 0.0 || normaliser.isEmpty()) {
        same("entropy", 1.0);
        same("effective_keys", 1.0);
    }
    same("jacobian_norm", std::abs(factor));
    same("row_sum", factor);
}

void StatisticsTest::predicts_the_variance_of_scores_data() {
    QTest::addColumn<QString>("scale");
    for (const auto* scale :
         {"none", "sqrt_dk", "dk", "cbrt_dk", "temperature:3", "custom:-0.2", "long_sequence", "log_n:100"})
        QTest::newRow(scale) << scale;
}

void StatisticsTest::predicts_the_variance_of_scores() {
    QFETCH(QString, scale);
    auto problem = dot_problem(1, 400, 400, 5, 5, 16, 1, 3);
    problem.spec.scale = parse_scale(scale.toStdString());
    const auto predicted = predicted_variance(effective_scale(problem.spec), {16, 5});
    QVERIFY(predicted.has_value());
    // 400 independent heads of 25 scores: the estimate's relative deviation is about 3 %; five of these.
    const auto measured = moments(stage(run(problem), "scaled").values()).variance;
    QVERIFY2(std::abs(measured / *predicted - 1.0) < 0.15, qPrintable(QString::number(measured / *predicted)));
    for (const auto* other : {"score_norm", "pre_norm", "qk_norm", "softcap"})
        QVERIFY(!predicted_variance(parse_scale(other), {16, 5}));
}

ATTNLAB_TEST(StatisticsTest)
#include "test_statistics.moc"
