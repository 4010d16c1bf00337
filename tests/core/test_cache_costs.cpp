// What caches cost, against the formulas of the papers in other words.
#include "core/lab/cache_costs.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::lab;

class CacheCostsTest : public QObject {
    Q_OBJECT
private slots:
    void numbers_of_a_token_data() {
        QTest::addColumn<int>("sharing");
        QTest::addColumn<double>("numbers");
        QTest::newRow("multi-head") << static_cast<int>(CacheSharing::MultiHead) << 2.0 * 128 * 128;
        QTest::newRow("grouped") << static_cast<int>(CacheSharing::Grouped) << 2.0 * 8 * 128;
        QTest::newRow("multi-query") << static_cast<int>(CacheSharing::MultiQuery) << 2.0 * 128;
        QTest::newRow("latent") << static_cast<int>(CacheSharing::Latent) << 4.5 * 128; // DeepSeek-V2, table 1
    }
    void numbers_of_a_token() {
        QFETCH(int, sharing);
        QFETCH(double, numbers);
        const CacheModel model{
            .layers = 60, .num_heads = 128, .head_dim = 128, .groups = 8, .latent = 512, .rotated = 64};
        const auto kind = static_cast<CacheSharing>(sharing);
        QCOMPARE(cache_cost(model, kind, "numbers_per_token"), numbers);
        QCOMPARE(cache_cost(model, kind, "bytes_per_token"), numbers * 60 * 2);
        QCOMPARE(cache_cost(model, kind, "kv_heads"), numbers / 256);
    }

    void a_step() {
        const CacheModel model{.layers = 2,
                               .num_heads = 4,
                               .head_dim = 8,
                               .groups = 2,
                               .latent = 6,
                               .rotated = 3,
                               .parameters = 50,
                               .bytes = 4,
                               .context = 10,
                               .readers = 3};
        const auto cost = [&](CacheSharing sharing, const char* name) { return cache_cost(model, sharing, name); };
        // Two groups of two heads: 2 layers, 3 readers, 10 tokens, 2 keys and 2 values of 8 numbers, 4 bytes each.
        QCOMPARE(cost(CacheSharing::Grouped, "cache_bytes"), 2.0 * 3 * 10 * 4 * 8 * 4);
        QCOMPARE(cost(CacheSharing::Grouped, "weight_bytes"), 200.0);
        QCOMPARE(cost(CacheSharing::Grouped, "read_bytes"), 2.0 * 3 * 10 * 4 * 8 * 4 + 200.0);
        // For each head and token 8 products and sums for the score and as many for the mean.
        const double attention = 2.0 * 3 * 10 * 4 * (8 + 8) * 2;
        for (const auto sharing : {CacheSharing::MultiHead, CacheSharing::Grouped, CacheSharing::MultiQuery})
            QCOMPARE(cost(sharing, "attention_operations"), attention);
        QCOMPARE(cost(CacheSharing::Latent, "attention_operations"), 2.0 * 3 * 10 * 4 * ((6 + 3) + 6) * 2);
        QCOMPARE(cost(CacheSharing::Grouped, "operations"), attention + 2.0 * 50 * 3);
        QCOMPARE(cost(CacheSharing::Grouped, "attention_intensity"), attention / (2.0 * 3 * 10 * 4 * 8 * 4));
    }

    void equal_at_the_ends_of_the_groups() {
        CacheModel model;
        for (const auto name : cache_cost_ids()) {
            model.groups = model.num_heads;
            QCOMPARE(cache_cost(model, CacheSharing::Grouped, name), cache_cost(model, CacheSharing::MultiHead, name));
            model.groups = 1;
            QCOMPARE(cache_cost(model, CacheSharing::Grouped, name), cache_cost(model, CacheSharing::MultiQuery, name));
        }
        const std::vector<std::int64_t> divisors = {1, 2, 3, 4, 6, 12};
        QVERIFY(group_choices(CacheModel{.num_heads = 12, .groups = 4}) == divisors);
    }

    void refuses() {
        const auto refusal = [](const CacheModel& model) -> QString {
            try {
                check(model);
            } catch (const Error& error) {
                return error.what();
            }
            return {};
        };
        QVERIFY(refusal({}).isEmpty());
        QVERIFY(refusal({.num_heads = 12, .groups = 8}).contains("8 groups do not divide 12 heads"));
        QVERIFY(refusal({.layers = 0}).contains("'layers' of a cache is 0"));
        QVERIFY(refusal({.readers = 5000}).contains("'readers' of a cache is 5000"));
        QVERIFY_THROWS_EXCEPTION(Error, cache_cost({}, CacheSharing::Latent, "speed"));
    }
};

ATTNLAB_TEST(CacheCostsTest)
#include "test_cache_costs.moc"
