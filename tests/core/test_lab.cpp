// Draws, scenes, float32 and leaks: the basis of the labs.
#include "core/lab/board.h"
#include "core/lab/in_float32.h"
#include "core/lab/leak.h"
#include "core/statistics.h"
#include "tests/core/lab_support.h"
#include "tests/test_main.h"

#include <QTest>

#include <set>

using namespace attnlab;
using namespace attnlab::lab;
using namespace attnlab::test;

Q_DECLARE_METATYPE(attnlab::lab::RandomInputs)

class LabTest : public QObject {
    Q_OBJECT
private slots:
    void keeps_entries_when_it_grows_data();
    void keeps_entries_when_it_grows();
    void has_mean_0_and_variance_1_data();
    void has_mean_0_and_variance_1();
    void shares_what_is_correlated();
    void tells_draws_apart();
    void refuses_impossible_draws();
    void puts_the_tensors_of_a_setting_first();
    void computes_settings_one_by_one();
    void makes_cards_of_settings();

    void blurs_a_masked_row_in_float32_data();
    void blurs_a_masked_row_in_float32();
    void rounds_as_float32_does();
    void renews_statistics_and_notes();
    void refuses_float32_of_other_passes();

    void moves_what_may_read_the_token_data();
    void moves_what_may_read_the_token();
    void leaves_queries_of_another_sequence();
    void separates_the_own_query_from_what_is_read_data();
    void separates_the_own_query_from_what_is_read();
    void cannot_separate_queries_and_keys_of_one_input();
    void follows_the_precision();
    void refuses_a_token_that_is_not_there();
};

void LabTest::keeps_entries_when_it_grows_data() {
    QTest::addColumn<int>("distribution");
    for (std::size_t k = 0; k < distribution_ids().size(); ++k)
        QTest::newRow(distribution_ids()[k].data()) << static_cast<int>(k);
}

void LabTest::keeps_entries_when_it_grows() {
    QFETCH(int, distribution);
    const auto kind = static_cast<Distribution>(distribution);
    const auto small = draw_inputs(draw_of(3, 5, 7, kind));
    auto larger = draw_of(6, 9, 40, kind);
    larger.Ev = 11;
    const auto large = draw_inputs(larger);
    for (const auto& [name, tensor] : small)
        for (std::int64_t i = 0; i < tensor.dim(0); ++i)
            for (std::int64_t c = 0; c < tensor.dim(1); ++c)
                QCOMPARE(tensor.at({i, c}), large.at(name).at({i, c}));
}

void LabTest::has_mean_0_and_variance_1_data() { keeps_entries_when_it_grows_data(); }

void LabTest::has_mean_0_and_variance_1() {
    QFETCH(int, distribution);
    const auto drawn = draw_inputs(draw_of(300, 200, 300, static_cast<Distribution>(distribution)));
    for (const auto* name : {"query", "key"}) {
        const auto m = moments(drawn.at(name).values());
        // Correlated, 300 columns share a number of variance 1/2, whose mean has deviation 0.04.
        QVERIFY2(std::abs(m.mean) < 0.15, qPrintable(QString::number(m.mean)));
        QVERIFY2(std::abs(m.variance - 1.0) < 0.15, qPrintable(QString::number(m.variance)));
    }
    if (static_cast<Distribution>(distribution) == Distribution::Uniform)
        for (const double x : drawn.at("query").values())
            QVERIFY(std::abs(x) <= std::sqrt(3.0));
    if (static_cast<Distribution>(distribution) == Distribution::Sparse) {
        const auto values = drawn.at("query").values();
        const auto zeros = static_cast<double>(std::ranges::count(values, 0.0)) / static_cast<double>(values.size());
        QVERIFY(std::abs(zeros - 0.9) < 0.01);
    }
}

void LabTest::shares_what_is_correlated() {
    const auto mean_score = [](Distribution distribution) {
        const auto drawn = draw_inputs(draw_of(20, 20, 400, distribution));
        const auto q = matrix_at(drawn.at("query")), k = matrix_at(drawn.at("key"));
        double sum = 0.0;
        for (std::int64_t i = 0; i < 20; ++i)
            for (std::int64_t j = 0; j < 20; ++j)
                for (std::int64_t c = 0; c < 400; ++c)
                    sum += q(i, c) * k(j, c);
        return sum / (20.0 * 20.0 * 400.0);
    };
    QVERIFY(std::abs(mean_score(Distribution::Normal)) < 0.05);
    QVERIFY(std::abs(mean_score(Distribution::Correlated) - 0.5) < 0.15);
}

