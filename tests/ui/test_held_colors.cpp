// Colours keep their range while scale, masks or positions change, so that the picture shows the change.
#include "compare_window.h"
#include "core/edit/painted_mask.h"
#include "tests/test_main.h"
#include "ui/drawing/color_bar.h"
#include "ui/export/export_dialog.h"
#include "ui/matrix/stages/colors_button.h"
#include "ui/matrix/stages/heads_view.h"
#include "ui/matrix/stages/stage_matrix.h"
#include "ui/matrix/stages/stage_strip.h"
#include "ui/pages/matrix_header.h"
#include "ui/pages/matrix_page.h"
#include "ui/window/results.h"

#include <QDoubleSpinBox>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

using namespace attnlab;
using namespace attnlab::ui;

class TestHeldColors : public QObject, protected CompareFixture {
    Q_OBJECT

    QTemporaryDir folder_;

    const ColorScale& shown() { return window_->matrixPage()->heatmap()->colorScale(); }
    /// What the colours of a stage would be without what is held.
    ColorScale fitted(const char* stage = "weights") {
        const Trace& trace = window_->computed()->trace;
        return scaleFor(trace, *trace.find(stage), 0, ColorChoice());
    }
    ScaleChip* chip() { return window_->matrixPage()->scaleChip(); }
    void setScale(const char* id, double t = 0.0) {
        auto next = problem();
        next.spec.scale = {id, {}};
        if (t > 0.0)
            next.spec.scale.parameters.set("t", t);
        edit(next);
    }

    static Tensor firstCellBlocked() {
        Tensor blocked({5, 5}, 0.0, DType::Bool);
        blocked.set({0, 1}, 1.0);
        return blocked;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { window_.reset(); }

    void aRangeWithoutPresentNumbersTakesThemIn_data() {
        QTest::addColumn<double>("smallest");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("below") << 2.0 << 0.0 << 8.0; // up to 4; a range that begins near 0 begins at 0
        QTest::newRow("above") << 8.0 << 0.0 << 10.0;
        QTest::newRow("partly within") << 3.0 << 4.0 << 8.0;
        QTest::newRow("within") << 5.0 << 4.0 << 8.0;
    }
    /// The picture would be of one colour otherwise.
    void aRangeWithoutPresentNumbersTakesThemIn() {
        QFETCH(double, smallest);
        Trace trace;
        trace.stages.push_back({});
        trace.stages[0].name = "scaled";
        trace.stages[0].value = Tensor({1, 1, 2, 2}, {smallest, smallest + 1, smallest + 1, smallest + 2});
        trace.stages[0].axes = {Axis::Batch, Axis::Head, Axis::Query, Axis::Key};
        ValueRange range;
        range.include(4.0);
        range.include(8.0);
        HeldColors held;
        held.a.stages["scaled"] = {{{range, false}}, std::nullopt};
        ViewState view;
        view.setHeld(held);
        const ColorScale scale = shownScale(trace, trace.stages[0], 0, view);
        QVERIFY(scale.held);
        QTEST(scale.low, "low");
        QTEST(scale.high, "high");
    }

    void holds_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<bool>("held");
        for (const char* change : {"scale", "temperature", "mask", "painted mask", "position", "fill", "score_mod",
                                   "rounding", "names", "an array that nothing reads yet"})
            QTest::newRow(change) << QString(change) << true;
        for (const char* change : {"numbers", "size", "mechanism", "parameter of the mechanism"})
            QTest::newRow(change) << QString(change) << false;
    }
    /// In the matrix, in every thumbnail of the strip, and in those of the heads.
    void holds() {
        QFETCH(QString, change);
        QFETCH(bool, held);
        std::map<QString, ColorScale> before;
        for (const QString& stage : window_->stageStrip()->stageNames())
            before[stage] = window_->stageStrip()->tile(stage)->colorScale();
        QVERIFY(before.contains("scaled"));
        auto next = problem();
        if (change == "scale")
            next.spec.scale = {"dk", {}};
        else if (change == "temperature")
            next.spec.scale = {"temperature", {}}, next.spec.scale.parameters.set("t", 5.0);
        else if (change == "mask")
            next.spec.masks = {{"causal", {}}};
        else if (change == "painted mask")
            painted_mask::store(next, firstCellBlocked());
        else if (change == "position")
            next.spec.position = {"alibi", {}};
        else if (change == "fill")
            next.spec.masks = {{"causal", {}}}, next.spec.mask_fill.value = -1.0;
        else if (change == "score_mod")
            next.spec.score_mod = "score / 2";
        else if (change == "rounding")
            next.spec.rounding = Rounding{};
        else if (change == "names")
            next.query_tokens = {"a", "b", "c", "d", "e"};
        else if (change == "an array that nothing reads yet")
            next.tensors["attn_mask"] = Tensor({5, 5}, 0.0);
        else if (change == "numbers")
            next.tensors["query"].set({0, 0, 0, 0}, 30.0);
        else if (change == "size")
            for (const char* name : {"query", "key", "value"})
                next.tensors[name] = normalTensor({1, 2, 3, 4}, 8);
        else if (change == "mechanism")
            next.spec.variant = "gaussian_kernel";
        else {
            AttentionSpec spec;
            spec.variant = "multi_head";
            spec.parameters.set("num_heads", std::int64_t{2});
            window_->document().setSpecCompletingInputs(spec, "edit");
            settle();
            next = problem();
            next.spec.parameters.set("num_heads", std::int64_t{4});
        }
        edit(next);
        for (const auto& [stage, scale] : before)
            if (const MatrixTile* tile = window_->stageStrip()->tile(stage); tile && held) {
                const double now = fitted(qPrintable(stage)).high;
                const bool grown = stage == "weights" && now > 1.1 * scale.high;
                QCOMPARE(tile->colorScale().grown, grown);
                QVERIFY2(tile->colorScale().low == scale.low && tile->colorScale().high == (grown ? now : scale.high),
                         qPrintable(stage));
                QCOMPARE(tile->colorScale().map, scale.map);
            } else if (tile) {
                QVERIFY2(tile->colorScale() == fitted(qPrintable(stage)), qPrintable(stage));
                QVERIFY(!tile->colorScale().held);
            }
        QCOMPARE(shown().high, window_->stageStrip()->tile("weights")->colorScale().high);
        for (const int head : {0, 1, int{ViewState::mean_of_heads}})
            QCOMPARE(window_->heads()->tile(head)->colorScale().high, shown().high);
        // Where nothing would be different, nothing is held.
        const bool differs = shown().grown || shown().high != fitted().high || shown().low != fitted().low;
        QCOMPARE(shown().held, held && differs);
        QCOMPARE(chip()->isVisible(), shown().held);
    }

