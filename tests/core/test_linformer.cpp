#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/approximation_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using independent::Heads;
using independent::Real;
using independent::Sizes;

namespace {

AttentionProblem linformer_problem(const Sizes& n, std::int64_t k) {
    auto problem = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev);
    problem.spec.variant = "linformer";
    problem.tensors.emplace("linformer_e", random_normal({n.S, k}, 31, 0.0, 0.6));
    problem.tensors.emplace("linformer_f", random_normal({n.S, k}, 32, 0.0, 0.6));
    return problem;
}

/// (S,k)ᵀ (B,Hkv,S,E), one cell at a time.
std::vector<Real> projected(const Tensor& projection, const Tensor& rows) {
    const auto S = rows.dim(2), E = rows.dim(3), k = projection.dim(1);
    std::vector<Real> out;
    for (std::int64_t head = 0; head < rows.dim(0) * rows.dim(1); ++head)
        for (std::int64_t p = 0; p < k; ++p)
            for (std::int64_t c = 0; c < E; ++c) {
                Real sum = 0;
                for (std::int64_t j = 0; j < S; ++j)
                    sum += Real{projection.at({j, p})} * rows.data()[(head * S + j) * E + c];
                out.push_back(sum);
            }
    return out;
}

const std::vector<std::pair<Sizes, std::int64_t>> shapes = {
    {{1, 1, 1, 1, 1, 1, 1}, 1}, {{2, 4, 2, 5, 7, 3, 5}, 3}, {{1, 6, 1, 13, 2, 8, 1}, 5}, {{3, 2, 2, 4, 9, 5, 4}, 9}};

} // namespace

class LinformerTest : public QObject {
    Q_OBJECT
private slots:
    void agrees_with_the_formula_data();
    void agrees_with_the_formula();
    void counts_the_tokens_for_the_scale();
    void scales_after_the_softmax();
    void identity_projections_are_exact();
    void draws_by_seed();
    void takes_more_mixtures_than_keys();
    void says_what_it_costs();
    void refuses_masks_and_positions();
    void names_what_does_not_fit_data();
    void names_what_does_not_fit();
    void says_when_k_is_not_used();
};

void LinformerTest::agrees_with_the_formula_data() {
    QTest::addColumn<QString>("scale");
    for (const char* scale : {"none", "sqrt_dk", "dk", "cbrt_dk", "temperature:.7", "custom:-0.31", "score_norm",
                              "score_norm:row", "score_norm:max", "score_norm:minmax", "pre_norm:0.1"})
        QTest::newRow(scale) << scale;
}

void LinformerTest::agrees_with_the_formula() {
    QFETCH(QString, scale);
    constexpr double tolerance = 1e-10;
    for (const auto& [n, k] : shapes) {
        auto problem = linformer_problem(n, k);
        problem.spec.scale = parse_scale(scale.toStdString());
        const auto& tensors = problem.tensors;
        auto projected_sizes = n;
        projected_sizes.S = k;
        const Heads heads{projected_sizes, reals(tensors.at("query")),
                          projected(tensors.at("linformer_e"), tensors.at("key")),
                          projected(tensors.at("linformer_f"), tensors.at("value"))};
        const auto expected = independent::attention(problem, heads, scale.toStdString());
        const auto trace = run(problem);
        for (const auto& [name, wanted] : {std::pair{"projected_key", tensor_of({n.B, n.Hkv, k, n.E}, heads.k)},
                                           {"projected_value", tensor_of({n.B, n.Hkv, k, n.Ev}, heads.v)},
                                           {"weights", tensor_of({n.B, n.H, n.L, k}, expected.weights)},
                                           {"lse", tensor_of({n.B, n.H, n.L}, expected.lse)},
                                           {"output", tensor_of({n.B, n.H, n.L, n.Ev}, expected.output)}})
            QVERIFY2(difference(stage(trace, name), wanted, tolerance).isEmpty(), name);
        // The implied weights turn the values into the output.
        QCOMPARE(difference(mix_values(stage(trace, "implied_weights"), tensors.at("value"), {}),
                            stage(trace, "output"), tolerance),
                 QString());
        auto plain = problem;
        plain.spec.variant = "scaled_dot_product";
        const auto exact = run(plain);
        QCOMPARE(stage(trace, "exact_weights"), stage(exact, "weights"));
        QCOMPARE(stage(trace, "exact_output"), stage(exact, "output"));
        QVERIFY(close(stage(trace, "difference").at({0, 0, 0, 0}),
                      stage(trace, "implied_weights").at({0, 0, 0, 0}) - stage(exact, "weights").at({0, 0, 0, 0}),
                      1e-14));
    }
}

