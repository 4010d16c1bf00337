// Explanations of given, rounded, narrow or non-finite numbers, and single numbers of stages.
#include "core/explain/trace_numbers.h"
#include "core/lab/in_float32.h"
#include "core/map/row_problem.h"
#include "core/rounding.h"
#include "core/stages/exact.h"
#include "tests/core/explain_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

Stage& changed(Trace& trace, const char* name) { return *std::ranges::find(trace.stages, name, &Stage::name); }

AttentionProblem masked_problem(const MaskFill& fill = {}) {
    auto problem = dot_problem(1, 2, 1, 5, 5, 4, 3);
    problem.spec.masks = {{"causal", {}}};
    problem.spec.mask_fill = fill;
    return problem;
}

/// The row with one more exponential in the denominator, as added by a learned sink.
Trace with_sink(Trace trace, double sink) {
    auto &weights = changed(trace, "weights").value, &lse = changed(trace, "lse").value;
    const auto S = weights.dim(-1);
    for (std::int64_t row = 0; row < lse.size(); ++row) {
        const double before = lse.value(row), after = std::log(std::exp(before) + std::exp(sink));
        lse.mutable_values()[static_cast<std::size_t>(row)] = after;
        for (std::int64_t key = 0; key < S; ++key)
            weights.mutable_values()[static_cast<std::size_t>(row * S + key)] *= std::exp(before - after);
    }
    changed(trace, "output").value = mix_values(weights, trace.find("value")->value, {});
    return trace;
}

} // namespace

class TestExplainNumbers : public QObject {
    Q_OBJECT

private slots:
    void aSinkTakesItsShare() {
        const auto plain = run(masked_problem());
        const Row before(plain, {"", 0, 1}, 3);
        QCOMPARE(before.sum_beyond_keys(), 0.0);
        const auto trace = with_sink(plain, 0.7);
        const Row row(trace, {"", 0, 1}, 3);
        QVERIFY(close(row.sum_beyond_keys(), std::exp(0.7 - row.maximum()), 1e-13));
        QVERIFY(close(row.row_sum(), before.row_sum() + row.sum_beyond_keys(), 1e-13));
        QVERIFY(!row.line(Operation::Weights)); // exp / sum is the weight; the sum is the trace's
        QVERIFY(!row.is_distribution() && row.is_mixed());
        QVERIFY2(wrong_in(trace).isEmpty(), qPrintable(wrong_in(trace)));
    }

    void whatNothingRecordedWasAddedAllTheSame() {
        auto problem = masked_problem();
        problem.spec.masks.push_back({"attn_bias", {}});
        problem.tensors["attn_bias"] = random_normal({5, 5}, 9);
        auto trace = run(problem);
        trace.passes.clear();
        const Row row(trace, {}, 3);
        QVERIFY(row.line(Operation::Bias) && row.line(Operation::Mask));
        for (std::int64_t key = 0; key < 5; ++key) {
            const double bias = key > 3 ? 0.0 : problem.tensors["attn_bias"].at({3, key});
            QVERIFY(close(row.added(Operation::Bias, key), bias, 1e-14));
        }
        QVERIFY(row.terms(0).empty() && !row.has_products());
        // A mask alone is not a bias.
        auto plain = run(masked_problem());
        plain.passes.clear();
        QVERIFY(!Row(plain, {}, 3).line(Operation::Bias));
    }