    void theChipSaysWhatTheRangeIsFrom() {
        window_->viewState().setStage("scaled");
        QVERIFY(!chip()->isVisible());
        const double usual = shown().high;
        setScale("none");
        QCOMPARE(shown().high, usual);
        QVERIFY(chip()->isVisible());
        QCOMPARE(chip()->accessibleName(), QString("Range held from 1/√d"));
        QVERIFY2(chip()->toolTip().contains("have the colour of"), qPrintable(chip()->toolTip()));
        // A second change leaves the origin as it is.
        setScale("dk");
        QCOMPARE(shown().high, usual);
        QCOMPARE(chip()->accessibleName(), QString("Range held from 1/√d"));
        QVERIFY(!chip()->toolTip().contains("have the colour of")); // all numbers are within
        // Back at the first setting the range fits by itself.
        window_->document().undoStack()->undo();
        window_->document().undoStack()->undo();
        settle();
        QVERIFY(!chip()->isVisible());
        QVERIFY(shown() == fitted("scaled"));
    }

    /// Weights that a mask or a sharper softmax lifts far above the range are not all of one colour; those that a
    /// weaker one lowers have the colours from before.
    void weightsFarAboveGrowTheRange() {
        const double usual = shown().high;
        QVERIFY(usual < 0.9);
        auto next = problem();
        next.spec.masks = {{"causal", {}}};
        edit(next);
        QCOMPARE(shown().high, 1.0);
        QVERIFY(shown().grown && chip()->isVisible());
        QCOMPARE(chip()->accessibleName(), QString("Range grown from no mask"));
        QVERIFY2(chip()->toolTip().contains("grown") && !chip()->toolTip().contains("have the colour of"),
                 qPrintable(chip()->toolTip()));
        QVERIFY(shown().color(usual) != shown().color(1.0));
        window_->document().undoStack()->undo();
        settle();
        QCOMPARE(shown().high, usual);
        QVERIFY(!chip()->isVisible());
        setScale("dk"); // flatter
        QCOMPARE(shown().high, usual);
        QVERIFY(shown().held && !shown().grown);
        QCOMPARE(chip()->accessibleName(), QString("Range held from 1/√d"));
        setScale("temperature", 1.95); // a little sharper
        QCOMPARE(shown().high, usual);
        QVERIFY(!shown().grown);
        // In the comparison both settings have one range.
        setScale("");
        trigger(&Actions::compare);
        next = problem();
        next.compared_with = next.spec;
        edit(next);
        next.compared_with->masks = {{"causal", {}}};
        edit(next);
        QCOMPARE(view().a()->colorScale().high, 1.0);
        QVERIFY(view().b()->colorScale() == view().a()->colorScale());
    }

