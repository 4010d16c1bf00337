// Presentations: full screen and the laser pointer.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/presentation.h"
#include "ui/matrix/heatmap_view.h"

#include <QCursor>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnPresenting : public QObject, protected LearnFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void presentingIsLargerAndEscapeLeaves() {
        openLesson();
        const int usual = panel().nextButton()->fontMetrics().height();
        const auto geometry = window_->saveGeometry();
        actions().present->trigger();
        QVERIFY(learn().presentation()->isOn());
        QVERIFY(window_->isFullScreen());
        QVERIFY(!window_->menuBar()->isVisible() && !window_->statusBar()->isVisible());
        QVERIFY(panel().nextButton()->fontMetrics().height() > usual);
        QVERIFY(page().frame()->board()->fontMetrics().height() > usual);
        QCOMPARE(learn().usualGeometry(), geometry);
        // The pages of the first step and its answer come before the next step.
        for (int press = 0; press < 8 && lesson().step() == 0; ++press)
            QTest::keyClick(window_.get(), Qt::Key_PageDown);
        QCOMPARE(lesson().step(), 1);
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        QVERIFY(!learn().presentation()->isOn());
        QVERIFY(!window_->isFullScreen());
        QVERIFY(window_->menuBar()->isVisible() && window_->statusBar()->isVisible());
        QCOMPARE(panel().nextButton()->fontMetrics().height(), usual);
        QCOMPARE(page().frame()->board()->fontMetrics().height(), usual);
        QVERIFY(learn().isOn());
    }

    void zoomKeysChangeTheLetters() {
        openLesson();
        actions().present->trigger();
        const auto letters = [&] { return panel().nextButton()->fontMetrics().height(); };
        const int first = letters();
        QTest::keyClick(window_.get(), Qt::Key_Plus, Qt::ControlModifier);
        QTest::keyClick(window_.get(), Qt::Key_Equal, Qt::ControlModifier);
        const int larger = letters();
        QVERIFY(larger > first);
        QVERIFY(page().frame()->board()->fontMetrics().height() > first);
        QTest::keyClick(window_.get(), Qt::Key_Minus, Qt::ControlModifier);
        QVERIFY(letters() < larger);
        QTest::keyClick(window_.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(letters(), first);
        QTest::keyClick(window_.get(), Qt::Key_Escape);
    }

    void theLaserFollowsTheMouseAndLetsClicksThrough() {
        openLesson();
        actions().laser->setChecked(true);
        auto* next = panel().nextButton();
        const QPoint there = next->mapTo(&page(), next->rect().center());
        QCursor::setPos(page().mapToGlobal(there));
        QTRY_COMPARE(learn().laser()->position().value_or(QPointF()), QPointF(there));
        QCOMPARE(page().childAt(there), next);
        QVERIFY(learn().laser()->testAttribute(Qt::WA_TransparentForMouseEvents));
        actions().laser->setChecked(false);
        QVERIFY(learn().laser()->isHidden());
        QVERIFY(!QGuiApplication::overrideCursor());
    }

    void theLaserMarksTheCellBelow() {
        QWidget area;
        area.resize(500, 400);
        HeatmapView view(&area);
        view.setGeometry(40, 30, 400, 340);
        MatrixData matrix;
        matrix.values = Tensor({3, 3}, std::vector<double>(9, 0.5));
        ColorScale scale;
        scale.map = &colormaps().front();
        view.setMatrix(matrix, scale);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        LaserPointer laser(area);
        laser.setOn(true);
        const QRectF cell = view.cellRect({1, 2}).translated(40, 30);
        QCursor::setPos(area.mapToGlobal(cell.center().toPoint()));
        QTRY_COMPARE(laser.markedCell(), cell);
        QCursor::setPos(area.mapToGlobal(QPoint(5, 5)));
        QTRY_VERIFY(laser.markedCell().isEmpty());
        laser.setOn(false);
    }
};

ATTNLAB_TEST(TestLearnPresenting)
#include "test_learn_presenting.moc"
