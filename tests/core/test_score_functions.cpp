#include "core/stages/scale.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

const char* const decoupled_words = "Decoupled";

/// Two heads, three queries, five keys; `width` and `key_width` features.
AttentionProblem problem_of(std::string_view id, std::int64_t width = 4, std::int64_t key_width = 4) {
    AttentionProblem problem = dot_problem(2, 2, 1, 3, 5, width, 3);
    problem.tensors.at("key") = random_normal({2, 1, 5, key_width}, 2);
    problem.spec.variant = id;
    return problem;
}

AttentionProblem completed(AttentionProblem problem) {
    complete_inputs(problem, 5);
    return problem;
}

/// Luong's form of concat, five hidden numbers.
AttentionProblem tanh_concat() {
    auto problem = problem_of("concat", 4, 6);
    problem.tensors.emplace("concat_v", random_normal({5}, 31));
    return completed(problem);
}

bool rows_are_equal(const Tensor& weights) {
    const auto S = weights.dim(3), L = weights.dim(2);
    for (std::int64_t head = 0; head < matrix_count(weights); ++head)
        for (std::int64_t i = 1; i < L; ++i)
            for (std::int64_t j = 0; j < S; ++j)
                if (!close(matrix_at(weights, head)(i, j), matrix_at(weights, head)(0, j), 1e-12))
                    return false;
    return true;
}

QString complaint(const AttentionProblem& problem) {
    const auto said = error_of([&] { run(problem); });
    const auto issues = issues_in(problem);
    return !issues.empty() && said == QString::fromStdString(issues.front().english()) ? said : "not an issue: " + said;
}

} // namespace

/// The mechanisms that differ in their score function, in addition to the sweep and the golden cases.
class ScoreFunctionsTest : public QObject {
    Q_OBJECT
private slots:
    void identity_makes_bilinear_a_dot_product();
    void tanh_concat_is_additive_with_one_matrix();
    void terms_add_up_to_the_score_data();
    void terms_add_up_to_the_score();
    void only_a_dot_product_claims_its_variance();
    void decoupled_scores_give_every_query_the_same_weights_data();
    void decoupled_scores_give_every_query_the_same_weights();
    void a_norm_for_each_row_couples_again();
    void gaussian_of_equal_rows_is_0();
    void a_wide_gaussian_is_uniform();
    void a_narrow_gaussian_reads_the_nearest_key();
    void keys_may_be_wider_than_queries();
    void concat_takes_the_form_that_its_arrays_have();
    void names_what_does_not_fit_data();
    void names_what_does_not_fit();
};

void ScoreFunctionsTest::identity_makes_bilinear_a_dot_product() {
    auto problem = problem_of("bilinear");
    Tensor identity({4, 4});
    for (std::int64_t c = 0; c < 4; ++c)
        identity.set({c, c}, 1.0);
    problem.tensors.emplace("bilinear_w", identity);
    problem.spec.scale = parse_scale("sqrt_dk");
    auto plain = problem;
    plain.spec.variant = "scaled_dot_product";
    const auto expected = run(plain);
    const auto got = run(problem);
    for (const auto* name : {"scores", "scaled", "weights", "output"})
        QCOMPARE(difference(stage(got, name), stage(expected, name), 1e-14), QString());
    // The displayed query is the given one.
    QCOMPARE(stage(got, "query"), problem.tensors.at("query"));
}

void ScoreFunctionsTest::tanh_concat_is_additive_with_one_matrix() {
    const auto problem = tanh_concat();
    const auto& w = problem.tensors.at("concat_w");
    QCOMPARE(w.shape(), Shape({5, 10}));
    auto additive = problem;
    additive.spec.variant = "additive";
    Tensor w_q({4, 5}), w_k({6, 5});
    for (std::int64_t h = 0; h < 5; ++h)
        for (std::int64_t c = 0; c < 10; ++c)
            c < 4 ? w_q.set({c, h}, w.at({h, c})) : w_k.set({c - 4, h}, w.at({h, c}));
    additive.tensors.insert(
        {{"additive_w_q", w_q}, {"additive_w_k", w_k}, {"additive_v", problem.tensors.at("concat_v")}});
    QCOMPARE(difference(stage(run(problem), "scores"), stage(run(additive), "scores"), 1e-14), QString());
    // A bias changes the scores, a zero bias does not.
    const auto before = stage(run(additive), "scores");
    additive.tensors.emplace("additive_b", Tensor({5}));
    QCOMPARE(stage(run(additive), "scores"), before);
    additive.tensors.at("additive_b") = Tensor({5}, 0.5);
    QVERIFY(!difference(stage(run(additive), "scores"), before, 1e-3).isEmpty());
}