    void weightsAlone_data() {
        QTest::addColumn<DType>("type");
        QTest::addColumn<double>("off");
        QTest::addColumn<bool>("sums_to_one");
        QTest::newRow("float64") << DType::Float64 << 0.0 << true;
        QTest::newRow("float64, too much") << DType::Float64 << 1e-9 << false;
        QTest::newRow("float32") << DType::Float32 << 3e-7 << true;
        QTest::newRow("float32, too much") << DType::Float32 << 1e-3 << false;
        QTest::newRow("float16") << DType::Float16 << 5e-4 << true;
        QTest::newRow("float16, too much") << DType::Float16 << 5e-3 << false;
    }
    void weightsAlone() {
        QFETCH(DType, type);
        QFETCH(double, off);
        QFETCH(bool, sums_to_one);
        AttentionProblem problem;
        problem.spec.variant = "given_weights";
        problem.tensors["weights"] =
            Tensor({1, 2, 1, 4}, {0.5, 0.25, 0.125, 0.125, 0.25, 0.25, 0.25, 0.25 + off}, type);
        const auto trace = run(problem);
        QVERIFY2(wrong_in(trace).isEmpty(), qPrintable(wrong_in(trace)));
        const Row row(trace, {"", 0, 1}, 0);
        QCOMPARE(row.lines().size(), std::size_t{1});
        QVERIFY(row.line(Operation::Weights)->stage == trace.find("weights"));
        QCOMPARE(row.value(Operation::Weights, 3), 0.25 + off);
        QVERIFY(std::isnan(row.value(Operation::Score, 0)) && std::isnan(row.output(0, row.keys())));
        QCOMPARE(row.is_distribution(), sums_to_one);
        QVERIFY(!row.scores_stage() && !row.output_stage() && row.features() == 0 && !row.is_mixed());
        QVERIFY(!row.is_fully_masked() && !row.has_row_sum() && row.terms(0).empty());
        QVERIFY(!explain::is_whole(trace, {}));
    }

    /// Given weights with the scores of their softmax, and an output.
    void weightsWithScoresOrValues() {
        const auto whole = run(masked_problem());
        Trace trace;
        for (const char* name : {"value", "masked", "weights", "lse", "output"})
            trace.stages.push_back(*whole.find(name));
        changed(trace, "masked").name = "scores";
        const Row row(trace, {"", 0, 1}, 2);
        const auto& lines = row.lines();
        QCOMPARE(lines.size(), std::size_t{4});
        QVERIFY(lines[0].operation == Operation::Score && lines[3].operation == Operation::Divide);
        QVERIFY(lines[3].stage && row.is_mixed());
        QCOMPARE(row.value(Operation::Divide, 1), whole.find("weights")->value.at({0, 1, 2, 1}));
        std::erase_if(trace.stages, [](const Stage& stage) { return stage.name == "scores"; });
        const Row without(trace, {"", 0, 1}, 2);
        QCOMPARE(without.lines().size(), std::size_t{1});
        QVERIFY(without.is_mixed());
        QCOMPARE(without.output(2, 5), whole.find("output")->value.at({0, 1, 2, 2}));
        changed(trace, "output").value.set({0, 1, 2, 2}, 7.0);
        QVERIFY(!Row(trace, {"", 0, 1}, 2).is_mixed());
        QVERIFY(Row(trace, {"", 0, 1}, 2).is_mix(*trace.find("output"), 1));
    }

    void float32_data() {
        QTest::addColumn<double>("fill");
        QTest::addColumn<bool>("added");
        for (const double fill : {-infinity, -1e9, -3.0})
            for (const bool added : {false, true})
                QTest::addRow("%g %d", fill, added) << fill << added;
    }
    void float32() {
        QFETCH(double, fill);
        QFETCH(bool, added);
        const auto problem = masked_problem({fill, added ? MaskFill::Mode::Add : MaskFill::Mode::Replace});
        const auto trace = lab::in_float32(run(problem), problem.spec);
        for (std::int64_t query = 0; query < 5; ++query) {
            const Row row(trace, {"", 0, 1}, query);
            QVERIFY(!row.line(Operation::Weights) && !row.line(Operation::Bias) && row.is_mixed());
            QCOMPARE(row.sum_beyond_keys(), 0.0);
            for (std::int64_t key = 0; key < 5; ++key) {
                QCOMPARE(row.value(Operation::Divide, key), trace.find("weights")->value.at({0, 1, query, key}));
                QCOMPARE(row.value(Operation::Mask, key), trace.find("masked")->value.at({0, 1, query, key}));
            }
        }
    }

