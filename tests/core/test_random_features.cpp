#include "core/inputs.h"
#include "core/random.h"
#include "core/resolved_problem.h"
#include "core/stages/random_features.h"
#include "tests/core/approximation_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>
#include <stdexcept>

using namespace attnlab;
using namespace attnlab::test;

/// The directions of Performer's features.
class RandomFeaturesTest : public QObject {
    Q_OBJECT
private slots:
    void draws_orthogonal_directions();
    void draws_by_seed();
    void kernel_is_the_exponential_on_average();
    void first_keys_are_those_of_the_rule_data();
    void first_keys_are_those_of_the_rule();
};

void RandomFeaturesTest::draws_orthogonal_directions() {
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
    // Lengths are those of normal vectors: the mean square is E, and no two are equal.
    const auto many = orthogonal_directions(6000, 5, 4, {});
    double squares = 0.0;
    for (const double x : many.values())
        squares += x * x;
    QVERIFY(close(squares / 6000.0, 5.0, 0.01));
    QVERIFY(std::abs(dot(0, 0) - dot(1, 1)) > 1e-6);
}

void RandomFeaturesTest::draws_by_seed() {
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

void RandomFeaturesTest::kernel_is_the_exponential_on_average() {
    const Tensor query({1, 1, 1, 3}, {0.5, -0.3, 0.8}), key({1, 1, 1, 3}, {0.2, 0.4, 0.7});
    constexpr double scale = 0.8, product = 0.5 * 0.2 - 0.3 * 0.4 + 0.8 * 0.7;
    const auto omega = orthogonal_directions(60000, 3, 2, {});
    const auto q = features_of(log_features(query, omega, scale, {}));
    const auto k = features_of(log_features(key, omega, scale, {}));
    double kernel = 0.0;
    for (std::size_t f = 0; f < 60000; ++f)
        kernel += q.values()[f] * k.values()[f];
    QVERIFY2(close(kernel, std::exp(scale * product), 0.01), qPrintable(QString::number(kernel)));
    // The first features are those of the first directions.
    const auto few =
        log_features(query, Tensor({5, 3}, {omega.values().begin(), omega.values().begin() + 15}), scale, {});
    QCOMPARE(first_features(log_features(query, omega, scale, {}), 5), few);
}

void RandomFeaturesTest::first_keys_are_those_of_the_rule_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("offset");
    for (const auto& kind : mask_kinds())
        for (const int offset : {0, 2, -2})
            QTest::addRow("%s %d", std::string(kind.id).c_str(), offset)
                << QString::fromStdString(std::string(kind.id)) << offset;
    QTest::newRow("bottom right") << "causal:bottom_right" << 0;
    QTest::newRow("no prefix") << "prefix:0" << -2;
}

/// Every row of the table whose kind keeps first keys, over its own blocked cells; other kinds are refused.
void RandomFeaturesTest::first_keys_are_those_of_the_rule() {
    QFETCH(QString, mask);
    QFETCH(int, offset);
    AttentionProblem problem;
    problem.spec.masks = {parse_mask(mask.toStdString())};
    if (offset != 0)
        problem.spec.query_offset = offset;
    complete_inputs(problem, 5);
    const auto& kind = mask_kind(problem.spec.masks.front().id);
    const auto has_array = kind.read != nullptr;
    if (has_array && !kind.adds) {
        Random random(7);
        for (double& value : problem.tensors.find(array_of(kind).name)->second.mutable_values())
            value = array_of(kind).dtype == DType::Bool ? double(random.uniform() < 0.4)
                                                        : std::floor(value * random.uniform());
    }
    const auto resolved = resolve(problem);
    if (!kind.keeps_first_keys) {
        QVERIFY_THROWS_EXCEPTION(std::logic_error, first_keys(resolved));
        return;
    }
    const auto blocked = blocked_cells(resolved);
    const auto keys = first_keys(resolved);
    const auto c = mask_context(resolved.sizes);
    QVERIFY(c.B > 0 && c.L > 1 && c.S > 1);
    for (std::int64_t b = 0; b < c.B; ++b)
        for (std::int64_t h = 0; h < c.H; ++h)
            for (std::int64_t i = 0; i < c.L; ++i)
                for (std::int64_t j = 0; j < c.S; ++j) {
                    const bool kept = j < keys.count[static_cast<std::size_t>(b * c.L + i)] &&
                                      !keys.dropped[static_cast<std::size_t>(b * c.S + j)];
                    QCOMPARE(kept, blocked.at({b, h, i, j}) == 0.0);
                }
}

ATTNLAB_TEST(RandomFeaturesTest)
#include "test_random_features.moc"
