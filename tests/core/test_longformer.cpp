#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

AttentionProblem longformer(AttentionProblem problem, std::int64_t window, IntegerList tokens,
                            const std::string& combine = "union") {
    problem.spec.variant = "longformer";
    problem.spec.parameters.set("window", window);
    problem.spec.parameters.set("global_tokens", std::move(tokens));
    problem.spec.parameters.set("combine", combine);
    return problem;
}

/// The softmax of row i over the keys for which `reads` is true, from the inputs.
template <class Reads>
std::vector<double> softmax_over(const AttentionProblem& problem, std::int64_t b, std::int64_t h, std::int64_t i,
                                 Reads reads) {
    const auto &q = problem.tensors.at("query"), &k = problem.tensors.at("key");
    const auto S = k.dim(2), E = q.dim(3);
    std::vector<double> terms(static_cast<std::size_t>(S), 0.0);
    double sum = 0.0;
    for (std::int64_t j = 0; j < S; ++j) {
        if (!reads(j))
            continue;
        double score = 0.0;
        for (std::int64_t c = 0; c < E; ++c)
            score += q.at({b, h, i, c}) * k.at({b, h * k.dim(1) / q.dim(1), j, c});
        sum += terms[static_cast<std::size_t>(j)] = std::exp(score / std::sqrt(static_cast<double>(E)));
    }
    for (double& term : terms)
        term = sum == 0.0 ? 0.0 : term / sum;
    return terms;
}

double measure(const Trace& trace, const std::string& name) {
    for (const auto& one : trace.measures)
        if (one.name == name)
            return one.value;
    throw std::out_of_range(name);
}

} // namespace

class LongformerTest : public QObject {
    Q_OBJECT
private slots:
    void reads_window_and_global_tokens_data();
    void reads_window_and_global_tokens();
    void a_window_over_all_is_exact();
    void reads_itself_alone_in_a_window_of_nothing();
    void shows_what_is_lost();
    void counts_the_cells_it_reads();
    void says_which_rows_sum_to_two();
    void says_where_the_window_is();
    void one_key_in_both_softmaxes_weighs_two();
    void refuses_tokens_that_are_not_there_data();
    void refuses_tokens_that_are_not_there();
};

void LongformerTest::reads_window_and_global_tokens_data() {
    QTest::addColumn<QList<qint64>>("sizes"); // B, H, Hkv, L, S, window
    QTest::addColumn<QList<qint64>>("tokens");
    QTest::addColumn<QString>("combine");
    QTest::addColumn<QString>("mask");
    const QList<QList<qint64>> all = {{1, 1, 1, 1, 1, 0}, {2, 4, 2, 6, 6, 2}, {1, 2, 1, 5, 5, 0},
                                      {2, 2, 2, 4, 9, 3}, {1, 3, 3, 8, 3, 4}, {1, 1, 1, 5, 5, 100}};
    for (const auto& sizes : all)
        for (const auto& tokens : {QList<qint64>{}, QList<qint64>{0}, QList<qint64>{2, 0, 2}, QList<qint64>{7}})
            for (const auto* combine : {"union", "sum"})
                for (const auto* mask : {"", "causal", "attn_mask"})
                    if (tokens.isEmpty() || *std::ranges::max_element(tokens) < std::max(sizes[3], sizes[4]))
                        QTest::addRow("L = %d, S = %d, w = %d, %d tokens from %d, %s, %s", int(sizes[3]), int(sizes[4]),
                                      int(sizes[5]), int(tokens.size()), int(tokens.value(0)), combine, mask)
                            << sizes << tokens << combine << mask;
}

