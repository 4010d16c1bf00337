#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/random_features.h"
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

/// Queries and keys short enough for few features; directions drawn by seed.
AttentionProblem flat_problem(const Sizes& n) {
    auto problem = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev);
    problem.spec.variant = "performer";
    for (const auto* name : {"query", "key"})
        for (double& x : problem.tensors.at(name).mutable_values())
            x *= 0.5;
    return problem;
}

struct Expected {
    std::vector<Real> query_features, weights, output;
};

/// The formula cell by cell in long double; the kernel by its logarithm, so that inputs may have any size.
Expected expected_of(const AttentionProblem& problem, const Sizes& n, const std::string& scale) {
    const auto query = reals(problem.tensors.at("query")), key = reals(problem.tensors.at("key"));
    const auto omega = reals(problem.tensors.at("performer_omega"));
    const auto m = problem.tensors.at("performer_omega").dim(0);
    const auto id = scale.substr(0, scale.find(':'));
    const Real argument = id == scale ? 1 : std::stold(scale.substr(id.size() + 1));
    const Real factor = id == "sqrt_dk"         ? 1 / std::sqrt(Real(n.E))
                        : id == "dk"            ? 1 / Real(n.E)
                        : id == "cbrt_dk"       ? 1 / std::cbrt(Real(n.E))
                        : id == "custom"        ? argument
                        : id == "temperature"   ? 1 / argument
                        : id == "pre_norm"      ? 1 / argument
                        : id == "long_sequence" ? 1 / std::sqrt(Real(n.E) * Real(n.S))
                                                : 1;
    const auto log_feature = [&](const Real* x, std::int64_t f) {
        Real squares = 0, along = 0;
        for (std::int64_t c = 0; c < n.E; ++c)
            squares += x[c] * x[c];
        const Real stretch = std::sqrt(factor) / (id == "pre_norm" && squares > 0 ? std::sqrt(squares) : 1);
        for (std::int64_t c = 0; c < n.E; ++c)
            along += omega[static_cast<std::size_t>(f * n.E + c)] * stretch * x[c];
        return along - stretch * stretch * squares / 2;
    };
    Expected result;
    for (std::int64_t b = 0; b < n.B; ++b)
        for (std::int64_t h = 0; h < n.H; ++h)
            for (std::int64_t i = 0; i < n.L; ++i) {
                const auto key_head = b * n.Hkv + h / (n.H / n.Hkv);
                const Real* q = query.data() + ((b * n.H + h) * n.L + i) * n.E;
                for (std::int64_t f = 0; f < m; ++f)
                    result.query_features.push_back(std::exp(log_feature(q, f)) / std::sqrt(Real(m)));
                std::vector<Real> kernel(static_cast<std::size_t>(n.S), independent::minus_infinity);
                Real total = independent::minus_infinity;
                for (std::int64_t j = 0; j < n.S; ++j) {
                    bool kept = true;
                    for (const auto& mask : problem.spec.masks)
                        kept = independent::keeps(problem, mask, n, b, h, i, j) && kept;
                    auto& cell = kernel[static_cast<std::size_t>(j)];
                    for (std::int64_t f = 0; kept && f < m; ++f)
                        cell = independent::log_add(cell, log_feature(q, f) +
                                                              log_feature(key.data() + (key_head * n.S + j) * n.E, f));
                    total = independent::log_add(total, cell);
                }
                std::vector<Real> output(static_cast<std::size_t>(n.Ev), 0);
                for (std::int64_t j = 0; j < n.S; ++j) {
                    const Real a = std::isinf(total) ? 0 : std::exp(kernel[static_cast<std::size_t>(j)] - total);
                    result.weights.push_back(a);
                    for (std::int64_t c = 0; c < n.Ev; ++c)
                        output[static_cast<std::size_t>(c)] +=
                            a * problem.tensors.at("value").data()[(key_head * n.S + j) * n.Ev + c];
                }
                result.output.insert(result.output.end(), output.begin(), output.end());
            }
    return result;
}

