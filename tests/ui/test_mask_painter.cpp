#include "core/edit/painted_mask.h"
#include "core/inputs.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/panels/mask/mask_painter.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(std::int64_t B, std::int64_t H, std::int64_t L, std::int64_t S) {
    AttentionProblem problem;
    problem.tensors["query"] = random_normal({B, H, L, 3}, 1);
    problem.tensors["key"] = random_normal({B, H, S, 3}, 2);
    problem.tensors["value"] = random_normal({B, H, S, 3}, 3);
    return problem;
}

/// One matrix as text, rows separated by '/': "x." is blocked, kept.
QString pictureOf(const Tensor& mask, std::int64_t slice = 0) {
    const MatrixView view = matrix_at(mask, slice);
    QStringList rows;
    for (std::int64_t i = 0; i < view.rows; ++i) {
        QString row;
        for (const double cell : view.row(i))
            row += cell != 0.0 ? QLatin1Char('x') : QLatin1Char('.');
        rows << row;
    }
    return rows.join(QLatin1Char('/'));
}

struct Lab {
    explicit Lab(AttentionProblem problem = problemOf(1, 1, 4, 5)) { document.reset(std::move(problem)); }
    const Tensor* painted() const {
        const auto found = document.problem().tensors.find(painted_mask::array_name);
        return found == document.problem().tensors.end() ? nullptr : &found->second;
    }
    QString picture(std::int64_t slice = 0) const { return painted() ? pictureOf(*painted(), slice) : QString(); }
    void stroke(Cell from, Cell to, bool erase = false) {
        painter.begin(from, erase);
        painter.move(to);
        painter.end();
    }

    Document document;
    ViewState view;
    MaskPainter painter{document, view};
};

} // namespace