void LongformerTest::reads_window_and_global_tokens() {
    QFETCH(QList<qint64>, sizes);
    QFETCH(QList<qint64>, tokens);
    QFETCH(QString, combine);
    QFETCH(QString, mask);
    const auto B = sizes[0], H = sizes[1], L = sizes[3], S = sizes[4], reach = sizes[5] / 2;
    const std::int64_t Ev = 2;
    auto problem = longformer(dot_problem(B, H, sizes[2], L, S, 3, Ev), sizes[5], {tokens.begin(), tokens.end()},
                              combine.toStdString());
    Tensor closed({L, S}, 0.0, DType::Bool);
    for (std::int64_t j = 0; j < S; ++j)
        closed.set({L - 1, j}, 1.0); // the last row reads nothing
    problem.tensors.emplace("attn_mask", closed);
    if (!mask.isEmpty())
        problem.spec.masks = {parse_mask(mask.toStdString())};
    const auto kept = [&](std::int64_t i, std::int64_t j) {
        return mask == QLatin1String("causal") ? j <= i : mask.isEmpty() || i != L - 1;
    };
    Tensor weights({B, H, L, S}), output({B, H, L, Ev});
    for (std::int64_t b = 0; b < B; ++b)
        for (std::int64_t h = 0; h < H; ++h)
            for (std::int64_t i = 0; i < L; ++i) {
                const auto near = [&](std::int64_t j) { return std::abs(i - j) <= reach && kept(i, j); };
                const auto global = [&](std::int64_t j) {
                    return (tokens.contains(i) || tokens.contains(j)) && kept(i, j);
                };
                auto row = softmax_over(problem, b, h, i,
                                        [&](std::int64_t j) { return near(j) || (combine == "union" && global(j)); });
                if (combine == QLatin1String("sum")) {
                    const auto more = softmax_over(problem, b, h, i, global);
                    std::ranges::transform(row, more, row.begin(), std::plus());
                }
                for (std::int64_t j = 0; j < S; ++j) {
                    weights.set({b, h, i, j}, row[static_cast<std::size_t>(j)]);
                    for (std::int64_t c = 0; c < Ev; ++c)
                        output.set({b, h, i, c}, output.at({b, h, i, c}) +
                                                     row[static_cast<std::size_t>(j)] *
                                                         problem.tensors.at("value").at({b, h * sizes[2] / H, j, c}));
                }
            }
    QVERIFY(issues_in(problem).empty());
    const auto trace = run(problem);
    QCOMPARE(difference(stage(trace, "weights"), weights, 1e-12), QString());
    QCOMPARE(difference(stage(trace, "output"), output, 1e-12), QString());
    QCOMPARE(trace.find("lse") != nullptr, combine == QLatin1String("union"));
}

void LongformerTest::a_window_over_all_is_exact() {
    auto plain = dot_problem(2, 4, 2, 5, 7, 4, 3);
    plain.spec.masks = {parse_mask("causal:bottom_right")};
    const auto trace = run(longformer(plain, 14, {})), exact = run(plain);
    for (const auto* name : {"scores", "masked", "weights", "lse", "output"})
        QCOMPARE(stage(trace, name), stage(exact, name));
    QCOMPARE(measure(trace, "output_error"), 0.0);
    QCOMPARE(measure(trace, "weights_max_error"), 0.0);
}

void LongformerTest::reads_itself_alone_in_a_window_of_nothing() {
    for (const std::int64_t window : {0, 1}) { // w/2 keys on either side, rounded down
        const auto trace = run(longformer(dot_problem(1, 1, 1, 4, 4, 3, 2), window, {}));
        for (std::int64_t i = 0; i < 4; ++i)
            for (std::int64_t j = 0; j < 4; ++j)
                QCOMPARE(stage(trace, "weights").at({0, 0, i, j}), i == j ? 1.0 : 0.0);
        QVERIFY(has_note(trace, "Rows that see one key: 4"));
    }
}

void LongformerTest::shows_what_is_lost() {
    auto plain = dot_problem(1, 2, 1, 6, 6, 4, 3);
    plain.spec.masks = {parse_mask("causal")};
    const auto exact = run(plain);
    for (const auto* combine : {"union", "sum"}) {
        const auto trace = run(longformer(plain, 2, {0}, combine));
        QCOMPARE(stage(trace, "exact_weights"), stage(exact, "weights"));
        QCOMPARE(stage(trace, "exact_output"), stage(exact, "output"));
        const auto& gap = stage(trace, "difference");
        double largest = 0.0;
        for (std::size_t k = 0; k < gap.values().size(); ++k) {
            QCOMPARE(gap.values()[k], stage(trace, "weights").values()[k] - stage(exact, "weights").values()[k]);
            largest = std::max(largest, std::abs(gap.values()[k]));
        }
        QVERIFY(largest > 0.01);
        QCOMPARE(measure(trace, "weights_max_error"), largest);
        QVERIFY(measure(trace, "output_error") > 0.0);
        QCOMPARE(stage(trace, "output_error").shape(), Shape({1, 2, 6}));
    }
}