QString disagreement(const AttentionProblem& problem, const Sizes& n, const std::string& scale) {
    constexpr double tolerance = 1e-10;
    const auto expected = expected_of(problem, n, scale);
    const auto trace = run(problem);
    const auto m = problem.tensors.at("performer_omega").dim(0);
    for (const auto& [name, wanted] :
         {std::pair{"query_features", tensor_of({n.B, n.H, n.L, m}, expected.query_features)},
          {"weights", tensor_of({n.B, n.H, n.L, n.S}, expected.weights)},
          {"output", tensor_of({n.B, n.H, n.L, n.Ev}, expected.output)}})
        if (const auto wrong = difference(stage(trace, name), wanted, tolerance); !wrong.isEmpty())
            return QString("%1: %2").arg(QLatin1String(name), wrong);
    return {};
}

void add_mask_arrays(AttentionProblem& problem, const Sizes& n, bool per_query) {
    Tensor lens = random_uniform(per_query ? Shape{n.B, n.L} : Shape{n.B}, 90, 0.0, static_cast<double>(n.S) + 0.99);
    for (double& length : lens.mutable_values())
        length = std::floor(length);
    Tensor padding = random_uniform({n.B, n.S}, 92, 0.0, 1.0).with_dtype(DType::Bool);
    for (double& padded : padding.mutable_values())
        padded = padded < 0.4;
    problem.tensors.insert({{"valid_lens", lens}, {"key_padding_mask", padding}});
}

// Fewer features than E, as many, more; L and S that differ; shared key heads.
const std::vector<std::pair<Sizes, std::int64_t>> shapes = {
    {{1, 1, 1, 1, 1, 1, 1}, 1}, {{2, 4, 2, 5, 7, 3, 5}, 2}, {{1, 6, 1, 13, 2, 8, 1}, 8}, {{3, 2, 2, 4, 9, 5, 4}, 17}};

const Curve* curve_of(const Trace& trace) {
    for (const auto& exhibit : trace.exhibits)
        if (const auto* curve = std::get_if<Curve>(&exhibit))
            return curve;
    return nullptr;
}

} // namespace

class PerformerTest : public QObject {
    Q_OBJECT
private slots:
    void agrees_with_the_formula_data();
    void agrees_with_the_formula();
    void stays_exact_beyond_the_range_of_doubles();
    void a_row_may_read_small_features_only();
    void causal_output_does_not_see_the_future();
    void stands_beside_the_exact_weights();
    void error_falls_with_features();
    void draws_the_curve_where_it_is_cheap();
    void zero_rows_read_by_the_length_of_keys();
};

void PerformerTest::agrees_with_the_formula_data() {
    QTest::addColumn<QStringList>("masks");
    QTest::addColumn<bool>("per_query");
    QTest::addColumn<double>("fill");
    const auto row = [](const char* name, const QStringList& masks, bool per_query = false, double fill = -infinity) {
        QTest::newRow(name) << masks << per_query << fill;
    };
    row("no mask", {});
    row("causal", {"causal"});
    row("bottom right", {"causal:bottom_right"});
    row("prefix", {"prefix:2"});
    row("valid_lens", {"valid_lens"});
    row("valid_lens per query", {"valid_lens"}, true);
    row("key padding", {"key_padding"});
    row("all", {"causal", "prefix:3", "valid_lens", "key_padding"}, true);
    row("a finite fill", {"causal", "valid_lens"}, false, -1e9);
}

