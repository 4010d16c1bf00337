// A lecture, by one key; and a head that is trained on the board.
#include "core/lessons/lesson.h"
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/curve_card.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/presentation.h"
#include "ui/widgets/controls.h"

#include <QPointer>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnLecture : public QObject, protected LearnFixture {
    Q_OBJECT

    int indexOf(const QString& key) {
        const auto& lessons = page().lessons();
        const auto found = std::ranges::find_if(lessons, [&](const auto& lesson) { return lesson->key() == key; });
        return found == lessons.end() ? -1 : static_cast<int>(found - lessons.begin());
    }

    void openTraining() {
        learn().showLesson(indexOf(QStringLiteral("14-train-one-head")));
        lesson().showStep(1);
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        page().frame()->setCover(std::nullopt);
    }
    template <class Widget>
    Widget* shown() {
        for (auto* widget : page().frame()->findChildren<Widget*>())
            if (widget->isVisible())
                return widget;
        return nullptr;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void oneKeyGivesTheWholeLecture() {
        const int index = indexOf(QStringLiteral("lecture/scale-mask-heads"));
        QVERIFY(index >= 0);
        learn().showLesson(index);
        const auto lecture = lesson().lesson();
        QCOMPARE(lecture->minutes(), 10.0);
        actions().present->trigger();
        QVERIFY(learn().presentation()->isOn());
        const auto turn_pages = [this] {
            QCoreApplication::processEvents();
            while (panel().page() + 1 < panel().pageCount() || page().frame()->board()->hasNextPage())
                QTest::keyClick(window_.get(), Qt::Key_PageDown);
        };
        int presses = 0; // besides those that turn a page of the text or of the board
        for (int step = 0; step < lecture->stepCount(); ++step) {
            QCOMPARE(lesson().step(), step);
            QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
            for (std::size_t move = 0; move < lecture->moves(step).size(); ++move, ++presses) {
                QVERIFY(panel().question()->answerText().isEmpty());
                turn_pages();
                QCOMPARE(lesson().step(), step);
                QTest::keyClick(window_.get(), Qt::Key_PageDown);
                QCOMPARE(lesson().step(), step);
                QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 30000);
                const auto& options = panel().question()->options();
                QVERIFY(std::ranges::none_of(
                    options, [](const OptionButton* one) { return one->mark() == OptionButton::Mark::Wrong; }));
            }
            turn_pages();
            QTest::keyClick(window_.get(), Qt::Key_PageDown);
            ++presses;
        }
        QCOMPARE(presses, lecture->stepCount() + lecture->questionCount());
        // The last slide stays, and offers no way to the list.
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        QCOMPARE(lesson().step(), lecture->stepCount() - 1);
        QVERIFY(!panel().nextButton()->isVisible());
        actions().previous_step->trigger();
        lesson().showStep(lecture->stepCount() - 2);
        QVERIFY(panel().nextButton()->isVisible());
        lesson().showStep(lecture->stepCount() - 1);
        QVERIFY(!panel().nextButton()->isVisible());
        actions().present->trigger();
        QVERIFY(panel().nextButton()->isVisible());
        actions().next_step->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::List);
    }

    void aLectureBeginsWithoutAnswers() {
        const int index = indexOf(QStringLiteral("lecture/scale-mask-heads"));
        learn().showLesson(index);
        lesson().showStep(1);
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        actions().next_step->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 30000);
        learn().showList();
        learn().showLesson(index);
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        QVERIFY(panel().question()->answerText().isEmpty());
    }

    void aHeadIsTrainedOnTheBoard() {
        openTraining();
        auto* control = shown<TrainingControl>();
        auto* curve = shown<CurveCard>();
        QVERIFY(control && curve);
        QCOMPARE(control->step()->number()->value(), 200);
        QTest::mouseClick(control->button(), Qt::LeftButton);
        QVERIFY(control->isRunning());
        QCOMPARE(model().scene().training->at, 0);
        QTRY_VERIFY_WITH_TIMEOUT(control->step()->number()->value() > 20, 60000);
        QVERIFY(control->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!control->isRunning(), 60000);
        QCOMPARE(control->step()->number()->value(), 200);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isComputing(), 30000);
        const auto& lines = curve->findChild<LineChart*>()->chart().lines;
        QCOMPARE(lines.size(), std::size_t{2});
        for (const auto& line : lines)
            QCOMPARE(line.points.size(), std::size_t{200});
        QVERIFY(lines[1].points.back().y() < 0.2 && lines[0].points.back().y() > 0.3);
    }

    void aTrainingStopsWhereItIsStopped() {
        openTraining();
        const QPointer<TrainingControl> control = shown<TrainingControl>();
        QVERIFY(control);
        QTest::mouseClick(control->button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(control->step()->number()->value() > 2, 60000);
        QTest::mouseClick(control->button(), Qt::LeftButton);
        QVERIFY(!control->isRunning());
        const int at = control->step()->number()->value();
        QTest::qWait(300);
        QCOMPARE(control->step()->number()->value(), at);
        control->step()->slider()->setValue(100);
        QCOMPARE(model().scene().training->at, 100);
        control->step()->number()->setValue(50);
        QCOMPARE(control->step()->slider()->value(), 50);
        QTest::mouseClick(control->button(), Qt::LeftButton);
        learn().leave();
        QVERIFY(!control || !control->isRunning());
    }
};

ATTNLAB_TEST(TestLearnLecture)
#include "test_learn_lecture.moc"
