// The language of claims in lessons: parsing, evaluation and errors.
#include "core/lessons/expression.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::lessons;
using namespace attnlab::test;

namespace {

/// a: 2 queries and 3 keys of width 1, whose scores are 0 log2 log3 and twice that; m: the same with a mask; h: four
/// heads in two batches; far: an approximation with measures; broken: nothing.
lab::Scene scene() {
    lab::Scene scene;
    scene.tensors = {{"query", Tensor({2, 1}, {1.0, 2.0})},
                     {"key", Tensor({3, 1}, {0.0, std::log(2.0), std::log(3.0)})},
                     {"value", Tensor({3, 2}, {6.0, 0.0, 0.0, 6.0, 3.0, 3.0})}};
    lab::SceneSetting a{"a", {}, {}};
    a.spec.scale = parse_scale("none");
    auto m = a;
    m.id = "m";
    m.spec.masks = {parse_mask("causal")};
    auto h = a;
    h.id = "h";
    h.tensors = {{"query", counting({2, 4, 2, 1})}, {"key", counting({2, 4, 3, 1})}, {"value", counting({2, 4, 3, 1})}};
    auto far = a;
    far.id = "far";
    far.spec = {};
    far.spec.variant = "performer";
    auto broken = a;
    broken.id = "broken";
    broken.spec.variant = "self";
    scene.settings = {a, m, h, far, broken};
    return scene;
}

} // namespace

class ExpressionTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void computes_data();
    void computes();
    void claims_data();
    void claims();
    void refuses_text_data();
    void refuses_text();
    void chains_have_an_end();
    void refuses_to_evaluate_data();
    void refuses_to_evaluate();
    void names_its_settings();
    void tells_claims_from_numbers();
    void says_what_it_measured();
    void reads_sizes_from_the_draw();

private:
    lab::Scene scene_;
    lab::SceneResult result_;
};

void ExpressionTest::initTestCase() {
    scene_ = scene();
    result_ = lab::compute(scene_);
    for (std::size_t k = 0; k < 4; ++k)
        QVERIFY2(!result_.settings[k].error,
                 result_.settings[k].error ? result_.settings[k].error->english().c_str() : "");
}

