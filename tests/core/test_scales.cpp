#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Selection complete(const char* text) {
    AttentionSpec spec;
    spec.scale = parse_scale(text);
    return effective_scale(spec);
}

} // namespace

class ScalesTest : public QObject {
    Q_OBJECT
private slots:
    void multiplies_by_its_factor_data();
    void multiplies_by_its_factor();
    void bends_below_its_cap();
    void divides_by_a_norm_data();
    void divides_by_a_norm();
    void brings_rows_to_length_one();
    void brings_rows_to_a_root_mean_square_of_one();
    void multiplies_by_gains();
    void multiplies_the_weights_after_the_softmax();
    void uses_the_default_of_the_mechanism();
    void reads_the_command_line_data();
    void reads_the_command_line();
};

void ScalesTest::multiplies_by_its_factor_data() {
    QTest::addColumn<QString>("scale");
    QTest::addColumn<double>("factor");
    QTest::addColumn<QString>("operation");
    const auto row = [](const char* scale, double factor, const char* operation) {
        QTest::newRow(scale) << scale << factor << operation;
    };
    row("none", 1.0, "as is");
    row("sqrt_dk", 1.0 / 8.0, "÷ √64");
    row("dk", 1.0 / 64.0, "÷ 64");
    row("cbrt_dk", 1.0 / 4.0, "÷ ∛64");
    row("temperature:0.5", 2.0, "÷ 0.5");
    row("temperature", 1.0, "÷ 1");
    row("custom:-3", -3.0, "× -3");
    row("custom:0", 0.0, "× 0");
    row("pre_norm:0.25", 4.0, "÷ 0.25");
    row("long_sequence", 1.0 / 24.0, "÷ √64√9");
    row("log_n:81", 1.0 / 16.0, "× log 9 / (√64 log 81)");
    row("qk_norm", 1.0 / 8.0, "÷ √64");
    row("qk_norm:4", 0.5, "× 4 ÷ √64");
}

void ScalesTest::multiplies_by_its_factor() {
    QFETCH(QString, scale);
    QFETCH(double, factor);
    QFETCH(QString, operation);
    const auto selection = complete(qPrintable(scale));
    const ScaleContext context{64, 9};
    const auto scores = random_normal({2, 1, 3, 9}, 1);
    auto expected = scores;
    for (double& s : expected.mutable_values())
        s *= factor;
    QCOMPARE(difference(apply_scale(scores, selection, context), expected, 1e-15), QString());
    const auto& mode = scale_mode(selection.id);
    QCOMPARE(QString::fromStdString(mode.operation(context, selection.parameters).english()), operation);
}

void ScalesTest::bends_below_its_cap() {
    const auto selection = complete("softcap:2");
    const ScaleContext context{4, 6};
    const Tensor scores({1, 1, 1, 6}, {0.0, 4e-9, 4.0, -4.0, 1e6, -infinity});
    const Tensor expected({1, 1, 1, 6}, {0.0, 2e-9, 2.0 * std::tanh(1.0), -2.0 * std::tanh(1.0), 2.0, -2.0});
    QCOMPARE(difference(apply_scale(scores, selection, context), expected, 1e-15), QString());
    QCOMPARE(scale_mode("softcap").operation(context, selection.parameters).english(),
             std::string("2 tanh(s / (2 √4))"));
}

void ScalesTest::divides_by_a_norm_data() {
    QTest::addColumn<QString>("scale");
    QTest::addColumn<QList<double>>("scores"); // (2,2), after a head of other numbers
    QTest::addColumn<QList<double>>("scaled");
    const double tiny = 1e-200, huge = 1e200;
    QTest::newRow("frobenius") << "score_norm" << QList{1.0, -1.0, 1.0, 1.0} << QList{.5, -.5, .5, .5};
    QTest::newRow("row") << "score_norm:row" << QList{3.0, -4.0, 0.0, 2.0} << QList{.6, -.8, 0.0, 1.0};
    QTest::newRow("max") << "score_norm:max" << QList{1.0, -4.0, 2.0, 0.0} << QList{.25, -1.0, .5, 0.0};
    QTest::newRow("minmax") << "score_norm:minmax" << QList{-1.0, 3.0, 1.0, 0.0} << QList{0.0, 1.0, .5, .25};
    for (const char* norm : {"frobenius", "row", "max", "minmax"})
        QTest::addRow("zero %s", norm) << QStringLiteral("score_norm:%1").arg(norm) << QList<double>(4, 0.0)
                                       << QList<double>(4, 0.0);
    QTest::newRow("a zero row") << "score_norm:row" << QList{0.0, 0.0, 0.0, 2.0} << QList{0.0, 0.0, 0.0, 1.0};
    QTest::newRow("equal scores, minmax") << "score_norm:minmax" << QList<double>(4, 7.0) << QList<double>(4, 0.0);
    QTest::newRow("tiny") << "score_norm" << QList{tiny, -tiny, tiny, tiny} << QList{.5, -.5, .5, .5};
    QTest::newRow("huge") << "score_norm" << QList{huge, -huge, huge, huge} << QList{.5, -.5, .5, .5};
}

