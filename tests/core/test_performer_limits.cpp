#include "core/stages/mask.h"
#include "core/stages/scale.h"
#include "tests/core/approximation_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

namespace {

bool has_cells(const Stage& made) {
    const auto has = [&](Axis axis) { return std::ranges::find(made.axes, axis) != made.axes.end(); };
    return has(Axis::Query) && has(Axis::Key);
}

QString complaint(const AttentionProblem& problem) {
    const auto said = error_of([&] { run(problem); });
    const auto issues = issues_in(problem);
    return !issues.empty() && said == QString::fromStdString(issues.front().english()) ? said : "not an issue: " + said;
}

} // namespace

/// Performer's limitations, omitted stages and notes.
class PerformerLimitsTest : public QObject {
    Q_OBJECT
private slots:
    void makes_no_table_unless_asked();
    void notes_what_is_unusual();
    void names_what_is_not_possible_data();
    void names_what_is_not_possible();
    void says_what_it_costs();
};

void PerformerLimitsTest::makes_no_table_unless_asked() {
    auto problem = dot_problem(1, 1, 1, 400, 300, 4, 2);
    problem.spec.variant = "performer";
    problem.spec.masks = {parse_mask("causal")};
    problem.spec.parameters.set("features", std::int64_t{16});
    const RunControl tight{.memory_limit = 400 * 300 * 8};
    QVERIFY(error_of([&] { run(problem, tight); }).startsWith("weights: would have shape (1, 1, 400, 300)"));
    const auto full = run(problem);
    problem.spec.parameters.set("weights", false);
    const auto lean = run(problem, tight);
    QCOMPARE(stage(lean, "output"), stage(full, "output"));
    QVERIFY(std::ranges::any_of(full.stages, has_cells));
    QVERIFY(std::ranges::none_of(lean.stages, has_cells));
    QVERIFY(!lean.find("exact_output") && std::isnan(measured(lean, "output_error")));
    QCOMPARE(measured(lean, "operations"), measured(full, "operations"));
    problem.spec.statistics = true;
    QCOMPARE(complaint(problem), QStringLiteral("performer: parameter weights is 'false', expected true where "
                                                "statistics of the weights are asked for"));
}

void PerformerLimitsTest::notes_what_is_unusual() {
    auto problem = performer_problem({1, 2, 1, 3, 4, 2, 2}, 8);
    problem.spec.masks = {parse_mask("causal"), parse_mask("key_padding")};
    problem.tensors.emplace("key_padding_mask", Tensor({1, 4}, {1, 0, 0, 1}, DType::Bool));
    const auto trace = run(problem);
    QVERIFY(has_note(trace, "Rows with every key blocked: 2 (first: 0)"));
    QCOMPARE(stage(trace, "output").at({0, 1, 0, 1}), 0.0);
    QVERIFY(!has_note(trace, "mask fill -"));
    problem.spec.mask_fill.value = -1e9;
    QVERIFY(has_note(run(problem), "the mask fill -1e+09 counts in the exact weights only"));
    problem.spec.masks.clear();
    problem.tensors.at("query").set({0, 0, 1, 0}, not_a_number);
    const auto broken = run(problem);
    QVERIFY(has_note(broken, "query holds values that are NaN or infinite: 1"));
    QVERIFY(has_note(broken, "Rows whose output is NaN: 1 (first: 1)"));
    auto none = dot_problem(1, 1, 1, 2, 0, 3, 2);
    none.spec.variant = "performer";
    QVERIFY(has_note(run(none), "There are no keys"));
    QCOMPARE(stage(run(none), "output"), Tensor({1, 1, 2, 2}));
}

void PerformerLimitsTest::names_what_is_not_possible_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* what, const char* value, const char* message) {
        QTest::addRow("%s %s", what, value) << what << value << message;
    };
    for (const auto* mask : {"window", "attn_mask", "attn_bias", "painted"})
        QTest::addRow("%s", mask) << "mask" << mask
                                  << QStringLiteral(
                                         "performer: mask %1 is not possible: The sums over keys grow key by "
                                         "key. So a row can read its first keys, without those that no row "
                                         "reads, but no other choice of keys.")
                                         .arg(QLatin1String(mask));
    row("scale", "score_norm",
        "performer: scale score_norm is not possible: The features hold the root of one factor for all scores, which "
        "this scale does not have.");
    row("scale", "custom:0",
        "scale: parameter c is '0', expected a number above 0: its root goes into the features of performer");
    row("scale", "custom:-0.31",
        "scale: parameter c is '-0.31', expected a number above 0: its root goes into the features of performer");
    row("after", "", "performer: scale after the softmax is not possible: The scale is part of the features.");
    row("position", "rope",
        "performer: position is not possible: The features are of queries and keys as they are given.");
    row("features", "0", "performer: parameter features is '0', expected an integer in [1, 65536]");
    row("features", "65537", "performer: parameter features is '65537', expected an integer in [1, 65536]");
    row("seed", "-1", "performer: parameter seed is '-1', expected an integer in [0, 1e+09]");
    row("omega", "8 4", "performer_omega: has shape (8, 4), expected (m, E) with E = 3 as in query, no size 0");
    row("omega", "0 3", "performer_omega: has shape (0, 3), expected (m, E) with E = 3 as in query, no size 0");
}

void PerformerLimitsTest::names_what_is_not_possible() {
    QFETCH(QString, what);
    QFETCH(QString, value);
    QFETCH(QString, message);
    auto problem = dot_problem(2, 4, 2, 5, 7, 3, 5);
    problem.spec.variant = "performer";
    if (what == "mask")
        problem.spec.masks = {{value.toStdString(), {}}};
    else if (what == "scale")
        problem.spec.scale = parse_scale(value.toStdString());
    else if (what == "after")
        problem.spec.scale_after_softmax = true;
    else if (what == "position")
        problem.spec.position.id = value.toStdString();
    else if (what == "omega")
        problem.tensors.emplace("performer_omega",
                                Tensor({value.section(' ', 0, 0).toInt(), value.section(' ', 1).toInt()}));
    else
        problem.spec.parameters.set(what.toStdString(), std::int64_t{value.toInt()});
    QCOMPARE(complaint(problem), message);
}

void PerformerLimitsTest::says_what_it_costs() {
    auto problem = performer_problem({1, 2, 1, 10, 20, 3, 5}, 8);
    const auto trace = run(problem);
    const double rows = 2.0 * 10.0, keys = 20.0;
    QCOMPARE(measured(trace, "operations"), (rows + keys) * 8.0 * 9.0 + keys * 8.0 * 11.0 + rows * (8.0 * 12.0 + 5.0));
    QCOMPARE(measured(trace, "bytes"), 4.0 * ((rows + keys) * 8.0 + 8.0 * 6.0));
}

ATTNLAB_TEST(PerformerLimitsTest)
#include "test_performer_limits.moc"