void LongformerTest::counts_the_cells_it_reads() {
    const auto plain = dot_problem(1, 2, 1, 6, 6, 4, 3);
    // Window 2: 16 of 36 cells; token 0 adds row and column 0: 11 cells, 3 of them already in the window.
    QCOMPARE(measure(run(longformer(plain, 2, {0})), "bytes"), 4 * 2 * (16.0 + 11 - 3));
    const auto sum = run(longformer(plain, 2, {0}, "sum"));
    QCOMPARE(measure(sum, "bytes"), 4 * 2 * (16.0 + 11));
    QCOMPARE(measure(sum, "operations"), 2 * 27 * (8 + 6 + 3.0));
    QCOMPARE(*sum.measures.back().exact, 4 * 2 * 36.0);
}

void LongformerTest::says_which_rows_sum_to_two() {
    auto problem = longformer(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, {2}, "sum");
    problem.spec.masks = {parse_mask("causal")}; // rows 0 and 1 do not read token 2
    const auto trace = run(problem);
    QVERIFY(has_note(trace, "Rows that sum to 2, not to 1: 2 of 4"));
    const auto &local = stage(trace, "local_weights"), &global = stage(trace, "global_weights");
    for (std::int64_t i = 0; i < 4; ++i) {
        double near = 0.0, far = 0.0;
        for (std::int64_t j = 0; j < 4; ++j) {
            near += local.at({0, 0, i, j});
            far += global.at({0, 0, i, j});
        }
        QVERIFY(close(near, 1.0, 1e-14));
        QVERIFY(close(far, i < 2 ? 0.0 : 1.0, 1e-14));
    }
    QVERIFY(!has_note(run(longformer(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, {}, "sum")), "sum of two distributions"));
}

void LongformerTest::says_where_the_window_is() {
    const std::string says = "The window puts query i at key i, but L = 1 and S = 4 differ";
    QVERIFY(has_note(run(longformer(dot_problem(1, 1, 1, 1, 4, 3, 2), 2, {}, "union")), says));
    QVERIFY(!has_note(run(longformer(dot_problem(1, 1, 1, 4, 4, 3, 2), 2, {}, "union")), "puts query i"));
}

void LongformerTest::one_key_in_both_softmaxes_weighs_two() {
    auto problem = longformer(dot_problem(1, 1, 1, 3, 3, 3, 2), 0, {0}, "sum");
    problem.spec.masks = {parse_mask("causal")};
    const auto trace = run(problem);
    QCOMPARE(stage(trace, "weights").at({0, 0, 0, 0}), 2.0);
    QVERIFY(!has_note(trace, "Rows that see one key")); // its weight would be 1
}

void LongformerTest::refuses_tokens_that_are_not_there_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("beyond") << "global_tokens"
                            << "0,5"
                            << "longformer: parameter global_tokens has 5, expected integers in [0, 4]: there are 5 "
                               "tokens";
    QTest::newRow("negative") << "global_tokens"
                              << "-1"
                              << "longformer: parameter global_tokens is '-1', expected integers in [0, 1e+09], "
                                 "separated by commas";
    QTest::newRow("window") << "window"
                            << "-2"
                            << "longformer: parameter window is '-2', expected an integer in [0, 1e+09]";
}

void LongformerTest::refuses_tokens_that_are_not_there() {
    QFETCH(QString, name);
    QFETCH(QString, value);
    QFETCH(QString, complaint);
    auto problem = longformer(dot_problem(1, 1, 1, 5, 5, 3, 2), 2, {});
    if (name == QLatin1String("window"))
        problem.spec.parameters.set("window", std::int64_t{-2});
    else
        problem.spec.parameters.set("global_tokens", value == "-1" ? IntegerList{-1} : IntegerList{0, 5});
    QCOMPARE(error_of([&] { run(problem); }), complaint);
    QVERIFY(!issues_in(problem).empty());
    QCOMPARE(QString::fromStdString(issues_in(problem).front().english()), complaint);
}

ATTNLAB_TEST(LongformerTest)
#include "test_longformer.moc"
