#include "core/stages/mask.h"
#include "tests/core/engine_support.h"
#include "tests/core/io_support.h"
#include "tests/test_main.h"

#include <QTest>

using namespace attnlab;
using namespace attnlab::test;

class RunControlTest : public QObject {
    Q_OBJECT
private slots:
    void cancels_at_any_call_data();
    void cancels_at_any_call();
    void progress_grows_to_one_data();
    void progress_grows_to_one();
    void refuses_what_does_not_fit_data();
    void refuses_what_does_not_fit();
    void checks_absurd_shapes_without_their_memory();
};

void RunControlTest::cancels_at_any_call_data() {
    QTest::addColumn<QString>("variant");
    for (const auto& mechanism : mechanisms())
        QTest::newRow(mechanism.id.data()) << QString::fromUtf8(mechanism.id.data(), qsizetype(mechanism.id.size()));
}

void RunControlTest::cancels_at_any_call() {
    QFETCH(QString, variant);
    const auto problem = fresh_problem(variant.toStdString());
    int calls = 0;
    const auto trace = run(problem, {.cancelled = [&] {
                               ++calls;
                               return false;
                           }});
    std::int64_t rows = 0;
    for (const auto& made : trace.stages)
        if (made.name == "lse" || made.name.ends_with(".lse"))
            rows += made.value.size();
    const auto polls = 2 * rows + std::ssize(trace.stages) - 1; // rows twice, stages once
    QVERIFY2(calls >= polls, qPrintable(QStringLiteral("%1 of %2").arg(calls).arg(polls)));
    for (int last = 1; last <= calls; ++last) {
        int polled = 0;
        const RunControl control{.cancelled = [&] { return ++polled >= last; }};
        QVERIFY_THROWS_EXCEPTION(Cancelled, run(problem, control));
        QCOMPARE(polled, last); // nothing continues after the cancellation
    }
}

void RunControlTest::progress_grows_to_one_data() { cancels_at_any_call_data(); }

void RunControlTest::progress_grows_to_one() {
    QFETCH(QString, variant);
    std::vector<double> seen;
    run(fresh_problem(variant.toStdString()), {.progress = [&](double fraction) { seen.push_back(fraction); }});
    QVERIFY(seen.size() > 2);
    QVERIFY(std::ranges::is_sorted(seen));
    QVERIFY(seen.front() >= 0.0 && seen.front() < 1.0);
    QCOMPARE(seen.back(), 1.0);
}

void RunControlTest::refuses_what_does_not_fit_data() {
    QTest::addColumn<QString>("variant");
    QTest::addColumn<QList<QList<qint64>>>("shapes"); // those of the first inputs that the mechanism declares
    QTest::addColumn<QString>("name");
    const auto row = [](const char* what, const char* variant, const QList<QList<qint64>>& shapes, const char* name) {
        QTest::newRow(what) << variant << shapes << name;
    };
    constexpr qint64 million = 1000000;
    row("many tokens", "scaled_dot_product", {{million, 1}, {million, 1}, {million, 1}}, "scores");
    row("tokens without features", "scaled_dot_product", {{million, 0}, {million, 0}, {million, 0}}, "scores");
    row("sequences without features", "scaled_dot_product",
        {{million, 1, 1, 0}, {million, 1, 5000, 0}, {million, 1, 5000, 0}}, "scores");
    row("wide values of few keys", "scaled_dot_product", {{million, 0}, {1, 0}, {1, million}}, "output");
    row("wide values of no keys", "scaled_dot_product",
        {{million, 1, 1, 0}, {million, 1, 0, 0}, {million, 1, 0, million}}, "output");
    row("beyond 64 bits", "scaled_dot_product", {{qint64{1} << 40, 0}, {qint64{1} << 40, 0}, {qint64{1} << 40, 0}},
        "scores");
    row("wide projections of no features", "self", {{million, 0}, {0, million}, {0, million}, {0, 1}}, "projection");
    row("wide heads of no features", "multi_head", {}, "projection");
}

void RunControlTest::refuses_what_does_not_fit() {
    QFETCH(QString, variant);
    QFETCH(QList<QList<qint64>>, shapes);
    QFETCH(QString, name);
    AttentionProblem problem;
    problem.spec.variant = variant.toStdString();
    if (shapes.isEmpty()) {
        problem.tensors = {{"x", Tensor({1000000, 0})}};
        for (const auto* weight : {"w_q", "w_k", "w_v"})
            problem.tensors.emplace(weight, Tensor({0, 1000000}));
    }
    const auto inputs = attnlab::mechanism_of(problem.spec.variant).inputs;
    for (qsizetype k = 0; k < shapes.size(); ++k)
        problem.tensors.emplace(inputs[static_cast<std::size_t>(k)].name,
                                Tensor(Shape(shapes[k].begin(), shapes[k].end())));
    problem.spec.masks = {parse_mask("causal")};
    const auto complaint = error_of([&] { run(problem); });
    QVERIFY2(complaint.startsWith(name + ": "), qPrintable(complaint));
    QVERIFY2(complaint.contains("the limit is 4.2 GB") || complaint.contains("more than memory can address"),
             qPrintable(complaint));
    // A small limit refuses small problems with the same kind of message.
    const auto small = dot_problem(1, 1, 1, 10, 10, 1, 1);
    QVERIFY(
        error_of([&] { run(small, {.memory_limit = 1000}); }).startsWith("scores: would have shape (1, 1, 10, 10)"));
    QVERIFY(run(small, {.memory_limit = 10000}).find("output"));
}

void RunControlTest::checks_absurd_shapes_without_their_memory() {
    AttentionProblem problem;
    problem.tensors = {{"query", Tensor({1000000, 1, 1000, 0})},
                       {"key", Tensor({1000000, 1, 1000, 0})},
                       {"value", Tensor({1000000, 1, 1000, 0})}};
    for (const auto& kind : mask_kinds())
        problem.spec.masks.push_back({std::string(kind.id), {}});
    problem.tensors.insert({{"valid_lens", Tensor({1000000})},
                            {"attn_mask", Tensor({1, 1, 1000, 1000})},
                            {"attn_bias", Tensor({1000, 1000})},
                            {"painted_mask", Tensor({1000, 1000})}});
    const auto issues = issues_in(problem); // 8 TB of cells, if they were allocated
    QCOMPARE(issues.size(), std::size_t{1});
    QVERIFY(issues.front().english().starts_with("key_padding_mask: is missing"));
}

ATTNLAB_TEST(RunControlTest)
#include "test_run_control.moc"
