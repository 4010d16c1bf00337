#include "core/backend.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "traces.h"
#include "ui/document/view_state.h"
#include "ui/matrix/stages/stage_matrix.h"

#include <QtTest>

#include <limits>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// value = 100 b + 10 h + flat index of the cell.
Stage numbered(const std::string& name, Shape shape, std::vector<Axis> axes) {
    Tensor tensor(shape);
    const auto cells = shape.size() < 2 ? 1 : shape[shape.size() - 2] * shape.back();
    const auto heads = shape.size() == 4 ? shape[1] : 1;
    auto values = tensor.mutable_values();
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        values[static_cast<std::size_t>(i)] =
            static_cast<double>(100 * (i / cells / heads) + 10 * (i / cells % heads) + i % cells);
    return {name, tensor, std::move(axes), StageRole::Step, {}, ""};
}

const std::vector<Axis> map_axes{Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
const std::vector<Axis> key_axes{Axis::Batch, Axis::Head, Axis::Key, Axis::Feature};

Trace smallTrace() {
    Trace trace;
    trace.stages.push_back(numbered("key", {2, 2, 3, 2}, key_axes));
    trace.stages.push_back(numbered("scores", {2, 4, 2, 3}, map_axes));
    Stage blocked = numbered("blocked", {2, 4, 2, 3}, map_axes);
    blocked.role = StageRole::Mask;
    for (double& value : blocked.value.mutable_values())
        value = 0.0;
    for (int head = 0; head < 4; ++head)
        blocked.value.set({0, head, 0, 2}, 1.0);
    blocked.value.set({0, 1, 1, 1}, 1.0);
    trace.stages.push_back(blocked);
    Stage weights = numbered("weights", {2, 4, 2, 3}, map_axes);
    const auto cells = weights.value.mutable_values();
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (blocked.value.values()[i] != 0.0)
            cells[i] = 0.0;
    trace.stages.push_back(weights);
    trace.stages.push_back(
        {"lse", Tensor({2, 4, 2}, 5.0), {Axis::Batch, Axis::Head, Axis::Query}, StageRole::Summary, {}, ""});
    trace.stages.push_back(numbered("mean", {2, 2, 3}, {Axis::Batch, Axis::Query, Axis::Key}));
    trace.query_tokens = {"a", "b"};
    trace.key_tokens = {"x", "y"};
    return trace;
}

} // namespace

class TestSlice : public QObject {
    Q_OBJECT
private slots:
    /// Rows and columns are queries, whose labels it has, and no mask hatches it.
    void similarityIsASquareOfQueries() {
        AttentionProblem problem;
        problem.tensors = {{"query", random_normal({1, 2, 3, 4}, 1)},
                           {"key", random_normal({1, 2, 3, 4}, 2)},
                           {"value", random_normal({1, 2, 3, 2}, 3)}};
        problem.query_tokens = {"a", "b", "c"};
        problem.key_tokens = {"x", "y", "z"};
        problem.spec.masks = {{"causal", {}}};
        problem.spec.parameters.set("similarity", true);
        const auto trace = reference_backend().run(problem, {});
        const Stage& stage = *trace.find("similarity");
        const auto slice = sliceOf(trace, stage, 0, 1);
        QVERIFY(slice);
        QCOMPARE(slice->view().rows, 3);
        QCOMPARE(slice->view().columns, 3);
        QCOMPARE(slice->row_labels, (QStringList{"a", "b", "c"}));
        QCOMPARE(slice->column_labels, slice->row_labels);
        QCOMPARE(slice->column_title, "query token");
        QCOMPARE(slice->view()(2, 0), stage.value.at({0, 1, 2, 0}));
        QVERIFY(!slice->isBlocked(0, 2));
    }