    void aClickFitsTheRange() {
        window_->viewState().setStage("scaled");
        setScale("none");
        const ColorScale held = shown();
        QVERIFY(held.high < fitted("scaled").high);
        QTest::mouseClick(chip(), Qt::LeftButton);
        QVERIFY(!chip()->isVisible());
        QVERIFY(shown() == fitted("scaled"));
        QVERIFY(window_->stageStrip()->tile("weights")->colorScale() == fitted());
        const double high = shown().high;
        setScale("dk");
        QCOMPARE(shown().high, high); // held from here on
        QCOMPARE(chip()->accessibleName(), QString("Range held from none"));
    }

    /// A stage that the first result did not have is held from the first result that has it.
    void aNewStageIsHeldFromItsFirstNumbers() {
        auto next = problem();
        next.spec.scale_after_softmax = true;
        next.spec.statistics = true;
        edit(next);
        QVERIFY(window_->computed()->trace.find("entropy"));
        const double entropy = fitted("entropy").high;
        next.spec.scale_after_softmax = false;
        next.spec.scale = {"temperature", {}};
        next.spec.scale.parameters.set("t", 0.01);
        edit(next);
        window_->viewState().setStage("entropy");
        QVERIFY(fitted("entropy").high < entropy);
        QCOMPARE(shown().high, entropy);
    }

    void aRangeOfTheUserGoesFirst() {
        window_->viewState().setColors({{}, false, true, 0.0, 0.25});
        setScale("none");
        QCOMPARE(shown().high, 0.25);
        QVERIFY(!shown().held && !chip()->isVisible());
        QVERIFY(shown().hidesAbove());
        // Other stages are held nevertheless.
        QVERIFY(window_->stageStrip()->tile("scaled")->colorScale().held);
    }

    void logarithmsAreHeldToo() {
        window_->viewState().setColors({{}, true});
        const ColorScale before = shown();
        QVERIFY(before.logarithmic);
        setScale("temperature", 1.9);
        QCOMPARE(shown().low, before.low);
        QCOMPARE(shown().high, before.high);
        QVERIFY(shown().hidesBelow() && shown().hidesAbove());
    }

    /// 64 tokens of a causal head: rows of weights about 1/64 below a weight of 1.
    AttentionProblem longRows() {
        auto next = problemOf(2, 64, 64, 4);
        for (const char* name : {"query", "key"})
            for (auto& one : next.tensors.at(name).mutable_values())
                one *= 0.5;
        next.spec.masks = {{"causal", {}}};
        return next;
    }

    void linearColorsThatHideBecomeLogarithmic() {
        QVERIFY(!chip()->isVisible() && !shown().linear_hides);
        edit(longRows());
        const auto strip = [&] { return window_->stageStrip()->tile("weights")->colorScale(); };
        QVERIFY(shown().logarithmic && shown().linear_hides && !shown().held);
        QVERIFY(strip().logarithmic);
        QVERIFY(!window_->stageStrip()->tile("scaled")->colorScale().logarithmic); // has a sign
        QVERIFY(chip()->isVisible());
        QCOMPARE(chip()->accessibleName(), QString("Logarithmic colours"));
        QVERIFY2(chip()->text().endsWith("Linear"), qPrintable(chip()->text()));
        QVERIFY(window_->matrixPage()->colorsButton()->text().contains("log"));
        // What is exported looks alike.
        QVERIFY(choiceLike(window_->viewState().colors(), shown()).logarithmic);
        QTest::mouseClick(chip(), Qt::LeftButton);
        QVERIFY(!shown().logarithmic && !strip().logarithmic);
        QVERIFY(chip()->isVisible());
        QVERIFY2(chip()->text().endsWith("Log"), qPrintable(chip()->text()));
        QTest::mouseClick(chip(), Qt::LeftButton);
        QVERIFY(shown().logarithmic && strip().logarithmic);
    }

