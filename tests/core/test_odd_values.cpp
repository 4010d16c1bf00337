// NaN and infinity in values: they affect exactly the rows that read them, for any tiles.
#include "core/lab/in_float32.h"
#include "core/stages/scale.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

constexpr double tolerance = 5e-6;

/// 0 times NaN is NaN, so a key that is read shows however small its weight is.
struct Case {
    const char* name;
    void (*apply)(AttentionProblem&, const Sizes&);
};

void set_value(AttentionProblem& problem, std::int64_t key, std::int64_t column, double number) {
    auto& value = problem.tensors["value"];
    for (std::int64_t b = 0; b < value.dim(0); ++b)
        value.set({b, value.dim(1) - 1, key, column}, number);
}

const Case odd_cases[] = {
    {"NaN at the last key", [](AttentionProblem& p, const Sizes& s) { set_value(p, s.S - 1, 0, not_a_number); }},
    {"NaN at the first key", [](AttentionProblem& p, const Sizes& s) { set_value(p, 0, s.Ev - 1, not_a_number); }},
    {"infinite", [](AttentionProblem& p, const Sizes& s) { set_value(p, s.S / 2, 0, infinity); }},
    {"infinities of both signs",
     [](AttentionProblem& p, const Sizes& s) {
         set_value(p, s.S / 3, 0, infinity);
         set_value(p, s.S / 2, 0, -infinity);
         set_value(p, s.S / 2, s.Ev - 1, -infinity);
     }},
    {"infinite, with weights beyond float32",
     [](AttentionProblem& p, const Sizes& s) {
         set_value(p, s.S / 2, 0, infinity);
         set_value(p, s.S - 1, s.Ev - 1, -infinity);
         p.spec.scale = parse_scale("custom:40");
     }},
    {"every value NaN",
     [](AttentionProblem& p, const Sizes&) { p.tensors["value"] = Tensor(p.tensors["value"].shape(), not_a_number); }},
    {"NaN, and a key that is infinite",
     [](AttentionProblem& p, const Sizes& s) {
         set_value(p, s.S - 1, 0, not_a_number);
         p.tensors["key"].set({0, 0, s.S - 1, 0}, infinity);
     }},
};

const Sizes odd_sizes[] = {{1, 2, 1, 40, 300, 8, 5}, {2, 2, 2, 3, 1100, 5, 2}, {1, 1, 1, 1, 700, 3, 1}};

QString kinds_of(const Tensor& tensor) {
    QString kinds;
    for (const double value : tensor.values())
        kinds += std::isnan(value) ? 'n' : std::isinf(value) ? (value > 0 ? '+' : '-') : '.';
    return kinds;
}

} // namespace

class TestOddValues : public QObject {
    Q_OBJECT
private slots:
    void agreeWithTheReference_data() {
        QTest::addColumn<int>("odd");
        QTest::addColumn<int>("mask");
        QTest::addColumn<int>("size");
        for (int odd = 0; odd < static_cast<int>(std::size(odd_cases)); ++odd)
            for (int mask = 0; mask < static_cast<int>(std::size(mask_cases)); ++mask)
                for (int size = 0; size < static_cast<int>(std::size(odd_sizes)); ++size)
                    QTest::addRow("%s, %s, %s", odd_cases[odd].name, mask_cases[mask].name,
                                  qPrintable(text_of(odd_sizes[size])))
                        << odd << mask << size;
    }
    void agreeWithTheReference() {
        QFETCH(int, odd);
        QFETCH(int, mask);
        QFETCH(int, size);
        const auto& s = odd_sizes[size];
        auto problem = flash_problem(s.B, s.H, s.Hkv, s.L, s.S, s.E, s.Ev);
        mask_cases[mask].apply(problem, s);
        odd_cases[odd].apply(problem, s);
        const double within = problem.spec.scale.id.empty() ? tolerance : 3e-4; // scores of 100
        compare_numbers(problem, [&](double got, double expected) { return close(got, expected, within); });
    }

