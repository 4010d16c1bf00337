// One head of a problem alone gives the numbers that it has among the others.
#include "core/attention.h"
#include "core/backend.h"
#include "core/edit/resize.h"
#include "core/inputs.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>

using namespace attnlab;

namespace {

Tensor drawn(Shape shape, unsigned seed) {
    Tensor tensor(std::move(shape));
    for (auto& number : tensor.mutable_values()) {
        seed = seed * 1664525U + 1013904223U;
        number = static_cast<double>(seed >> 8) / 8388608.0 - 1.0;
    }
    return tensor;
}

/// Two batch entries, four heads, two heads of keys and values.
AttentionProblem problem() {
    AttentionProblem made;
    made.tensors = {
        {"query", drawn({2, 4, 5, 3}, 1)}, {"key", drawn({2, 2, 6, 3}, 2)}, {"value", drawn({2, 2, 6, 2}, 3)}};
    return made;
}

constexpr std::int64_t any = 1 << 20;

Trace traceOf(const AttentionProblem& problem) {
    const Backend* backends[] = {&reference_backend()};
    return compute(problem, backends).trace;
}

} // namespace

class TestOnlyHead : public QObject {
    Q_OBJECT

private slots:
    void numbersAreTheSame_data() {
        QTest::addColumn<QString>("mask");
        for (const char* mask : {"", "causal", "attn_bias"})
            QTest::addRow("%s", mask) << QString(mask);
    }
    void numbersAreTheSame() {
        QFETCH(QString, mask);
        auto whole = problem();
        if (mask == "causal")
            whole.spec.masks.push_back({"causal", {}});
        if (mask == "attn_bias")
            whole.tensors["attn_bias"] = drawn({2, 4, 5, 6}, 4);
        if (mask == "attn_bias")
            whole.spec.masks.push_back({"attn_bias", {}});
        const auto all = traceOf(whole);
        for (std::int64_t batch = 0; batch < 2; ++batch)
            for (std::int64_t head = 0; head < 4; ++head) {
                const auto part = only_head(whole, batch, head, any);
                QVERIFY(part);
                const auto one = traceOf(*part);
                for (const char* stage : {"weights", "output"}) {
                    const auto& in_all = all.find(stage)->value;
                    const auto& alone = one.find(stage)->value;
                    const auto cells = in_all.dim(-1) * in_all.dim(-2);
                    QCOMPARE(alone.size(), cells);
                    for (std::int64_t i = 0; i < cells; ++i)
                        QCOMPARE(alone.data()[i], in_all.data()[(batch * 4 + head) * cells + i]);
                }
            }
    }

    void whatDependsOnTheNumberOfAHeadIsKeptWhole() {
        auto alibi = problem();
        alibi.spec.position.id = "alibi";
        QVERIFY(!only_head(alibi, 0, 1, any));
        auto expression = problem();
        expression.spec.score_mod = "score - h";
        QVERIFY(!only_head(expression, 0, 1, any));
        QVERIFY(!only_head(problem(), 0, 1, 10)); // more numbers
        AttentionProblem projected;
        projected.spec.variant = "multi_head";
        complete_inputs(projected, 1);
        QVERIFY(!only_head(projected, 0, 0, any));
    }
};

ATTNLAB_TEST(TestOnlyHead)
#include "test_only_head.moc"