    /// A change of the setting changes neither the range nor the kind of colours.
    void logarithmicColorsAreHeld() {
        edit(longRows());
        const ColorScale before = shown();
        QVERIFY(before.logarithmic);
        auto next = problem();
        next.spec.scale = {"temperature", {}};
        next.spec.scale.parameters.set("t", 0.05); // sharp: linear colours would show where it reads
        edit(next);
        QVERIFY(shown().logarithmic && shown().held);
        QCOMPARE(shown().high, before.high);
        QCOMPARE(chip()->accessibleName().left(10), QString("Range held"));
        const std::string saved = viewToJson(window_->viewState());
        ViewState opened;
        viewFromJson(saved, opened);
        QVERIFY(opened.held().a.find("weights", 0)->linear_hides);
        QTest::mouseClick(chip(), Qt::LeftButton);
        QVERIFY(!shown().logarithmic && !chip()->isVisible());
    }

    void lockedColorsKeepTheirKind() {
        edit(longRows());
        const ColorScale before = shown();
        window_->matrixPage()->rangeBar()->lockButton()->click();
        QVERIFY(shown().logarithmic && window_->viewState().colors().locked && !chip()->isVisible());
        edit(problemOf(2, 5, 5, 4));
        QVERIFY(shown().logarithmic);
        edit(longRows());
        window_->matrixPage()->rangeBar()->lockButton()->click();
        QVERIFY(shown() == before);
        edit(problemOf(2, 5, 5, 4));
        QVERIFY(!shown().logarithmic);
    }

    void comparedSettingsAreLogarithmicToo() {
        edit(longRows());
        trigger(&Actions::compare);
        for (const HeatmapView* side : {view().a(), view().b()})
            QVERIFY(side->colorScale().logarithmic);
        auto* said = page().header()->findChild<ScaleChip*>();
        QVERIFY(said->isVisible());
        QTest::mouseClick(said, Qt::LeftButton);
        QVERIFY(!view().a()->colorScale().logarithmic);
    }

    void bothSettingsOfAComparison() {
        trigger(&Actions::compare); // B without a scale
        auto* held = page().header()->findChild<ScaleChip*>();
        const ColorScale before = view().a()->colorScale();
        QVERIFY(!before.held && !held->isVisible());
        auto next = problem();
        next.compared_with->scale = {"dk", {}};
        edit(next);
        for (const HeatmapView* side : {view().a(), view().b()}) {
            QCOMPARE(side->colorScale().high, before.high);
            QVERIFY(side->colorScale().held);
        }
        QVERIFY(held->isVisible());
        QCOMPARE(held->accessibleName(), QString("Range held from B: none"));
        next.spec.scale = {"none", {}};
        edit(next);
        QCOMPARE(view().a()->colorScale().high, before.high);
        QTest::mouseClick(held, Qt::LeftButton);
        const Trace& a = window_->computed()->trace;
        const Trace& b = window_->computed()->compared->trace;
        const ColorScale both = scaleForBoth({a, *a.find("weights"), b, *b.find("weights")}, 0, ColorChoice());
        QVERIFY(view().b()->colorScale() == both);
        QVERIFY(!held->isVisible());
        // Other inputs are other numbers.
        next.tensors["query"].set({0, 0, 0, 0}, 30.0);
        edit(next);
        QVERIFY(!view().a()->colorScale().held);
    }

    /// B that was like A for a moment begins another comparison.
    void aComparisonThatIsGoneHoldsNothing() {
        trigger(&Actions::compare); // B without a scale, with larger weights
        press(Preset::CopyOfA);
        auto next = problem();
        next.compared_with->masks = {{"causal", {}}};
        edit(next);
        const Trace& a = window_->computed()->trace;
        const Trace& b = window_->computed()->compared->trace;
        const ColorScale both = scaleForBoth({a, *a.find("weights"), b, *b.find("weights")}, 0, ColorChoice());
        QVERIFY(view().a()->colorScale() == both);
        auto* held = page().header()->findChild<ScaleChip*>();
        QVERIFY(!held->isVisible());
        // From here on it is held, and says that a click ends that.
        next.compared_with->masks = {};
        next.compared_with->scale = {"none", {}};
        edit(next);
        QCOMPARE(view().b()->colorScale().high, both.high);
        QVERIFY(held->isVisible());
        QVERIFY2(held->text().endsWith(QStringLiteral("Refit")), qPrintable(held->text()));
        QVERIFY(held->accessibleDescription().contains(QStringLiteral("A click fits")));
    }