void ScoreFunctionsTest::terms_add_up_to_the_score_data() {
    QTest::addColumn<QString>("id");
    for (const auto& mechanism : mechanisms())
        if (is_exact(mechanism) && mechanism.id != "given_scores") // which have no terms
            QTest::newRow(std::string(mechanism.id).c_str()) << QString::fromStdString(std::string(mechanism.id));
    QTest::newRow("concat with tanh") << "concat with tanh";
}

void ScoreFunctionsTest::terms_add_up_to_the_score() {
    QFETCH(QString, id);
    auto problem = id == "concat with tanh" ? tanh_concat() : fresh_problem(id.toStdString());
    for (const auto* scale : {"none", "pre_norm"}) {
        problem.spec.scale = parse_scale(scale);
        const auto trace = run(problem);
        if (!trace.layers.empty())
            continue; // several passes, no single score
        QVERIFY(trace.pass().score_terms);
        const auto terms = trace.pass().score_terms(0, 0, 1, 2);
        QVERIFY(!terms.empty());
        double sum = 0.0;
        for (const auto& term : terms) {
            QVERIFY(close(term.product, term.left * term.right, 1e-14));
            sum += term.product;
        }
        QVERIFY(close(sum, stage(trace, "scores").at({0, 0, 1, 2}), 1e-12));
    }
}

void ScoreFunctionsTest::only_a_dot_product_claims_its_variance() {
    for (const auto& mechanism : mechanisms()) {
        if (!is_exact(mechanism) || mechanism.id == "given_scores")
            continue;
        const bool other_score =
            std::string_view(mechanism.family) == "By score function" && mechanism.id != mechanisms().front().id;
        const bool context = std::string_view(mechanism.family) == "With context";
        const auto trace = run(fresh_problem(mechanism.id));
        QVERIFY(!trace.passes.empty());
        for (const auto& [prefix, pass] : trace.passes)
            QCOMPARE(pass.dot_product_scores, !other_score && !context);
        if (!mechanism.attention_line.empty())
            QCOMPARE(mechanism.attention_line == "attention", !other_score && !context);
        QCOMPARE(mechanism.default_scale == "none", other_score);
    }
}

void ScoreFunctionsTest::decoupled_scores_give_every_query_the_same_weights_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("decoupled");
    QTest::newRow("scaled_dot_product") << "scaled_dot_product" << false;
    QTest::newRow("bilinear") << "bilinear" << false;
    QTest::newRow("additive") << "additive" << false;
    QTest::newRow("concat") << "concat" << true;
    QTest::newRow("concat with tanh") << "concat with tanh" << false;
    QTest::newRow("vector_sum") << "vector_sum" << true;
    QTest::newRow("gaussian_kernel") << "gaussian_kernel" << false;
}

void ScoreFunctionsTest::decoupled_scores_give_every_query_the_same_weights() {
    QFETCH(QString, id);
    QFETCH(bool, decoupled);
    auto problem = id == "concat with tanh" ? tanh_concat() : completed(problem_of(id.toStdString()));
    for (const auto* scale : {"none", "sqrt_dk", "custom:-2", "score_norm", "score_norm:minmax", "pre_norm:0.3"}) {
        problem.spec.scale = parse_scale(scale);
        const auto trace = run(problem);
        QCOMPARE(rows_are_equal(stage(trace, "weights")), decoupled);
        QCOMPARE(has_note(trace, decoupled_words), decoupled);
        // The scores themselves differ between rows.
        QVERIFY(!rows_are_equal(stage(trace, "scores")));
        if (decoupled)
            QVERIFY(trace.notes.front().message.english().starts_with(decoupled_words));
    }
}