    /// Rounded weights get a line of their own, and the output is made of them.
    void roundedNumbers_data() {
        QTest::addColumn<QString>("where");
        for (const char* where : {"inputs", "scores", "weights", "all"})
            QTest::newRow(where) << where;
    }
    void roundedNumbers() {
        QFETCH(QString, where);
        auto problem = masked_problem();
        problem.spec.rounding = parse_rounding("bfloat16:" + where.toStdString());
        const auto trace = run(problem);
        QVERIFY(trace.rounding == problem.spec.rounding);
        const Row row(trace, {"", 0, 1}, 4);
        QCOMPARE(row.line(Operation::Weights) != nullptr, where == "weights" || where == "all");
        QVERIFY(row.is_mixed() && !row.line(Operation::Bias));
        QVERIFY(!run(masked_problem()).rounding);
    }

    /// A NaN value only matters where its key is read.
    void valuesThatAreNoNumbers() {
        auto problem = masked_problem();
        problem.tensors["value"].set({0, 0, 4, 1}, not_a_number);
        const auto trace = run(problem);
        QVERIFY2(wrong_in(trace).isEmpty(), qPrintable(wrong_in(trace)));
        const Row blocked(trace, {"", 0, 1}, 2), read(trace, {"", 0, 1}, 4);
        QVERIFY(blocked.is_mixed() && read.is_mixed());
        QCOMPARE(blocked.part(4, 1), 0.0);
        QVERIFY(std::isnan(read.part(4, 1)) && std::isnan(read.output(1, 5)));
    }

    void scoresThatAreNoNumbers_data() {
        QTest::addColumn<double>("query");
        QTest::newRow("NaN") << not_a_number;
        QTest::newRow("infinite") << infinity;
    }
    void scoresThatAreNoNumbers() {
        QFETCH(double, query);
        auto problem = masked_problem();
        problem.tensors["query"].set({0, 1, 3, 0}, query);
        const auto trace = run(problem);
        const Row row(trace, {"", 0, 1}, 3);
        QVERIFY(std::isnan(row.row_sum()) && std::isnan(row.weight_sum()) && !row.is_fully_masked());
        QVERIFY(!row.line(Operation::Weights) && !row.line(Operation::Bias)); // NaN follows from NaN
        QVERIFY(Row(trace, {"", 0, 1}, 2).row_sum() >= 1.0);
    }

    void fullyMaskedAndFinitelyFilled() {
        auto problem = dot_problem(1, 1, 1, 2, 4, 2, 2);
        problem.tensors["attn_mask"] = Tensor({2, 4}, 1.0, DType::Bool);
        problem.spec.masks = {{"attn_mask", {}}};
        const auto trace = run(problem);
        const Row row(trace, {}, 1);
        QVERIFY(row.is_fully_masked() && !row.has_row_sum() && row.is_mixed());
        QCOMPARE(row.weight_sum(), 0.0);
        QCOMPARE(row.output(1, 4), 0.0);
        problem.spec.mask_fill.value = -1e9;
        const auto filled = run(problem);
        const Row finite(filled, {}, 1);
        QVERIFY(!finite.is_fully_masked() && finite.has_row_sum() && finite.blocked_keys() == 4);
        QCOMPARE(finite.value(Operation::Divide, 2), 0.25);
    }

    /// A row of a map is a problem of one query: its explanation equals that of the row in the whole problem.
    void aRowOfAMap() {
        auto problem = dot_problem(1, 2, 1, 40, 700, 8, 4);
        problem.spec.masks = {{"window", {}}};
        problem.spec.masks[0].parameters.set("w", std::int64_t{300});
        const auto whole = run(problem);
        const AttentionMap map(std::make_shared<const MapInputs>(problem), 0, 1);
        const auto one = run(RowProblems(problem).row(map, 0, 1, 17));
        const Row row(one, {}, 0), same(whole, {"", 0, 1}, 17);
        QVERIFY2(wrong_in(one).isEmpty(), qPrintable(wrong_in(one)));
        QCOMPARE(row.keys(), same.keys());
        QVERIFY(row.last_kept() == same.last_kept() && row.blocked_keys() == same.blocked_keys());
        for (std::int64_t key = 0; key < row.keys(); key += 50)
            for (const auto& line : same.lines())
                QVERIFY(close(row.value(line.operation, key), same.value(line.operation, key), 1e-14));
    }

