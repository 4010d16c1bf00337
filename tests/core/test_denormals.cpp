// Numbers below the range of float32 kernels: results agree with the reference, or a note says what is lost.
#include "core/flash/cpu_backend.h"
#include "core/stages/scale.h"
#include "flash_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem problem_of(Tensor query, Tensor key, Tensor value) {
    AttentionProblem problem;
    problem.tensors = {{"query", std::move(query)}, {"key", std::move(key)}, {"value", std::move(value)}};
    return problem;
}

std::vector<double> output_of(const AttentionProblem& problem, const Backend& backend) {
    const auto trace = backend.run(problem, {});
    const auto values = trace.find("output")->value.values();
    return {values.begin(), values.end()};
}

/// Random numbers of this size.
Tensor drawn(Shape shape, double size, std::uint64_t seed) {
    Random random(seed);
    Tensor tensor(std::move(shape));
    for (double& number : tensor.mutable_values())
        number = size * random.normal();
    return tensor;
}

bool notes_small_outputs(const Trace& trace) {
    return std::ranges::any_of(trace.notes, [](const Note& note) {
        return note.message.english().find("below the range of float32") != std::string::npos;
    });
}

} // namespace

class TestDenormals : public QObject {
    Q_OBJECT
private slots:
    void smallValuesAreKept_data() {
        QTest::addColumn<double>("size");
        QTest::addColumn<int>("queries");
        for (const double size : {1e-25, 1e-37, 1e-41, 1e-44})
            for (const int queries : {1, 40})
                QTest::addRow("%g, %d queries", size, queries) << size << queries;
    }
    void smallValuesAreKept() {
        QFETCH(double, size);
        QFETCH(int, queries);
        const auto problem = problem_of(drawn({queries, 8}, 1.0, 1), drawn({300, 8}, 1.0, 2),
                                        Tensor({300, 5}, size)); // a mean of equal numbers
        for (const double number : output_of(problem, cpu_backend()))
            QVERIFY2(std::abs(number - size) <= 1e-6 * size + 0x1p-149, qPrintable(QString::number(number)));
    }

    /// A column of small values beside others, and a row that reads small values only.
    void smallValuesBesideOthers() {
        auto problem = problem_of(drawn({40, 8}, 1.0, 1), drawn({300, 8}, 1.0, 2), drawn({300, 3}, 1.0, 3));
        auto& value = problem.tensors["value"];
        for (std::int64_t j = 0; j < 300; ++j)
            value.set({j, 1}, 3e-41);
        value.set({0, 0}, 1e-41);
        problem.spec.masks = {parse_mask("causal")};
        const auto expected = output_of(problem, reference_backend()), got = output_of(problem, cpu_backend());
        QVERIFY(std::abs(got[0] - 1e-41) <= 0x1p-149);
        for (std::size_t k = 0; k < got.size(); ++k)
            QVERIFY2(std::abs(got[k] - expected[k]) <= (k % 3 == 1 ? 0x1p-148 : 1e-5), qPrintable(QString::number(k)));
    }

    void whatFloat32LosesIsNoted() {
        auto problem = problem_of(drawn({4, 8}, 1.0, 1), drawn({30, 8}, 1.0, 2), Tensor({30, 2}, 1e-60));
        QVERIFY(notes_small_outputs(cpu_backend().run(problem, {})));
        problem.tensors["value"] = Tensor({30, 2}, 1e-41);
        QVERIFY(notes_small_outputs(cpu_backend().run(problem, {})));
        problem.tensors["value"] = drawn({30, 2}, 1.0, 3);
        QVERIFY(!notes_small_outputs(cpu_backend().run(problem, {})));
        problem.tensors["value"] = Tensor({30, 2}, 0.0);
        QVERIFY(!notes_small_outputs(cpu_backend().run(problem, {})));
    }

    /// 0 times infinity is NaN, but a small number times infinity is infinite.
    void smallNumbersMeetInfiniteOnes_data() {
        QTest::addColumn<double>("query");
        QTest::addColumn<double>("key");
        QTest::addColumn<QString>("scale");
        for (const double small : {1e-30, 1e-40, 1e-46, 1e-310})
            for (const double sign : {1.0, -1.0})
                for (const auto* scale : {"dk", "custom:1e-30"}) {
                    QTest::addRow("query %g, scale %s", sign * small, scale) << sign * small << -infinity << scale;
                    QTest::addRow("key %g, scale %s", sign * small, scale) << -infinity << sign * small << scale;
                }
    }
    void smallNumbersMeetInfiniteOnes() {
        QFETCH(double, query);
        QFETCH(double, key);
        QFETCH(QString, scale);
        for (const int queries : {1, 40}) {
            auto problem =
                problem_of(Tensor({queries, 1}, query), Tensor({3, 1}, 1.0), Tensor({3, 1}, {1.0, 2.0, 4.0}));
            problem.tensors["key"].set({0, 0}, key);
            problem.spec.scale = parse_scale(scale.toStdString());
            const auto expected = output_of(problem, reference_backend()), got = output_of(problem, cpu_backend());
            for (std::size_t i = 0; i < got.size(); ++i)
                QVERIFY2(std::isnan(expected[i]) ? std::isnan(got[i]) : std::abs(got[i] - expected[i]) < 1e-6,
                         qPrintable(QString("%1, expected %2").arg(got[i]).arg(expected[i])));
        }
    }

    /// Of the weights around the smallest double some are 0, which makes an infinite value NaN.
    void infiniteValuesOfVerySmallWeights() {
        for (int step = 0; step < 400; ++step) {
            const double score = -500.0 - step; // exact in float32
            auto problem = problem_of(Tensor({1, 1}, 1.0), Tensor({3, 1}, {0.0, 0.125, score}),
                                      Tensor({3, 1}, {1.0, 2.0, infinity}));
            problem.spec.scale = parse_scale("none");
            const auto expected = output_of(problem, reference_backend())[0],
                       got = output_of(problem, cpu_backend())[0];
            QVERIFY2(std::isnan(expected) == std::isnan(got) && std::isinf(expected) == std::isinf(got),
                     qPrintable(QString("score %1: %2, expected %3").arg(score).arg(got).arg(expected)));
        }
    }
};

ATTNLAB_TEST(TestDenormals)
#include "test_denormals.moc"
