// Numbers of a setting, histograms and curves.
#include "core/lab/setting_numbers.h"
#include "core/statistics.h"
#include "tests/core/lab_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::lab;
using namespace attnlab::test;

class LabNumbersTest : public QObject {
    Q_OBJECT
private slots:
    void measures_a_setting();
    void counts_scores_in_bins();
    void predicts_the_histogram();
    void has_the_gradients_of_rows();
    void counts_what_is_beyond_the_axis();
    void sweeps_over_several_draws();
    void sweeps_sizes();
    void sweeps_with_the_engine();
    void stops_a_sweep();
};

void LabNumbersTest::measures_a_setting() {
    Scene scene;
    scene.draw = draw_of(60, 60, 64);
    scene.settings = {setting("none", "none"), setting("root", "sqrt_dk"), setting("cosine", "pre_norm")};
    auto after = setting("after", "sqrt_dk");
    after.spec.scale_after_softmax = true;
    scene.settings.push_back(after);
    const auto result = compute(scene);
    const auto numbers = [&](std::size_t k) {
        return numbers_of(result.settings[k].trace, scene.settings[k].spec, 0, 0);
    };
    QVERIFY(close(*numbers(0).theory, 64.0, 1e-12) && close(*numbers(1).theory, 1.0, 1e-12));
    QVERIFY(!numbers(2).theory);
    QVERIFY(close(*numbers(3).theory, 64.0, 1e-12));
    QVERIFY(close(*numbers(0).variance / 64.0, *numbers(1).variance, 1e-9));
    QVERIFY(std::abs(*numbers(1).variance - 1.0) < 0.15);
    const auto expected = mean_statistics(matrix_at(stage(result.settings[1].trace, "weights")));
    QCOMPARE(measure_of(numbers(1), CurveMeasure::Entropy), expected.entropy);
    QCOMPARE(measure_of(numbers(1), CurveMeasure::EffectiveKeys), expected.effective_keys);
    QCOMPARE(measure_of(numbers(1), CurveMeasure::MaxWeight), expected.max_weight);
    QCOMPARE(measure_of(numbers(1), CurveMeasure::JacobianNorm), expected.jacobian_norm);
    QCOMPARE(measure_of(numbers(1), CurveMeasure::Variance), *numbers(1).variance);
    QVERIFY(error_of([&] { measure_called("size"); }).contains("not one of entropy, "));
    const auto& trace = result.settings[0].trace;
    QCOMPARE(error_of([&] { numbers_of(trace, scene.settings[0].spec, 0, 1); }),
             "weights: head 1 is not there, it has 1");
    // All heads of a batch together.
    const auto heads = run(dot_problem(2, 3, 3, 4, 5, 6, 2));
    const auto together = numbers_of(heads, {}, 1);
    double entropy = 0.0;
    for (std::int64_t h = 0; h < 3; ++h)
        entropy += numbers_of(heads, {}, 1, h).rows.entropy / 3.0;
    QVERIFY(close(together.rows.entropy, entropy, 1e-12));
}

/// By central differences of the weights by the scores before the scale.
void LabNumbersTest::has_the_gradients_of_rows() {
    Scene scene;
    scene.draw = draw_of(5, 4, 16);
    scene.settings = {setting("none", "none"), setting("root", "sqrt_dk"), setting("cosine", "pre_norm")};
    const auto result = compute(scene);
    for (std::size_t k = 0; k < 2; ++k) {
        const auto& trace = result.settings[k].trace;
        const auto gradients = row_gradients(trace, scene.settings[k].spec);
        QCOMPARE(gradients.size(), std::size_t{5});
        const auto scores = matrix_at(stage(trace, "scores"));
        const double factor = k == 0 ? 1.0 : 0.25;
        const auto softmax = [&](std::vector<double> row) {
            double sum = 0.0;
            for (double& cell : row)
                sum += cell = std::exp(cell * factor);
            for (double& cell : row)
                cell /= sum;
            return row;
        };
        for (std::int64_t i = 0; i < 5; ++i) {
            constexpr double step = 1e-5;
            double squares = 0.0;
            for (std::size_t j = 0; j < 4; ++j) {
                const std::vector<double> row(scores.row(i).begin(), scores.row(i).end());
                auto more = row, less = row;
                more[j] += step;
                less[j] -= step;
                const auto above = softmax(more), below = softmax(less);
                for (std::size_t a = 0; a < 4; ++a)
                    squares += std::pow((above[a] - below[a]) / (2.0 * step), 2.0);
            }
            QVERIFY(close(gradients[static_cast<std::size_t>(i)], std::sqrt(squares), 1e-7));
        }
        const auto numbers = numbers_of(trace, scene.settings[k].spec);
        QCOMPARE(measure_of(numbers, CurveMeasure::MedianGradient), median_of(gradients));
    }
    QVERIFY(row_gradients(result.settings[2].trace, scene.settings[2].spec).empty());
    QVERIFY(std::isnan(
        measure_of(numbers_of(result.settings[2].trace, scene.settings[2].spec), CurveMeasure::MedianGradient)));
    QCOMPARE(median_of({3.0, 1.0, 2.0}), 2.0);
    QCOMPARE(median_of({4.0, 1.0, 2.0, 3.0}), 2.5);
    QVERIFY(std::isnan(median_of({})));
}

void LabNumbersTest::counts_what_is_beyond_the_axis() {
    const std::vector<double> values = {-5.0, -1.0, 0.5, 3.0, infinity};
    const auto bins = histogram(values, {-2.0, 2.0}, 4);
    QCOMPARE(bins.beyond, 2);
    QCOMPARE(bins.finite, 4);
    QCOMPARE(bins.left_out, 1);
}