void ScoreFunctionsTest::a_norm_for_each_row_couples_again() {
    auto problem = completed(problem_of("vector_sum"));
    problem.spec.scale = parse_scale("score_norm:row");
    const auto trace = run(problem);
    QVERIFY(!rows_are_equal(stage(trace, "weights")));
    QVERIFY(!has_note(trace, decoupled_words));
}

void ScoreFunctionsTest::gaussian_of_equal_rows_is_0() {
    auto problem = problem_of("gaussian_kernel");
    problem.tensors = {
        {"query", random_normal({4, 3}, 1)}, {"key", random_normal({4, 3}, 1)}, {"value", random_normal({4, 2}, 3)}};
    const auto scores = stage(run(problem), "scores");
    for (std::int64_t i = 0; i < 4; ++i)
        for (std::int64_t j = 0; j < 4; ++j) {
            QCOMPARE(scores.at({0, 0, i, j}) == 0.0, i == j);
            QVERIFY(scores.at({0, 0, i, j}) <= 0.0);
            QCOMPARE(scores.at({0, 0, i, j}), scores.at({0, 0, j, i}));
        }
    // Differences 3 and 4 with sigma 5: −25 / 50.
    problem.tensors = {
        {"query", Tensor({1, 2}, {3.0, 1.0})}, {"key", Tensor({1, 2}, {0.0, 5.0})}, {"value", Tensor({1, 1}, 1.0)}};
    problem.spec.parameters.set("sigma", 5.0);
    QVERIFY(close(stage(run(problem), "scores").at({0, 0, 0, 0}), -0.5, 1e-15));
}

void ScoreFunctionsTest::a_wide_gaussian_is_uniform() {
    auto problem = problem_of("gaussian_kernel");
    for (const double sigma : {1e9, 1e300}) {
        problem.spec.parameters.set("sigma", sigma);
        QCOMPARE(difference(stage(run(problem), "weights"), Tensor({2, 2, 3, 5}, 0.2), 1e-14), QString());
    }
}

void ScoreFunctionsTest::a_narrow_gaussian_reads_the_nearest_key() {
    auto problem = problem_of("gaussian_kernel");
    problem.tensors = {{"query", Tensor({1, 1}, 1.0)},
                       {"key", Tensor({3, 1}, {0.5, 1.0, 4.0})},
                       {"value", Tensor({3, 1}, {7.0, 8.0, 9.0})}};
    for (const double sigma : {1e-3, 1e-200}) {
        problem.spec.parameters.set("sigma", sigma);
        const auto trace = run(problem);
        QCOMPARE(stage(trace, "weights"), Tensor({1, 1, 1, 3}, {0.0, 1.0, 0.0}));
        QCOMPARE(stage(trace, "output").at({0, 0, 0, 0}), 8.0);
    }
}

void ScoreFunctionsTest::keys_may_be_wider_than_queries() {
    for (const auto* id : {"bilinear", "additive", "concat"}) {
        auto problem = completed(problem_of(id, 3, 6));
        problem.spec.scale = parse_scale("dk");
        const auto trace = run(problem);
        QCOMPARE(stage(trace, "output").shape(), Shape({2, 2, 3, 3}));
        // The scale's width is the query's.
        QVERIFY(close(stage(trace, "scaled").at({1, 1, 2, 4}), stage(trace, "scores").at({1, 1, 2, 4}) / 3.0, 1e-15));
    }
}

