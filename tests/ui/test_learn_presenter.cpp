// Giving a lecture: the presenter's window, the black screen, and jumps that stay in the presentation.
#include "core/lessons/lesson.h"
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/presentation.h"
#include "ui/learn/presenter_view.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QMenu>
#include <QPushButton>
#include <QScreen>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnPresenter : public QObject, protected LearnFixture {
    Q_OBJECT

    PresenterView& presenter() { return *learn().presenterView(); }
    BlankScreen& blank() { return *learn().blankScreen(); }

    void openLecture() {
        const auto& lessons = page().lessons();
        const auto found = std::ranges::find_if(lessons, [](const auto& lesson) { return lesson->isLecture(); });
        QVERIFY(found != lessons.end());
        learn().showLesson(static_cast<int>(found - lessons.begin()));
        lesson().showStep(0);
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
    }
    void present() {
        openLecture();
        actions().present->trigger();
        QVERIFY(learn().presentation()->isOn());
    }
    void openPresenter() {
        window_->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), window_.get());
        actions().presenter_view->trigger();
        QVERIFY(presenter().isVisible());
        QVERIFY(QTest::qWaitForWindowActive(&presenter()));
        QTRY_COMPARE(QApplication::activeWindow(), &presenter());
        QTRY_VERIFY(presenter().isAncestorOf(QApplication::focusWidget()));
    }
    /// As a user presses it: to the focus of the active window.
    static void press(int key) {
        auto* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : QApplication::activeWindow(), static_cast<Qt::Key>(key));
    }
    static QMenu* openMenu() { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }
    static void choose(QAction* action) {
        auto* menu = openMenu();
        action->trigger();
        menu->close();
    }
    /// Turns the pages of a text or a board that does not fit, then presses the key once more.
    void pressNext() {
        QCoreApplication::processEvents();
        while (panel().page() + 1 < panel().pageCount() ||
               (learn().presentation()->isOn() && page().frame()->board() && page().frame()->board()->hasNextPage()))
            actions().next_step->trigger();
        actions().next_step->trigger();
    }
    /// The slide that the audience reads.
    QString slide() { return panel().bodyText(); }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void thePresenterReadsTheNotes() {
        present();
        openPresenter();
        QVERIFY(actions().presenter_view->isChecked());
        QVERIFY(slide().contains("it hands over"));
        const QString notes = presenter().notesText();
        QVERIFY2(notes.contains("which words matter to me?"), qPrintable(notes));
        QVERIFY(!slide().contains("which words matter to me?"));
        QCOMPARE(presenter().nextText(), lesson().lesson()->stepTitle(1));
        actions().next_step->trigger();
        QCOMPARE(lesson().step(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(presenter().notesText().contains("As the arrows stood at the start"), 30000);
        QVERIFY(presenter().notesText().contains("Which of the three keys"));
        QCOMPARE(presenter().nextText(), lesson().lesson()->stepTitle(2));
        // A number of the board is the same in both windows.
        pressNext();
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 30000);
        QTRY_VERIFY(panel().question()->answerText().contains("4.96"));
        QVERIFY(presenter().notesText().contains("4.96"));
    }

    void eitherWindowCanBeClosed() {
        present();
        openPresenter();
        presenter().close();
        QVERIFY(learn().presentation()->isOn() && window_->isVisible());
        QVERIFY(!actions().presenter_view->isChecked());
        openPresenter();
        press(Qt::Key_Escape);
        QVERIFY(!presenter().isVisible());
        QVERIFY(learn().presentation()->isOn());
        openPresenter();
        actions().present->trigger();
        QVERIFY(presenter().isVisible() && !learn().presentation()->isOn());
        learn().leave();
        QVERIFY(!presenter().isVisible());
        openLecture();
        openPresenter();
        window_->close();
        QVERIFY(!presenter().isVisible());
        window_->show();
    }

    void itsKeysTurnTheAudiencesSlides() {
        present();
        openPresenter();
        press(Qt::Key_PageDown);
        QCOMPARE(lesson().step(), 1);
        press(Qt::Key_PageUp);
        QCOMPARE(lesson().step(), 0);
        press(Qt::Key_B);
        QVERIFY(blank().isOn());
        press(Qt::Key_PageDown);
        QVERIFY(!blank().isOn());
        QCOMPARE(lesson().step(), 0);
        press(Qt::Key_F6);
        QVERIFY(!presenter().isVisible());
    }

    void theTimeIsComparedWithThePlan_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<int>("milliseconds");
        QTest::addColumn<QString>("pace");
        QTest::newRow("begins") << 0.0 << 0.75 << 0 << "on time";
        QTest::newRow("within") << 1.0 << 2.0 << 90'000 << "on time";
        QTest::newRow("at the end") << 1.0 << 2.0 << 120'900 << "on time";
        QTest::newRow("late") << 1.0 << 2.0 << 185'000 << "1:05 behind";
        QTest::newRow("early") << 1.0 << 2.0 << 25'000 << "0:35 ahead";
        QTest::newRow("no clock") << 1.0 << 2.0 << -1 << "";
    }
    void theTimeIsComparedWithThePlan() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(int, milliseconds);
        QFETCH(QString, pace);
        PresenterNotes notes;
        notes.from = from;
        notes.to = to;
        notes.all = 10.0;
        QCOMPARE(PresenterView::pace(notes, milliseconds), pace);
        notes.all = 0.0; // a lesson without a plan
        QCOMPARE(PresenterView::pace(notes, milliseconds), QString());
    }

    void theClockStartsWithThePresentation() {
        openLecture();
        QVERIFY(presenter().elapsed() < 0);
        openPresenter();
        QVERIFY(presenter().elapsed() < 0);
        actions().present->trigger();
        QVERIFY(presenter().elapsed() >= 0);
        presenter().startClock(185'000);
        QCOMPARE(presenter().runningText(), QString("3:05"));
        QCOMPARE(presenter().paceText(), QString("2:20 behind"));
        actions().present->trigger();
        actions().present->trigger(); // anew
        QCOMPARE(presenter().runningText(), QString("0:00"));
        presenter().startClock(185'000);
        learn().presentation()->zoom(1);
        lesson().showStep(1);
        actions().present->trigger();
        actions().present->trigger(); // goes on
        QCOMPARE(presenter().runningText(), QString("3:05"));
        lesson().showStep(0);
        QTest::mouseClick(presenter().restartButton(), Qt::LeftButton);
        QCOMPARE(presenter().runningText(), QString("0:00"));
        QCOMPARE(presenter().paceText(), QString("on time"));
    }

    void theAudienceDoesNotSeeThePlan() {
        openLecture();
        QVERIFY2(panel().positionText().contains("0:00 to 0:45"), qPrintable(panel().positionText()));
        actions().present->trigger();
        QVERIFY2(!panel().positionText().contains(":"), qPrintable(panel().positionText()));
        actions().next_step->trigger();
        QVERIFY(!panel().positionText().contains(":"));
        actions().present->trigger();
        QVERIFY(panel().positionText().contains("0:45 to 1:45"));
    }

    void itOpensOnTheOtherScreen() {
        auto* here = window_->screen();
        QCOMPARE(PresenterView::otherScreen({here}, here), nullptr);
        QCOMPARE(PresenterView::otherScreen({}, here), nullptr);
        QCOMPARE(PresenterView::otherScreen({here}, nullptr), here);
        openLecture();
        openPresenter();
        // The platform "offscreen:configfile=..." has as many screens as one likes.
        if (QGuiApplication::screens().size() > 1)
            QVERIFY(presenter().screen() != here && !presenter().geometry().intersects(window_->geometry()));
        else
            QCOMPARE(presenter().size().boundedTo(here->availableSize()), presenter().size());
    }

    void itFollowsTheLanguage() {
        present();
        openPresenter();
        presenter().startClock(60'000);
        const QRect place = presenter().geometry();
        applyLanguage(QStringLiteral("zh_CN"));
        QTRY_VERIFY(presenter().isVisible());
        QVERIFY(learn().presentation()->isOn());
        QTRY_VERIFY(presenter().notesText().contains(QStringLiteral("哪些词对我重要")));
        QVERIFY(presenter().elapsed() >= 60'000);
        QCOMPARE(presenter().geometry().size(), place.size());
        QVERIFY(actions().presenter_view->isChecked());
        applyLanguage(QStringLiteral("en"));
        QTRY_VERIFY(presenter().notesText().contains("which words matter to me?"));
    }

    void itFollowsTheTheme() {
        openLecture();
        openPresenter();
        applyTheme(ThemeChoice::Dark);
        QTRY_VERIFY(presenter().grab().toImage().pixelColor(3, 3).lightness() < 80);
        applyTheme(ThemeChoice::Light);
        QTRY_VERIFY(presenter().grab().toImage().pixelColor(3, 3).lightness() > 180);
    }

    void theScreenIsBlackUntilAKey() {
        present();
        actions().next_step->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        for (const int key : {Qt::Key_B, Qt::Key_Period, Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Right, Qt::Key_2,
                              Qt::Key_Escape, Qt::Key_Tab, Qt::Key_Space, Qt::Key_F5, Qt::Key_T}) {
            const QString name = QKeySequence(key).toString();
            QVERIFY2(panel().nextButton()->hasFocus(), qPrintable(name));
            press(key == Qt::Key_Period ? Qt::Key_Period : Qt::Key_B);
            QVERIFY2(blank().isOn(), qPrintable(name));
            const QImage image = window_->grab().toImage();
            QCOMPARE(image.pixelColor(image.rect().center()), QColor(Qt::black));
            QCOMPARE(blank().size(), window_->size());
            press(Qt::Key_Shift);
            QVERIFY2(blank().isOn(), qPrintable(name));
            press(key);
            QVERIFY2(!blank().isOn(), qPrintable(name));
            QVERIFY2(lesson().step() == 1 && panel().page() == 0, qPrintable(name));
            QVERIFY2(panel().question()->chosen().isEmpty(), qPrintable(name));
            QVERIFY2(learn().presentation()->isOn() && lesson().isTextShown(), qPrintable(name));
        }
        QVERIFY(panel().nextButton()->hasFocus());
    }

    void theScreenIsBlackOnlyInAPresentation() {
        openLecture();
        press(Qt::Key_B);
        QVERIFY(!blank().isOn());
        QVERIFY(!actions().blank->isEnabled() && !actions().jump->isEnabled());
        actions().present->trigger();
        press(Qt::Key_B);
        QTest::mouseClick(&blank(), Qt::LeftButton);
        QVERIFY(!blank().isOn());
        press(Qt::Key_B);
        actions().next_step->trigger(); // a clicker in the other window
        QVERIFY(!blank().isOn());
        QCOMPARE(lesson().step(), 0);
        press(Qt::Key_B);
        actions().present->trigger();
        QVERIFY(!blank().isOn());
    }

    void jumpsToAStepAndBack() {
        present();
        actions().next_step->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        pressNext(); // the answer
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 30000);
        press(Qt::Key_J);
        QVERIFY(openMenu());
        const auto lecture = lesson().lesson();
        QStringList steps;
        for (auto* action : openMenu()->actions())
            if (!action->isSeparator())
                steps << action->text();
        QCOMPARE(steps.size(), lecture->stepCount() + 2);
        QVERIFY(openMenu()->actions().at(1)->isChecked());
        choose(openMenu()->actions().at(4));
        QCOMPARE(lesson().step(), 4);
        QVERIFY(learn().presentation()->isOn());
        press(Qt::Key_J);
        QVERIFY(openMenu());
        QVERIFY(openMenu()->actions().front()->text().contains(lecture->stepTitle(1)));
        choose(openMenu()->actions().front());
        QCOMPARE(lesson().step(), 1);
        QVERIFY(!page().jumpOrigin());
        // The answer is still there, so the next press goes on.
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 30000);
        pressNext();
        QCOMPARE(lesson().step(), 2);
    }

    void jumpsToALabAndBack_data() {
        QTest::addColumn<int>("lab");
        QTest::addColumn<int>("key");
        QTest::newRow("scale lab, next") << int(lab::BoardKind::ScaleLab) << int(Qt::Key_PageDown);
        QTest::newRow("mask lab, back") << int(lab::BoardKind::MaskLab) << int(Qt::Key_PageUp);
    }
    void jumpsToALabAndBack() {
        QFETCH(int, lab);
        QFETCH(int, key);
        present();
        actions().next_step->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 30000);
        const auto jump = [&](qsizetype from_end) {
            press(Qt::Key_J);
            QVERIFY(openMenu());
            choose(openMenu()->actions().at(openMenu()->actions().size() - from_end));
        };
        const auto kind = static_cast<lab::BoardKind>(lab);
        jump(kind == lab::BoardKind::ScaleLab ? 2 : 1);
        QCOMPARE(page().showing(), LearnPage::Showing::Lab);
        QCOMPARE(page().labPage()->lab(), kind);
        QVERIFY(learn().presentation()->isOn() && window_->isFullScreen());
        press(Qt::Key_J); // to the other lab, by its letter: the way back is the same
        QVERIFY(openMenu());
        QTest::keyClick(openMenu(), kind == lab::BoardKind::ScaleLab ? Qt::Key_M : Qt::Key_S);
        QVERIFY(!openMenu() && page().labPage()->lab() != kind);
        QCOMPARE(page().showing(), LearnPage::Showing::Lab);
        QCOMPARE(page().jumpOrigin(), std::optional(1));
        press(key);
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        QCOMPARE(lesson().step(), 1);
        QVERIFY(learn().presentation()->isOn());
    }

    /// Numbers of the board make the text before it longer.
    void theAnswerStaysInView() {
        StepPanel own;
        own.setFitting(420);
        own.resize(420, 460);
        own.show();
        own.begin(0, QStringLiteral("Title"), QString());
        own.setSteps({true}, {QStringLiteral("Title")});
        own.setBody(QStringLiteral("Short."));
        StepQuestion question;
        question.text = QStringLiteral("Which?");
        question.options = {{"a", "this", true, {}}, {"b", "that", false, {}}};
        question.answer = QStringLiteral("This one.");
        own.setQuestion(question, {});
        own.setQuestion(question, QStringLiteral("a"));
        QCoreApplication::processEvents();
        QCOMPARE(own.pageCount(), 1);
        const QString longer = QStringLiteral("A text of several words. ").repeated(40);
        own.setBody(longer);
        QVERIFY(own.pageCount() > 1 && own.page() > 0);
        QCOMPARE(own.question()->answerText(), QStringLiteral("This one."));
        QVERIFY(own.turnPage(-1)); // where the user looks, it stays
        own.setBody(longer + longer);
        QCOMPARE(own.page(), 0);
    }

    void aLabFromTheMenuHasNoWayBack() {
        openLecture();
        learn().showLab(lab::BoardKind::ScaleLab);
        QVERIFY(!actions().next_step->isEnabled() && !actions().previous_step->isEnabled());
    }
};

ATTNLAB_TEST(TestLearnPresenter)
#include "test_learn_presenter.moc"