void LabTest::tells_draws_apart() {
    const auto one = draw_inputs(draw_of(4, 4, 4)), other = draw_inputs(draw_of(4, 4, 4, Distribution::Normal, 8));
    QVERIFY(one.at("query") != other.at("query"));
    QVERIFY(one.at("query") != one.at("key"));
    QCOMPARE(one, draw_inputs(draw_of(4, 4, 4)));
    QCOMPARE(one.at("value").shape(), (Shape{4, 3}));
}

void LabTest::refuses_impossible_draws() {
    QCOMPARE(error_of([] { draw_inputs(draw_of(1, 0, 4)); }), "draw: S is 0, expected at least 1");
    QVERIFY(error_of([] { draw_inputs(draw_of(1, 1 << 20, 4096)); }).contains("2^26 numbers"));
    QVERIFY(error_of([] { draw_inputs(draw_of(1 << 20, 1 << 5, 1)); }).contains("2^24 scores"));
}

void LabTest::puts_the_tensors_of_a_setting_first() {
    Scene scene;
    scene.draw = draw_of(2, 2, 2);
    scene.tensors = {{"key", Tensor({2, 2}, 5.0)}, {"valid_lens", Tensor({1}, 1.0)}};
    scene.query_tokens = {"a", "b"};
    auto own = setting("own");
    own.tensors = {{"valid_lens", Tensor({1}, 2.0)}};
    const auto drawn = draw_inputs(*scene.draw);
    const auto problem = problem_of(scene, own, drawn);
    QCOMPARE(problem.tensors.at("query"), drawn.at("query"));
    QCOMPARE(problem.tensors.at("key"), Tensor({2, 2}, 5.0));
    QCOMPARE(problem.tensors.at("valid_lens"), Tensor({1}, 2.0));
    QCOMPARE(problem.query_tokens, scene.query_tokens);
}

void LabTest::computes_settings_one_by_one() {
    Scene scene;
    scene.draw = draw_of(3, 3, 4);
    auto wrong = setting("wrong");
    wrong.spec.variant = "self"; // reads x, which is missing
    scene.settings = {setting("plain"), wrong, setting("flat", "dk")};
    double progress = 0.0;
    const auto result = compute(scene, {.progress = [&](double fraction) { progress = fraction; }});
    QCOMPARE(result.settings.size(), 3);
    QVERIFY(result.settings[1].error && !result.settings[0].error && !result.settings[2].error);
    QVERIFY(!result.trace_of(scene, "wrong") && !result.trace_of(scene, "nobody"));
    QCOMPARE(result.trace_of(scene, "flat"), &result.settings[2].trace);
    QCOMPARE(progress, 1.0);
    QVERIFY(!difference(stage(result.settings[0].trace, "scaled"), stage(result.settings[2].trace, "scaled"), 1e-9)
                 .isEmpty());
    QVERIFY_THROWS_EXCEPTION(Cancelled, compute(scene, {.cancelled = [] { return true; }}));
}

void LabTest::makes_cards_of_settings() {
    Scene scene;
    scene.settings = {setting("a"), setting("b")};
    BoardSpec view;
    view.stage = "masked";
    QCOMPARE(cards_of(view, scene).size(), 2);
    QCOMPARE(cards_of(view, scene)[1], (Card{"b", "b", "masked"}));
    view.cards = {{"own", "b", "scores"}};
    QCOMPARE(cards_of(view, scene), view.cards);
}

void LabTest::blurs_a_masked_row_in_float32_data() {
    QTest::addColumn<double>("fill");
    QTest::addColumn<bool>("add");
    QTest::addColumn<bool>("float32");
    QTest::addColumn<QString>("row");
    QTest::newRow("-1e9 added, float64") << -1e9 << true << false << "softmax(s)";
    QTest::newRow("-1e9 added, float32") << -1e9 << true << true << "uniform";
    QTest::newRow("-1e9 replaces, float64") << -1e9 << false << false << "uniform";
    QTest::newRow("-1e9 replaces, float32") << -1e9 << false << true << "uniform";
    QTest::newRow("-inf, float64") << -infinity << false << false << "zero";
    QTest::newRow("-inf, float32") << -infinity << false << true << "zero";
    QTest::newRow("-2 added, float32") << -2.0 << true << true << "softmax(s)";
}