class TestMaskPainter : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void toolsCoverTheirCells_data() {
        QTest::addColumn<int>("tool");
        QTest::addColumn<QPoint>("from"); // x = column, y = row
        QTest::addColumn<QPoint>("to");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, MaskTool tool, QPoint from, QPoint to, const char* expected) {
            QTest::newRow(name) << static_cast<int>(tool) << from << to << QString::fromLatin1(expected);
        };
        row("brush click", MaskTool::Brush, {1, 2}, {1, 2}, "...../...../.x.../.....");
        row("brush jump", MaskTool::Brush, {0, 0}, {4, 2}, "xx.../..xx./....x/.....");
        row("brush steep", MaskTool::Brush, {1, 3}, {0, 0}, "x..../x..../.x.../.x...");
        row("rectangle", MaskTool::Rectangle, {3, 2}, {1, 1}, "...../.xxx./.xxx./.....");
        row("rectangle beyond", MaskTool::Rectangle, {3, 2}, {9, 9}, "...../...../...xx/...xx");
        row("row", MaskTool::Row, {2, 1}, {4, 2}, "...../xxxxx/xxxxx/.....");
        row("column", MaskTool::Column, {4, 0}, {3, 3}, "...xx/...xx/...xx/...xx");
        row("diagonal", MaskTool::Diagonal, {1, 1}, {1, 1}, "x..../.x.../..x../...x.");
        row("band", MaskTool::Diagonal, {1, 0}, {2, 0}, ".xx../..xx./...xx/....x");
    }

    void toolsCoverTheirCells() {
        QFETCH(int, tool);
        QFETCH(QPoint, from);
        QFETCH(QPoint, to);
        QFETCH(QString, expected);
        Lab lab;
        lab.painter.setTool(static_cast<MaskTool>(tool));
        lab.stroke({from.y(), from.x()}, {to.y(), to.x()});
        QVERIFY(lab.painted());
        QCOMPARE(lab.painted()->shape(), (Shape{4, 5}));
        QCOMPARE(lab.painted()->dtype(), DType::Bool);
        QCOMPARE(lab.picture(), expected);
        QVERIFY(painted_mask::is_applied(lab.document.problem().spec));

        // The same stroke with the eraser removes everything, tensor and mask.
        lab.painter.setErasing(true);
        lab.stroke({from.y(), from.x()}, {to.y(), to.x()});
        QVERIFY(!lab.painted());
        QVERIFY(!painted_mask::is_applied(lab.document.problem().spec));
    }

    void aStrokeIsOneUndoStep() {
        Lab lab;
        const AttentionProblem before = lab.document.problem();
        QSignalSpy changes(&lab.document, &Document::problemChanged);
        lab.painter.begin({0, 0}, false);
        lab.painter.move({1, 1});
        lab.painter.move({2, 2});
        lab.painter.end();
        QCOMPARE(changes.count(), 3); // the document is updated during the stroke
        QCOMPARE(lab.document.undoStack()->count(), 1);
        const AttentionProblem after = lab.document.problem();
        lab.stroke({3, 0}, {3, 1});
        QCOMPARE(lab.document.undoStack()->count(), 2);
        lab.document.undoStack()->undo();
        QVERIFY(lab.document.problem() == after);
        lab.document.undoStack()->undo();
        QVERIFY(lab.document.problem() == before);
        lab.document.undoStack()->redo();
        QVERIFY(lab.document.problem() == after);
    }

    void cancelRestoresWhatWas() {
        Lab lab;
        lab.stroke({0, 0}, {0, 2});
        const AttentionProblem before = lab.document.problem();
        lab.painter.setTool(MaskTool::Rectangle);
        lab.painter.begin({1, 1}, false);
        lab.painter.move({3, 3});
        lab.painter.cancel();
        QVERIFY(lab.document.problem() == before);
        QCOMPARE(lab.document.undoStack()->count(), 1);
        lab.painter.move({2, 2}); // the stroke has ended
        QVERIFY(lab.document.problem() == before);
    }

    void shapesFollowThePointerBack() {
        Lab lab;
        lab.painter.setTool(MaskTool::Rectangle);
        lab.painter.begin({0, 0}, false);
        lab.painter.move({3, 3});
        lab.painter.move({1, 0});
        lab.painter.end();
        QCOMPARE(lab.picture(), QStringLiteral("x..../x..../...../....."));
    }

    void undoInTheMiddleEndsTheStroke() {
        Lab lab;
        const AttentionProblem before = lab.document.problem();
        lab.painter.begin({0, 0}, false);
        lab.document.undoStack()->undo();
        QVERIFY(!lab.painter.isStroking());
        lab.painter.move({3, 3});
        QVERIFY(lab.document.problem() == before);
    }

    void rightButtonErases() {
        Lab lab;
        lab.painter.setTool(MaskTool::Row);
        lab.stroke({1, 0}, {1, 0});
        lab.painter.setTool(MaskTool::Brush);
        lab.stroke({1, 1}, {1, 2}, true);
        QCOMPARE(lab.picture(), QStringLiteral("...../x..xx/...../....."));
    }

    void erasingNothingSaysWhy() {
        Lab lab;
        auto spec = lab.document.problem().spec;
        spec.masks.push_back({"causal", {}});
        lab.document.setSpec(spec, QStringLiteral("causal"));
        const int steps = lab.document.undoStack()->count();
        QSignalSpy refusals(&lab.painter, &MaskPainter::refused);
        lab.stroke({0, 3}, {0, 4}, true);
        QCOMPARE(refusals.count(), 1);
        QCOMPARE(lab.document.undoStack()->count(), steps);
    }

    void oneHeadGetsItsOwnMatrix() {
        Lab lab(problemOf(2, 3, 4, 5));
        lab.stroke({0, 0}, {0, 0});
        QCOMPARE(lab.painted()->shape(), (Shape{4, 5}));
        lab.painter.setPerHead(true);
        lab.view.setBatch(1);
        lab.view.setHead(2);
        lab.stroke({3, 4}, {3, 4});
        QCOMPARE(lab.painted()->shape(), (Shape{2, 3, 4, 5}));
        for (int slice = 0; slice < 6; ++slice)
            QCOMPARE(lab.picture(slice), slice == 5 ? QStringLiteral("x..../...../...../....x")
                                                    : QStringLiteral("x..../...../...../....."));
        QVERIFY(lab.painter.isPainted({3, 4}));
        lab.view.setHead(1);
        QVERIFY(!lab.painter.isPainted({3, 4}));

        // All heads together keep their differences; without differences the small shape is restored.
        lab.painter.setPerHead(false);
        lab.stroke({1, 1}, {1, 1});
        QCOMPARE(lab.picture(0), QStringLiteral("x..../.x.../...../....."));
        QCOMPARE(lab.picture(5), QStringLiteral("x..../.x.../...../....x"));
        lab.stroke({3, 4}, {3, 4});
        QCOMPARE(lab.painted()->shape(), (Shape{4, 5}));
        QCOMPARE(lab.picture(), QStringLiteral("x..../.x.../...../....x"));
    }

    void oneHeadOfEveryBatch() {
        Lab lab(problemOf(2, 2, 2, 2));
        lab.painter.setPerHead(true);
        lab.painter.setAllBatches(true);
        lab.view.setHead(1);
        lab.stroke({0, 1}, {0, 1});
        QCOMPARE(lab.picture(0), QStringLiteral("../.."));
        QCOMPARE(lab.picture(1), QStringLiteral(".x/.."));
        QCOMPARE(lab.picture(3), QStringLiteral(".x/.."));
    }

    void meanOfHeadsPaintsAllHeads() {
        Lab lab(problemOf(1, 3, 2, 2));
        lab.painter.setPerHead(true);
        lab.view.setHead(ViewState::mean_of_heads);
        lab.stroke({0, 1}, {0, 1});
        QCOMPARE(lab.painted()->shape(), (Shape{2, 2}));
    }

    void aStrokeTakesWhatItPaints() {
        Lab lab(problemOf(1, 1, 2000, 2000));
        for (int i = 0; i < 4; ++i)
            lab.stroke({100 + i, 100}, {140, 300 + i});
        QCOMPARE(lab.document.undoStack()->count(), 4);
        const auto used = lab.document.usedUndoBytes(); // 32 MB in one piece
        QVERIFY2(used < 1'000'000, qPrintable(QString::number(used)));
        lab.document.undoStack()->setIndex(0);
        QVERIFY(!lab.painted());
    }

    void clearInvertAndPatterns() {
        Lab lab;
        lab.painter.paintPattern(MaskPainter::Pattern::Future);
        QCOMPARE(lab.picture(), QStringLiteral(".xxxx/..xxx/...xx/....x"));
        lab.painter.invertPainted();
        QCOMPARE(lab.picture(), QStringLiteral("x..../xx.../xxx../xxxx."));
        lab.painter.clearPainted();
        QVERIFY(!lab.painted());
        QVERIFY(lab.document.problem().spec.masks.empty());
        QCOMPARE(lab.document.undoStack()->count(), 3);
        lab.painter.paintPattern(MaskPainter::Pattern::OutsideBand, 3);
        QCOMPARE(lab.picture(), QStringLiteral("..xxx/...xx/x...x/xx..."));
        lab.painter.clearPainted();
        lab.painter.paintPattern(MaskPainter::Pattern::Random, 0.5);
        QVERIFY(lab.painted());
    }

    /// Cells of every head of a long sequence would take gigabytes.
    void clearingOneHeadOfMany() {
        Lab lab(problemOf(1, 64, 2000, 2000));
        QSignalSpy refusals(&lab.painter, &MaskPainter::refused);
        lab.painter.setPerHead(true);
        lab.painter.clearPainted(); // nothing is painted
        QVERIFY(!lab.painted());
        QCOMPARE(refusals.count(), 0);
        lab.painter.setPerHead(false);
        lab.stroke({3, 3}, {9, 9});
        const Tensor before = *lab.painted();
        QCOMPARE(before.shape(), (Shape{2000, 2000}));
        lab.painter.setPerHead(true);
        lab.painter.clearPainted();
        QCOMPARE(refusals.count(), 1);
        QVERIFY(*lab.painted() == before);
        lab.painter.setPerHead(false);
        lab.painter.clearPainted();
        QVERIFY(!lab.painted());
    }

    void cellsBeyondTheMaskAreRefused() {
        Lab lab;
        QSignalSpy refusals(&lab.painter, &MaskPainter::refused);
        lab.painter.begin({0, 5}, false); // an appended key
        QVERIFY(!lab.painter.isStroking());
        QCOMPARE(refusals.count(), 1);
        QVERIFY(!lab.painter.contains({0, 5}));
        QVERIFY(!lab.painter.contains({-1, 0}));
        QVERIFY(lab.painter.contains({3, 4}));
        lab.stroke({0, 4}, {0, 7}); // a drag may continue beyond the edge
        QCOMPARE(lab.picture(), QStringLiteral("....x/...../...../....."));
    }

    void nothingToPaintOnIsSaid() {
        Lab lab{AttentionProblem()};
        QSignalSpy refusals(&lab.painter, &MaskPainter::refused);
        QVERIFY(!lab.painter.context());
        lab.stroke({0, 0}, {1, 1});
        QCOMPARE(refusals.count(), 1);
        QVERIFY(!lab.painted());
    }

    void appendedKeysDoNotCount() {
        AttentionProblem problem;
        problem.spec.variant = "multi_head";
        problem.spec.parameters.set("num_heads", std::int64_t{2});
        problem.spec.parameters.set("add_zero_attn", true);
        problem.tensors["x"] = random_normal({1, 4, 6}, 1);
        complete_inputs(problem, 1);
        Lab lab(problem);
        auto computed = std::make_shared<Computed>();
        computed->trace = reference_backend().run(problem, {});
        QCOMPARE(computed->trace.find("scores")->value.shape(), (Shape{1, 2, 4, 5}));
        lab.painter.setTrace(computed);
        QVERIFY(lab.painter.context());
        QCOMPARE(lab.painter.context()->S, 4);
        QCOMPARE(lab.painter.context()->H, 2);
        QVERIFY(!lab.painter.contains({0, 4}));
    }

    void fittedKeepsWhatRemains_data() {
        QTest::addColumn<QList<int>>("from");
        QTest::addColumn<QList<int>>("to");
        QTest::addColumn<QList<int>>("shape");
        QTest::newRow("smaller") << QList<int>{4, 5} << QList<int>{1, 1, 2, 3} << QList<int>{2, 3};
        QTest::newRow("larger") << QList<int>{2, 2} << QList<int>{3, 2, 4, 3} << QList<int>{4, 3};
        QTest::newRow("per head, larger") << QList<int>{1, 2, 2, 2} << QList<int>{1, 2, 3, 4} << QList<int>{1, 2, 3, 4};
        QTest::newRow("more heads") << QList<int>{1, 2, 2, 2} << QList<int>{1, 3, 2, 2} << QList<int>{1, 3, 2, 2};
        QTest::newRow("flattened heads") << QList<int>{2, 2, 2} << QList<int>{1, 2, 2, 2} << QList<int>{1, 2, 2, 2};
        QTest::newRow("one head left") << QList<int>{1, 2, 2, 2} << QList<int>{1, 1, 2, 2} << QList<int>{2, 2};
        QTest::newRow("one vector") << QList<int>{3} << QList<int>{1, 1, 2, 2} << QList<int>{0};
        QTest::newRow("one row for all") << QList<int>{1, 3} << QList<int>{2, 2, 4, 3} << QList<int>{4, 3};
        QTest::newRow("one row for all, more keys") << QList<int>{1, 3} << QList<int>{2, 2, 4, 5} << QList<int>{4, 5};
        QTest::newRow("one column for all") << QList<int>{4, 1} << QList<int>{2, 2, 4, 3} << QList<int>{4, 3};
        QTest::newRow("one row a head") << QList<int>{2, 1, 3} << QList<int>{3, 2, 4, 3} << QList<int>{3, 2, 4, 3};
        QTest::newRow("the keys alone") << QList<int>{3} << QList<int>{2, 2, 4, 3} << QList<int>{4, 3};
    }

    void fittedKeepsWhatRemains() {
        QFETCH(QList<int>, from);
        QFETCH(QList<int>, to);
        QFETCH(QList<int>, shape);
        // The first matrix is completely blocked, the others are not.
        Tensor painted(Shape(from.begin(), from.end()), 0.0, DType::Bool);
        const auto cells = painted.rank() > 1 ? painted.dim(-1) * painted.dim(-2) : painted.size();
        const auto values = painted.mutable_values();
        std::fill_n(values.begin(), cells, 1.0);
        const Tensor fit = painted_mask::fitted(painted, to[0], to[1], to[2], to[3]);
        QCOMPARE(fit.shape(), Shape(shape.begin(), shape.end()));
        if (fit.rank() < 2)
            return;
        const auto rows = painted.rank() > 1 ? painted.dim(-2) : 1, columns = painted.dim(-1);
        for (std::int64_t i = 0; i < fit.dim(-2); ++i)
            for (std::int64_t j = 0; j < fit.dim(-1); ++j)
                QCOMPARE(matrix_at(fit)(i, j), (i < rows || rows == 1) && (j < columns || columns == 1) ? 1.0 : 0.0);
    }

    void resizingTheProblemTakesTheMaskAlong() {
        Lab lab(problemOf(1, 2, 4, 5));
        lab.stroke({0, 0}, {3, 3});
        const AttentionProblem before = lab.document.problem();
        const int steps = lab.document.undoStack()->count();
        AttentionProblem smaller = problemOf(1, 2, 3, 2);
        smaller.spec = before.spec;
        smaller.tensors[std::string(painted_mask::array_name)] = *lab.painted();
        lab.document.edit(QStringLiteral("Resize"), smaller);
        QCOMPARE(lab.document.undoStack()->count(), steps + 1);
        QCOMPARE(lab.picture(), QStringLiteral("x./.x/.."));
        QVERIFY(issues_in(lab.document.problem()).empty());
        QVERIFY(!lab.painter.isMisfit());
        lab.document.undoStack()->undo();
        QVERIFY(lab.document.problem() == before);
    }

    void aMisfitFromAFileCanBeFitted() {
        AttentionProblem problem = problemOf(1, 1, 4, 5);
        problem.tensors["painted_mask"] = Tensor({9, 9}, 1.0, DType::Bool);
        problem.spec.masks = {{"painted", {}}};
        Lab lab(problem);
        QVERIFY(lab.painter.isMisfit());
        lab.painter.fit();
        QVERIFY(!lab.painter.isMisfit());
        QCOMPARE(lab.painted()->shape(), (Shape{4, 5}));
        QVERIFY(issues_in(lab.document.problem()).empty());
    }

    void layersTellWhoBlocks() {
        AttentionProblem problem = problemOf(1, 2, 3, 3);
        problem.spec.masks = {{"causal", {}}, {"painted", {}}};
        Tensor painted({1, 2, 3, 3}, 0.0, DType::Bool);
        painted.set({0, 1, 0, 2}, 1.0);
        painted.set({0, 1, 2, 0}, 1.0);
        problem.tensors["painted_mask"] = painted;
        const MaskLayers layers(problem, {1, 2, 3, 3});
        QCOMPARE(layers.blockers(0, 1, {0, 2}), (QStringList{"causal", "painted"}));
        QCOMPARE(layers.blockers(0, 0, {0, 2}), (QStringList{"causal"}));
        QCOMPARE(layers.blockers(0, 0, {2, 0}), QStringList());
        QCOMPARE(layers.blockedShare(0, ViewState::mean_of_heads, {2, 0}), 0.5);
        QCOMPARE(layers.paintedShare(0, 1, {2, 0}), 1.0);
    }

    void aMaskThatDoesNotFitIsLeftOutAndSaid() {
        AttentionProblem problem = problemOf(1, 1, 3, 3);
        problem.spec.masks = {{"causal", {}}, {"attn_mask", {}}, {"key_padding", {}}};
        problem.tensors["attn_mask"] = Tensor({2, 7}, 1.0, DType::Bool);
        const MaskLayers layers(problem, {1, 1, 3, 3});
        QVERIFY2(layers.error().startsWith(QLatin1String("attn_mask")), qPrintable(layers.error()));
        QCOMPARE(layers.blockers(0, 0, {0, 2}), (QStringList{"causal"}));
    }

    void largeProblemsAreNotLaidOut() {
        const MaskLayers layers(AttentionProblem(), {1, 16, 4096, 4096});
        QVERIFY(layers.isTooLarge());
        QCOMPARE(layers.blockedShare(0, 0, {0, 0}), 0.0);
    }
};

ATTNLAB_TEST(TestMaskPainter)
#include "test_mask_painter.moc"