void LinformerTest::counts_the_tokens_for_the_scale() {
    auto problem = linformer_problem({1, 1, 1, 3, 8, 4, 2}, 2);
    problem.spec.scale = parse_scale("long_sequence");
    const auto trace = run(problem);
    QVERIFY(close(stage(trace, "scaled").at({0, 0, 2, 1}),
                  stage(trace, "scores").at({0, 0, 2, 1}) / std::sqrt(4.0 * 8.0), 1e-15));
}

void LinformerTest::scales_after_the_softmax() {
    auto problem = linformer_problem({1, 2, 1, 3, 8, 4, 2}, 3);
    problem.spec.scale = parse_scale("none");
    const auto plain = run(problem);
    problem.spec.scale = parse_scale("custom:0.5");
    problem.spec.scale_after_softmax = true;
    const auto after = run(problem);
    QCOMPARE(stage(after, "scaled"), stage(plain, "scores"));
    QVERIFY(close(stage(after, "weights").at({0, 1, 2, 2}), 0.5 * stage(plain, "weights").at({0, 1, 2, 2}), 1e-15));
}

void LinformerTest::identity_projections_are_exact() {
    auto problem = linformer_problem({2, 4, 2, 5, 6, 3, 4}, 6);
    for (const auto* name : {"linformer_e", "linformer_f"})
        problem.tensors.at(name) = identity(6);
    const auto trace = run(problem);
    QCOMPARE(difference(stage(trace, "weights"), stage(trace, "exact_weights"), 1e-14), QString());
    QCOMPARE(difference(stage(trace, "difference"), Tensor({2, 4, 5, 6}), 1e-14), QString());
    QCOMPARE(difference(stage(trace, "output"), stage(trace, "exact_output"), 1e-14), QString());
    QVERIFY(measured(trace, "output_error") < 1e-14);
    problem.tensors.at("linformer_e").set({0, 0}, 3.0);
    QVERIFY(measured(run(problem), "output_error") > 1e-3);
}

void LinformerTest::draws_by_seed() {
    // With the identity as keys and values the stages are the projections themselves.
    AttentionProblem problem;
    problem.spec.variant = "linformer";
    problem.spec.parameters.set("k", std::int64_t{5});
    problem.spec.parameters.set("seed", std::int64_t{7});
    problem.tensors = {{"query", random_normal({3, 40}, 1)}, {"key", identity(40)}, {"value", identity(40)}};
    const auto trace = run(problem), again = run(problem);
    const auto& e = stage(trace, "projected_key");
    const auto& f = stage(trace, "projected_value");
    QCOMPARE(e.shape(), Shape({1, 1, 5, 40}));
    QCOMPARE(stage(again, "projected_key"), e);
    QVERIFY(!(e == f));
    // One stream of normal numbers of variance 1/k: E row by row, then F.
    Random random(7);
    for (const auto* projection : {&e, &f})
        for (std::int64_t j = 0; j < 40; ++j)
            for (std::int64_t p = 0; p < 5; ++p)
                QVERIFY(close(projection->at({0, 0, p, j}), random.normal() / std::sqrt(5.0), 1e-15));
    problem.spec.parameters.set("seed", std::int64_t{8});
    QVERIFY(!(stage(run(problem), "projected_key") == e));
}

