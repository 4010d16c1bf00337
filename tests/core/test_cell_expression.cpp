// Masks, combinations and score_mod as expressions: parsing, evaluation, errors and what engines take.
#include "core/expression/cell_expression.h"
#include "core/flash/cpu_backend.h"
#include "core/flash/unsupported_reasons.h"
#include "core/stages/expression_mask.h"
#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/error_of.h"
#include "tests/core/flash_support.h"
#include "tests/test_main.h"

#include <cmath>
#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

using Meaning = CellExpression::Meaning;

/// a: 2 x 3 numbers; ok: 3 truth values.
const TensorMap arrays = {{"a", Tensor({2, 3}, {0.0, 1.0, 2.0, 10.0, 11.0, 12.0})},
                          {"ok", Tensor({3}, {1.0, 0.0, 1.0}, DType::Bool)}};
const CellContext context{.B = 2, .H = 4, .L = 3, .S = 5, .offsets = {7.0, -2.0}, .tensors = &arrays};
const CellPlace place{.b = 1, .h = 3, .i = 2, .j = 4, .score = 0.5};

double number_of(const std::string& text) {
    return BoundExpression(CellExpression(text, Meaning::ScoreMod), context).number(place);
}

bool holds(const std::string& text) {
    return BoundExpression(CellExpression(text, Meaning::Mask), context).keeps(place);
}

AttentionProblem problem_with(const std::string& expression) {
    auto problem = dot_problem(2, 2, 1, 4, 5, 3, 2);
    problem.spec.masks = {parse_mask("expression:" + expression)};
    problem.tensors["doc"] = Tensor({2, 5}, {0.0, 0.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 4.0, 4.0}, DType::Int64);
    return problem;
}

} // namespace

class CellExpressionTest : public QObject {
    Q_OBJECT
private slots:
    void computes_data();
    void computes();
    void decides_data();
    void decides();
    void refuses_text_data();
    void refuses_text();
    void refuses_arrays_data();
    void refuses_arrays();
    void decides_as_far_as_needed();
    void follows_slopes_data();
    void follows_slopes();
    void names_its_arrays();
    void combines_masks_data();
    void combines_masks();
    void every_mask_takes_part();
    void an_implied_mask_always_blocks();
    void tiles_take_bands_and_documents_data();
    void tiles_take_bands_and_documents();
    void gradients_are_those_of_differences();
    void mechanisms_without_an_exact_pass_refuse_it();
};

void CellExpressionTest::computes_data() {
    QTest::addColumn<double>("expected");
    const auto row = [](const char* text, double expected) { QTest::newRow(text) << expected; };
    row("b + 10 * h + 100 * q + 1000 * k", 4231.0);
    row("q_idx - kv_idx", -2.0);
    row("B * H * L * S", 120.0);
    row("offset", -2.0);
    row("score * 4", 2.0);
    row("2 ** 3 ** 2", 512.0);
    row("-2 ** 2", -4.0);
    row("2 ** -1", 0.5);
    row("1 - 2 - 3", -4.0);
    row("7 // 2 + -7 // 2", -1.0);
    row("-7 % 3 + 7 % -3", 0.0);
    row("1 // 0.1", 9.0); // as in Python
    row("abs(-3) + floor(-1.5) + min(4, 2, 3) + max(1, 5)", 8.0);
    row("exp(0) + log(1) + sqrt(9) + tanh(0) + sigmoid(0)", 4.5);
    row("where(q >= k, 1, where(k > 3, 2, 3))", 2.0);
    row("a[b, q] + a[0, 1]", 13.0);
    row("where(ok[q], 6, 7)", 6.0);
    row("-inf", -infinity);
    row(".5e1", 5.0);
}

void CellExpressionTest::computes() {
    QFETCH(double, expected);
    QCOMPARE(number_of(QTest::currentDataTag()), expected);
    QVERIFY(std::isnan(number_of("1 // 0")) && std::isnan(number_of("1 % 0")));
    QVERIFY(std::isnan(number_of("max(1, log(-1), 2)")));
}