    void findsTheMatrix_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("head");
        QTest::addColumn<double>("first");
        QTest::newRow("head of a batch") << "weights" << 1 << 2 << 120.0;
        QTest::newRow("mean of heads") << "weights" << 1 << ViewState::mean_of_heads << 115.0;
        QTest::newRow("key head of query head 1") << "key" << 0 << 1 << 0.0;
        QTest::newRow("key head of query head 2") << "key" << 0 << 2 << 10.0;
        QTest::newRow("no head axis") << "mean" << 1 << 3 << 100.0;
        QTest::newRow("no head axis, mean") << "mean" << 1 << ViewState::mean_of_heads << 100.0;
    }
    void findsTheMatrix() {
        QFETCH(QString, stage);
        QFETCH(int, batch);
        QFETCH(int, head);
        QFETCH(double, first);
        const Trace trace = smallTrace();
        const auto data = sliceOf(trace, *trace.find(stage.toStdString()), batch, head);
        QVERIFY(data);
        QCOMPARE(data->view()(0, 0), first);
        QCOMPARE(data->view()(1, 1), first + static_cast<double>(data->view().columns + 1));
    }

    void refusesWhatIsNotThere_data() {
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("head");
        QTest::newRow("batch") << 2 << 0;
        QTest::newRow("negative batch") << -1 << 0;
        QTest::newRow("head") << 0 << 4;
    }
    void refusesWhatIsNotThere() {
        QFETCH(int, batch);
        QFETCH(int, head);
        const Trace trace = smallTrace();
        QVERIFY(!sliceOf(trace, *trace.find("weights"), batch, head));
    }

    void labelsRowsAndColumns() {
        const Trace trace = smallTrace();
        const auto data = *sliceOf(trace, *trace.find("weights"), 0, 0);
        QCOMPARE(data.rowLabel(1), QStringLiteral("b"));
        QCOMPARE(data.columnLabel(1), QStringLiteral("y"));
        QCOMPARE(data.columnLabel(2), QStringLiteral("2")); // a key without a token
        const auto key = *sliceOf(trace, *trace.find("key"), 0, 0);
        QCOMPARE(key.rowLabel(0), QStringLiteral("x"));
        QCOMPARE(key.columnLabel(0), QStringLiteral("0"));
    }

    void oneNumberARowIsAColumn() {
        const Trace trace = smallTrace();
        const auto data = *sliceOf(trace, *trace.find("lse"), 1, 3);
        QCOMPARE(data.view().rows, 2);
        QCOMPARE(data.view().columns, 1);
        QCOMPARE(data.view()(1, 0), 5.0);
    }

    void blocksFromTheMaskOn() {
        const Trace trace = smallTrace();
        const auto scores = *sliceOf(trace, *trace.find("scores"), 0, 1);
        QVERIFY(!scores.isBlocked(0, 2));
        const auto weights = *sliceOf(trace, *trace.find("weights"), 0, 1);
        QVERIFY(weights.isBlocked(0, 2));
        QVERIFY(weights.isBlocked(1, 1));
        QVERIFY(!weights.isBlocked(0, 0));
        const auto other = *sliceOf(trace, *trace.find("weights"), 1, 1);
        QVERIFY(!other.isBlocked(0, 2));
    }

    void theMeanIsBlockedWhereEveryHeadIs() {
        const Trace trace = smallTrace();
        const auto mean = *sliceOf(trace, *trace.find("weights"), 0, ViewState::mean_of_heads);
        QVERIFY(mean.isBlocked(0, 2));
        QVERIFY(!mean.isBlocked(1, 1));
    }

    void sizes() {
        const auto size = sizeOf(smallTrace());
        QCOMPARE(size.batches, 2);
        QCOMPARE(size.heads, 4);
        QCOMPARE(sizeOf(Trace()).heads, 1);
    }

    void aNumberForEachTileMakesAColumn() {
        auto trace = smallTrace();
        // 1000 t + 100 b + 10 h + row.
        Tensor maxima({3, 2, 4, 2});
        for (std::int64_t i = 0; i < maxima.size(); ++i)
            maxima.mutable_values()[static_cast<std::size_t>(i)] =
                static_cast<double>(1000 * (i / 16) + 100 * (i / 8 % 2) + 10 * (i / 2 % 4) + i % 2);
        const Stage stage{"tile_row_max",     maxima, {Axis::Tile, Axis::Batch, Axis::Head, Axis::Query},
                          StageRole::Summary, {},     ""};
        const auto shown = *sliceOf(trace, stage, 1, 3);
        QCOMPARE(shown.view().rows, 2);
        QCOMPARE(shown.view().columns, 3);
        QCOMPARE(shown.view()(1, 2), 2131.0);
        QCOMPARE(shown.rowLabel(1), QString("b"));
        QCOMPARE(shown.column_title, QString(title_of(Axis::Tile)));
        QCOMPARE(sliceOf(trace, stage, 1, ViewState::mean_of_heads)->view()(0, 1), 1115.0);
        QVERIFY(!sliceOf(trace, stage, 2, 0));
    }

    void theLastTileStandsForAll() {
        const auto trace = smallTrace();
        Tensor outputs({2, 2, 4, 2, 3});
        for (std::int64_t i = 0; i < outputs.size(); ++i)
            outputs.mutable_values()[static_cast<std::size_t>(i)] = static_cast<double>(i);
        const Stage stage{
            "tile_output",      outputs, {Axis::Tile, Axis::Batch, Axis::Head, Axis::Query, Axis::Feature},
            StageRole::Summary, {},      ""};
        const auto shown = *sliceOf(trace, stage, 1, 3);
        QCOMPARE(shown.view().rows, 2);
        QCOMPARE(shown.view().columns, 3);
        QCOMPARE(shown.view()(0, 0), outputs.at({1, 1, 3, 0, 0}));
    }

    void whatExactAttentionReadsIsShown() {
        auto trace = smallTrace();
        Stage exact = numbered("exact_weights", {2, 4, 2, 3}, map_axes);
        exact.role = StageRole::Exact;
        exact.value.set({0, 1, 1, 1}, 0.0);
        trace.stages.push_back(exact);
        const auto shown = *sliceOf(trace, trace.stages.back(), 0, 1);
        QVERIFY(!shown.isBlocked(0, 2)); // blocked for the mechanism, but it has weight
        QVERIFY(shown.isBlocked(1, 1));
    }

    void weightOnBlockedCellsIsShown() {
        AttentionProblem problem;
        for (const auto* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({2, 2}, {1, 2, 3, 4}));
        problem.tensors.emplace("attn_mask", Tensor({2, 2}, {1, 1, 0, 1}, DType::Bool));
        problem.spec.masks.push_back({"attn_mask", {}});
        for (const double fill : {-std::numeric_limits<double>::infinity(), -1e9}) {
            problem.spec.mask_fill.value = fill;
            const auto trace = computed(problem)->trace;
            const auto weights = *sliceOf(trace, *trace.find("weights"), 0, 0);
            const bool leaks = std::isfinite(fill);
            QCOMPARE(weights.isBlocked(0, 0), !leaks); // the whole row is blocked: uniform weights, or none
            QCOMPARE(weights.view()(0, 0), leaks ? 0.5 : 0.0);
            QVERIFY(weights.isBlocked(1, 1));
            QVERIFY(sliceOf(trace, *trace.find("masked"), 0, 0)->isBlocked(0, 0));
        }
    }
};

ATTNLAB_TEST(TestSlice)
#include "test_slice.moc"