void PerformerTest::agrees_with_the_formula() {
    QFETCH(QStringList, masks);
    QFETCH(bool, per_query);
    QFETCH(double, fill);
    for (const char* scale : {"none", "sqrt_dk", "dk", "cbrt_dk", "temperature:.7", "custom:0.31", "pre_norm",
                              "pre_norm:0.1", "long_sequence"})
        for (const auto& [n, m] : shapes) {
            auto problem = performer_problem(n, m);
            problem.spec.scale = parse_scale(scale);
            problem.spec.mask_fill.value = fill;
            for (const auto& mask : masks)
                problem.spec.masks.push_back(parse_mask(mask.toStdString()));
            add_mask_arrays(problem, n, per_query);
            const auto wrong = disagreement(problem, n, scale);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong + " with " + scale));
            if (masks.contains("causal:bottom_right")) // which is an offset itself
                continue;
            Tensor offsets({n.B}, 0.0, DType::Int64);
            for (std::int64_t b = 0; b < n.B; ++b)
                offsets.set({b}, static_cast<double>(2 - 3 * b));
            problem.tensors.emplace("query_offset", offsets);
            const auto shifted_wrong = disagreement(problem, n, scale);
            QVERIFY2(shifted_wrong.isEmpty(), qPrintable(shifted_wrong + " at offsets with " + scale));
        }
}

void PerformerTest::stays_exact_beyond_the_range_of_doubles() {
    const Sizes n{1, 2, 1, 6, 6, 4, 3};
    auto problem = performer_problem(n, 16, 80.0);
    problem.spec.masks = {parse_mask("causal")};
    problem.tensors.at("key") = random_normal({1, 1, 6, 4}, 5, 0.0, 60.0);
    QCOMPARE(disagreement(problem, n, "sqrt_dk"), QString());
    const auto trace = run(problem);
    // The features themselves underflow doubles; the results do not.
    const auto features = stage(trace, "query_features").values();
    QVERIFY(std::ranges::count(features, 0.0) > 0);
    for (std::int64_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (std::int64_t j = 0; j < 6; ++j)
            sum += stage(trace, "weights").at({0, 1, i, j});
        QVERIFY(close(sum, 1.0, 1e-12));
    }
}

void PerformerTest::a_row_may_read_small_features_only() {
    // The first key is longer than all others: relative to it their features are 0, but the first row reads only that
    // one.
    auto problem = performer_problem({1, 1, 1, 4, 4, 3, 2}, 8);
    problem.spec.masks = {parse_mask("causal")};
    auto& key = problem.tensors.at("key");
    for (std::int64_t c = 0; c < 3; ++c)
        key.set({0, 0, 0, c}, 100.0);
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "weights").at({0, 0, 0, 0}), 1.0);
    QVERIFY(stage(trace, "weights").at({0, 0, 3, 0}) < 1e-30);
    for (std::int64_t c = 0; c < 2; ++c)
        QCOMPARE(stage(trace, "output").at({0, 0, 0, c}), problem.tensors.at("value").at({0, 0, 0, c}));
}

void PerformerTest::causal_output_does_not_see_the_future() {
    auto problem = performer_problem({2, 2, 1, 6, 6, 4, 3}, 16);
    problem.spec.masks = {parse_mask("causal")};
    const auto before = run(problem);
    for (std::int64_t c = 0; c < 4; ++c)
        problem.tensors.at("key").set({0, 0, 4, c}, 7.0 + static_cast<double>(c));
    problem.tensors.at("value").set({0, 0, 5, 1}, 99.0);
    const auto after = run(problem);
    for (std::int64_t i = 0; i < 6; ++i) {
        const auto was = matrix_at(stage(before, "output"), 1).row(i), is = matrix_at(stage(after, "output"), 1).row(i);
        QCOMPARE(std::ranges::equal(was, is), i < 4);
    }
}

