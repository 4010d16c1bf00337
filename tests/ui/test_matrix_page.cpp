#include "core/stages/view.h"
#include "tests/test_main.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QToolButton>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

Stage mapStage(const std::string& name, std::int64_t batches, std::int64_t heads, double first, double step) {
    Stage stage;
    stage.name = name;
    stage.axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
    stage.value = Tensor({batches, heads, 3, 3});
    stage.formula = name + " = something";
    double value = first;
    for (double& each : stage.value.mutable_values()) {
        each = value;
        value += step;
    }
    return stage;
}

/// Scores from -4 up and weights from 0.01 up, three tokens, causal where `blocked`.
ComputedPtr computed(std::int64_t batches, std::int64_t heads, bool blocked = false) {
    auto result = std::make_shared<Computed>();
    Trace& trace = result->trace;
    trace.query_tokens = trace.key_tokens = {"cat", "drank", "milk"};
    trace.stages.push_back(mapStage("scores", batches, heads, -4.0, 0.25));
    if (blocked) {
        Stage mask = mapStage("blocked", batches, heads, 0.0, 0.0);
        mask.role = StageRole::Mask;
        auto values = mask.value.mutable_values();
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i % 3 > i / 3 % 3 ? 1.0 : 0.0;
        trace.stages.push_back(mask);
    }
    trace.stages.push_back(mapStage("weights", batches, heads, 0.01, 0.01));
    return result;
}

/// A view with its state.
struct Shown {
    explicit Shown(ComputedPtr trace) : view(state) {
        view.resize(700, 520);
        view.show();
        view.setTrace(std::move(trace));
        QCoreApplication::processEvents();
    }
    double shownValue(int row, int column) { return view.heatmap()->matrix().view()(row, column); }
    ViewState state;
    MatrixPage view;
};

} // namespace

class TestMatrixPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void saysWhenThereIsNothing() {
        Shown shown(nullptr);
        QCOMPARE(shown.view.emptyText(), QString("Nothing computed yet"));
        QVERIFY(!shown.view.heatmap()->isVisible());
        shown.view.setTrace(computed(1, 1));
        QVERIFY(shown.view.emptyText().isEmpty());
        QVERIFY(shown.view.heatmap()->isVisible());
        shown.view.setTrace(nullptr);
        QVERIFY(!shown.view.heatmap()->isVisible());
    }

    void showsTheChosenStage() {
        Shown shown(computed(1, 1));
        QCOMPARE(shown.view.title(), QString("weights"));
        QCOMPARE(shown.shownValue(0, 0), 0.01);
        shown.state.setStage("scores");
        QCOMPARE(shown.view.title(), QString("scores"));
        QCOMPARE(shown.shownValue(0, 0), -4.0);
        QCOMPARE(shown.view.heatmap()->visibleRowLabels(), (QStringList{"cat", "drank", "milk"}));
    }

    /// The list is there for weights and their views, and says why some have none.
    void viewsOfWeights() {
        Shown shown(computed(1, 1));
        QComboBox* picker = shown.view.viewPicker();
        QVERIFY(picker->isVisible());
        QCOMPARE(picker->count(), 5);
        QCOMPARE(picker->currentText(), QString("weights"));
        const auto enabled = [&](int row) {
            return picker->model()->index(row, 0).flags().testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(!enabled(1) && !enabled(2)); // there are no values
        QVERIFY(enabled(3) && enabled(4));
        QVERIFY(picker->itemData(1, Qt::ToolTipRole).toString().contains("value for each key"));
        QSignalSpy chosen(&shown.view, &MatrixPage::viewChosen);
        picker->setCurrentIndex(3);
        emit picker->activated(3);
        QCOMPARE(chosen.first().first().toString(), QString("no_sink"));

        auto viewed = std::make_shared<Computed>(*computed(1, 1));
        ViewInputs inputs;
        inputs.tokens = {viewed->trace.query_tokens, viewed->trace.key_tokens};
        viewed->trace.stages.push_back(view_of_weights(viewed->trace.stages.back(), "no_sink:1", inputs, {}));
        AttentionProblem problem;
        problem.spec.view = "no_sink:1";
        shown.view.setProblem(problem);
        shown.state.setStage("view");
        shown.view.setTrace(viewed);
        QCOMPARE(shown.view.title(), QString("without key 1, rest renormalised"));
        QCOMPARE(picker->currentData().toString(), QString("no_sink:1"));
        QCOMPARE(shown.view.heatmap()->matrix().column_labels, (QStringList{"cat", "milk"}));
        QVERIFY(std::abs(shown.shownValue(0, 0) - 0.01 / 0.04) < 1e-12);
        shown.state.setStage("scores");
        QVERIFY(!picker->isVisible());
    }

    void fallsBackWhenTheStageIsGone() {
        Shown shown(computed(1, 1));
        shown.state.setStage("gate");
        QCOMPARE(shown.view.title(), QString("weights"));
        QCOMPARE(shown.state.stage(), QString("gate"));
        auto only_scores = std::make_shared<Computed>(*computed(1, 1));
        only_scores->trace.stages.pop_back();
        shown.view.setTrace(only_scores);
        QCOMPARE(shown.view.title(), QString("scores"));
    }

    void titlesSayBatchAndHead_data() {
        QTest::addColumn<int>("batches");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("head");
        QTest::addColumn<QString>("title");
        QTest::newRow("plain") << 1 << 1 << 0 << "weights";
        QTest::newRow("head") << 1 << 4 << 1 << "weights · head 1";
        QTest::newRow("mean") << 1 << 4 << -1 << "weights · mean of heads";
        QTest::newRow("batch") << 2 << 1 << 0 << "weights · batch 0";
        QTest::newRow("both") << 2 << 4 << 3 << "weights · batch 0 · head 3";
        QTest::newRow("a head that is gone") << 1 << 4 << 9 << "weights · head 3";
    }
    void titlesSayBatchAndHead() {
        QFETCH(int, batches);
        QFETCH(int, heads);
        QFETCH(int, head);
        Shown shown(computed(batches, heads));
        shown.state.setHead(head);
        QTEST(shown.view.title(), "title");
        QCOMPARE(shown.view.batchPicker()->isVisible(), batches > 1);
        QCOMPARE(shown.view.headPicker()->isVisible(), heads > 1);
    }

    void pickersWriteTheViewState() {
        Shown shown(computed(2, 3));
        QComboBox* head = shown.view.headPicker();
        QCOMPARE(head->count(), 4);
        head->setFocus();
        QTest::keyClick(head, Qt::Key_Down);
        QCOMPARE(shown.state.head(), 1);
        QTest::keyClick(head, Qt::Key_End);
        QCOMPARE(shown.state.head(), ViewState::mean_of_heads);
        QCOMPARE(shown.shownValue(0, 0), 0.10);
        QTest::keyClick(shown.view.batchPicker(), Qt::Key_Down);
        QCOMPARE(shown.state.batch(), 1);
        shown.state.setHead(2);
        QCOMPARE(head->currentIndex(), 2);
        QVERIFY(std::abs(shown.shownValue(0, 0) - 0.01 * (1 + 27 + 18)) < 1e-12);
        // A batch that no longer exists.
        shown.view.setTrace(computed(1, 3));
        QCOMPARE(shown.state.batch(), 0);
        QVERIFY(shown.view.heatmap()->isVisible());
    }

    void headsShareOneScale() {
        Shown shown(computed(1, 3));
        const double high = shown.view.heatmap()->colorScale().high;
        QVERIFY(std::abs(high - 0.27) < 1e-12);
        shown.state.setHead(2);
        QCOMPARE(shown.view.heatmap()->colorScale().high, high);
    }

    void blockedCellsDoNotCount() {
        const auto result = computed(1, 1, true);
        auto changed = std::make_shared<Computed>(*result);
        changed->trace.stages.back().value.set({0, 0, 0, 2}, 1000.0);
        const Stage& weights = changed->trace.stages.back();
        // Weight on a blocked cell is read, so it counts; the fill in a blocked score does not.
        QCOMPARE(rangeOf(changed->trace, weights, 0).high, 1000.0);
        changed->trace.stages.back().name = "masked";
        QCOMPARE(rangeOf(changed->trace, weights, 0).high, rangeOf(result->trace, result->trace.stages.back(), 0).high);
        QVERIFY(rangeOf(changed->trace, weights, 1).empty);
        changed->trace.stages.back().value.set({0, 0, 0, 2}, -1e9);
        QVERIFY(!scaleFor(changed->trace, weights, 0, {}).map->diverging);
        QVERIFY(scaleFor(changed->trace, weights, 7, {}).low < scaleFor(changed->trace, weights, 7, {}).high);
        // The mask itself is shown completely.
        QCOMPARE(rangeOf(changed->trace, *changed->trace.find("blocked"), 0).high, 1.0);
    }

    void clickingPinsAndUnpins() {
        Shown shown(computed(1, 1));
        HeatmapView* heatmap = shown.view.heatmap();
        const QPoint cell = heatmap->cellRect({1, 2}).center().toPoint();
        QTest::mouseClick(heatmap, Qt::LeftButton, {}, cell);
        QCOMPARE(shown.state.pinned(), (Cell{1, 2}));
        QCOMPARE(heatmap->pinned(), (Cell{1, 2}));
        QTest::mouseClick(heatmap, Qt::LeftButton, {}, heatmap->cellRect({0, 0}).center().toPoint());
        QCOMPARE(shown.state.pinned(), (Cell{0, 0}));
        QTest::mouseClick(heatmap, Qt::LeftButton, {}, heatmap->cellRect({0, 0}).center().toPoint());
        QCOMPARE(shown.state.pinned(), (Cell{0, 0})); // who clicks the cell to be explained keeps the explanation
        QTest::keyClick(heatmap, Qt::Key_Right);
        QTest::keyClick(heatmap, Qt::Key_Escape);
        QVERIFY(shown.state.pinned());
        QTest::keyClick(heatmap, Qt::Key_Escape);
        QVERIFY(!shown.state.pinned());
    }

    void theCrosshairIsShared() {
        Shown shown(computed(1, 1));
        shown.state.setHovered(Cell{2, 1});
        QCOMPARE(shown.view.heatmap()->crosshair(), (Cell{2, 1}));
        QTest::keyClick(shown.view.heatmap(), Qt::Key_Right);
        QVERIFY(shown.state.hovered() == (Cell{0, 0}));
    }

    void theHoveredCellStandsBesideTheTitle() {
        Shown shown(computed(1, 1));
        QCOMPARE(shown.view.subtitle(), QString("weights = something"));
        shown.state.setHovered(Cell{0, 2});
        QCOMPARE(shown.view.subtitle(), QString("cat → milk: 0.03"));
        // A cell outside this matrix.
        shown.state.setHovered(Cell{0, 7});
        QCOMPARE(shown.view.subtitle(), QString("weights = something"));
        shown.state.setHovered(std::nullopt);
        QCOMPARE(shown.view.subtitle(), QString("weights = something"));
    }

    void aNewTraceKeepsPinAndViewport() {
        Shown shown(computed(1, 1));
        shown.state.setPinned(Cell{2, 2});
        shown.view.heatmap()->zoomIn();
        shown.view.heatmap()->zoomIn();
        const QRect visible = shown.view.heatmap()->visibleCells();
        shown.view.setTrace(computed(1, 1));
        QCOMPARE(shown.view.heatmap()->pinned(), (Cell{2, 2}));
        QCOMPARE(shown.view.heatmap()->visibleCells(), visible);
    }

    void colorMapsAndLogarithm() {
        Shown shown(computed(1, 1));
        RangeBar* bar = shown.view.rangeBar();
        QCOMPARE(bar->mapPicker()->count(), 1 + static_cast<int>(colormaps().size()));
        QCOMPARE(bar->mapPicker()->currentIndex(), 0);
        shown.state.setStage("scores");
        QCOMPARE(shown.view.heatmap()->colorScale().map->id, QString("blue_red"));
        shown.state.setStage("weights");
        QTest::keyClick(bar->mapPicker(), Qt::Key_Down);
        QTest::keyClick(bar->mapPicker(), Qt::Key_Down);
        QCOMPARE(shown.state.colors().colormap, QString("magma"));
        QCOMPARE(shown.view.heatmap()->colorScale().map->id, QString("magma"));
        QTest::mouseClick(bar->logarithmButton(), Qt::LeftButton);
        QVERIFY(shown.state.colors().logarithmic);
        QVERIFY(shown.view.heatmap()->colorScale().logarithmic);
        QCOMPARE(shown.view.heatmap()->colorScale().low, 0.01);
    }

    void lockingStartsFromTheRangeOnShow() {
        Shown shown(computed(1, 1));
        RangeBar* bar = shown.view.rangeBar();
        QVERIFY(!bar->lowField()->isVisibleTo(bar));
        QTest::mouseClick(bar->lockButton(), Qt::LeftButton);
        QVERIFY(shown.state.colors().locked);
        QVERIFY(bar->lowField()->isVisibleTo(bar));
        QCOMPARE(bar->lowField()->text(), QString("0"));
        QCOMPARE(bar->highField()->text(), QString("0.09"));
        bar->highField()->selectAll();
        QTest::keyClicks(bar->highField(), "2.5");
        QTest::keyClick(bar->highField(), Qt::Key_Return);
        QCOMPARE(shown.state.colors().high, 2.5);
        QCOMPARE(shown.view.heatmap()->colorScale().high, 2.5);
        // Reversed ends are refused.
        bar->highField()->selectAll();
        QTest::keyClicks(bar->highField(), "-1");
        QTest::keyClick(bar->highField(), Qt::Key_Return);
        QCOMPARE(shown.state.colors().high, 2.5);
        QCOMPARE(bar->highField()->text(), QString("2.5"));
        QTest::mouseClick(bar->lockButton(), Qt::LeftButton);
        QVERIFY(std::abs(shown.view.heatmap()->colorScale().high - 0.09) < 1e-12);
    }

    void theFieldsSayWhatIsInForce() {
        Shown shown(computed(1, 1));
        RangeBar* bar = shown.view.rangeBar();
        bar->lockButton()->click();
        // A logarithm cannot start at the locked zero.
        bar->logarithmButton()->click();
        QCOMPARE(bar->lowField()->text(), QString("0.009"));
        QCOMPARE(shown.view.heatmap()->colorScale().low, 0.009);
        bar->highField()->selectAll();
        QTest::keyClicks(bar->highField(), "3");
        // A result that arrives during typing does not change the field.
        shown.view.setTrace(computed(1, 1));
        QCOMPARE(bar->highField()->text(), QString("3"));
        QTest::keyClick(bar->highField(), Qt::Key_Return);
        QCOMPARE(shown.view.heatmap()->colorScale().high, 3.0);
    }

    void fitsToTheNumbers() {
        Shown shown(computed(1, 1));
        const ColorScale usual = shown.view.heatmap()->colorScale();
        QVERIFY(usual.data_low > usual.low);
        shown.view.rangeBar()->findChild<QToolButton*>("fit")->click();
        const ColorScale fitted = shown.view.heatmap()->colorScale();
        QCOMPARE(fitted.low, usual.data_low);
        QCOMPARE(fitted.high, usual.data_high);
        QVERIFY(fitted.startsAboveZero());
        shown.view.rangeBar()->lockButton()->click();
        QCOMPARE(shown.view.heatmap()->colorScale().low, usual.low);
    }

    void nothingIsCutAtSmallWidths() {
        Shown shown(computed(2, 8));
        shown.view.rangeBar()->lockButton()->click();
        shown.view.resize(shown.view.minimumSizeHint());
        QCoreApplication::processEvents();
        QVERIFY(shown.view.minimumSizeHint().width() <= 560);
        shown.view.colorsButton()->click();
        for (auto* button : shown.view.findChildren<QToolButton*>()) {
            if (!button->isVisible())
                continue;
            QVERIFY(button->width() >= button->sizeHint().width());
            QVERIFY(!button->accessibleName().isEmpty());
        }
    }
};

ATTNLAB_TEST(TestMatrixPage)
#include "test_matrix_page.moc"
