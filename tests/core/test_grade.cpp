// Hand-ins computed with plain loops, each with one mistake.
#include "core/verify/grade.h"
#include "tests/core/engine_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

using namespace attnlab;
using namespace attnlab::test;
using namespace attnlab::verify;

namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr int tokens = 4, width = 4, value_width = 3;
const double minus_infinity = -std::numeric_limits<double>::infinity();

Matrix matrix_of(const Tensor& tensor) {
    Matrix rows(static_cast<std::size_t>(tensor.dim(-2)));
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::int64_t j = 0; j < tensor.dim(-1); ++j)
            rows[i].push_back(tensor.values()[i * static_cast<std::size_t>(tensor.dim(-1)) + std::size_t(j)]);
    return rows;
}

Tensor tensor_of(const Matrix& rows) {
    Tensor tensor({std::ssize(rows), std::ssize(rows.front())});
    auto values = tensor.mutable_values();
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            values[i * rows[i].size() + j] = rows[i][j];
    return tensor;
}

Matrix turned(const Matrix& m) {
    Matrix result(m.front().size(), std::vector<double>(m.size()));
    for (std::size_t i = 0; i < m.size(); ++i)
        for (std::size_t j = 0; j < m[i].size(); ++j)
            result[j][i] = m[i][j];
    return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix result(a.size(), std::vector<double>(b.front().size(), 0.0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < b.front().size(); ++j)
                result[i][j] += a[i][k] * b[k][j];
    return result;
}

template <class Change>
Matrix each(Matrix m, Change change) {
    for (std::size_t i = 0; i < m.size(); ++i)
        for (std::size_t j = 0; j < m[i].size(); ++j)
            m[i][j] = change(m[i][j], i, j);
    return m;
}

Matrix causal(const Matrix& m, double blocked = minus_infinity) {
    return each(m, [=](double value, auto i, auto j) { return j > i ? blocked : value; });
}

Matrix softmax(const Matrix& m) {
    Matrix result = m;
    for (auto& row : result) {
        double sum = 0.0;
        for (double& value : row)
            sum += value = std::exp(value);
        for (double& value : row)
            value /= sum;
    }
    return result;
}

Matrix rounded_to(const Matrix& m, double power) {
    return each(
        m, [=](double value, auto, auto) { return std::isinf(value) ? value : std::round(value * power) / power; });
}

} // namespace