void LabTest::blurs_a_masked_row_in_float32() {
    QFETCH(double, fill);
    QFETCH(bool, add);
    QFETCH(bool, float32);
    QFETCH(QString, row);
    const MaskFill mask_fill{fill, add ? MaskFill::Mode::Add : MaskFill::Mode::Replace};
    const auto scene = blocked_scene(mask_fill, float32 ? Precision::Float32 : Precision::Float64);
    const auto result = compute(scene);
    QVERIFY(!result.settings[0].error);
    auto open = scene;
    open.settings = {setting("open")};
    const auto s = row_of(compute(open).settings[0].trace, "weights", 3);
    const auto expected = row == "softmax(s)" ? s : std::vector<double>(4, row == "uniform" ? 0.25 : 0.0);
    const auto got = row_of(result.settings[0].trace, "weights", 3);
    for (std::size_t j = 0; j < 4; ++j)
        QVERIFY2(close(got[j], expected[j], 3e-7), qPrintable(QString::number(got[j], 'g', 17)));
    // float64 keeps 1e-7 of a score next to 1e9.
    QVERIFY(close(row_of(result.settings[0].trace, "weights", 0)[1],
                  row_of(compute(open).settings[0].trace, "weights", 0)[1], 1e-6));
}

void LabTest::rounds_as_float32_does() {
    Scene scene;
    scene.tensors = {{"query", Tensor({1, 1}, 1.0)},
                     {"key", Tensor({2, 1}, {0.1, 1.0 / 3.0})},
                     {"value", Tensor({2, 1}, {1.0, 0.7})}};
    auto only = setting("a");
    only.precision = Precision::Float32;
    only.spec.masks = {parse_mask("attn_bias")};
    only.tensors = {{"attn_bias", Tensor({1, 2}, {-1e9, 0.0})}};
    scene.settings = {only};
    const auto trace = compute(scene).settings[0].trace;
    QCOMPARE(row_of(trace, "scaled", 0), (std::vector<double>{double{0.1f}, double{1.0f / 3.0f}}));
    QCOMPARE(row_of(trace, "masked", 0), (std::vector<double>{-1e9, double{1.0f / 3.0f}}));
    QCOMPARE(row_of(trace, "weights", 0), (std::vector<double>{0.0, 1.0}));
    QCOMPARE(row_of(trace, "output", 0), std::vector<double>{double{0.7f}});
    QCOMPARE(stage(trace, "lse").values()[0], double{1.0f / 3.0f});
    QCOMPARE(stage(trace, "weights").dtype(), DType::Float32);
}

void LabTest::renews_statistics_and_notes() {
    auto scene = blocked_scene({-1e9, MaskFill::Mode::Add}, Precision::Float32);
    scene.settings[0].spec.statistics = true;
    auto after = setting("after", "sqrt_dk");
    after.spec.scale_after_softmax = true;
    after.precision = Precision::Float32;
    scene.settings.push_back(after);
    const auto result = compute(scene);
    QVERIFY(close(stage(result.settings[0].trace, "entropy").values()[3], std::log(4.0), 1e-6));
    QCOMPARE(std::ranges::count_if(result.settings[0].trace.notes,
                                   [](const Note& note) { return note.severity == Note::Severity::Warning; }),
             1);
    QVERIFY(!result.settings[1].error);
    double sum = 0.0;
    for (const double weight : row_of(result.settings[1].trace, "weights", 0))
        sum += weight;
    QVERIFY(close(sum, 1.0 / std::sqrt(8.0), 1e-6));
}

void LabTest::refuses_float32_of_other_passes() {
    for (const auto* id : {"performer", "linformer", "reformer", "transformer", "multi_head"}) {
        const auto problem = fresh_problem(id);
        QVERIFY2(error_of([&] { in_float32(run(problem), problem.spec); }).startsWith(id), id);
    }
    for (const auto* id : {"self", "causal", "additive", "gaussian_kernel", "cross"}) {
        const auto problem = fresh_problem(id);
        QCOMPARE(error_of([&] { in_float32(run(problem), problem.spec); }), QString());
    }
}

void LabTest::moves_what_may_read_the_token_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<int>("token");
    QTest::addColumn<QList<bool>>("moves");
    QTest::newRow("all read all") << "" << -1 << QList{true, true, true, true};
    QTest::newRow("causal, last") << "causal" << -1 << QList{false, false, false, true};
    QTest::newRow("causal, second") << "causal" << 1 << QList{false, true, true, true};
    QTest::newRow("window") << "window:2" << 0 << QList{true, true, false, false};
    QTest::newRow("prefix") << "prefix:2" << 1 << QList{true, true, true, true};
}