void ExpressionTest::computes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<double>>("expected");
    const auto row = [](const char* text, const QList<double>& expected) { QTest::newRow(text) << text << expected; };
    // Arithmetic and its order.
    row("1 + 2 * 3", {7});
    row("(1 + 2) * 3", {9});
    row("8 - 2 - 1", {5});
    row("8 / 2 / 2", {2});
    row("2 ^ 3 ^ 2", {512});
    row("-2 ^ 2", {-4});
    row("2 ^ -1", {0.5});
    row("- - 3", {3});
    row("1e-3 + .5", {0.501});
    row("inf", {infinity});
    row("cbrt(8) + sqrt(9) + abs(-1) + exp(0) + log(1)", {7});
    row("round(pi)", {3});
    // Stages and indices.
    row("a.weights[0, 2]", {0.5});
    row("a.weights[0, 0, 0, 2]", {0.5});
    row("a.weights[0, 0, 1]", {1.0 / 14, 4.0 / 14, 9.0 / 14});
    row("a.weights[1]", {1.0 / 14, 4.0 / 14, 9.0 / 14});
    row("a.weights[-1, -1]", {9.0 / 14});
    row("a.weights[:, 0]", {1.0 / 6, 1.0 / 14});
    row("a.weights[0, 1:]", {2.0 / 6, 0.5});
    row("a.weights[0, :-1]", {1.0 / 6, 2.0 / 6});
    row("a.weights[0, S-1]", {0.5});
    row("a.weights[0, 1:3][0]", {2.0 / 6});
    row("a.lse[1]", {std::log(14.0)});
    row("a.output[0]", {2.5, 3.5});
    row("h.query[1, 3, 1, 0]", {15});
    row("h.query[1, 3]", {14, 15});
    row("h.query[1][3, 1]", {15});
    row("h.weights_mean[0, 0, 0] - mean(h.weights[0, :, 0, 0])", {0});
    row("a.tensor.value[2, :]", {3, 3});
    row("h.tensor.query[1, 3, 1]", {15});
    row("far.measure.output_error > 0 and far.measure.operations > 0", {1});
    // Along axes.
    row("sum(a.weights)", {2});
    row("sum(a.weights, 1)", {1, 1});
    row("sum(a.weights, -1)", {1, 1});
    row("sum(a.weights[:, :], 0)", {1.0 / 6 + 1.0 / 14, 2.0 / 6 + 4.0 / 14, 0.5 + 9.0 / 14});
    row("mean(a.tensor.value, 0)", {3, 3});
    row("variance(a.tensor.value[:, 0])", {6});
    row("max(a.tensor.value) - min(a.tensor.value)", {6});
    row("max(h.query, 0) - 8", {0, 1, 2, 3, 4, 5, 6, 7});
    // Vectors.
    row("argmax(a.weights[0])", {2});
    row("argmin(a.weights[0])", {0});
    row("sorted(a.tensor.value[:, 0])", {0, 3, 6});
    row("size(a.weights)", {6});
    row("distance(a.tensor.value[0], a.tensor.value[1])", {std::sqrt(72.0)});
    row("dot(a.tensor.value[0], a.tensor.value[2])", {18});
    row("norm(a.tensor.value[2])", {std::sqrt(18.0)});
    row("softmax(a.scores[0])", {1.0 / 6, 2.0 / 6, 0.5});
    row("rank(a.scores)", {1});
    row("rank(a.tensor.value)", {2});
    row("isnan(0 / 0)", {1});
    row("sum(isfinite(m.masked))", {3});
    // Numbers of settings.
    row("theory(a)", {1});
    row("entropy(a) - (entropy(a.weights[0]) + entropy(a.weights[1])) / 2", {0});
    row("effective_keys(a) - effective_keys(a.weights)", {0});
    row("max_weight(a)", {(0.5 + 9.0 / 14) / 2});
    row("jacobian_norm(a.weights[0]) - jacobian_norm(a.weights[0, 0, 0, :])", {0});
    row("size(moved(a, 0))", {2});
    row("E + 10 * L + 100 * S", {321});
}

void ExpressionTest::computes() {
    QFETCH(QString, text);
    QFETCH(QList<double>, expected);
    const auto value = Expression(text.toStdString()).value(Evaluation(scene_, result_));
    QCOMPARE(value.cells.size(), static_cast<std::size_t>(expected.size()));
    for (qsizetype k = 0; k < expected.size(); ++k)
        QVERIFY2(close(value.cells[static_cast<std::size_t>(k)], expected[k], 1e-12),
                 qPrintable(QString::number(value.cells[static_cast<std::size_t>(k)], 'g', 17)));
}

void ExpressionTest::claims_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("holds");
    const auto row = [](const char* text, bool holds) { QTest::newRow(text) << text << holds; };
    row("1 = 1", true);
    row("1 == 2", false);
    row("1 < 2 < 3", true);
    row("1 < 2 < 2", false);
    row("1 <= 1 >= 1", true);
    row("2 > 1 and 1 > 2", false);
    row("2 > 1 or 1 > 2", true);
    row("1 > 2 or 2 > 1 and 1 > 2", false);
    row("not 1 > 2", true);
    row("not (1 > 2 or 2 > 1)", false);
    row("a.weights > 0", true);
    row("a.weights > 0.1", false);
    row("sum(a.weights, 1) ~ 1 within 1e-12", true);
    row("110 ~ 100 within 10%", true);
    row("110.1 ~ 100 within 10%", false);
    row("1 ~ 1.02 within 0.01", false);
    row("inf ~ inf within 0", true);
    row("0/0 = 0/0", false);
    row("m.masked[0] = a.scaled[0]", false);
    row("m.masked[0, 1:] = -inf", true);
    row("m.blocked[0, 2]", true);
    row("m.blocked", false);
    row("not isfinite(m.masked)", true);
    row("isfinite(m.masked[:, 0])", true);
    row("moved(m, 2)[0:2] = 0", true);
    row("moved(a, -1) > 0", true);
    row("moved_by_reading(a, -1) > 0", true);
    row("moved_by_reading(m, 1)[0] = moved(m, 1)[0]", true);
    row("moved(m, 1)[0] = 0 and moved(m, 1)[1] > 0", true);
    row("a.weights = a.weights[:, :]", true);
    row("a.tensor.value = a.value", true);
    row("h.weights > a.weights", false);
}