void ScoreFunctionsTest::concat_takes_the_form_that_its_arrays_have() {
    auto problem = completed(problem_of("concat", 4, 6));
    QCOMPARE(problem.tensors.at("concat_w").shape(), Shape({10}));
    QVERIFY(!problem.tensors.contains("concat_v"));
    const auto inputs = inputs_of(problem.spec);
    const auto v = std::find_if(inputs.begin(), inputs.end(), [](const Input& i) { return i.name == "concat_v"; });
    // With tanh, the weights of the other form do not fit, and are made anew.
    problem.tensors.emplace("concat_v", make_input(problem, *v, 1));
    QVERIFY(!issues_in(problem).empty());
    complete_inputs(problem, 2, true);
    QVERIFY(issues_in(problem).empty());
    QCOMPARE(problem.tensors.at("concat_w").shape(), Shape({problem.tensors.at("concat_v").dim(0), 10}));
    problem.tensors.erase("concat_v");
    QVERIFY(!issues_in(problem).empty());
    complete_inputs(problem, 3, true);
    QCOMPARE(problem.tensors.at("concat_w").shape(), Shape({10}));
    QVERIFY(issues_in(problem).empty());
}

void ScoreFunctionsTest::names_what_does_not_fit_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<qint64>>("shape");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* id, const char* name, const QList<qint64>& shape, const char* message) {
        QTest::addRow("%s %s %d", id, name, int(shape.size())) << id << name << shape << message;
    };
    row("vector_sum", "key", {2, 1, 5, 6},
        "key: has shape (2, 1, 5, 6), expected (B, Hkv, S, E) with B = 2 as in query, E = 4 as in query");
    row("gaussian_kernel", "key", {2, 1, 5, 6},
        "key: has shape (2, 1, 5, 6), expected (B, Hkv, S, E) with B = 2 as in query, E = 4 as in query");
    row("bilinear", "bilinear_w", {6, 4},
        "bilinear_w: has shape (6, 4), expected (E, Ek) with E = 4 as in query, Ek = 6 as in key");
    row("additive", "additive_v", {3}, "additive_v: has shape (3,), expected (h,) with h = 5 as in additive_w_q");
    row("additive", "additive_w_k", {6, 3},
        "additive_w_k: has shape (6, 3), expected (Ek, h) with Ek = 6 as in key, h = 5 as in additive_w_q");
    row("concat", "concat_w", {11},
        "concat_w: has shape (11,), expected (E+Ek,) with E = 4 as in query, Ek = 6 as in key, or together with "
        "concat_v (h, E+Ek)");
    row("concat", "concat_w", {5, 10},
        "concat_w: has shape (5, 10), expected (E+Ek,) with E = 4 as in query, Ek = 6 as in key, or together with "
        "concat_v (h, E+Ek)");
    row("concat", "concat_v", {7},
        "concat_w: has shape (10,), expected (h, E+Ek) with E = 4 as in query, Ek = 6 as in key, h = 7 as in "
        "concat_v");
    row("vector_sum", "sum_w", {3}, "sum_w: has shape (3,), expected (E,) with E = 4 as in query");
    row("bilinear", "bilinear_w", {},
        "bilinear_w: is missing, expected an array of shape (E, Ek) with "
        "E = 4 as in query, Ek = 6 as in key");
    row("gaussian_kernel", "sigma", {0},
        "gaussian_kernel: parameter sigma is '0', expected a finite number in (0, inf)");
    row("gaussian_kernel", "sigma", {-1, 0},
        "gaussian_kernel: parameter sigma is '-1', expected a finite number in (0, inf)");
}

void ScoreFunctionsTest::names_what_does_not_fit() {
    QFETCH(QString, id);
    QFETCH(QString, name);
    QFETCH(QList<qint64>, shape);
    QFETCH(QString, message);
    const bool wide = id == "bilinear" || id == "additive" || id == "concat";
    auto problem = problem_of(id.toStdString(), 4, wide ? 6 : 4);
    if (id == "additive")
        problem.tensors.emplace("additive_w_q", random_normal({4, 5}, 8));
    problem = completed(problem);
    QVERIFY(issues_in(problem).empty());
    if (name == "sigma")
        problem.spec.parameters.set("sigma", static_cast<double>(shape.front()));
    else if (shape.isEmpty())
        problem.tensors.erase(name.toStdString());
    else
        problem.tensors.insert_or_assign(name.toStdString(), random_normal(Shape(shape.begin(), shape.end()), 9));
    QCOMPARE(complaint(problem), message);
}

ATTNLAB_TEST(ScoreFunctionsTest)
#include "test_score_functions.moc"
