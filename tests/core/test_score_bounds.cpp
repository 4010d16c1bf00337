// Bounded scores get their weights without a maximum: the criterion, and equality of the results.
#include "core/flash/cpu_backend.h"
#include "core/flash/score_bounds.h"
#include "core/flash/tile_kernel.h"
#include "core/flash/work_division.h"
#include "core/stages/scale.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <cmath>

using namespace attnlab;
using namespace attnlab::test;

namespace {

/// Two heads with one key head, whose last tile of keys is incomplete.
constexpr std::int64_t L = 70, S = 3 * flash::keys_of_a_tile + 17, E = 12, Ev = 9;

AttentionProblem problemOfTiles() { return flash_problem(1, 2, 1, L, S, E, Ev); }

/// Multiplies the rows of some keys, from `first` up to `last`.
void multiply(AttentionProblem& problem, const char* name, std::int64_t first, std::int64_t last, double factor) {
    auto& tensor = problem.tensors[name];
    const auto columns = tensor.dim(-1);
    for (auto k = first * columns; k < last * columns; ++k)
        tensor.mutable_values()[static_cast<std::size_t>(k)] *= factor;
}

struct Case {
    const char* name;
    const char* tensor;
    std::int64_t first, last; ///< rows
    double factor;
};

const Case cases[] = {{"as they are", "key", 0, 0, 1},
                      {"large keys first", "key", 0, 5, 60},
                      {"large keys in the middle", "key", flash::keys_of_a_tile + 3, flash::keys_of_a_tile + 4, 60},
                      {"large keys last", "key", S - 1, S, 60},
                      {"no key", "key", 0, S, 0},
                      {"one large query", "query", 40, 41, 60},
                      {"large queries in one head", "query", L, 2 * L, 60},
                      {"tiny values", "value", 0, S, 0x1p-80},
                      {"tiny values in the middle", "value", flash::keys_of_a_tile, 2 * flash::keys_of_a_tile, 0x1p-80},
                      {"huge values", "value", 0, S, 0x1p80},
                      {"huge values last", "value", S - 1, S, 0x1p80},
                      {"no value", "value", 0, S, 0}};

} // namespace

class TestScoreBounds : public QObject {
    Q_OBJECT
private slots:
    void largestNumbers() {
        on_every_instruction_set([] {
            const auto layout = flash::layout_kernel();
            for (const int columns : {1, 3, 4, 16, 31, 32, 65}) {
                std::vector<float> matrix(static_cast<std::size_t>(5 * columns));
                Random random(7);
                for (auto& number : matrix)
                    number = static_cast<float>(random.normal());
                float largest = 0.0f, square = 0.0f;
                for (int row = 0; row < 5; ++row) {
                    float sum = 0.0f;
                    for (int c = 0; c < columns; ++c) {
                        const float number = matrix[static_cast<std::size_t>(row * columns + c)];
                        sum += number * number;
                        largest = std::max(largest, std::abs(number));
                    }
                    square = std::max(square, sum);
                }
                QCOMPARE(layout.magnitudes(matrix.data(), std::ssize(matrix)).largest, largest);
                QVERIFY(close(layout.largest_square(matrix.data(), 5, columns), square, 1e-5));
                for (std::size_t at = 0; at < matrix.size(); ++at) {
                    auto with_nan = matrix;
                    with_nan[at] = std::numeric_limits<float>::quiet_NaN();
                    QVERIFY(std::isnan(layout.magnitudes(with_nan.data(), std::ssize(with_nan)).largest));
                    QVERIFY(std::isnan(layout.largest_square(with_nan.data(), 5, columns)));
                }
            }
            QCOMPARE(layout.magnitudes(nullptr, 0).largest, 0.0f);
            std::vector<float> few(37, 0.0f);
            for (std::size_t at = 0; at < few.size(); ++at) {
                few[at] = -0.25f;
                few[(at + 19) % few.size()] = 3.0f;
                QCOMPARE(layout.magnitudes(few.data(), 37).smallest, 0.25f);
                QCOMPARE(layout.magnitudes(few.data(), 37).largest, 3.0f);
                std::fill(few.begin(), few.end(), 0.0f);
            }
            QCOMPARE(layout.magnitudes(few.data(), 37).smallest, std::numeric_limits<float>::infinity());
            QCOMPARE(layout.largest_square(nullptr, 0, 4), 0.0f);
        });
    }

