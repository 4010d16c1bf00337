#include "core/random.h"
#include "core/statistics.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class RandomTest : public QObject {
    Q_OBJECT
private slots:
    void starts_with_known_numbers();
    void repeats_for_a_seed();
    void has_the_moments_it_says();
    void stays_within_its_range();
};

void RandomTest::starts_with_known_numbers() {
    // 14514284786278117030 and 4620546740167642908 are the first numbers of std::mt19937_64 for its default seed, 5489.
    Random uniform(5489);
    QCOMPARE(uniform.uniform(), static_cast<double>(14514284786278117030u >> 11) / 0x1p53);
    QCOMPARE(uniform.uniform(), static_cast<double>(4620546740167642908u >> 11) / 0x1p53);
    // To a few units in the last place: log depends on the platform.
    const Tensor expected({3}, {-0.039399956754155314, -0.38683176162103955, -0.24894784633514516});
    QCOMPARE(difference(random_normal({3}, 1), expected, 1e-15), QString());
}

void RandomTest::repeats_for_a_seed() {
    QCOMPARE(random_normal({2, 5}, 42), random_normal({2, 5}, 42));
    QVERIFY(!(random_normal({2, 5}, 42) == random_normal({2, 5}, 43)));
    // A longer array starts like the shorter one: numbers are drawn in row-major order.
    QVERIFY(std::ranges::equal(random_normal({4, 5}, 42).values().first(10), random_normal({2, 5}, 42).values()));
}

void RandomTest::has_the_moments_it_says() {
    constexpr std::int64_t n = 200000;
    const auto normal = moments(random_normal({n}, 5, -2.0, 3.0).values());
    // Five standard deviations of the estimates: 3 / sqrt(n) and 9 sqrt(2 / n).
    QVERIFY(std::abs(normal.mean + 2.0) < 5.0 * 3.0 / std::sqrt(n));
    QVERIFY(std::abs(normal.variance - 9.0) < 5.0 * 9.0 * std::sqrt(2.0 / n));
    double fourth = 0.0;
    const auto standard = random_normal({n}, 6);
    for (const double value : standard.values())
        fourth += std::pow(value, 4) / n;
    QVERIFY(std::abs(fourth - 3.0) < 5.0 * std::sqrt(96.0 / n));
    const auto uniform = moments(random_uniform({n}, 7, 1.0, 3.0).values());
    QVERIFY(std::abs(uniform.mean - 2.0) < 5.0 * std::sqrt(1.0 / 3.0 / n));
    QVERIFY(std::abs(uniform.variance - 1.0 / 3.0) < 0.01);
}

void RandomTest::stays_within_its_range() {
    const auto draws = random_uniform({10000}, 8, -1.0, 0.5);
    for (const double value : draws.values())
        QVERIFY(value >= -1.0 && value < 0.5);
}

ATTNLAB_TEST(RandomTest)
#include "test_random.moc"
