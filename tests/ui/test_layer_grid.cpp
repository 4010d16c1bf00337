// Traces with several passes: layers side by side, each with its own labels and arithmetic.
#include "tests/test_main.h"
#include "tests/ui/traces.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/layer_grid.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/panels/inspector/arithmetic.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

/// Two passes as in a transformer: an encoder layer over 3 tokens, a cross layer of 2 over 3, and an output.
ComputedPtr twoLayers() {
    auto result = std::make_shared<Computed>();
    Trace& all = result->trace;
    const auto add = [&all](const char* prefix, int heads, int L, int S, std::vector<std::string> queries) {
        auto problem = problemOf(heads, L, S, 4);
        const auto trace = computed(problem)->trace;
        const auto tokens =
            std::make_shared<const TokenLabels>(TokenLabels{std::move(queries), {"one", "two", "three"}});
        for (auto stage : trace.stages) {
            stage.name = prefix + stage.name;
            stage.tokens = tokens;
            all.stages.push_back(std::move(stage));
        }
        all.layers.push_back(std::string(prefix) + "weights");
    };
    add("encoder.0.self.", 2, 3, 3, {"one", "two", "three"});
    add("decoder.0.cross.", 2, 2, 3, {"un", "deux"});
    all.stages.push_back(
        {"logits", Tensor({1, 2, 5}), {Axis::Batch, Axis::Query, Axis::Feature}, StageRole::Step, {}, ""});
    all.query_tokens = {"un", "deux"};
    all.key_tokens = {"one", "two", "three"};
    return result;
}

} // namespace

/// `layers` passes: an encoder over 8 tokens, then cross-attention of 5 over 8.
ComputedPtr manyLayers(int layers, int heads) {
    auto result = std::make_shared<Computed>();
    for (int layer = 0; layer < layers; ++layer) {
        const auto prefix = "layer." + std::to_string(layer) + ".self.";
        const auto pass = computed(problemOf(heads, layer < layers / 2 ? 8 : 5, 8, 2));
        for (auto stage : pass->trace.stages) {
            stage.name = prefix + stage.name;
            result->trace.stages.push_back(std::move(stage));
        }
        result->trace.layers.push_back(prefix + "weights");
    }
    return result;
}