void ExpressionTest::claims() {
    QFETCH(QString, text);
    QFETCH(bool, holds);
    QCOMPARE(Expression(text.toStdString()).holds(Evaluation(scene_, result_)), holds);
}

void ExpressionTest::refuses_text_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* text, const char* says) { QTest::newRow(text) << text << says; };
    row("", "column 1: expected a number, a name or '(', there is the end");
    row("1 +", "column 4: expected a number, a name or '(', there is the end");
    row("1 2", "column 3: expected an operator or the end, there is '2'");
    row("(1", "column 3: expected ')'");
    row("a", "column 1: 'a' is no constant; a stage is 'a.weights', constants are E, L, S, inf, pi");
    row("a.", "column 3: expected the name of a stage");
    row("a.weights[0", "column 12: expected ']'");
    row("a.weights[]", "column 11: expected a number");
    row("1 + mode(a.weights)", "column 5: there is no function 'mode', expected one of sum, mean");
    row("distance(a.query)", "column 17: distance takes two arguments");
    row("sum(a.query, 1, 2)", "column 15: expected ')'");
    row("theory(1)", "column 8: theory takes the id of a setting");
    row("moved(a)", "column 8: moved takes two arguments");
    row("moved_by_reading(a)", "column 19: moved_by_reading takes two arguments");
    row("1 ~ 2", "column 6: expected 'within' and a tolerance");
    row("1 and", "column 6: expected a number");
    row("1 # 2", "column 3: expected an operator or the end, there is '# 2'");
    row("not", "column 4: expected a number");
    row("and 1", "column 1: expected a number, a name or '(', there is 'and'");
}

void ExpressionTest::refuses_text() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto error = error_of([&] { Expression(text.toStdString()); });
    QVERIFY2(error.startsWith(says), qPrintable(error));
    QVERIFY(error_of([] { Expression(std::string(1000, '(')); }).contains("too deep"));
    QVERIFY(error_of([] { Expression(std::string(1000, '-')); }).contains("too deep"));
    std::string indices;
    for (int k = 0; k < 400; ++k)
        indices += "a.x[";
    QVERIFY(error_of([&] { Expression{indices}; }).contains("too deep"));
}