    /// |q| = 3, |k| = 4 and 8, in separate tiles.
    void holdsByNorms() {
        const std::vector<float> query{0, 3, 0, 0};
        std::vector<float> key(4 * flash::keys_of_a_tile + 4, 0.0f), value(flash::keys_of_a_tile + 1, 1.0f);
        key[2] = 4.0f;
        key.back() = 8.0f;
        flash::Problem problem{.shape = {1, 1, 1, 1, flash::keys_of_a_tile + 1, 4, 1},
                               .query = query.data(),
                               .key = key.data(),
                               .value = value.data(),
                               .scale = -flash::bounded_scores / (12.5 * flash::log2_e)};
        const flash::ScoreBounds bounds(problem);
        QVERIFY(bounds.possible());
        const float bound = bounds.of_queries(0, 1);
        QVERIFY(close(bound, flash::bounded_scores * 3 / 12.5, 1e-5));
        QVERIFY(bounds.hold(bound, 0, 0));
        QVERIFY(!bounds.hold(bound, 0, 1));
        QVERIFY(!bounds.hold(std::numeric_limits<float>::quiet_NaN(), 0, 0));

        value[0] = flash::largest_value * 2;
        QVERIFY(bounds.hold(bound, 0, 0)); // computed once
        QVERIFY(!flash::ScoreBounds(problem).hold(bound, 0, 0));
    }

    void masksThatMoveScores() {
        const double number = 0.0;
        const auto possible = [&](bool blocks, double fill, bool fill_is_added, bool biased) {
            flash::Problem problem{.shape = {1, 1, 1, 1, 1, 1, 1}};
            if (blocks)
                problem.masks.bands = {{.after = 0}};
            problem.masks.fill = fill;
            problem.masks.fill_is_added = fill_is_added;
            if (biased)
                problem.masks.bias.values = &number;
            return flash::ScoreBounds(problem).possible();
        };
        flash::Problem scaled{.shape = {1, 1, 1, 1, 1, 1, 1}, .output_scale = 1e25};
        QVERIFY(!flash::ScoreBounds(scaled).possible());
        scaled.output_scale = -1e-25;
        QVERIFY(!flash::ScoreBounds(scaled).possible());
        QVERIFY(possible(false, -infinity, false, false));
        QVERIFY(possible(true, -infinity, false, false));
        QVERIFY(!possible(true, -1e9, false, false));
        QVERIFY(!possible(true, -infinity, true, false));
        QVERIFY(!possible(false, -infinity, false, true));
        QVERIFY(possible(false, -1e9, false, false)); // a fill without masks
    }

