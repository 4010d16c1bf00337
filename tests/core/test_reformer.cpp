#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/approximation_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using independent::Real;
using independent::Sizes;

namespace {

AttentionProblem reformer_problem(const Sizes& n, std::int64_t rounds, std::int64_t half) {
    AttentionProblem problem;
    problem.spec.variant = "reformer";
    problem.tensors = {{"query", random_normal({n.B, n.H, n.L, n.E}, 1)},
                       {"value", random_normal({n.B, n.Hkv, n.L, n.Ev}, 3)},
                       {"reformer_rotations", random_normal({rounds, n.E, half}, 41)}};
    return problem;
}

/// The index of the largest of x R and −x R, the first of several.
std::int64_t bucket(const Tensor& query, const Tensor& rotations, std::int64_t head, std::int64_t i,
                    std::int64_t round) {
    const auto E = query.dim(3), half = rotations.dim(2);
    std::int64_t best = 0;
    Real most = independent::minus_infinity;
    for (std::int64_t r = 0; r < 2 * half; ++r) {
        Real sum = 0;
        for (std::int64_t c = 0; c < E; ++c)
            sum += Real{query.data()[(head * query.dim(2) + i) * E + c]} * rotations.at({round, c, r % half});
        sum = r < half ? sum : -sum;
        if (sum > most) {
            most = sum;
            best = r;
        }
    }
    return best;
}

struct Expected {
    std::vector<Real> buckets, weights, exact_weights, output;
    double cells_read = 0.0;
};

/// One row of softmax over the tokens that `sees` and the masks allow.
std::vector<Real> softmax_row(const AttentionProblem& problem, const Sizes& n, const std::vector<Real>& scores,
                              std::int64_t b, std::int64_t h, std::int64_t i, const std::vector<bool>& sees,
                              double& cells) {
    std::vector<bool> open(sees);
    bool others = false;
    for (std::int64_t j = 0; j < n.L; ++j) {
        const auto at = static_cast<std::size_t>(j);
        for (const auto& mask : problem.spec.masks)
            open[at] = open[at] && independent::keeps(problem, mask, n, b, h, i, j);
        others = others || (open[at] && j != i);
    }
    Real total = independent::minus_infinity;
    std::vector<Real> row(static_cast<std::size_t>(n.L), independent::minus_infinity);
    for (std::int64_t j = 0; j < n.L; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (!sees[at] || (j == i && others))
            continue;
        ++cells;
        row[at] = open[at] ? scores[at] : Real{problem.spec.mask_fill.value};
        total = independent::log_add(total, row[at]);
    }
    for (Real& a : row)
        a = std::isinf(total) ? 0 : std::exp(a - total);
    return row;
}

Expected expected_of(const AttentionProblem& problem, const Sizes& n, const std::string& scale) {
    const auto& query = problem.tensors.at("query");
    const auto& rotations = problem.tensors.at("reformer_rotations");
    const auto rounds = rotations.dim(0);
    Expected result;
    for (std::int64_t round = 0; round < rounds; ++round)
        for (std::int64_t head = 0; head < n.B * n.H; ++head)
            for (std::int64_t i = 0; i < n.L; ++i)
                result.buckets.push_back(static_cast<Real>(bucket(query, rotations, head, i, round)));
    // Keys are queries of length 1; a row of zeros stays zero.
    auto key = reals(query);
    for (std::size_t first = 0; first < key.size(); first += static_cast<std::size_t>(n.E)) {
        Real squares = 0;
        for (std::int64_t c = 0; c < n.E; ++c)
            squares += key[first + static_cast<std::size_t>(c)] * key[first + static_cast<std::size_t>(c)];
        for (std::int64_t c = 0; c < n.E && squares > 0; ++c)
            key[first + static_cast<std::size_t>(c)] /= std::sqrt(squares);
    }
    const independent::Heads heads{{n.B, n.H, n.H, n.L, n.L, n.E, n.Ev}, reals(query), key, {}};
    double all_cells = 0.0;
    for (std::int64_t b = 0; b < n.B; ++b)
        for (std::int64_t h = 0; h < n.H; ++h) {
            const auto scores = independent::scaled_scores(problem, heads, b, h, scale);
            for (std::int64_t i = 0; i < n.L; ++i) {
                const auto of = [&](std::int64_t round, std::int64_t token) {
                    return result.buckets[static_cast<std::size_t>(((round * n.B + b) * n.H + h) * n.L + token)];
                };
                std::vector<bool> sees(static_cast<std::size_t>(n.L), false);
                for (std::int64_t j = 0; j < n.L; ++j)
                    for (std::int64_t round = 0; round < rounds; ++round)
                        if (of(round, i) == of(round, j))
                            sees[static_cast<std::size_t>(j)] = true;
                const std::vector<Real> row(scores.begin() + i * n.L, scores.begin() + (i + 1) * n.L);
                const auto weights = softmax_row(problem, n, row, b, h, i, sees, result.cells_read);
                const auto exact =
                    softmax_row(problem, n, row, b, h, i, std::vector<bool>(sees.size(), true), all_cells);
                result.weights.insert(result.weights.end(), weights.begin(), weights.end());
                result.exact_weights.insert(result.exact_weights.end(), exact.begin(), exact.end());
                for (std::int64_t c = 0; c < n.Ev; ++c) {
                    Real sum = 0;
                    for (std::int64_t j = 0; j < n.L; ++j)
                        sum += weights[static_cast<std::size_t>(j)] *
                               problem.tensors.at("value").at({b, h / (n.H / n.Hkv), j, c});
                    result.output.push_back(sum);
                }
            }
        }
    return result;
}

QString disagreement(const AttentionProblem& problem, const Sizes& n, const std::string& scale) {
    const auto expected = expected_of(problem, n, scale);
    const auto trace = run(problem);
    const auto rounds = problem.tensors.at("reformer_rotations").dim(0);
    for (const auto& [name, wanted] : {std::pair{"buckets", tensor_of({rounds, n.B, n.H, n.L}, expected.buckets)},
                                       {"weights", tensor_of({n.B, n.H, n.L, n.L}, expected.weights)},
                                       {"exact_weights", tensor_of({n.B, n.H, n.L, n.L}, expected.exact_weights)},
                                       {"output", tensor_of({n.B, n.H, n.L, n.Ev}, expected.output)}})
        if (const auto wrong = difference(stage(trace, name), wanted, 1e-10); !wrong.isEmpty())
            return QString("%1: %2").arg(QLatin1String(name), wrong);
    return close(measured(trace, "cells_read"), expected.cells_read, 0.0) ? QString() : "cells_read";
}

const std::vector<Sizes> shapes = {
    {1, 1, 1, 1, 1, 1, 1}, {2, 4, 2, 7, 7, 3, 5}, {1, 6, 1, 13, 13, 6, 1}, {3, 2, 2, 5, 5, 5, 4}};

} // namespace