void LabTest::moves_what_may_read_the_token() {
    QFETCH(QString, mask);
    QFETCH(int, token);
    QFETCH(QList<bool>, moves);
    const auto masks = mask.isEmpty() ? std::vector<Selection>{} : std::vector{parse_mask(mask.toStdString())};
    AttentionProblem self;
    self.spec.variant = "multi_head";
    complete_inputs(self, 3);
    self.tensors["x"] = random_normal({4, self.tensors.at("w_q").dim(0)}, 5);
    self.spec.masks = masks;
    for (const auto& problem : {drawn_problem(draw_of(4, 4, 8), masks), self}) {
        const auto rows = effect_of_token(problem, token).moved;
        QCOMPARE(rows.size(), 4);
        for (std::size_t i = 0; i < rows.size(); ++i)
            QVERIFY2((rows[i] > 1e-3) == moves[static_cast<qsizetype>(i)] &&
                         (moves[static_cast<qsizetype>(i)] || rows[i] == 0.0),
                     qPrintable(QString::number(rows[i])));
    }
}

void LabTest::leaves_queries_of_another_sequence() {
    // The first of two keys is blocked for all queries: editing it has no effect unless it is also a query.
    auto problem = drawn_problem(draw_of(2, 2, 4), {parse_mask("key_padding")});
    problem.tensors.emplace("key_padding_mask", Tensor({1, 2}, {1.0, 0.0}, DType::Bool));
    problem.tensors["key"] = Tensor({2, 4}, 1.0);
    QCOMPARE(effect_of_token(problem, 0).moved, (std::vector{0.0, 0.0}));
    problem.tensors["key_padding_mask"] = Tensor({1, 2}, 0.0, DType::Bool);
    problem.key_tokens = {"a", "b"};
    QVERIFY(effect_of_token(problem, 0).moved[1] > 0.0);
    auto longer = drawn_problem(draw_of(2, 5, 4), {});
    QCOMPARE(effect_of_token(longer, 4).moved.size(), 2);
    QVERIFY(!effect_of_token(longer, 1).own);
}

void LabTest::separates_the_own_query_from_what_is_read_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<bool>("readable");
    for (const auto* variant : {"scaled_dot_product", "multi_head"})
        for (const bool readable : {false, true})
            QTest::addRow("%s, the token is %s", variant, readable ? "readable" : "blocked")
                << QString(variant) << readable;
}

void LabTest::separates_the_own_query_from_what_is_read() {
    QFETCH(QString, variant);
    QFETCH(bool, readable);
    auto problem = drawn_problem(draw_of(4, 4, 8), {});
    if (variant == "multi_head") {
        problem = {};
        problem.spec.variant = "multi_head";
        complete_inputs(problem, 3);
        problem.tensors["x"] = random_normal({4, problem.tensors.at("w_q").dim(0)}, 5);
    }
    problem.spec.masks = {parse_mask("key_padding")};
    problem.tensors["key_padding_mask"] = Tensor({1, 4}, {0.0, readable ? 0.0 : 1.0, 0.0, 0.0}, DType::Bool);
    const auto effect = effect_of_token(problem, 1);
    QCOMPARE(effect.own, std::optional<std::int64_t>(1));
    QVERIFY(effect.moved[1] > 1e-3); // its query is new
    QCOMPARE(*effect.own_by_reading > 0.0, readable);
    QCOMPARE(effect.moved[0] > 0.0, readable);
    // A finite fill lets a row with nothing to read look at the blocked token.
    problem.spec.mask_fill.value = -1e9;
    problem.tensors["key_padding_mask"] = Tensor({1, 4}, 1.0, DType::Bool);
    QVERIFY(*effect_of_token(problem, 1).own_by_reading > 1e-3);
}

void LabTest::cannot_separate_queries_and_keys_of_one_input() {
    const auto effect = effect_of_token(fresh_problem("self"), 1);
    QCOMPARE(effect.own, std::optional<std::int64_t>(1));
    QVERIFY(!effect.own_by_reading);
}

void LabTest::follows_the_precision() {
    // exp(-120) is nonzero in float64 and 0 in float32.
    auto problem = drawn_problem(draw_of(4, 4, 8), {parse_mask("causal")});
    problem.spec.mask_fill.value = -120.0;
    problem.tensors["value"] = Tensor({4, 1}, {0.0, 0.0, 0.0, 1e30});
    QVERIFY(effect_of_token(problem, 3).moved[1] > 0.0);
    QCOMPARE(effect_of_token(problem, 3, {}, Precision::Float32).moved[1], 0.0);
}

void LabTest::refuses_a_token_that_is_not_there() {
    const auto problem = drawn_problem(draw_of(3, 3, 4), {});
    QCOMPARE(error_of([&] { effect_of_token(problem, 3); }), "token 3 is not there, expected one from -3 to 2");
    QVERIFY(!error_of([&] { effect_of_token(problem, -4); }).isEmpty());
    const auto model = fresh_problem("transformer");
    QVERIFY(error_of([&] { effect_of_token(model, 0); }).startsWith("transformer: has no"));
}

ATTNLAB_TEST(LabTest)
#include "test_lab.moc"