class TestGrade : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        problem_ = dot_problem(1, 1, 1, tokens, tokens, width, value_width, 3);
        problem_.spec.masks.push_back({"causal", {}});
        trace_ = run(problem_);
        value_ = matrix_of(problem_.tensors.at("value"));
        scores_ = product(matrix_of(problem_.tensors.at("query")), turned(matrix_of(problem_.tensors.at("key"))));
    }

    void explains_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<QString>("id"); // empty: right; "?": wrong without an explanation
        QTest::newRow("right") << "weights"
                               << "";
        QTest::newRow("within the tolerance") << "weights"
                                              << "";
        QTest::newRow("two decimals") << "weights"
                                      << "";
        QTest::newRow("right") << "masked"
                               << "";
        QTest::newRow("right") << "output"
                               << "";
        for (const auto* stage : {"scaled", "masked", "weights", "output"}) {
            const bool before_softmax = std::string_view(stage) == "scaled" || std::string_view(stage) == "masked";
            QTest::newRow("not scaled") << stage
                                        << (before_softmax ? "scale_missing scale_after_softmax" : "scale_missing");
            QTest::newRow("divided by d") << stage << "scale_twice";
        }
        for (const auto* stage : {"weights", "output"}) {
            QTest::newRow("softmax of columns") << stage << "softmax_axis";
            QTest::newRow("no mask") << stage << "mask_ignored";
            QTest::newRow("mask after softmax") << stage << "mask_after_softmax";
        }
        QTest::newRow("transposed") << "scores"
                                    << "transposed";
        QTest::newRow("transposed") << "weights"
                                    << "transposed";
        QTest::newRow("one decimal") << "weights"
                                     << "rounded";
        QTest::newRow("one decimal") << "masked"
                                     << "rounded";
        QTest::newRow("large negative") << "masked"
                                        << "large_negative";
        QTest::newRow("one cell") << "weights"
                                  << "?";
        QTest::newRow("a mistake and one cell") << "weights"
                                                << "?";
        QTest::newRow("zeros") << "weights"
                               << "?";
    }
    void explains() {
        QFETCH(QString, stage);
        QFETCH(QString, id);
        const auto handed_in = handIn(QTest::currentDataTag(), stage);
        const auto found = verify::grade(problem_, trace_, stage.toStdString(), tensor_of(handed_in), "anna", 1e-2);
        QVERIFY(!found.misfit && !found.not_looked);
        QCOMPARE(found.is_right(), id.isEmpty());
        QCOMPARE(found.first.has_value(), !id.isEmpty());
        QStringList ids;
        for (const auto& explanation : found.explanations)
            ids << QString::fromStdString(explanation.id);
        QCOMPARE(ids.join(' '), id == "?" ? QString() : id);
        if (id == "rounded")
            QCOMPARE(found.explanations[0].words.english(), std::string("the numbers are rounded; decimals: 1"));
    }

    void countsCells() {
        auto handed_in = handIn("right", "weights");
        const double right = handed_in[2][1];
        handed_in[2][1] += 0.5;
        handed_in[3][0] -= 0.25;
        const auto found = verify::grade(problem_, trace_, "weights", tensor_of(handed_in), "anna", 1e-2);
        QCOMPARE(found.cells, 16);
        QCOMPARE(found.differing, 2);
        QCOMPARE(found.first->index, (Shape{0, 0, 2, 1}));
        QCOMPARE(found.first->given, right + 0.5);
        QVERIFY(close(found.first->exact, right, 1e-12));
        QVERIFY(close(found.largest, 0.5, 1e-12));
    }

    void aToleranceDecides() {
        const auto two = tensor_of(rounded_to(handIn("right", "weights"), 100.0));
        const auto found = verify::grade(problem_, trace_, "weights", two, "anna", 1e-4);
        QVERIFY(!found.is_right());
        QCOMPARE(found.explanations.at(0).id, std::string("rounded"));
        QVERIFY(verify::grade(problem_, trace_, "weights", two, "anna", 6e-3).is_right());
    }

    void nanIsWrong() {
        auto handed_in = handIn("right", "weights");
        handed_in[1][0] = std::nan("");
        const auto found = verify::grade(problem_, trace_, "weights", tensor_of(handed_in), "anna", 1e-2);
        QCOMPARE(found.differing, 1);
        QVERIFY(std::isnan(found.first->given));
        QVERIFY(found.largest < 1e-9);
        for (auto& row : handed_in)
            std::ranges::fill(row, std::nan(""));
        const auto all = verify::grade(problem_, trace_, "weights", tensor_of(handed_in), "anna", 1e-2);
        QCOMPARE(all.differing, 16);
        QVERIFY(std::isnan(all.largest));
    }

    void shapesThatDoNotFit() {
        const auto right = handIn("right", "output");
        const auto transposed = verify::grade(problem_, trace_, "output", tensor_of(turned(right)), "anna", 1e-2);
        QVERIFY(!transposed.is_right());
        QVERIFY(transposed.misfit->english().find("anna: has shape (3, 4)") == 0);
        QCOMPARE(transposed.explanations.at(0).id, std::string("transposed"));
        const auto other = verify::grade(problem_, trace_, "output", Tensor({3, 4}), "anna", 1e-2);
        QVERIFY(other.misfit && other.explanations.empty());
        const auto small = verify::grade(problem_, trace_, "output", Tensor({2}), "anna", 1e-2);
        QVERIFY(small.misfit && !small.is_right());
    }

private:
    /// The stage as code with that mistake computes it.
    Matrix handIn(const QString& mistake, const QString& stage) const {
        const double factor = mistake == "not scaled" ? 1.0 : mistake == "divided by d" ? 1.0 / width : 0.5;
        const auto scaled = each(scores_, [=](double score, auto, auto) { return score * factor; });
        const auto masked = mistake == "no mask" ? scaled : causal(scaled);
        auto weights = softmax(masked);
        if (mistake == "softmax of columns")
            weights = turned(softmax(turned(masked)));
        if (mistake == "mask after softmax")
            weights = causal(softmax(scaled), 0.0);
        auto result = stage == "scores"    ? scores_
                      : stage == "scaled"  ? scaled
                      : stage == "masked"  ? masked
                      : stage == "weights" ? weights
                                           : product(weights, value_);
        if (mistake == "transposed")
            return turned(result);
        if (mistake == "one decimal" || mistake == "two decimals")
            return rounded_to(result, mistake == "one decimal" ? 10.0 : 100.0);
        if (mistake == "large negative")
            return causal(scaled, -1e9);
        if (mistake == "zeros")
            return each(result, [](double, auto, auto) { return 0.0; });
        if (mistake == "within the tolerance")
            result[2][2] += 0.009;
        if (mistake == "a mistake and one cell")
            result = softmax(scaled);
        if (mistake.endsWith("one cell"))
            result[3][1] += 0.3;
        return result;
    }

    AttentionProblem problem_;
    Trace trace_;
    Matrix scores_, value_;
};

ATTNLAB_TEST(TestGrade)
#include "test_grade.moc"