class ReformerTest : public QObject {
    Q_OBJECT
private slots:
    void agrees_with_the_formula_data();
    void agrees_with_the_formula();
    void one_bucket_is_exact();
    void more_rounds_read_more();
    void a_token_reads_itself_only_alone();
    void zero_rows_fall_into_the_first_bucket();
    void draws_by_seed();
    void shows_the_sort_and_the_cost();
    void keys_are_the_tokens_of_the_queries();
    void names_what_does_not_fit_data();
    void names_what_does_not_fit();
};

void ReformerTest::agrees_with_the_formula_data() {
    QTest::addColumn<QStringList>("masks");
    QTest::addColumn<double>("fill");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<int>("half");
    const auto row = [](const char* name, const QStringList& masks, double fill, int rounds, int half) {
        QTest::newRow(name) << masks << fill << rounds << half;
    };
    row("no mask", {}, -infinity, 2, 2);
    row("one round of two buckets", {}, -infinity, 1, 1);
    row("eight rounds of ten buckets", {}, -infinity, 8, 5);
    row("causal", {"causal"}, -infinity, 3, 2);
    row("window", {"window:4"}, -infinity, 2, 2);
    row("key padding", {"key_padding"}, -infinity, 1, 2);
    row("painted and causal", {"painted", "causal"}, -infinity, 2, 2);
    row("a finite fill", {"key_padding"}, -2.0, 2, 2);
}

void ReformerTest::agrees_with_the_formula() {
    QFETCH(QStringList, masks);
    QFETCH(double, fill);
    QFETCH(int, rounds);
    QFETCH(int, half);
    for (const char* scale : {"none", "sqrt_dk", "temperature:.7", "custom:-0.31", "score_norm:max", "pre_norm:0.1"})
        for (const auto& n : shapes) {
            auto problem = reformer_problem(n, rounds, half);
            problem.spec.scale = parse_scale(scale);
            problem.spec.mask_fill.value = fill;
            for (const auto& mask : masks)
                problem.spec.masks.push_back(parse_mask(mask.toStdString()));
            const auto booleans = [](Shape shape, std::uint64_t seed) {
                Tensor tensor = random_uniform(std::move(shape), seed, 0.0, 1.0).with_dtype(DType::Bool);
                for (double& value : tensor.mutable_values())
                    value = value < 0.4;
                return tensor;
            };
            problem.tensors.insert(
                {{"key_padding_mask", booleans({n.B, n.L}, 92)}, {"painted_mask", booleans({n.L, n.L}, 94)}});
            const auto wrong = disagreement(problem, n, scale);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " with " + scale));
        }
}