    void exported_data() {
        QTest::addColumn<QString>("page");
        QTest::newRow("matrix") << "matrix";
        QTest::newRow("compare") << "compare";
    }
    /// The ends of the picture's colours are those of the window, and it is the same when it is opened again.
    void exported() {
        QFETCH(QString, page);
        window_->viewState().setStage("scaled");
        setScale("dk");
        if (page == "compare") {
            trigger(&Actions::compare);
            auto next = problem();
            next.compared_with->scale = {"dk", {}};
            edit(next);
            window_->viewState().fitColors();
        }
        setScale("none");
        const ColorScale before = page == "compare" ? view().a()->colorScale() : shown();
        QVERIFY(before.held && before.hidesAbove());
        window_->actions().export_shown->trigger();
        auto* dialog = window_->findChild<ExportDialog*>();
        QVERIFY(dialog);
        dialog->choose("picture", "png");
        const auto path = folder_.filePath(page + ".png");
        QVERIFY(dialog->exportTo(path));
        delete dialog;
        window_->files().openSample("multi_head_fox");
        settle();
        QVERIFY(!shown().held);
        QSignalSpy opened(&window_->files(), &FileController::opened);
        window_->open({path});
        QVERIFY(opened.wait() && opened.first().first().toBool());
        settle();
        const ColorScale& after = page == "compare" ? view().a()->colorScale() : shown();
        QCOMPARE(after.high, before.high);
        QCOMPARE(after.hidesAbove(), before.hidesAbove());
    }

    void copiedPicturesArePointed() {
        const auto is_pointed = [&] {
            const auto figure = window_->matrixPage()->figureToPrint();
            return figure && figure->figure.scale.hidesAbove() && figure->figure.scale.high == shown().high;
        };
        window_->viewState().setStage("scaled");
        QVERIFY(!is_pointed());
        setScale("none");
        QVERIFY(is_pointed());
    }

    void aWorkspaceKeepsWhatIsHeld() {
        setScale("none");
        ViewState opened;
        viewFromJson(viewToJson(window_->viewState()), opened);
        const HeldRange* weights = opened.held().a.find("weights", 0);
        QVERIFY(weights);
        QCOMPARE(weights->range, window_->viewState().held().a.find("weights", 0)->range);
        QVERIFY(opened.held().a.find("scores", 0)->is_signed);
        QVERIFY(!opened.held().a.find("weights", 1));
        QCOMPARE(viewToJson(opened), viewToJson(window_->viewState()));
        const Trace& trace = window_->computed()->trace;
        QCOMPARE(shownScale(trace, *trace.find("weights"), 0, opened).high, shown().high);
    }

    /// What another document had is not held.
    void notFromOneDocumentToTheNext() {
        auto next = problem();
        next.spec.scale = {"dk", {}};
        window_->viewState().setStage("weights");
        viewFromJson("{}", window_->viewState());
        window_->document().reset(next);
        settle();
        QVERIFY(!shown().held);
        QVERIFY(shown() == fitted());
    }

    void pixels_data() {
        QTest::addColumn<Qt::Orientation>("along");
        QTest::newRow("vertical") << Qt::Vertical;
        QTest::newRow("horizontal") << Qt::Horizontal;
    }
    /// An end is pointed, in its colour, exactly where numbers lie visibly beyond it.
    void pixels() {
        QFETCH(Qt::Orientation, along);
        const QRectF bar = along == Qt::Vertical ? QRectF(20, 20, 14, 100) : QRectF(20, 20, 100, 14);
        const QPoint high = along == Qt::Vertical ? QPoint(27, 17) : QPoint(123, 27);
        const QPoint low = along == Qt::Vertical ? QPoint(27, 123) : QPoint(17, 27);
        struct Case {
            double least, most;
            bool is_low, is_high;
        };
        for (const Case& one : {Case{0.0, 1.0, false, false}, Case{-0.5, 1.0, true, false}, Case{0.0, 1.5, false, true},
                                Case{2.0, 2.0, false, true}, Case{0.2, 1.0 + 1e-4, false, false}}) {
            ColorScale scale{&colormap({}), 0.0, 1.0, false};
            QVERIFY(!scale.hidesBelow() && !scale.hidesAbove());
            ValueRange range;
            range.include(one.least);
            range.include(one.most);
            scale.setData(range);
            QImage image(150, 150, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintColors(painter, bar, scale, along, themeFor(false));
            painter.end();
            QCOMPARE(image.pixel(high) == scale.map->colors.back(), one.is_high);
            QCOMPARE(image.pixel(low) == scale.map->colors.front(), one.is_low);
        }
    }
};

ATTNLAB_TEST(TestHeldColors)
#include "test_held_colors.moc"
