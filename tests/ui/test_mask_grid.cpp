#include "core/edit/painted_mask.h"
#include "core/inputs.h"
#include "core/random.h"
#include "tests/test_main.h"
#include "ui/panels/mask/mask_grid.h"
#include "ui/widgets/theme.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

AttentionProblem problemOf(std::int64_t H, std::int64_t L, std::int64_t S, std::vector<Selection> masks = {}) {
    AttentionProblem problem;
    problem.tensors["query"] = random_normal({1, H, L, 3}, 1);
    problem.tensors["key"] = random_normal({1, H, S, 3}, 2);
    problem.tensors["value"] = random_normal({1, H, S, 3}, 3);
    problem.spec.masks = std::move(masks);
    return problem;
}

struct Lab {
    explicit Lab(AttentionProblem problem) {
        document.reset(std::move(problem));
        grid.resize(260, 160);
        grid.show();
        grid.setFocus();
    }
    QPoint at(Cell cell) const { return grid.cellRect(cell).center().toPoint(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(&grid, key, modifiers); }
    QList<QPoint> painted() const {
        QList<QPoint> cells;
        for (int row = 0; row < grid.layers().rows(); ++row)
            for (int column = 0; column < grid.layers().columns(); ++column)
                if (grid.isPainted({row, column}))
                    cells << QPoint(column, row);
        return cells;
    }
    int steps() { return document.undoStack()->count(); }

    Document document;
    ViewState view;
    MaskPainter painter{document, view};
    MaskGrid grid{painter};
};

} // namespace

class TestMaskGrid : public QObject {
    Q_OBJECT

private slots:
    void cellsOfSomeSizeHaveNames() {
        auto problem = problemOf(1, 6, 6);
        problem.query_tokens = {"milk", "or", "cat", "it", "was", "sweet"};
        Lab lab(problem);
        lab.grid.resize(260, 240);
        QVERIFY(lab.grid.hasNames());
        QVERIFY(lab.grid.cellRect({0, 0}).left() > 40);
        QVERIFY(lab.grid.cellRect({5, 5}).right() <= lab.grid.width());
        lab.grid.resize(150, 80);
        QVERIFY(!lab.grid.hasNames());
        QVERIFY(!Lab(problemOf(1, 70, 70)).grid.hasNames());
    }