void CellExpressionTest::decides_data() {
    QTest::addColumn<bool>("expected");
    const auto row = [](const char* text, bool expected) { QTest::newRow(text) << expected; };
    row("q >= k", false);
    row("k >= q & k < 5 | false", true);
    row("(k >= q) && (k < 5) || false", true);
    row("true or false and false", true);
    row("not q >= k", true);
    row("~(q >= k) and !(k == q)", true);
    row("q != k", true);
    row("ok[0] == ok[2] and ok[0] != ok[1]", true);
    row("where(b == 1, ok[1], true)", false);
    row("where(ok[0], ok[2], ok[1])", true);
}

void CellExpressionTest::decides() {
    QFETCH(bool, expected);
    QCOMPARE(holds(QTest::currentDataTag()), expected);
}

void CellExpressionTest::refuses_text_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* text, const char* why) { QTest::newRow(text) << text << why; };
    row("q >=", "expression: column 5: expected a number, a name or '('");
    row("q >= k k", "column 8: expected an operator or the end");
    row("q", "column 1: is a number, expected a condition");
    row("q >= k and 1", "column 12: is a number, expected a condition");
    row("(q >= k) + 1 > 0", "column 1: is a condition, expected a number");
    row("1 < q < 3", "column 7: comparisons cannot be chained");
    row("q >= j", "column 6: there is no name 'j'");
    row("score > 0", "column 1: there is no name 'score'");
    row("tan(q) > 0", "column 1: there is no function 'tan'");
    row("abs(q, k) > 0", "column 1: abs takes 1 values, got 2");
    row("min(q) > 0", "column 1: min takes 2 or more values, got 1");
    row("a[q] > a[b, q]", "column 8: a has 2 indices here and 1 before");
    row("a[q > 0", "column 5");
    row("q = k", "column 3: expected an operator or the end");
    row("", "column 2: expected a number, a name or '(', there is the end"); // behind a blank
    QTest::newRow("long") << QString(2001, QLatin1Char('q')) << "2001 characters";
    QTest::newRow("deep") << QString(100, QLatin1Char('(')) << "is nested too deep";
}

void CellExpressionTest::refuses_text() {
    QFETCH(QString, text);
    QFETCH(QString, why);
    const auto said = error_of([&] { parse_mask("expression:" + text.toStdString() + (text.isEmpty() ? " " : "")); });
    QVERIFY2(said.contains(why), qPrintable(said));
}

void CellExpressionTest::refuses_arrays_data() {
    QTest::addColumn<QString>("why");
    const auto row = [](const char* text, const char* why) { QTest::newRow(text) << why; };
    row("b >= 0 and id[q] > 0", "expression: column 12: the array id is missing; it has 1 axes here");
    row("doc[q] > 0", "column 1: doc has shape (2, 5), expected 1 axes");
    row("doc[b, k + 1] > 0", "index 2 of doc is 5 in head 0, row 0 and key 4; expected a whole number from 0 to 4");
    row("doc[b, k - 1] > 0", "index 2 of doc is -1");
    row("doc[b, k / 2] > 0", "index 2 of doc is 0.5");
    row("doc[b, k]", "column 1: is an array of numbers, expected one of True and False");
}

void CellExpressionTest::refuses_arrays() {
    QFETCH(QString, why);
    const auto issues = issues_in(problem_with(QTest::currentDataTag()));
    QCOMPARE(issues.size(), std::size_t{1});
    const auto said = QString::fromStdString(issues.front().english());
    QVERIFY2(said.contains(why), qPrintable(said));
}

void CellExpressionTest::decides_as_far_as_needed() {
    QVERIFY(issues_in(problem_with("k < 1 or doc[b, k - 1] == doc[b, k]")).empty());
    QVERIFY(issues_in(problem_with("where(k < 1, true, doc[b, k - 1] == doc[b, k])")).empty());
}

void CellExpressionTest::follows_slopes_data() {
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"score - q", "3 * tanh(score / 3)", "score ** 3 - 2 ** score", "exp(-score) + log(score) * sqrt(score)",
          "where(score > 0, sigmoid(score), 5)", "max(score, 0.25 * score, 0)", "abs(score - 2) / (score + 1)",
          "7 % (score + 2)", "floor(score) + score // 0.2", "score * inf * 0", "min(-score, k)"})
        QTest::newRow(text) << text;
}