void LinformerTest::takes_more_mixtures_than_keys() {
    auto problem = dot_problem(1, 1, 1, 3, 4, 2, 2);
    problem.spec.variant = "linformer";
    problem.spec.parameters.set("k", std::int64_t{9});
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "weights").shape(), Shape({1, 1, 3, 9}));
    QCOMPARE(stage(trace, "implied_weights").shape(), Shape({1, 1, 3, 4}));
    QCOMPARE(trace.key_tokens.size(), std::size_t{0});
}

void LinformerTest::says_what_it_costs() {
    // 2 query heads read one key head: mixtures k S 2 (E + Ev), then H L k (2 E + 2 Ev + 3).
    const auto trace = run(linformer_problem({1, 2, 1, 10, 20, 3, 5}, 4));
    QCOMPARE(measured(trace, "operations"), 4.0 * 20.0 * 16.0 + 2.0 * 10.0 * 4.0 * 19.0);
    QCOMPARE(measured(trace, "bytes"), 4.0 * (4.0 * 8.0 + 2.0 * 10.0 * 4.0));
    const auto operations = std::ranges::find(trace.measures, "operations", &Measure::name);
    QCOMPARE(operations->exact.value(), 2.0 * 10.0 * 20.0 * 19.0);
}

void LinformerTest::refuses_masks_and_positions() {
    const auto sound = linformer_problem({1, 1, 1, 3, 4, 2, 2}, 2);
    for (const auto& kind : mask_kinds()) {
        auto problem = sound;
        problem.spec.masks = {{std::string(kind.id), {}}};
        const auto complaint = error_of([&] { run(problem); });
        QVERIFY2(complaint.startsWith(QStringLiteral("linformer: mask %1 is not possible: Its columns are mixtures")
                                          .arg(QString::fromStdString(std::string(kind.id)))),
                 qPrintable(complaint));
        QVERIFY(!issues_in(problem).empty());
    }
    auto problem = sound;
    problem.spec.position.id = "rope";
    QVERIFY(error_of([&] { run(problem); }).startsWith("linformer: position is not possible: "));
}

void LinformerTest::names_what_does_not_fit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("shape"); // none: the array is removed
    QTest::addColumn<QString>("complaint");
    const auto with = QStringLiteral(" with S = 7 as in key, projected = 3 as in linformer_e, no size 0");
    QTest::newRow("no F") << "linformer_f" << QList<int>{}
                          << "linformer_f: is missing, expected it together with linformer_e";
    QTest::newRow("no E") << "linformer_e" << QList<int>{}
                          << "linformer_e: is missing, expected it together with linformer_f";
    QTest::newRow("k of F") << "linformer_f" << QList<int>{7, 4}
                            << "linformer_f: has shape (7, 4), expected (S, projected)" + with;
    QTest::newRow("S") << "linformer_f" << QList<int>{6, 3}
                       << "linformer_f: has shape (6, 3), expected (S, projected)" + with;
    QTest::newRow("k = 0") << "linformer_e" << QList<int>{7, 0}
                           << "linformer_e: has shape (7, 0), expected (S, projected) with S = 7 as in key, no size 0";
}

void LinformerTest::names_what_does_not_fit() {
    QFETCH(QString, name);
    QFETCH(QList<int>, shape);
    QFETCH(QString, complaint);
    auto problem = linformer_problem({2, 4, 2, 5, 7, 3, 5}, 3);
    problem.tensors.erase(name.toStdString());
    if (!shape.isEmpty())
        problem.tensors.emplace(name.toStdString(), Tensor(Shape(shape.begin(), shape.end())));
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), complaint);
}

void LinformerTest::says_when_k_is_not_used() {
    auto problem = linformer_problem({1, 1, 1, 3, 4, 2, 2}, 2);
    QVERIFY(!has_note(run(problem), "not used"));
    problem.spec.parameters.set("k", std::int64_t{3});
    QVERIFY(has_note(run(problem), "given, with 2 projected keys: k and seed are not used"));
    problem.spec.parameters.set("k", std::int64_t{0});
    QCOMPARE(error_of([&] { run(problem); }),
             QStringLiteral("linformer: parameter k is '0', expected an integer in [1, 65536]"));
}

ATTNLAB_TEST(LinformerTest)
#include "test_linformer.moc"