void LabNumbersTest::sweeps_over_several_draws() {
    SweepRequest request;
    request.scene.draw = draw_of(6, 6, 8);
    request.scene.settings = {setting("none", "none")};
    for (const auto measure : {CurveMeasure::Entropy, CurveMeasure::MedianGradient}) {
        request.measure = measure;
        request.draws = 1;
        std::vector<double> alone;
        auto one = request;
        for (int draw = 0; draw < 3; ++draw, ++one.scene.draw->seed)
            alone.push_back(sweep_point(one, 32).values[0]);
        request.draws = 3;
        const double mean = (alone[0] + alone[1] + alone[2]) / 3.0;
        QVERIFY(close(sweep_point(request, 32).values[0], measure == CurveMeasure::Entropy ? mean : median_of(alone),
                      1e-12));
    }
}

void LabNumbersTest::counts_scores_in_bins() {
    const std::vector<double> values = {-1.0, -0.6, 0.0, 0.49, 1.0, 1.5, -infinity, not_a_number};
    const auto bins = histogram(values, {-1.0, 1.0}, 4);
    QCOMPARE(bins.counts, (std::vector<std::int64_t>{2, 0, 2, 1}));
    QCOMPARE(bins.finite, 6);
    QCOMPARE(bins.left_out, 2);
    QCOMPARE(bins.bin_width(), 0.5);
    const std::vector<double> others = {-3.0};
    const std::span<const double> sets[] = {values, others};
    QCOMPARE(common_range(sets), (std::pair{-3.0, 3.0}));
    QCOMPARE(common_range({}), (std::pair{-1.0, 1.0}));
}

void LabNumbersTest::predicts_the_histogram() {
    Scene scene;
    scene.draw = draw_of(150, 150, 64);
    scene.settings = {setting("root", "sqrt_dk")};
    const auto trace = compute(scene).settings[0].trace;
    const auto bins = histogram(cells_of(*trace.find("scaled"), 0, 0), {-4.0, 4.0}, 16);
    double whole = 0.0;
    for (std::size_t k = 0; k < bins.counts.size(); ++k) {
        const double predicted = bins.predicted(bins.low + (static_cast<double>(k) + 0.5) * bins.bin_width(), 1.0);
        whole += predicted;
        QVERIFY2(std::abs(static_cast<double>(bins.counts[k]) - predicted) < 0.02 * static_cast<double>(bins.finite),
                 qPrintable(QString::number(k)));
    }
    QVERIFY(close(whole, static_cast<double>(bins.finite), 1e-3));
}

void LabNumbersTest::sweeps_sizes() {
    SweepRequest request;
    request.scene.draw = draw_of(10, 10, 64);
    const auto sizes = sweep_sizes(request);
    QCOMPARE(std::vector(sizes.begin(), sizes.begin() + 7), (std::vector<std::int64_t>{2, 3, 4, 6, 8, 11, 16}));
    QCOMPARE(sizes.back(), 4096);
    QCOMPARE(sizes.size(), 23);
    request.scene.draw->L = 10000;
    QVERIFY(sweep_sizes(request).back() < 4096);
    request.scene.draw.reset();
    QVERIFY(error_of([&] { sweep_point(request, 2); }).contains("no draw"));
}

void LabNumbersTest::sweeps_with_the_engine() {
    SweepRequest request;
    request.scene.draw = draw_of(10, 10, 64);
    request.scene.settings = {setting("none", "none"), setting("root", "sqrt_dk"),
                              setting("odd", "sqrt_dk", {parse_mask("attn_mask")})};
    request.scene.settings[2].tensors = {{"attn_mask", Tensor({10, 8}, 0.0, DType::Bool)}};
    std::vector<double> progress;
    std::vector<std::int64_t> made;
    const auto points = sweep(request, {.progress = [&](double fraction) { progress.push_back(fraction); }},
                              [&](const SweepPoint& point) { made.push_back(point.size); });
    QCOMPARE(made, sweep_sizes(request));
    QVERIFY(std::ranges::is_sorted(progress) && close(progress.back(), 1.0, 1e-12));
    QVERIFY(points.back().values[0] < 0.1 && points.back().values[1] > 1.5);
    QVERIFY(std::isnan(points.back().values[2]));
    // A point equals the result of the scene of that size.
    const auto scene = scene_at(request, 16);
    QCOMPARE(scene.draw->E, 16);
    QCOMPARE(points[6].values[1], numbers_of(compute(scene).settings[1].trace, scene.settings[1].spec).rows.entropy);
    request.over = DrawSize::S;
    request.measure = CurveMeasure::EffectiveKeys;
    const auto keys = sweep(request);
    QVERIFY(keys.back().values[1] > 500.0);
    QVERIFY(!std::isnan(keys[4].values[2])); // the mask is made for 8 keys
}

void LabNumbersTest::stops_a_sweep() {
    SweepRequest request;
    request.scene.draw = draw_of(4, 4, 4);
    request.scene.settings = {setting("a")};
    int points = 0;
    bool stop = false;
    QVERIFY_THROWS_EXCEPTION(Cancelled, sweep(request, {.cancelled = [&] { return stop; }},
                                              [&](const SweepPoint&) { stop = ++points == 3; }));
    QCOMPARE(points, 3);
}

ATTNLAB_TEST(LabNumbersTest)
#include "test_lab_numbers.moc"
