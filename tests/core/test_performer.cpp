#include "core/stages/exact.h"
#include "core/stages/mask.h"
#include "core/stages/random_features.h"
#include "core/stages/scale.h"
#include "tests/core/approximation_support.h"
#include "tests/core/io_support.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;
using independent::Real;
using independent::Sizes;

namespace {

AttentionProblem performer_problem(const Sizes& n, std::int64_t m, double size = 1.0) {
    auto problem = dot_problem(n.B, n.H, n.Hkv, n.L, n.S, n.E, n.Ev);
    problem.tensors.at("query") = random_normal({n.B, n.H, n.L, n.E}, 1, 0.0, size);
    problem.spec.variant = "performer";
    problem.tensors.emplace("performer_omega", random_normal({m, n.E}, 31));
    return problem;
}

/// Queries and keys so short that few features suffice; directions drawn by seed.
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

/// The formula cell by cell in long double; the kernel by its logarithm, so that no size of the inputs is too large.
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

bool has_cells(const Stage& made) {
    const auto has = [&](Axis axis) { return std::ranges::find(made.axes, axis) != made.axes.end(); };
    return has(Axis::Query) && has(Axis::Key);
}

const Curve* curve_of(const Trace& trace) {
    for (const auto& exhibit : trace.exhibits)
        if (const auto* curve = std::get_if<Curve>(&exhibit))
            return curve;
    return nullptr;
}

QString complaint(const AttentionProblem& problem) {
    const auto said = error_of([&] { run(problem); });
    const auto issues = issues_in(problem);
    return !issues.empty() && said == QString::fromStdString(issues.front().english()) ? said : "not an issue: " + said;
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
    void makes_no_table_unless_asked();
    void draws_orthogonal_directions();
    void draws_by_seed();
    void zero_rows_read_by_the_length_of_keys();
    void notes_what_is_unusual();
    void names_what_is_not_possible_data();
    void names_what_is_not_possible();
    void says_what_it_costs();
};

void PerformerTest::agrees_with_the_formula_data() {
    QTest::addColumn<QStringList>("masks");
    QTest::addColumn<bool>("per_query");
    QTest::addColumn<double>("fill");
    const auto row = [](const char* name, QStringList masks, bool per_query = false, double fill = -infinity) {
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
        }
}

void PerformerTest::stays_exact_beyond_the_range_of_doubles() {
    const Sizes n{1, 2, 1, 6, 6, 4, 3};
    auto problem = performer_problem(n, 16, 80.0);
    problem.spec.masks = {parse_mask("causal")};
    problem.tensors.at("key") = random_normal({1, 1, 6, 4}, 5, 0.0, 60.0);
    QCOMPARE(disagreement(problem, n, "sqrt_dk"), QString());
    const auto trace = run(problem);
    // The features themselves are 0 to double precision; what is made of them is not.
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
    // The first key is longer than all others: beside theirs its features are 0, but the first row reads no other.
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
    // The point of 64 features is the mean of the errors that the same settings give by themselves.
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
    // One key leaves nothing to approximate.
    auto single = dot_problem(1, 1, 1, 4, 1, 3, 2);
    single.spec.variant = "performer";
    QVERIFY(!curve_of(run(single)));
}

void PerformerTest::makes_no_table_unless_asked() {
    auto problem = dot_problem(1, 1, 1, 400, 300, 4, 2);
    problem.spec.variant = "performer";
    problem.spec.masks = {parse_mask("causal")};
    problem.spec.parameters.set("features", std::int64_t{16});
    const RunControl tight{.memory_limit = 400 * 300 * 8};
    QVERIFY(error_of([&] { run(problem, tight); }).startsWith("weights: would have shape (1, 1, 400, 300)"));
    const auto full = run(problem);
    problem.spec.parameters.set("weights", false);
    const auto lean = run(problem, tight);
    QCOMPARE(stage(lean, "output"), stage(full, "output"));
    QVERIFY(std::ranges::any_of(full.stages, has_cells));
    QVERIFY(std::ranges::none_of(lean.stages, has_cells));
    QVERIFY(!lean.find("exact_output") && std::isnan(measured(lean, "output_error")));
    QCOMPARE(measured(lean, "operations"), measured(full, "operations"));
    problem.spec.statistics = true;
    QCOMPARE(complaint(problem), QStringLiteral("performer: parameter weights is 'false', expected true where "
                                                "statistics of the weights are asked for"));
}

void PerformerTest::draws_orthogonal_directions() {
    const auto omega = orthogonal_directions(13, 5, 3, {});
    const auto rows = matrix_at(omega);
    const auto dot = [&](std::int64_t a, std::int64_t b) {
        double sum = 0.0;
        for (std::int64_t c = 0; c < 5; ++c)
            sum += rows(a, c) * rows(b, c);
        return sum;
    };
    for (std::int64_t a = 0; a < 13; ++a)
        for (std::int64_t b = 0; b < a; ++b)
            QCOMPARE(std::abs(dot(a, b)) < 1e-13, a / 5 == b / 5);
    // Lengths are those of normal vectors: the mean square is E, and no two are the same.
    const auto many = orthogonal_directions(6000, 5, 4, {});
    double squares = 0.0;
    for (const double x : many.values())
        squares += x * x;
    QVERIFY(close(squares / 6000.0, 5.0, 0.01));
    QVERIFY(std::abs(dot(0, 0) - dot(1, 1)) > 1e-6);
}

void PerformerTest::draws_by_seed() {
    const auto omega = orthogonal_directions(8, 3, 11, {});
    QCOMPARE(orthogonal_directions(8, 3, 11, {}), omega);
    QVERIFY(!(orthogonal_directions(8, 3, 12, {}) == omega));
    const auto fewer = orthogonal_directions(5, 3, 11, {});
    QVERIFY(std::ranges::equal(fewer.values(), omega.values().first(15)));
    // The first direction is the first three draws, its length that of the next three.
    Random random(11);
    std::vector<double> draws(6);
    std::ranges::generate(draws, [&] { return random.normal(); });
    const auto length = [&](std::size_t first) {
        return std::sqrt(draws[first] * draws[first] + draws[first + 1] * draws[first + 1] +
                         draws[first + 2] * draws[first + 2]);
    };
    for (std::int64_t c = 0; c < 3; ++c)
        QVERIFY(close(omega.at({0, c}), draws[static_cast<std::size_t>(c)] / length(0) * length(3), 1e-13));
    QVERIFY(close(omega.at({0, 0}), -0.751413785055025, 1e-12));
    auto problem = dot_problem(1, 1, 1, 4, 4, 3, 2);
    problem.spec.variant = "performer";
    problem.spec.parameters.set("features", std::int64_t{8});
    problem.spec.parameters.set("seed", std::int64_t{11});
    const auto drawn = run(problem);
    problem.tensors.emplace("performer_omega", omega);
    const auto given = run(problem);
    QCOMPARE(stage(given, "output"), stage(drawn, "output"));
    QVERIFY(has_note(given, "performer_omega is given, with 8 features") && !has_note(drawn, "performer_omega"));
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

void PerformerTest::notes_what_is_unusual() {
    auto problem = performer_problem({1, 2, 1, 3, 4, 2, 2}, 8);
    problem.spec.masks = {parse_mask("causal"), parse_mask("key_padding")};
    problem.tensors.emplace("key_padding_mask", Tensor({1, 4}, {1, 0, 0, 1}, DType::Bool));
    const auto trace = run(problem);
    QVERIFY(has_note(trace, "Rows with every key blocked: 2 (first: 0)"));
    QCOMPARE(stage(trace, "output").at({0, 1, 0, 1}), 0.0);
    QVERIFY(!has_note(trace, "mask fill -"));
    problem.spec.mask_fill.value = -1e9;
    QVERIFY(has_note(run(problem), "the mask fill -1e+09 counts in the exact weights only"));
    problem.spec.masks.clear();
    problem.tensors.at("query").set({0, 0, 1, 0}, not_a_number);
    const auto broken = run(problem);
    QVERIFY(has_note(broken, "query holds values that are NaN or infinite: 1"));
    QVERIFY(has_note(broken, "Rows whose output is NaN: 1 (first: 1)"));
    auto none = dot_problem(1, 1, 1, 2, 0, 3, 2);
    none.spec.variant = "performer";
    QVERIFY(has_note(run(none), "There are no keys"));
    QCOMPARE(stage(run(none), "output"), Tensor({1, 1, 2, 2}));
}

void PerformerTest::names_what_is_not_possible_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* what, const char* value, const char* message) {
        QTest::addRow("%s %s", what, value) << what << value << message;
    };
    for (const auto* mask : {"window", "attn_mask", "attn_bias", "painted"})
        QTest::addRow("%s", mask) << "mask" << mask
                                  << QStringLiteral(
                                         "performer: mask %1 is not possible: The sums over keys grow key by "
                                         "key, so a row can read its first keys without those that no row "
                                         "reads, but no other choice of keys.")
                                         .arg(QLatin1String(mask));
    row("scale", "score_norm",
        "performer: scale score_norm is not possible: The features hold the root of one factor for all scores, which "
        "this scale does not have.");
    row("scale", "custom:0",
        "scale: parameter c is '0', expected a number above 0: its root goes into the features of performer");
    row("scale", "custom:-0.31",
        "scale: parameter c is '-0.31', expected a number above 0: its root goes into the features of performer");
    row("after", "", "performer: scale after the softmax is not possible: The scale is part of the features.");
    row("position", "rope",
        "performer: position is not possible: The features are of queries and keys as they are given.");
    row("features", "0", "performer: parameter features is '0', expected an integer in [1, 65536]");
    row("features", "65537", "performer: parameter features is '65537', expected an integer in [1, 65536]");
    row("seed", "-1", "performer: parameter seed is '-1', expected an integer in [0, 1e+09]");
    row("omega", "8 4", "performer_omega: has shape (8, 4), expected (m, E) with E = 3 as in query, no size 0");
    row("omega", "0 3", "performer_omega: has shape (0, 3), expected (m, E) with E = 3 as in query, no size 0");
}