void CellExpressionTest::follows_slopes() {
    const BoundExpression bound(CellExpression(QTest::currentDataTag(), Meaning::ScoreMod), context);
    const double step = 1e-6;
    auto before = place, after = place;
    before.score -= step;
    after.score += step;
    const auto found = bound.number_with_slope(place);
    const double expected = (bound.number(after) - bound.number(before)) / (2.0 * step);
    QCOMPARE(std::isnan(found.value), std::isnan(bound.number(place)));
    if (!std::isnan(found.value))
        QVERIFY2(std::abs(found.slope - expected) < 1e-7, qPrintable(QString::number(found.slope - expected)));
}

void CellExpressionTest::names_its_arrays() {
    AttentionSpec spec;
    spec.masks = {parse_mask("expression:doc[b, q] == doc[b, k] and t[abs(q - k)] > 0")};
    spec.score_mod = "score * slope[h] + offset";
    const auto inputs = expression_inputs(spec);
    QCOMPARE(inputs.size(), std::size_t{4});
    QCOMPARE(std::string(inputs[0].name) + ": " + std::string(inputs[0].dims), std::string("doc: B L | B S"));
    QCOMPARE(std::string(inputs[1].name) + ": " + std::string(inputs[1].dims), std::string("t: t.0"));
    QCOMPARE(std::string(inputs[2].name) + ": " + std::string(inputs[2].dims), std::string("slope: H"));
    QCOMPARE(inputs[3].name, query_offset_input.name);
    auto problem = dot_problem(2, 2, 1, 4, 5, 3, 2);
    problem.spec.masks = {parse_mask("expression:doc[b, k] == 0")};
    complete_inputs(problem, 1);
    QCOMPARE(problem.tensors.at("doc").shape(), (Shape{2, 5}));
}

void CellExpressionTest::combines_masks_data() {
    QTest::addColumn<QString>("cells");
    const auto row = [](const char* text, const char* cells) { QTest::newRow(text) << cells; };
    row(" ", "xxx xxx .xx");
    row("and", "xxx xxx .xx");
    row("or", ".xx ..x ...");
    row("causal and not expression", ".xx ..x x..");
    row("prefix & causal or expression", ".xx ..x ...");
    row("causal | expression | ~prefix", "... ... ...");
}

void CellExpressionTest::combines_masks() {
    QFETCH(QString, cells);
    auto problem = dot_problem(1, 1, 1, 3, 3, 2, 2);
    const QString text = QTest::currentDataTag();
    problem.spec.masks = {parse_mask("causal"), parse_mask("expression:q - k >= 2")};
    if (text.contains("prefix"))
        problem.spec.masks.push_back(parse_mask("prefix:0"));
    problem.spec.mask_combine = text.toStdString();
    const auto blocked = blocked_cells(resolve(problem));
    QStringList rows;
    for (std::int64_t i = 0; i < 3; ++i) {
        rows << QString();
        for (std::int64_t j = 0; j < 3; ++j)
            rows.back() += blocked.at({0, 0, i, j}) != 0.0 ? 'x' : '.';
    }
    QCOMPARE(rows.join(' '), cells);
}

void CellExpressionTest::every_mask_takes_part() {
    AttentionSpec spec;
    spec.masks = {parse_mask("window:2"), parse_mask("window:4"), parse_mask("attn_bias")};
    QCOMPARE(names_in_combination(spec.masks), (std::vector<std::string>{"window", "window_2"}));
    const auto why = [&](const char* text) {
        spec.mask_combine = text;
        return error_of([&] { check_spec(spec); });
    };
    QVERIFY(why("window_2 or window").isEmpty());
    QVERIFY(why("window").contains("does not name the mask window_2"));
    QVERIFY(why("window and window_2 and causal").contains("column 25: there is no name 'causal'"));
    QVERIFY(why("window > window_2").contains("mask_combine: column 1"));
    spec.mask_combine = "window or window_2";
    add_mask(spec, parse_mask("causal"));
    QCOMPARE(spec.mask_combine, std::string("(window or window_2) and causal"));
    spec.masks.pop_back();
    fit_combination(spec);
    QVERIFY(spec.mask_combine.empty());
}