void ReformerTest::one_bucket_is_exact() {
    const Sizes n{1, 2, 1, 6, 6, 4, 3};
    auto problem = reformer_problem(n, 2, 3);
    problem.tensors.at("reformer_rotations") = Tensor({2, 4, 3}); // every product is 0: the first bucket for all
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "buckets"), Tensor({2, 1, 2, 6}, 0.0, DType::Int64));
    QCOMPARE(stage(trace, "difference"), Tensor({1, 2, 6, 6}));
    QCOMPARE(measured(trace, "output_error"), 0.0);
    for (std::int64_t i = 0; i < 6; ++i)
        QCOMPARE(stage(trace, "weights").at({0, 1, i, i}), 0.0);
    QCOMPARE(measured(trace, "cells_read"), 2.0 * 6.0 * 5.0);
}

void ReformerTest::more_rounds_read_more() {
    AttentionProblem problem;
    problem.spec.variant = "reformer";
    problem.tensors = {{"query", random_normal({1, 2, 32, 8}, 1)}, {"value", random_normal({1, 2, 32, 4}, 2)}};
    problem.spec.parameters.set("n_buckets", std::int64_t{8});
    double cells = 0.0, error = infinity;
    for (const std::int64_t rounds : {1, 2, 4, 8}) {
        problem.spec.parameters.set("n_hashes", rounds);
        const auto trace = run(problem);
        QVERIFY(measured(trace, "cells_read") > cells);
        QVERIFY(measured(trace, "output_error") < error);
        cells = measured(trace, "cells_read");
        error = measured(trace, "output_error");
        QCOMPARE(stage(trace, "buckets").shape(), Shape({rounds, 1, 2, 32}));
    }
}

void ReformerTest::a_token_reads_itself_only_alone() {
    // Tokens point right, right and left: two buckets.
    AttentionProblem problem;
    problem.spec.variant = "reformer";
    problem.tensors = {{"query", Tensor({3, 1}, {1.0, 2.0, -1.0})},
                       {"value", Tensor({3, 1}, {5.0, 6.0, 7.0})},
                       {"reformer_rotations", Tensor({1, 1, 1}, 1.0)}};
    auto trace = run(problem);
    QCOMPARE(stage(trace, "weights"), Tensor({1, 1, 3, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 1}));
    QCOMPARE(stage(trace, "output"), Tensor({1, 1, 3, 1}, {6.0, 5.0, 7.0}));
    // If its only neighbour is blocked, a token that may not read itself either has no key.
    problem.spec.masks = {parse_mask("key_padding")};
    problem.tensors.emplace("key_padding_mask", Tensor({1, 3}, {0, 1, 1}, DType::Bool));
    trace = run(problem);
    QCOMPARE(stage(trace, "weights"), Tensor({1, 1, 3, 3}, {1, 0, 0, 1, 0, 0, 0, 0, 0}));
    QVERIFY(has_note(trace, "Rows with every key blocked: 1 (first: 2)"));
    // A bias of -inf blocks as well.
    problem.spec.masks = {parse_mask("attn_bias")};
    Tensor bias({3, 3});
    bias.set({0, 1}, -infinity);
    problem.tensors.emplace("attn_bias", bias);
    QCOMPARE(stage(run(problem), "weights"), Tensor({1, 1, 3, 3}, {1, 0, 0, 1, 0, 0, 0, 0, 1}));
}

void ReformerTest::zero_rows_fall_into_the_first_bucket() {
    const Sizes n{1, 1, 1, 5, 5, 3, 2};
    auto problem = reformer_problem(n, 2, 2);
    for (std::int64_t c = 0; c < 3; ++c)
        problem.tensors.at("query").set({0, 0, 2, c}, 0.0);
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "buckets").at({1, 0, 0, 2}), 0.0);
    QCOMPARE(stage(trace, "key").at({0, 0, 2, 1}), 0.0);
    QCOMPARE(disagreement(problem, n, "sqrt_dk"), QString());
}

void ReformerTest::draws_by_seed() {
    auto problem = reformer_problem({1, 1, 1, 8, 8, 3, 2}, 1, 1);
    problem.tensors.erase("reformer_rotations");
    problem.spec.parameters.set("n_hashes", std::int64_t{2});
    problem.spec.parameters.set("n_buckets", std::int64_t{6});
    problem.spec.parameters.set("seed", std::int64_t{5});
    const auto drawn = run(problem);
    QCOMPARE(stage(run(problem), "buckets"), stage(drawn, "buckets"));
    QCOMPARE(stage(drawn, "buckets"),
             Tensor({2, 1, 1, 8}, {1, 3, 4, 2, 1, 3, 2, 2, 1, 5, 5, 5, 1, 5, 5, 5}, DType::Int64));
    auto given = problem;
    given.tensors.emplace("reformer_rotations", random_normal({2, 3, 3}, 5));
    const auto with_array = run(given);
    QCOMPARE(stage(with_array, "buckets"), stage(drawn, "buckets"));
    QVERIFY(has_note(with_array, "reformer_rotations is given, with 2 rounds of 6 buckets"));
    problem.spec.parameters.set("seed", std::int64_t{6});
    QVERIFY(!(stage(run(problem), "buckets") == stage(drawn, "buckets")));
}