    /// The distribution of a head's scores without any score, for every scale that a map takes.
    void scoresOfAHeadOfAMap_data() {
        QTest::addColumn<QString>("scale");
        QTest::addColumn<bool>("projected");
        for (const char* scale : {"sqrt_dk", "none", "pre_norm", "temperature"})
            QTest::newRow(scale) << scale << false;
        QTest::newRow("projected") << "sqrt_dk" << true;
    }
    void scoresOfAHeadOfAMap() {
        QFETCH(QString, scale);
        QFETCH(bool, projected);
        auto problem = dot_problem(2, 4, 2, 60, 90, 6, 3);
        problem.tensors["query"] = random_normal({2, 4, 60, 6}, 5, 300.0, 0.5); // far from 0
        if (projected) {
            problem = {};
            problem.spec.variant = "multi_head";
            problem.spec.parameters.set("num_heads", std::int64_t{4});
            problem.tensors = {{"x", random_normal({2, 60, 8}, 3)}, {"w_q", random_normal({8, 8}, 4)}};
            complete_inputs(problem, 1);
        }
        problem.spec.scale.id = scale.toStdString();
        problem.spec.masks = {{"causal", {}}};
        const auto whole = run(problem);
        RowProblems rows(problem);
        for (const char* name : {"scores", "scaled"}) {
            const auto& stage = whole.find(name)->value;
            const auto cells = static_cast<std::size_t>(stage.dim(2) * stage.dim(3));
            for (std::int64_t b = 0; b < 2; ++b)
                for (std::int64_t h = 0; h < 4; ++h) {
                    const auto all =
                        moments(stage.values().subspan(static_cast<std::size_t>(b * 4 + h) * cells, cells));
                    const auto made = rows.score_moments(b, h);
                    QVERIFY(made);
                    const Moments& mine = std::string_view(name) == "scores" ? made->scores : made->scaled;
                    // Queries and keys of a map are stored in float32.
                    QVERIFY2(close(mine.mean, all.mean, 1e-5) && close(mine.variance, all.variance, 1e-4),
                             qPrintable(QStringLiteral("%1 %2, expected %3 %4")
                                            .arg(mine.mean)
                                            .arg(mine.variance)
                                            .arg(all.mean)
                                            .arg(all.variance)));
                }
        }
    }

    void noScoresOfAHeadThatIsNotFinite() {
        auto problem = dot_problem(1, 1, 1, 20, 30, 4, 4);
        problem.tensors["key"].set({0, 0, 3, 2}, infinity);
        QVERIFY(!RowProblems(problem).score_moments(0, 0));
    }

    void theSameCellOfEveryHead() {
        auto problem = masked_problem();
        const auto trace = run(problem);
        const Stage& weights = *trace.find("weights");
        for (std::int64_t i = 0; i < 5; ++i)
            for (std::int64_t j = 0; j < 5; ++j) {
                const auto numbers = explain::over_heads(trace, weights, 0, i, j);
                QVERIFY(numbers && numbers->heads.size() == 2);
                for (std::int64_t h = 0; h < 2; ++h)
                    QCOMPARE(numbers->heads[static_cast<std::size_t>(h)], weights.value.at({0, h, i, j}));
                QCOMPARE(numbers->mean, trace.find("weights_mean")->value.at({0, i, j}));
            }
        QVERIFY(!explain::over_heads(trace, weights, 0, 5, 0) && !explain::over_heads(trace, weights, 1, 0, 0));
        // Both query heads have the number of the single key head.
        const auto keys = explain::over_heads(trace, *trace.find("key"), 0, 2, 3);
        const double key = problem.tensors["key"].at({0, 0, 2, 3});
        QVERIFY(keys && keys->heads == std::vector<double>({key, key}) && keys->mean == key);
    }