    /// With scores of 1e12, and fills outside the range of float32, a float32 lse does not separate zero weights from
    /// others.
    void infinityIsReadByRowsFarFrom0_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<double>("fill");
        QTest::newRow("scores of 1e12") << 1e12 << -infinity;
        QTest::newRow("fill of -1e300") << 1.0 << -1e300;
    }
    void infinityIsReadByRowsFarFrom0() {
        QFETCH(double, scale);
        QFETCH(double, fill);
        auto problem = flash_problem(1, 1, 1, 200, 20, 16, 2);
        problem.spec.scale = parse_scale("custom:" + to_text(scale));
        if (std::isfinite(fill)) {
            add_mask(problem, "valid_lens"); // there are none: every weight is equal
            problem.tensors["valid_lens"] = Tensor({1}, 0.0);
            problem.spec.mask_fill.value = fill;
        }
        problem.tensors["value"].set({0, 0, 3, 1}, infinity);
        const auto expected = kinds_of(stage(run(problem), "output"));
        QVERIFY(expected.contains('+'));
        QCOMPARE(kinds_of(stage(cpu_backend().run(problem, {}), "output")), expected);
    }

    /// Keys in the same tile as those read.
    void aKeyThatIsNotReadComesToNoRow() {
        for (const std::int64_t S : {200, 8200}) {
            auto problem = flash_problem(1, 1, 1, S, S, 2, 2);
            add_mask(problem, "causal");
            problem.tensors["value"].set({0, 0, S - 2, 1}, not_a_number);
            const auto trace = S < 1000 ? run(problem) : cpu_backend().run(problem, {});
            const auto& output = stage(trace, "output");
            for (std::int64_t i = 0; i < S; ++i) {
                QVERIFY(std::isfinite(output.at({0, 0, i, 0})));
                QCOMPARE(std::isnan(output.at({0, 0, i, 1})), i >= S - 2);
            }
            QVERIFY(has_note(trace, "value holds values that are NaN or infinite: 1 (first at (0, 0, " +
                                        std::to_string(S - 2) + ", 1))"));
            QVERIFY(
                has_note(trace, "Rows whose output is NaN or infinite, though their weights are numbers: 2 (first: " +
                                    std::to_string(S - 2) + ")"));
        }
    }

    void tilesDoNotMatter() {
        auto problem = flash_problem(1, 1, 1, 24, 24, 3, 4);
        add_mask(problem, "causal");
        problem.tensors["value"].set({0, 0, 10, 2}, not_a_number);
        problem.tensors["value"].set({0, 0, 20, 0}, infinity);
        const auto expected = kinds_of(stage(run(problem), "output"));
        problem.spec.variant = "flash";
        for (const std::int64_t block : {1, 3, 4, 8, 24, 100}) {
            problem.spec.parameters.set("block_q", block);
            problem.spec.parameters.set("block_k", block);
            QCOMPARE(kinds_of(stage(run(problem), "output")), expected);
        }
        problem.spec.variant = "scaled_dot_product";
        problem.spec.parameters = {};
        QCOMPARE(kinds_of(stage(lab::in_float32(run(problem), problem.spec), "output")), expected);
    }

    /// Scores that rise by 400 from key to key: rescaled once, the weight of the first is not 0 yet.
    void rescalingMakesNoInfinityOfAWeightOf0() {
        auto problem = flash_problem(1, 1, 1, 2, 4, 1, 2);
        problem.tensors["query"] = Tensor({1, 1, 2, 1}, {400.0, 100.0});
        problem.tensors["key"] = Tensor({1, 1, 4, 1}, {0.0, 1.0, 2.0, 3.0});
        problem.spec.scale = parse_scale("none");
        problem.tensors["value"].set({0, 0, 0, 1}, infinity);
        QCOMPARE(kinds_of(stage(run(problem), "output")), QStringLiteral(".n.+"));
        problem.spec.variant = "flash";
        for (const std::int64_t block : {1, 2, 4}) {
            problem.spec.parameters.set("block_k", block);
            QCOMPARE(kinds_of(stage(run(problem), "output")), QStringLiteral(".n.+"));
        }
    }

    void rowsThatReadNothingAre0() {
        auto problem = flash_problem(1, 1, 1, 3, 4, 2, 2);
        add_mask(problem, "valid_lens");
        problem.tensors["valid_lens"] = Tensor({1}, 0.0);
        problem.tensors["value"].set({0, 0, 0, 0}, not_a_number);
        for (const auto& trace : {run(problem), cpu_backend().run(problem, {})}) {
            for (const double value : stage(trace, "output").values())
                QCOMPARE(value, 0.0);
            QVERIFY(has_note(trace, "Rows with every key blocked: 3 (first: 0). Their weights and output are 0"));
        }
    }

    /// With a finite fill, blocked keys have a weight, even if it is 0.
    void aFiniteFillReads() {
        auto problem = flash_problem(1, 1, 1, 3, 4, 2, 2);
        add_mask(problem, "causal");
        problem.spec.mask_fill.value = -1e9;
        problem.tensors["value"].set({0, 0, 3, 0}, not_a_number);
        for (const auto& trace : {run(problem), cpu_backend().run(problem, {})})
            for (std::int64_t i = 0; i < 3; ++i) {
                QVERIFY(std::isnan(stage(trace, "output").at({0, 0, i, 0})));
                QVERIFY(std::isfinite(stage(trace, "output").at({0, 0, i, 1})));
            }
    }

    void notesNameTheTensorAndAreTrue() {
        auto problem = flash_problem(1, 1, 1, 2, 3, 1, 2);
        problem.tensors["query"] = Tensor({1, 1, 2, 1}, {1.0, -1.0});
        problem.tensors["key"] = Tensor({1, 1, 3, 1}, infinity);
        for (const auto& trace : {run(problem), cpu_backend().run(problem, {})}) {
            QVERIFY(has_note(trace, "key holds values that are NaN or infinite: 3 (first at (0, 0, 0, 0))"));
            QVERIFY(has_note(trace, "Rows whose weights are NaN: 1 (first: 0)"));
            QVERIFY(!has_note(trace, "every key blocked"));
            QVERIFY(has_note(trace, "Rows that read no key: 1 (first: 1). Each key is blocked or has a score of -inf"));
        }
    }

    /// A score of -inf has the weight 0; one of +inf makes its row NaN. docs/command-line.md says so.
    void infiniteKeys() {
        for (const auto* backend : {&reference_backend(), &cpu_backend()})
            for (const double key : {-infinity, infinity}) {
                AttentionProblem problem;
                problem.tensors = {{"query", Tensor({1, 1}, 1.0)},
                                   {"key", Tensor({3, 1}, {key, 0.0, 0.0})},
                                   {"value", Tensor({3, 1}, {8.0, 1.0, 3.0})}};
                const double output = backend->run(problem, {}).find("output")->value.value(0);
                QVERIFY2(key < 0 ? std::abs(output - 2.0) < 1e-6 : std::isnan(output), backend->id().data());
            }
    }
};

ATTNLAB_TEST(TestOddValues)
#include "test_odd_values.moc"