void ReformerTest::shows_the_sort_and_the_cost() {
    // Eight tokens, half of them in each of two buckets, in one round.
    AttentionProblem problem;
    problem.spec.variant = "reformer";
    problem.tensors = {{"query", Tensor({8, 1}, {1, 1, 1, 1, -1, -1, -1, -1})},
                       {"value", Tensor({8, 3})},
                       {"reformer_rotations", Tensor({1, 1, 2}, {1.0, 0.5})}};
    const auto trace = run(problem);
    QCOMPARE(trace.exhibits.size(), std::size_t{1});
    const auto& sort = std::get<BucketSort>(trace.exhibits.front());
    QCOMPARE(sort.n_hashes, 1);
    QCOMPARE(sort.n_buckets, 4);
    const auto& buckets = *trace.find("buckets");
    QCOMPARE(buckets.value, Tensor({1, 1, 1, 8}, {0, 0, 0, 0, 2, 2, 2, 2}, DType::Int64));
    QVERIFY(buckets.axes == std::vector<Axis>({Axis::Hash, Axis::Batch, Axis::Head, Axis::Query}));
    QCOMPARE(measured(trace, "operations"), 8.0 * (4.0 * 2.0 + 3.0) + 32.0 * (2.0 + 6.0 + 3.0));
    QCOMPARE(measured(trace, "bytes"), 4.0 * (16.0 + 32.0));
    QVERIFY(!trace.pass().dot_product_scores); // the variance of keys of length 1 differs
}

void ReformerTest::keys_are_the_tokens_of_the_queries() {
    auto problem = reformer_problem({1, 1, 1, 3, 3, 2, 2}, 1, 1);
    problem.query_tokens = {"a", "b", "c"};
    problem.key_tokens = {"x", "y", "z"}; // left over from another mechanism
    problem.tensors.emplace("key", random_normal({7, 9}, 4));
    const auto trace = run(problem);
    QVERIFY(trace.key_tokens == problem.query_tokens);
    QCOMPARE(stage(trace, "key").shape(), Shape({1, 1, 3, 2}));
}

void ReformerTest::names_what_does_not_fit_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QList<int>>("value"); // that of a parameter, or a shape
    QTest::addColumn<QString>("message");
    QTest::newRow("odd buckets") << "n_buckets" << QList<int>{3}
                                 << "reformer: parameter n_buckets is '3', expected an even integer in [2, 65536]";
    QTest::newRow("no buckets") << "n_buckets" << QList<int>{0}
                                << "reformer: parameter n_buckets is '0', expected an integer in [2, 65536]";
    QTest::newRow("no rounds") << "n_hashes" << QList<int>{0}
                               << "reformer: parameter n_hashes is '0', expected an integer in [1, 1024]";
    QTest::newRow("width") << "reformer_rotations" << QList<int>{2, 5, 2}
                           << "reformer_rotations: has shape (2, 5, 2), expected (rounds, E, half) with E = 3 as in "
                              "query, no size 0";
    QTest::newRow("rank") << "reformer_rotations" << QList<int>{3, 2}
                          << "reformer_rotations: has shape (3, 2), expected (rounds, E, half) with E = 3 as in query, "
                             "no size 0";
    QTest::newRow("no rotations") << "reformer_rotations" << QList<int>{0, 3, 2}
                                  << "reformer_rotations: has shape (0, 3, 2), expected (rounds, E, half) with E = 3 "
                                     "as in query, no size 0";
    QTest::newRow("values") << "value" << QList<int>{2, 2, 6, 5}
                            << "value: has shape (2, 2, 6, 5), expected (B, Hkv, L, Ev) with B = 2 as in query, L = 7 "
                               "as in query";
}

void ReformerTest::names_what_does_not_fit() {
    QFETCH(QString, name);
    QFETCH(QList<int>, value);
    QFETCH(QString, message);
    auto problem = reformer_problem({2, 4, 2, 7, 7, 3, 5}, 2, 2);
    if (value.size() == 1)
        problem.spec.parameters.set(name.toStdString(), std::int64_t{value.front()});
    else
        problem.tensors.at(name.toStdString()) = Tensor(Shape(value.begin(), value.end()));
    QCOMPARE(error_of([&] { run(problem); }), message);
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), message);
}

ATTNLAB_TEST(ReformerTest)
#include "test_reformer.moc"