void CellExpressionTest::an_implied_mask_always_blocks() {
    AttentionProblem problem;
    problem.spec.variant = "causal";
    problem.spec.masks = {parse_mask("window:2"), parse_mask("prefix:3")};
    problem.spec.mask_combine = "or";
    complete_inputs(problem, 1);
    const auto trace = run(problem);
    const auto& weights = trace.find("weights")->value;
    for (std::int64_t i = 0; i < weights.dim(2); ++i)
        for (std::int64_t j = 0; j < weights.dim(3); ++j)
            QCOMPARE(weights.at({0, 0, i, j}) > 0.0, j <= i);
}

void CellExpressionTest::tiles_take_bands_and_documents_data() {
    QTest::addColumn<bool>("taken");
    const auto row = [](const char* text, bool taken) { QTest::newRow(text) << taken; };
    row("q >= k", true);
    row("q - k < 3 and k <= q + 1", true);
    row("abs(k - q) < 2.5", true);
    row("2 * q - 2 * k == 2", true);
    row("doc[b, q] == doc[b, k] and q >= k", true);
    row("k < 2", false);
    row("q + k < 4", false);
    row("q >= k or k < 1", false);
    row("q >= k * 2", false);
    row("doc[b, q] != doc[b, k]", false);
    row("not q < k", false);
    row("abs(q - k) >= 2", false);
    row("q - k == 0.5", false);
}

void CellExpressionTest::tiles_take_bands_and_documents() {
    QFETCH(bool, taken);
    const auto problem = problem_with(QTest::currentDataTag());
    const auto refused = flash::unsupported_choice(resolve(problem));
    QCOMPARE(!refused, taken);
    if (refused) {
        QCOMPARE(refused->choice, flash::Choice::Mask);
        return;
    }
    const auto exact = run(problem), tiled = cpu_backend().run(resolve(problem), {});
    const auto wrong = difference(stage(tiled, "output"), stage(exact, "output"), 1e-5);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    // What is no band is computed cell by cell: both must block the same cells.
    auto by_cell = problem;
    by_cell.spec.masks = {parse_mask(std::string("expression:(") + QTest::currentDataTag() + ") or false")};
    QCOMPARE(blocked_cells(resolve(by_cell)), blocked_cells(resolve(problem)));
}

void CellExpressionTest::gradients_are_those_of_differences() {
    auto problem = dot_problem(1, 2, 1, 3, 4, 3, 2);
    problem.spec.parameters.set("gradients", true);
    problem.spec.masks = {parse_mask("attn_bias"), parse_mask("expression:k < 3 or h == 1")};
    problem.tensors["attn_bias"] = random_normal({3, 4}, 5);
    problem.spec.score_mod = "where(q == k + 1, -inf, 2 * tanh(score / 2) - 0.3 * abs(q - k) * score)";
    const auto trace = run(problem);
    const auto& slopes = stage(trace, "grad_query");
    const auto loss = [&](double step, std::int64_t cell) {
        auto moved = problem;
        moved.tensors.at("query").mutable_values()[static_cast<std::size_t>(cell)] += step;
        double sum = 0.0;
        const auto other = run(moved);
        for (const double value : stage(other, "output").values())
            sum += value;
        return sum;
    };
    for (std::int64_t cell = 0; cell < slopes.size(); ++cell) {
        const double expected = (loss(1e-5, cell) - loss(-1e-5, cell)) / 2e-5;
        QVERIFY(std::abs(slopes.data()[cell] - expected) < 1e-8);
    }
}

void CellExpressionTest::mechanisms_without_an_exact_pass_refuse_it() {
    AttentionSpec spec;
    spec.variant = "linformer";
    spec.score_mod = "2 * score";
    QVERIFY(error_of([&] { check_spec(spec); }).contains("score_mod is not possible"));
    spec = {};
    spec.variant = "performer";
    spec.masks = {parse_mask("causal"), parse_mask("prefix:1")};
    spec.mask_combine = "or";
    QVERIFY(error_of([&] { check_spec(spec); }).contains("mask_combine or is not possible"));
}

ATTNLAB_TEST(CellExpressionTest)
#include "test_cell_expression.moc"