void PerformerTest::names_what_is_not_possible() {
    QFETCH(QString, what);
    QFETCH(QString, value);
    QFETCH(QString, message);
    auto problem = dot_problem(2, 4, 2, 5, 7, 3, 5);
    problem.spec.variant = "performer";
    if (what == "mask")
        problem.spec.masks = {{value.toStdString(), {}}};
    else if (what == "scale")
        problem.spec.scale = parse_scale(value.toStdString());
    else if (what == "after")
        problem.spec.scale_after_softmax = true;
    else if (what == "position")
        problem.spec.position.id = value.toStdString();
    else if (what == "omega")
        problem.tensors.emplace("performer_omega",
                                Tensor({value.section(' ', 0, 0).toInt(), value.section(' ', 1).toInt()}));
    else
        problem.spec.parameters.set(what.toStdString(), std::int64_t{value.toInt()});
    QCOMPARE(complaint(problem), message);
}

void PerformerTest::says_what_it_costs() {
    auto problem = performer_problem({1, 2, 1, 10, 20, 3, 5}, 8);
    const auto trace = run(problem);
    const double rows = 2.0 * 10.0, keys = 20.0;
    QCOMPARE(measured(trace, "operations"), (rows + keys) * 8.0 * 9.0 + keys * 8.0 * 11.0 + rows * (8.0 * 12.0 + 5.0));
    QCOMPARE(measured(trace, "bytes"), 4.0 * ((rows + keys) * 8.0 + 8.0 * 6.0));
}

QTEST_GUILESS_MAIN(PerformerTest)
#include "test_performer.moc"
