// Presentations: full screen and the laser pointer.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/presentation.h"
#include "ui/matrix/heatmap_view.h"

#include <QApplication>
#include <QCursor>
#include <QMenuBar>
#include <QPushButton>
#include <QScopeGuard>
#include <QStatusBar>
#include <QWindow>

#include <algorithm>

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

    /// With letters of another size another widget would get the focus of the button that is hidden.
    void keysTurnALectureFromTheFirstOne_data() {
        QTest::addColumn<double>("larger");
        QTest::addColumn<int>("key");
        for (const double larger : {1.0, 1.5})
            for (const auto key : {Qt::Key_Right, Qt::Key_Space, Qt::Key_PageDown})
                QTest::addRow("%g, %s", larger, qPrintable(QKeySequence(key).toString())) << larger << int(key);
    }
    void keysTurnALectureFromTheFirstOne() {
        QFETCH(const double, larger);
        QFETCH(const int, key);
        const QFont usual = QApplication::font();
        const auto restore = qScopeGuard([&] { QApplication::setFont(usual); });
        QFont large = usual;
        large.setPointSizeF(larger * usual.pointSizeF());
        QApplication::setFont(large);
        window_->resize(1920, 1056);
        learn().showList();
        const auto& lessons = page().lessons();
        const auto lecture = std::ranges::find_if(lessons, [](const auto& one) { return one->isLecture(); });
        learn().showLesson(static_cast<int>(lecture - lessons.begin()));
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        settleScene();
        const auto buttons = window_->findChildren<QPushButton*>();
        const auto present = std::ranges::find_if(
            buttons, [](const auto* button) { return button->isVisible() && button->text() == "Present"; });
        QVERIFY(present != buttons.end());
        QTest::mouseClick(*present, Qt::LeftButton);
        QVERIFY(learn().presentation()->isOn());
        QCoreApplication::processEvents();
        const auto place = [&] { return std::pair(lesson().step(), panel().page()); };
        const auto first = place();
        QTest::keyClick(window_->windowHandle(), Qt::Key(key));
        QVERIFY2(place() != first, window_->focusWidget() ? window_->focusWidget()->metaObject()->className() : "none");
    }

    /// A digit that is typed by mistake changes no number.
    void theLabBeginsWithoutANumberToType() {
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        const auto draw = model().scene().draw;
        actions().present->trigger();
        QTest::keyClick(window_->windowHandle(), Qt::Key_7);
        QTest::keyClick(window_->windowHandle(), Qt::Key_Return);
        QVERIFY(model().scene().draw == draw);
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