    /// Many cells of which none is blocked are no blank box.
    void manyCellsHaveSomeLines() {
        Lab lab(problemOf(1, 60, 60));
        lab.grid.resize(180, 90);
        QImage image = lab.grid.grab().toImage();
        const QRect area = lab.grid.cellRect({0, 0}).united(lab.grid.cellRect({59, 59})).toRect();
        const int y = area.top() + area.height() / 2 + 1;
        int lines = 0;
        for (int x = area.left() + 2; x < area.right() - 1; ++x)
            lines += image.pixelColor(x, y) == theme().outline;
        QVERIFY2(lines >= 4 && lines < area.width() / 3, qPrintable(QString::number(lines)));
    }

    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
    }

    void cellsAreFoundWhereTheyAreDrawn_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        for (const auto& [rows, columns] : {std::pair(1, 1), {4, 4}, {5, 6}, {1, 40}, {64, 64}, {3, 17}})
            QTest::addRow("%d x %d", rows, columns) << rows << columns;
    }

    void cellsAreFoundWhereTheyAreDrawn() {
        QFETCH(int, rows);
        QFETCH(int, columns);
        Lab lab(problemOf(1, rows, columns));
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const QRectF rect = lab.grid.cellRect({row, column});
                QVERIFY(QRectF(lab.grid.rect()).contains(rect));
                QCOMPARE(lab.grid.cellAt(rect.center()), std::optional(Cell{row, column}));
            }
        QVERIFY(!lab.grid.cellAt({-1, -1}));
    }

    void theMousePaintsAndErases() {
        Lab lab(problemOf(1, 4, 5));
        QTest::mousePress(&lab.grid, Qt::LeftButton, {}, lab.at({1, 1}));
        QTest::mouseMove(&lab.grid, lab.at({1, 3}));
        QTest::mouseRelease(&lab.grid, Qt::LeftButton, {}, lab.at({1, 3}));
        QCOMPARE(lab.painted(), (QList<QPoint>{{1, 1}, {2, 1}, {3, 1}}));
        QCOMPARE(lab.steps(), 1);
        QTest::mouseClick(&lab.grid, Qt::RightButton, {}, lab.at({1, 2}));
        QCOMPARE(lab.painted(), (QList<QPoint>{{1, 1}, {3, 1}}));
        QCOMPARE(lab.steps(), 2);
        lab.document.undoStack()->undo();
        lab.document.undoStack()->undo();
        QCOMPARE(lab.painted(), QList<QPoint>());
        QVERIFY(lab.document.problem().spec.masks.empty());
    }

    void aDragThatLeavesTheGridGoesOnAlongItsEdge() {
        Lab lab(problemOf(1, 3, 3));
        QTest::mousePress(&lab.grid, Qt::LeftButton, {}, lab.at({2, 1}));
        QTest::mouseMove(&lab.grid, QPoint(lab.grid.width() - 1, lab.at({2, 1}).y()));
        QTest::mouseRelease(&lab.grid, Qt::LeftButton);
        QCOMPARE(lab.painted(), (QList<QPoint>{{1, 2}, {2, 2}}));
    }

    void theKeyboardDoesItAll() {
        Lab lab(problemOf(1, 4, 5));
        lab.key(Qt::Key_Down);
        lab.key(Qt::Key_Right);
        QCOMPARE(lab.grid.keyboardCursor(), (Cell{1, 1}));
        lab.key(Qt::Key_Space);
        QCOMPARE(lab.painted(), (QList<QPoint>{{1, 1}}));
        lab.key(Qt::Key_Space);
        QCOMPARE(lab.painted(), QList<QPoint>());
        QCOMPARE(lab.steps(), 2);

        QTest::keyPress(&lab.grid, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyPress(&lab.grid, Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyRelease(&lab.grid, Qt::Key_Shift);
        QCOMPARE(lab.painted(), (QList<QPoint>{{1, 1}, {2, 1}, {2, 2}}));
        QCOMPARE(lab.steps(), 3);

        lab.key(Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(lab.grid.keyboardCursor(), (Cell{3, 4}));
        lab.key(Qt::Key_Right); // stays inside
        QCOMPARE(lab.grid.keyboardCursor(), (Cell{3, 4}));
        lab.key(Qt::Key_Home);
        QCOMPARE(lab.grid.keyboardCursor(), (Cell{3, 0}));
    }

    void escapeTakesTheStrokeBack() {
        Lab lab(problemOf(1, 4, 4));
        QTest::mousePress(&lab.grid, Qt::LeftButton, {}, lab.at({0, 0}));
        QTest::mouseMove(&lab.grid, lab.at({0, 3}));
        QVERIFY(!lab.painted().isEmpty());
        lab.key(Qt::Key_Escape);
        QTest::mouseRelease(&lab.grid, Qt::LeftButton, {}, lab.at({0, 3}));
        QVERIFY(lab.painted().isEmpty());
        QCOMPARE(lab.steps(), 0);
    }

    void cellsSayWhoBlocksThem() {
        AttentionProblem problem = problemOf(2, 3, 3, {{"causal", {}}});
        problem.query_tokens = {"milk", "is", "it"};
        Lab lab(problem);
        QCOMPARE(lab.grid.describe({2, 0}), QStringLiteral("it → milk: kept"));
        QCOMPARE(lab.grid.describe({0, 2}), QStringLiteral("milk → it: blocked by causal"));
        QVERIFY(lab.grid.isBlocked({0, 2}) && !lab.grid.isPainted({0, 2}));
        lab.painter.setPerHead(true);
        lab.view.setHead(1);
        for (const Cell cell : {Cell{0, 2}, Cell{2, 0}}) {
            lab.painter.begin(cell, false);
            lab.painter.end();
        }
        QCOMPARE(lab.grid.describe({0, 2}), QStringLiteral("milk → it: blocked by causal, painted"));
        QVERIFY(lab.grid.isBlocked({2, 0}));
        lab.view.setHead(0);
        QVERIFY(!lab.grid.isBlocked({2, 0}));
        lab.view.setHead(ViewState::mean_of_heads);
        QCOMPARE(lab.grid.describe({2, 0}), QStringLiteral("it → milk: blocked in some heads by painted"));
    }

    void theCursorIsReadAloud() {
        Lab lab(problemOf(1, 3, 3, {{"causal", {}}}));
        lab.key(Qt::Key_Right);
        QCOMPARE(lab.grid.accessibleDescription(), QStringLiteral("0 → 1: blocked by causal"));
        lab.key(Qt::Key_Down);
        QCOMPARE(lab.grid.accessibleDescription(), QStringLiteral("1 → 1: kept"));
    }

    void hoverIsSharedWithTheOtherViews() {
        Lab lab(problemOf(1, 3, 3));
        QTest::mouseMove(&lab.grid, lab.at({2, 1}));
        QCOMPARE(lab.view.hovered(), std::optional(Cell{2, 1}));
    }

    void aMechanismThatMasksByItselfIsShown() {
        AttentionProblem problem;
        problem.spec.variant = "causal";
        complete_inputs(problem, 1);
        Lab lab(problem);
        auto computed = std::make_shared<Computed>();
        computed->trace = reference_backend().run(problem, {});
        lab.painter.setTrace(computed);
        QVERIFY(lab.grid.isBlocked({0, 1}));
        QVERIFY(!lab.grid.isBlocked({1, 0}));
        QCOMPARE(lab.grid.describe({0, 1}), QStringLiteral("0 → 1: blocked by the mechanism"));
    }

    void theHatchIsDrawnWhereCellsAreBlocked() {
        Lab lab(problemOf(1, 4, 4, {{"causal", {}}}));
        lab.painter.begin({3, 0}, false);
        lab.painter.end();
        lab.grid.clearFocus();
        lab.view.setHovered(std::nullopt);
        const QImage image = lab.grid.grab().toImage();
        // The background or line of the hatch, whichever is there: a kept cell has another colour.
        const auto colours = [&](Cell cell) {
            QSet<QRgb> found;
            const QRect inside = lab.grid.cellRect(cell).toRect().adjusted(3, 3, -3, -3);
            for (int y = inside.top(); y <= inside.bottom(); ++y)
                for (int x = inside.left(); x <= inside.right(); ++x)
                    found << image.pixel(x, y);
            return found;
        };
        QCOMPARE(colours({2, 1}), QSet<QRgb>{theme().card.rgb()});
        QVERIFY(colours({0, 3}).contains(theme().hatch_back.rgb()));
        QVERIFY(colours({3, 0}).contains(theme().accent_soft.rgb()));
        QVERIFY(!colours({0, 3}).contains(theme().accent_soft.rgb()));
    }
};

ATTNLAB_TEST(TestMaskGrid)
#include "test_mask_grid.moc"