void ScalesTest::divides_by_a_norm() {
    QFETCH(QString, scale);
    QFETCH(QList<double>, scores);
    QFETCH(QList<double>, scaled);
    Tensor two({1, 2, 2, 2}, 9.0);
    std::copy(scores.begin(), scores.end(), two.mutable_values().begin() + 4);
    const auto got = apply_scale(two, complete(qPrintable(scale)), {4, 2});
    const Tensor head({2, 2}, std::vector<double>(got.values().begin() + 4, got.values().end()));
    QCOMPARE(difference(head, Tensor({2, 2}, std::vector<double>(scaled.begin(), scaled.end())), 1e-15), QString());
}

void ScalesTest::brings_rows_to_length_one() {
    const Tensor rows({4, 2}, {3, 4, 0, 0, -1e-300, 0, 1e300, 1e300});
    const Tensor expected({4, 2}, {.6, .8, 0, 0, -1, 0, std::sqrt(.5), std::sqrt(.5)});
    QCOMPARE(difference(normalised_rows(rows, RowNorm::Length), expected, 1e-15), QString());
    auto problem = dot_problem(1, 2, 1, 3, 4, 5, 2);
    problem.spec.scale = parse_scale("pre_norm");
    const auto trace = run(problem);
    for (const double cosine : stage(trace, "scores").values())
        QVERIFY(std::abs(cosine) <= 1.0 + 1e-15);
    QCOMPARE(stage(trace, "query"), problem.tensors.at("query")); // shown as given
}

void ScalesTest::brings_rows_to_a_root_mean_square_of_one() {
    const Tensor rows({3, 2}, {3, 4, 0, 0, 0, -1e300});
    const Tensor expected({3, 2}, {3 / std::sqrt(12.5), 4 / std::sqrt(12.5), 0, 0, 0, -std::sqrt(2.0)});
    QCOMPARE(difference(normalised_rows(rows, RowNorm::RootMeanSquare), expected, 1e-15), QString());
}

void ScalesTest::multiplies_by_gains() {
    auto problem = dot_problem(1, 1, 1, 1, 1, 2, 1);
    problem.tensors["query"] = Tensor({1, 1, 1, 2}, {1, 1});
    problem.tensors["key"] = Tensor({1, 1, 1, 2}, {0, 3});
    problem.tensors["query_gain"] = Tensor({2}, {5, 7});
    problem.spec.scale = parse_scale("sqrt_dk");
    QCOMPARE(stage(run(problem), "scores").at({0, 0, 0, 0}), 3.0); // other modes do not use the gains
    problem.spec.scale = parse_scale("qk_norm:2");
    QCOMPARE(stage(run(problem), "scores").at({0, 0, 0, 0}), 7.0 * std::sqrt(2.0));
    QCOMPARE(stage(run(problem), "scaled").at({0, 0, 0, 0}), 14.0);
    problem.tensors["key_gain"] = Tensor({2}, {1, 0.5});
    QCOMPARE(stage(run(problem), "scaled").at({0, 0, 0, 0}), 7.0);
}

void ScalesTest::multiplies_the_weights_after_the_softmax() {
    auto problem = dot_problem(1, 1, 1, 3, 4, 4, 2);
    problem.spec.scale = parse_scale("none");
    const auto plain = run(problem);
    problem.spec.scale = parse_scale("sqrt_dk");
    problem.spec.scale_after_softmax = true;
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "scaled"), stage(trace, "scores"));
    auto expected = stage(plain, "weights");
    for (double& weight : expected.mutable_values())
        weight /= 2.0;
    QCOMPARE(difference(stage(trace, "weights"), expected, 1e-15), QString());
    QVERIFY(has_note(trace, "a row of weights sums to 0.5, not to 1"));
}

void ScalesTest::uses_the_default_of_the_mechanism() {
    AttentionSpec spec;
    QCOMPARE(effective_scale(spec).id, std::string("sqrt_dk"));
    spec.scale.id = "temperature";
    QCOMPARE(effective_scale(spec).parameters.real("t"), 1.0);
}

void ScalesTest::reads_the_command_line_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("temperature") << "temperature:0.7"
                                 << "";
    QTest::newRow("0") << "temperature:0"
                       << "temperature: parameter t is '0', expected a finite number in (0, inf)";
    QTest::newRow("negative") << "pre_norm:-1"
                              << "pre_norm: parameter t is '-1', expected a finite number in (0, inf)";
    QTest::newRow("nan") << "custom:nan"
                         << "custom: parameter c is 'nan', expected a finite number in (-inf, inf)";
    QTest::newRow("1e999") << "custom:1e999"
                           << "custom: parameter c is '1e999', expected a finite number in (-inf, inf)";
    QTest::newRow("trailing") << "custom:1x"
                              << "custom: parameter c is '1x', expected a finite number in (-inf, inf)";
    QTest::newRow("no value wanted") << "dk:4"
                                     << "dk: takes no value, got '4'";
    QTest::newRow("norm") << "score_norm:two"
                          << "score_norm: parameter norm is 'two', expected one of frobenius, row, max, "
                             "minmax";
}

void ScalesTest::reads_the_command_line() {
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    Selection read;
    QCOMPARE(error_of([&] { read = parse_scale(text.toStdString()); }), complaint);
    if (complaint.isEmpty())
        QCOMPARE(read.parameters.real("t"), 0.7);
}

ATTNLAB_TEST(ScalesTest)
#include "test_scales.moc"