class TestLayerGrid : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void aRowForEachLayer() {
        ViewState view;
        HeadsView heads(view);
        heads.setTrace(computed(milkProblem()));
        QVERIFY(!heads.showsLayers());
        QCOMPARE(heads.shownHeads().size(), std::size_t{4});
        heads.setTrace(twoLayers());
        QVERIFY(heads.showsLayers());
        QVERIFY(heads.shownHeads().empty());
        auto* grid = heads.layers();
        QCOMPARE(grid->layers(), 2);
        QCOMPARE(grid->title(0), QStringLiteral("encoder.0.self"));
        QVERIFY(grid->tile(1, ViewState::mean_of_heads));
        QVERIFY(!grid->tile(1, 2));
        QCOMPARE(grid->tile(1, 1)->matrix()->view().rows, 2);
        // One colour scale for all.
        QCOMPARE(grid->tile(0, 0)->colorScale().high, grid->tile(1, 1)->colorScale().high);
        heads.setTrace(computed(milkProblem()));
        QVERIFY(!heads.showsLayers());
    }

    /// As in the large matrix.
    void aHeldRangeIsHeldInEveryLayer() {
        ViewState view;
        const auto result = twoLayers();
        HeldColors held;
        holdRanges(held.a, result->trace, {});
        for (auto& [name, stage] : held.a.stages)
            for (auto& batch : stage.batches)
                batch.range.include(2.0);
        view.setHeld(held);
        HeadsView heads(view);
        heads.setTrace(result);
        for (const int layer : {0, 1}) {
            QCOMPARE(heads.layers()->tile(layer, 0)->colorScale().high, 2.0);
            QVERIFY(heads.layers()->tile(layer, 0)->colorScale().held);
        }
        view.fitColors();
        QVERIFY(!heads.layers()->tile(0, 0)->colorScale().held);
    }

    void choosingAMapChoosesStageAndHead() {
        ViewState view;
        HeadsView heads(view);
        heads.resize(700, 300);
        heads.setTrace(twoLayers());
        auto* grid = heads.layers();
        QVERIFY(grid->tile(0, 0)->isChecked()); // no stage "weights": the first layer is used
        QTest::mouseClick(grid->tile(1, 1), Qt::LeftButton);
        QCOMPARE(view.stage(), QStringLiteral("decoder.0.cross.weights"));
        QCOMPARE(view.head(), 1);
        QTest::keyClick(grid->tile(1, 1), Qt::Key_Up);
        QCOMPARE(view.stage(), QStringLiteral("encoder.0.self.weights"));
        QTest::keyClick(grid->tile(0, 1), Qt::Key_Right);
        QCOMPARE(view.head(), int{ViewState::mean_of_heads});
        QVERIFY(grid->tile(0, ViewState::mean_of_heads)->isChecked());
        QTest::keyClick(grid->tile(0, ViewState::mean_of_heads), Qt::Key_Up); // nothing above
        QCOMPARE(view.stage(), QStringLiteral("encoder.0.self.weights"));
        QSignalSpy enlarged(&heads, &HeadsView::enlargeRequested);
        QTest::keyClick(grid->tile(0, ViewState::mean_of_heads), Qt::Key_Return);
        QCOMPARE(enlarged.size(), 1);
        // Another stage of the same pass keeps the layer chosen.
        view.setHead(0);
        view.setStage(QStringLiteral("decoder.0.cross.scores"));
        QVERIFY(grid->tile(1, 0)->isChecked());
    }

    void showsAllInASmallRoom_data() {
        QTest::addColumn<int>("heads");
        for (const int heads : {2, 3, 4})
            QTest::addRow("%d", heads) << heads;
    }
    void showsAllInASmallRoom() {
        QFETCH(int, heads);
        ViewState view;
        HeadsView strip(view);
        strip.resize(250, 450);
        strip.setTrace(manyLayers(6, heads));
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        QVERIFY(strip.sizeHint().width() <= 280);
        QVERIFY(strip.minimumSizeHint().width() <= 250);
        const auto* grid = strip.layers();
        const QSize first = grid->tile(0, 0)->pictureSize(), last = grid->tile(5, 0)->pictureSize();
        QVERIFY(first.width() >= 24 && first.width() <= 64);
        // Cells have one size: 8 x 8 and 5 x 8 of them.
        QCOMPARE(last.width(), first.width());
        QVERIFY(std::abs(last.height() * 8.0 - first.height() * 5.0) <= 8.0);
        for (int layer = 0; layer < 6; ++layer)
            for (int head = ViewState::mean_of_heads; head < heads; ++head) {
                const auto* tile = grid->tile(layer, head);
                QCOMPARE(tile->visibleRegion().boundingRect(), tile->rect());
            }
        QTRY_VERIFY(grid->tile(5, 1)->accessibleName().contains("head 1: no single pattern, mean entropy"));
    }

    void aTraceMayGoBeforeItsHeadsAreNamed() {
        ViewState view;
        HeadsView strip(view);
        strip.setTrace(manyLayers(6, 2));
        strip.setTrace(nullptr);
        QTest::qWait(1);
        strip.setTrace(manyLayers(6, 2));
        strip.setTrace(computed(milkProblem()));
        QTest::qWait(1);
        QTRY_VERIFY(strip.tile(3)->accessibleName().startsWith("Head 3: "));
        strip.setTrace(computed(problemOf(2, 4, 4, 2)));
        strip.setTrace(nullptr);
        QTest::qWait(1);
        QVERIFY(!strip.hasChoice());
    }

    void growsWithTheNumberOfHeads() {
        ViewState view;
        HeadsView strip(view);
        int before = 0;
        for (const int heads : {2, 3, 4}) {
            strip.setTrace(manyLayers(6, heads));
            QVERIFY(strip.sizeHint().width() > before || before == 280);
            before = strip.sizeHint().width();
        }
        strip.setTrace(manyLayers(6, 12));
        QCOMPARE(strip.sizeHint().width(), 280);
    }

    void theStripShowsOnePass() {
        ViewState view;
        StageStrip strip(view);
        strip.setTrace(twoLayers());
        QVERIFY(strip.stageNames().contains(QStringLiteral("encoder.0.self.scores")));
        QVERIFY(!strip.stageNames().contains(QStringLiteral("decoder.0.cross.scores")));
        QCOMPARE(strip.tile(QStringLiteral("encoder.0.self.scores"))->text(), QStringLiteral("scores"));
        view.setStage(QStringLiteral("decoder.0.cross.masked"));
        QVERIFY(strip.stageNames().contains(QStringLiteral("decoder.0.cross.scores")));
        view.setStage(QStringLiteral("logits"));
        QCOMPARE(strip.stageNames(), QStringList{QStringLiteral("logits")});
    }

    void labelsAreTheLayersOwn() {
        const auto trace = twoLayers();
        const auto cross = sliceOf(trace->trace, *trace->trace.find("decoder.0.cross.weights"), 0, 0);
        QCOMPARE(cross->row_labels, (QStringList{"un", "deux"}));
        QCOMPARE(cross->column_labels, (QStringList{"one", "two", "three"}));
        const auto self = sliceOf(trace->trace, *trace->trace.find("encoder.0.self.weights"), 0, 0);
        QCOMPARE(self->row_labels, (QStringList{"one", "two", "three"}));
    }

    void arithmeticStaysWithinThePass() {
        const auto trace = twoLayers();
        for (const char* name : {"encoder.0.self.weights", "decoder.0.cross.weights", "decoder.0.cross.output"}) {
            const Stage& stage = *trace->trace.find(name);
            const auto lines = arithmeticOf(trace->trace, stage, 0, 1, {1, 2});
            const auto answer = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.answer; });
            QVERIFY2(answer != lines.end(), name);
            QCOMPARE(answer->value, stage.value.at({0, 1, 1, 2}));
            QVERIFY2(lines.size() > 1, name);
        }
    }
};

ATTNLAB_TEST(TestLayerGrid)
#include "test_layer_grid.moc"