void PerformerTest::stands_beside_the_exact_weights() {
    auto problem = performer_problem({2, 4, 2, 5, 7, 3, 5}, 16);
    problem.spec.masks = {parse_mask("prefix:3")};
    problem.spec.statistics = true;
    const auto trace = run(problem);
    auto plain = problem;
    plain.spec.variant = "scaled_dot_product";
    const auto exact = run(plain);
    QCOMPARE(stage(trace, "exact_weights"), stage(exact, "weights"));
    QCOMPARE(stage(trace, "exact_output"), stage(exact, "output"));
    QCOMPARE(stage(trace, "blocked"), stage(exact, "blocked"));
    QVERIFY(close(stage(trace, "difference").at({1, 3, 4, 0}),
                  stage(trace, "weights").at({1, 3, 4, 0}) - stage(exact, "weights").at({1, 3, 4, 0}), 1e-14));
    const auto& weights = stage(trace, "weights");
    QCOMPARE(difference(mix_values(weights, problem.tensors.at("value"), {}), stage(trace, "output"), 1e-12),
             QString());
    QCOMPARE(stage(trace, "weights_mean").shape(), Shape({2, 5, 7}));
    const auto first = matrix_at(weights).row(0);
    QCOMPARE(stage(trace, "max_weight").at({0, 0, 0}), *std::ranges::max_element(first));
}

void PerformerTest::error_falls_with_features() {
    auto problem = flat_problem({1, 2, 2, 8, 8, 4, 4});
    double before = infinity;
    for (const std::int64_t m : {8, 64, 512}) {
        problem.spec.parameters.set("features", m);
        double sum = 0.0;
        for (std::int64_t seed = 0; seed < 5; ++seed) {
            problem.spec.parameters.set("seed", seed);
            sum += measured(run(problem), "output_error");
        }
        QVERIFY(sum < 0.6 * before); // 1/√8 is expected
        before = sum;
    }
}

void PerformerTest::draws_the_curve_where_it_is_cheap() {
    auto problem = flat_problem({1, 2, 1, 12, 12, 8, 8});
    problem.spec.parameters.set("features", std::int64_t{32});
    const auto trace = run(problem);
    const Curve* curve = curve_of(trace);
    QVERIFY(curve);
    QCOMPARE(curve->points.size(), std::size_t{9});
    QCOMPARE(curve->points.front().x, 4.0);
    QCOMPARE(curve->points.back().x, 1024.0);
    QVERIFY(curve->points.back().y < 0.3 * curve->points.front().y);
    QCOMPARE(curve->present.x, 32.0);
    QCOMPARE(curve->present.y, measured(trace, "output_error"));
    QVERIFY(curve->logarithmic_x && curve->logarithmic_y);
    // The point of 64 features is the mean of the errors of the separate runs.
    problem.spec.parameters.set("features", std::int64_t{64});
    double sum = 0.0;
    for (std::int64_t seed = 1; seed <= 3; ++seed) {
        problem.spec.parameters.set("seed", seed);
        sum += measured(run(problem), "output_error");
    }
    QVERIFY(close(curve->points[4].y, sum / 3.0, 1e-12));
    auto large = dot_problem(1, 4, 4, 64, 64, 16, 16);
    large.spec.variant = "performer";
    QVERIFY(!curve_of(run(large)));
    // With one key there is nothing to approximate.
    auto single = dot_problem(1, 1, 1, 4, 1, 3, 2);
    single.spec.variant = "performer";
    QVERIFY(!curve_of(run(single)));
}

void PerformerTest::zero_rows_read_by_the_length_of_keys() {
    auto problem = performer_problem({1, 1, 1, 2, 3, 2, 2}, 8);
    problem.tensors.at("query") = Tensor({1, 1, 2, 2});
    for (const auto* scale : {"sqrt_dk", "pre_norm"}) {
        problem.spec.scale = parse_scale(scale);
        const auto trace = run(problem);
        QCOMPARE(difference(stage(trace, "query_features"), Tensor({1, 1, 2, 8}, 1.0 / std::sqrt(8.0)), 1e-15),
                 QString());
        QCOMPARE(disagreement(problem, {1, 1, 1, 2, 3, 2, 2}, scale), QString());
    }
}

ATTNLAB_TEST(PerformerTest)
#include "test_performer.moc"
