// Mouse and keyboard on a heatmap: zooming, panning, choosing cells, painting.
#include "heatmap_support.h"
#include "tests/test_main.h"
#include "ui/widgets/theme.h"

#include <QSignalSpy>
#include <QStandardPaths>
#include <QtTest>

using namespace attnlab;
using namespace attnlab::ui;

class TestHeatmapGestures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::Light);
        qRegisterMetaType<Cell>();
    }
    void cleanup() { applyTheme(ThemeChoice::Light); }

    void theWheelZoomsAroundTheCursor() {
        Shown shown(ramp(64, 64));
        const QPointF position = shown.view.cellRect({20, 40}).center();
        shown.wheel(position, 4);
        QCOMPARE(shown.view.cellAt(position), (Cell{20, 40}));
        QVERIFY(shown.view.visibleCells().width() < 40);
        QVERIFY(QRect(0, 0, 64, 64).contains(shown.view.visibleCells()));
        shown.wheel(position, -20);
        QCOMPARE(shown.view.visibleCells(), QRect(0, 0, 64, 64));
    }

    void draggingPansWithinTheMatrix() {
        Shown shown(ramp(64, 64));
        const QPoint middle = shown.at({32, 32});
        shown.wheel(middle, 6);
        const QRect before = shown.view.visibleCells();
        const QSizeF seen = shown.view.frame().range.size();
        QSignalSpy clicked(&shown.view, &HeatmapView::cellClicked);
        shown.drag(middle, middle + QPoint(60, 50));
        const QRect after = shown.view.visibleCells();
        QVERIFY(after.left() < before.left() && after.top() < before.top());
        QCOMPARE(clicked.count(), 0);
        for (int i = 0; i < 20; ++i)
            shown.drag(middle, middle + QPoint(200, 200));
        QCOMPARE(shown.view.visibleCells().topLeft(), QPoint(0, 0));
        QCOMPARE(shown.view.frame().range.size(), seen);
    }

    void keysZoomAndFit() {
        Shown shown(ramp(64, 64));
        QTest::keyClick(&shown.view, Qt::Key_Plus);
        const int zoomed = shown.view.visibleCells().width();
        QVERIFY(zoomed < 64);
        QTest::keyClick(&shown.view, Qt::Key_Minus);
        QCOMPARE(shown.view.visibleCells().width(), 64);
        QTest::keyClick(&shown.view, Qt::Key_Plus);
        QTest::keyClick(&shown.view, Qt::Key_0);
        QCOMPARE(shown.view.visibleCells(), QRect(0, 0, 64, 64));
        shown.view.zoomIn();
        QTest::mouseDClick(&shown.view, Qt::LeftButton, {}, shown.at({30, 30}));
        QCOMPARE(shown.view.visibleCells(), QRect(0, 0, 64, 64));
    }

    void theMouseHoversAndClicks() {
        Shown shown(causal());
        QList<std::optional<Cell>> hovered;
        connect(&shown.view, &HeatmapView::cellHovered, this, [&](std::optional<Cell> cell) { hovered << cell; });
        QSignalSpy clicked(&shown.view, &HeatmapView::cellClicked);
        shown.move(shown.at({6, 2}));
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered.last(), (Cell{6, 2}));
        QCOMPARE(shown.view.crosshair(), (Cell{6, 2}));
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, shown.at({3, 1}));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked.last().at(0).value<Cell>(), (Cell{3, 1}));
        QTest::mouseClick(&shown.view, Qt::LeftButton, {}, QPoint(1, 1));
        QCOMPARE(clicked.count(), 1);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&shown.view, &leave);
        QVERIFY(!hovered.last());
        QVERIFY(!shown.view.crosshair());
    }

    void theKeyboardHasACursor() {
        Shown shown(causal());
        shown.view.setPinned(Cell{4, 2});
        QSignalSpy clicked(&shown.view, &HeatmapView::cellClicked);
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(shown.view.crosshair(), (Cell{4, 2}));
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QTest::keyClick(&shown.view, Qt::Key_Down);
        QCOMPARE(shown.view.crosshair(), (Cell{5, 3}));
        QVERIFY(shown.view.accessibleDescription().contains("because"));
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QCOMPARE(clicked.last().at(0).value<Cell>(), (Cell{5, 3}));
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(&shown.view, Qt::Key_Down);
        QTest::keyClick(&shown.view, Qt::Key_End);
        QCOMPARE(shown.view.crosshair(), (Cell{8, 8}));
        QTest::keyClick(&shown.view, Qt::Key_Escape);
        QVERIFY(!shown.view.crosshair());
    }

    void theCursorStaysInSight() {
        Shown shown(ramp(64, 64));
        shown.wheel(shown.at({5, 5}), 10);
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QTest::keyClick(&shown.view, Qt::Key_End);
        QVERIFY(shown.view.visibleCells().contains(shown.view.crosshair()->column, shown.view.crosshair()->row));
        QCOMPARE(shown.view.crosshair()->column, 63);
    }

    void paintingIsOneStrokeWithoutGaps() {
        Shown shown(ramp(16, 16));
        shown.view.setPainting(true);
        QList<Cell> cells;
        QList<bool> erasing;
        int ended = 0;
        connect(&shown.view, &HeatmapView::strokeBegan, this, [&](Cell cell, bool erase) {
            cells << cell;
            erasing << erase;
        });
        connect(&shown.view, &HeatmapView::strokeMoved, this, [&](Cell cell) { cells << cell; });
        connect(&shown.view, &HeatmapView::strokeEnded, this, [&] { ++ended; });
        QSignalSpy clicked(&shown.view, &HeatmapView::cellClicked);
        shown.drag(shown.at({2, 2}), shown.at({2, 10}));
        QCOMPARE(cells.size(), 9);
        for (int i = 0; i < 9; ++i)
            QCOMPARE(cells[i], (Cell{2, 2 + i}));
        QCOMPARE(erasing, QList<bool>{false});
        QCOMPARE(ended, 1);
        shown.drag(shown.at({3, 3}), shown.at({3, 4}), Qt::RightButton);
        QCOMPARE(erasing.last(), true);
        QCOMPARE(ended, 2);
        QCOMPARE(clicked.count(), 0);

        // By keyboard.
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QTest::keyClick(&shown.view, Qt::Key_Delete);
        QCOMPARE(ended, 4);
        QCOMPARE(erasing, (QList<bool>{false, true, false, true}));
        QCOMPARE(clicked.count(), 0);
    }

    void paintingStillPans_data() {
        QTest::addColumn<bool>("space");
        QTest::newRow("middle button") << false;
        QTest::newRow("space held") << true;
    }
    void paintingStillPans() {
        QFETCH(bool, space);
        Shown shown(ramp(64, 64));
        shown.view.setPainting(true);
        const QPoint middle = shown.at({32, 32});
        shown.wheel(middle, 6);
        const QRect before = shown.view.visibleCells();
        QSignalSpy began(&shown.view, &HeatmapView::strokeBegan);
        if (space)
            QTest::keyPress(&shown.view, Qt::Key_Space);
        shown.drag(middle, middle + QPoint(80, 80), space ? Qt::LeftButton : Qt::MiddleButton);
        if (space)
            QTest::keyRelease(&shown.view, Qt::Key_Space);
        QVERIFY(shown.view.visibleCells().left() < before.left());
        QCOMPARE(began.count(), 0);
    }
};

ATTNLAB_TEST(TestHeatmapGestures)
#include "test_heatmap_gestures.moc"