    void numbersOfAnyStage() {
        auto problem = dot_problem(2, 4, 2, 5, 6, 4, 3);
        problem.spec.variant = "flash";
        problem.spec.parameters.set("block_k", std::int64_t{4});
        const auto trace = run(problem);
        const auto at = [&](const char* name, int b, int h, std::int64_t i, std::int64_t j) {
            return explain::number_at(trace, *trace.find(name), b, h, i, j);
        };
        QCOMPARE(explain::query_heads(trace), 4);
        QVERIFY(at("lse", 1, 3, 4, 0) == trace.find("lse")->value.at({1, 3, 4}));
        QVERIFY(!at("lse", 1, 3, 4, 1));
        QVERIFY(at("value", 1, 3, 5, 2) == trace.find("value")->value.at({1, 1, 5, 2}));
        QVERIFY(at("weights_mean", 1, 3, 4, 5) == trace.find("weights_mean")->value.at({1, 4, 5}));
        QVERIFY(at("tile_row_max", 1, 3, 4, 1) == trace.find("tile_row_max")->value.at({1, 1, 3, 4}));
        QVERIFY(!at("tile_row_max", 1, 3, 4, 2)); // two tiles
        QVERIFY(at("tile_output", 1, 3, 4, 2) == trace.find("tile_output")->value.at({1, 1, 3, 4, 2}));
        for (const auto& [b, h, i, j] : {std::array<int, 4>{2, 0, 0, 0},
                                         {0, 4, 0, 0},
                                         {0, -1, 0, 0},
                                         {0, 0, 5, 0},
                                         {0, 0, 0, 6},
                                         {-1, 0, 0, 0},
                                         {0, 0, -1, 0},
                                         {0, 0, 0, -1}})
            QVERIFY(!at("weights", b, h, i, j));
        const auto model = run(fresh_problem("transformer"));
        const Stage& positions = *model.find("positions");
        QVERIFY(explain::number_at(model, positions, 0, 1, 2, 1) == positions.value.at({2, 1}));
        const Stage& memory = *model.find("memory");
        QVERIFY(explain::number_at(model, memory, 0, 1, 2, 1) == memory.value.at({0, 2, 1}));
    }

    void oneNumberButForRounding_data() {
        QTest::addColumn<DType>("type");
        QTest::addColumn<double>("same"); // relative differences
        QTest::addColumn<double>("other");
        QTest::newRow("float64") << DType::Float64 << 1e-14 << 1e-11;
        QTest::newRow("float32") << DType::Float32 << 1e-6 << 1e-4;
        QTest::newRow("float16") << DType::Float16 << 0x1p-11 << 4e-3;
        QTest::newRow("bfloat16") << DType::BFloat16 << 0x1p-8 << 4e-2;
    }
    void oneNumberButForRounding() {
        QFETCH(DType, type);
        QFETCH(double, same);
        QFETCH(double, other);
        const auto precision = explain::precision_of({DType::Float64, type, DType::Int64});
        QCOMPARE(precision.stored, type);
        QCOMPARE(explain::unit_roundoff(type), 0.5 * ulp(1.0, type));
        const auto is_same = [&](double a, double b, double size) {
            return explain::same_number(a, b, precision, 10, size);
        };
        QVERIFY(is_same(2.0, 2.0 * (1.0 + same), 2.0) && is_same(2.0, 2.0 * (1.0 - same), 2.0));
        QVERIFY(!is_same(2.0, 2.0 * (1.0 + other), 2.0));
        QVERIFY(is_same(2.0, 2.0 * (1.0 + other), 2e4)); // of terms that cancel
        QVERIFY(is_same(not_a_number, not_a_number, 1.0) && is_same(-infinity, -infinity, 1.0));
        QVERIFY(!is_same(not_a_number, 1.0, 1.0) && !is_same(infinity, -infinity, 1.0) && !is_same(infinity, 1.0, 1.0));
    }
};

ATTNLAB_TEST(TestExplainNumbers)
#include "test_explain_numbers.moc"