/// A chain of operators of equal precedence makes a tree of that depth.
void ExpressionTest::chains_have_an_end() {
    std::string sum = "1", places = "a.weights";
    for (int k = 1; k < 1000; ++k)
        sum += "+1";
    QCOMPARE(Expression(sum).value(Evaluation(scene_, result_)).cells, std::vector{1000.0});
    for (int k = 0; k < 600; ++k)
        places += "[:]";
    QCOMPARE(Expression(places).value(Evaluation(scene_, result_)).cells.size(), std::size_t{6});
    for (const auto& piece : {std::string("+1"), std::string("[0]"), std::string(" = 1"), std::string(" and 1 = 1")}) {
        std::string chain = "1";
        for (int k = 0; k < 300'000; ++k)
            chain += piece;
        QVERIFY(error_of([&] { Expression{chain}; }).contains("characters; at most 2000 may be read"));
    }
}

void ExpressionTest::refuses_to_evaluate_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* text, const char* says) { QTest::newRow(text) << text << says; };
    row("b.weights = 1", "column 1: there is no setting 'b', expected one of a, m, h, far, broken");
    row("1 = a.wights", "column 5: 'a' has no stage 'wights', it has: query, key, value, scores");
    row("a.tensor.x = 1", "column 1: 'a' has no tensor 'x', it has: key, query, value");
    row("a.measure.cost = 1", "column 1: 'a' has no measure 'cost', it has: ");
    row("broken.weights = 1", "column 1: 'broken' could not be computed: x: ");
    row("a.weights[2, 0] = 1", "column 1: index 2 is beyond an axis of size 2");
    row("a.weights[0, -4] = 1", "column 1: index -4 is beyond an axis of size 3");
    row("a.weights[0, 0, 0, 0, 0] = 1", "column 1: has 5 indices, the shape is (1, 1, 2, 3)");
    row("a.weights[0.5] = 1", "column 1: an index takes an integer, this is 0.5");
    row("a.weights[0] = a.weights[:, 0]", "column 1: shapes (3,) and (2,) do not go together");
    row("argmax(a.weights) = 1", "column 1: argmax takes a vector, this has the shape (1, 1, 2, 3)");
    row("sum(a.weights, 4) = 1", "column 1: axis 4 is not there, the shape is (1, 1, 2, 3)");
    row("rank(a.tensor.value[0]) = 1", "column 1: rank takes a matrix, this has the shape (2,)");
    row("1 + 1", "column 1: is a number, expected a comparison");
    row("1 > 0 and a.weights", "column 11: is a number, expected a comparison");
    row("theory(far) = 1", "column 1: theory predicts no variance for 'far'");
    row("moved(a, 3) = 1", "column 1: token 3 is not there, expected one from -3 to 2");
    row("max(a.weights[0:0]) = 1", "column 1: has no cells");
}

void ExpressionTest::refuses_to_evaluate() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const Expression expression(text.toStdString());
    const auto error = error_of([&] { expression.holds(Evaluation(scene_, result_)); });
    QVERIFY2(error.startsWith(says), qPrintable(error));
}

void ExpressionTest::names_its_settings() {
    const auto settings = Expression("entropy(a) > max(m.weights[0, round(h.lse[0,0,0])])").settings();
    QCOMPARE(settings, (std::map<std::string, int>{{"a", 9}, {"m", 18}, {"h", 37}}));
    QVERIFY(is_reserved("E") && is_reserved("within") && !is_reserved("entropy"));
}

void ExpressionTest::tells_claims_from_numbers() {
    QVERIFY(Expression("1 < 2").is_claim() && Expression("not 1 < 2").is_claim() && Expression("m.blocked").is_claim());
    QVERIFY(!Expression("1 + 2").is_claim() && !Expression("sum(a.weights)").is_claim());
}

void ExpressionTest::says_what_it_measured() {
    const auto measured = [&](const char* text) {
        std::vector<Measured> said;
        Expression(text).holds(Evaluation(scene_, result_), &said);
        return QString::fromStdString(text_of(said));
    };
    QCOMPARE(measured("a.weights[0, 2] ~ 1 / 2 within 1e-9"), "a.weights[0, 2] is 0.5");
    QCOMPARE(measured("entropy(a.weights[0]) > 1 and 2 * a.output[0] > 4"),
             "entropy(a.weights[0]) is 1.0114; 2 * a.output[0] is [5, 7]");
    QCOMPARE(measured("h.query >= 0"), "h.query is 0 to 15 (16 cells)");
    QCOMPARE(measured("1 < 2"), "");
}

void ExpressionTest::reads_sizes_from_the_draw() {
    lab::Scene drawn;
    drawn.draw = lab::RandomInputs{5, 6, 7, 8, lab::Distribution::Normal, 1};
    drawn.settings = {{"a", {}, {}}};
    const auto result = lab::compute(drawn);
    QCOMPARE(Expression("E + 10 * S + 100 * L").value(Evaluation(drawn, result)).cells[0], 567.0);
}

ATTNLAB_TEST(ExpressionTest)
#include "test_expression.moc"