    void equalsReference_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("mask");
        for (int k = 0; k < static_cast<int>(std::size(cases)); ++k)
            for (const auto* mask : {"", "causal", "valid_lens"})
                QTest::addRow("%s, %s", cases[k].name, mask) << k << QString(mask);
    }

    /// Tiles with and without a maximum, in every order.
    void equalsReference() {
        QFETCH(int, index);
        QFETCH(QString, mask);
        const auto& c = cases[index];
        auto problem = problemOfTiles();
        multiply(problem, c.tensor, c.first, c.last, c.factor);
        if (mask == "valid_lens")
            problem.tensors["valid_lens"] = Tensor({1}, 150.0);
        if (!mask.isEmpty())
            add_mask(problem, qPrintable(mask));
        const double tolerance = c.factor == 60 ? 1e-4 : 2e-6; // scores of 500 have larger rounding errors
        const bool of_values = qstrcmp(c.tensor, "value") == 0 && c.factor != 0;
        on_every_engine(problem, [&](const AttentionProblem& given, const Trace& expected, flash::Precision precision) {
            const auto got = cpu_backend(precision).run(given, {});
            const auto what = QString::fromStdString(flash::instruction_set());
            auto output = stage(got, "output"), expected_output = stage(expected, "output");
            if (of_values) // to numbers of size 1, or those next to them
                for (auto* tensor : {&output, &expected_output})
                    for (double& number : tensor->mutable_values())
                        number /= std::max(1.0, c.factor) * (c.last - c.first == S ? std::min(1.0, c.factor) : 1.0);
            const bool rounds = precision == flash::Precision::BFloat16; // weights, times values of up to 4
            const auto differs = difference(output, expected_output, rounds ? 0x1p-6 : tolerance);
            QVERIFY2(differs.isEmpty(), qPrintable(what + ": output: " + differs));
            const auto lse = difference(stage(got, "lse"), stage(expected, "lse"), tolerance);
            QVERIFY2(lse.isEmpty(), qPrintable(what + ": lse: " + lse));
        });
    }

    /// Rows of one query feature 1 and keys of one number, which are then the scores.
    static AttentionProblem problemOfScores(std::int64_t rows, const std::vector<double>& scores,
                                            std::int64_t columns) {
        const auto count = std::ssize(scores);
        auto problem = flash_problem(1, 1, 1, rows, count, 1, columns);
        problem.spec.scale = parse_scale("none");
        for (double& number : problem.tensors["query"].mutable_values())
            number = 1.0;
        for (std::size_t k = 0; k < scores.size(); ++k)
            problem.tensors["key"].mutable_values()[k] = static_cast<float>(scores[k]);
        return problem;
    }

    static void compareRelative(const AttentionProblem& problem, double within) {
        compare_numbers(problem, [within](double got, double expected) {
            return got == expected || std::abs(got - expected) <= within * std::abs(expected) + 1e-38;
        });
    }

    /// Some rows read nothing of the bounded tiles, and then far lower scores.
    void rowsThatBeginLate_data() {
        QTest::addColumn<int>("keys");
        QTest::addColumn<double>("early");
        QTest::addColumn<double>("late");
        QTest::addColumn<double>("value");
        QTest::newRow("far below") << 300 << -20.0 << -100.0 << 1.0;
        QTest::newRow("at the end of float32") << 256 << 0.0 << -86.0 << 1.0;
        QTest::newRow("small values") << 256 << 0.0 << -75.0 << 1e-10;
        QTest::newRow("tiny values") << 256 << 0.0 << -35.0 << 1e-28;
        QTest::newRow("keys in parts") << 2048 << 0.0 << -2000.0 << 1.0;
        QTest::newRow("far above") << 300 << -20.0 << 700.0 << 1.0;
    }

    void rowsThatBeginLate() {
        QFETCH(int, keys);
        QFETCH(double, early);
        QFETCH(double, late);
        QFETCH(double, value);
        const int half = keys == 2048 ? 1024 : 128;
        std::vector<double> scores(static_cast<std::size_t>(keys), late);
        std::fill_n(scores.begin(), half, early);
        auto problem = problemOfScores(40, scores, 2);
        for (int k = 0; k < 2 * keys; ++k)
            problem.tensors["value"].mutable_values()[static_cast<std::size_t>(k)] =
                static_cast<float>(k / 2 < half ? 1.0 : value * (1 + k % 2));
        Tensor blocked({40, keys}, 0.0, DType::Bool);
        for (const int row : {0, 7, 33})
            for (int k = 0; k < half; ++k)
                blocked.set({row, k}, 1.0);
        problem.tensors["attn_mask"] = blocked;
        add_mask(problem, "attn_mask");
        compareRelative(problem, 5e-6);
    }

    /// Numbers whose squares overflow or underflow float32, scales that do so for weights, values of all magnitudes at
    /// once.
    void extremes_data() {
        QTest::addColumn<double>("query");
        QTest::addColumn<double>("key");
        QTest::addColumn<QString>("scale");
        QTest::addColumn<bool>("after");
        QTest::newRow("keys without squares") << 1e3 << 1e-23 << "custom:1e23" << false;
        QTest::newRow("queries without squares") << 1e-23 << 1e18 << "custom:1e8" << false;
        QTest::newRow("a large factor") << 1.0 << -40.0 << "custom:1e25" << true;
        QTest::newRow("a small factor") << 1.0 << 40.0 << "custom:1e-25" << true;
        QTest::newRow("low scores") << 1.0 << -40.0 << "none" << false;
    }

    void extremes() {
        QFETCH(double, query);
        QFETCH(double, key);
        QFETCH(QString, scale);
        QFETCH(bool, after);
        auto problem = problemOfScores(40, std::vector<double>(256, key), 3);
        problem.spec.scale = parse_scale(scale.toStdString());
        problem.spec.scale_after_softmax = after;
        for (double& number : problem.tensors["query"].mutable_values())
            number = static_cast<float>(query);
        auto& keys = problem.tensors["key"];
        auto& values = problem.tensors["value"];
        for (int k = 0; k < 256; ++k) {
            if (!after && scale != "none" && k % 2)
                keys.set({0, 0, k, 0}, static_cast<float>(-key));
            values.set({0, 0, k, 0}, k % 2 ? 1.0 : 2.0);
            values.set({0, 0, k, 1}, static_cast<float>(1e-22));
            values.set({0, 0, k, 2}, k == 100 || k == 200 ? 1.0 : static_cast<float>(1e-22));
        }
        add_mask(problem, "causal:bottom_right");
        compareRelative(problem, 5e-6);
    }

    /// Equal scores anywhere within the bounds have equal weights.
    void equalScores_data() {
        QTest::addColumn<double>("score");
        for (const double score : {-41.0, -20.5, -1e-3, 0.0, 0.3, 17.0, 41.5})
            QTest::addRow("%g", score) << score;
    }

    void equalScores() {
        QFETCH(double, score);
        auto problem = flash_problem(1, 1, 1, 64, 300, 1, 2);
        problem.spec.scale = parse_scale("none");
        for (double& number : problem.tensors["query"].mutable_values())
            number = 1.0;
        for (double& number : problem.tensors["key"].mutable_values())
            number = static_cast<float>(score);
        on_every_engine(problem, [](const AttentionProblem& given, const Trace& expected, flash::Precision precision) {
            const auto got = cpu_backend(precision).run(given, {});
            const auto output = difference(stage(got, "output"), stage(expected, "output"),
                                           std::max(5e-7, rounding_of_weights(given, precision)));
            QVERIFY2(output.isEmpty(), qPrintable(output));
            const auto lse = difference(stage(got, "lse"), stage(expected, "lse"), 4e-6);
            QVERIFY2(lse.isEmpty(), qPrintable(lse));
        });
    }
};

ATTNLAB_TEST(TestScoreBounds)
#include "test_score_bounds.moc"
