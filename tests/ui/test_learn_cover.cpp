// Predictions: the board is covered until there is one, and then shows what the question asked about.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/question_view.h"

#include <QPushButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnCover : public QObject, protected LearnFixture {
    Q_OBJECT

    BoardFrame& frame() { return *page().frame(); }
    void openSecond() {
        openLesson();
        lesson().showStep(1);
        settleScene();
    }
    void answer(int option) {
        panel().question()->choose(option);
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 10000);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() {
        end();
        replaceIn(lesson_folder_ + "/scene.json",
                  R"x(, "about": {"E": 256}, "reveals": {"cards": [{"setting": "none"}]}})x", "}");
        replaceIn(lesson_folder_ + "/scene.json", R"x(, "covers": false})x", "}");
    }

    void theBoardOpensWithAnAnswer() {
        openSecond();
        QVERIFY(frame().isCovered());
        QVERIFY(!frame().board()->isVisible() && frame().cover()->isVisible());
        answer(0);
        QVERIFY(!frame().isCovered());
        QVERIFY(frame().board()->isVisible() && !frame().cover()->isVisible());
        // It stays open for those who come back, until they cover the answers.
        lesson().showStep(0);
        QVERIFY(!frame().isCovered());
        lesson().showStep(1);
        QVERIFY(!frame().isCovered());
        QVERIFY(lesson().coverButton()->isEnabled());
        lesson().coverButton()->click();
        QVERIFY(frame().isCovered());
        QVERIFY(panel().question()->answerText().isEmpty());
        QVERIFY(!lesson().coverButton()->isEnabled());
    }

    void theCoverCanBeLifted() {
        openSecond();
        frame().cover()->button()->click();
        QVERIFY(frame().board()->isVisible());
        QVERIFY(panel().question()->answerText().isEmpty());
        lesson().showStep(0);
        lesson().showStep(1);
        QVERIFY(frame().isCovered());
    }

    void someQuestionsReadTheBoard() {
        replaceIn(lesson_folder_ + "/scene.json", R"x("entropy(sqrt_dk) > entropy(none)"}})x",
                  R"x("entropy(sqrt_dk) > entropy(none)"}, "covers": false})x");
        openSecond();
        QVERIFY(!frame().isCovered());
    }

    void anAnswerMovesTheBoardToItsQuestion() {
        replaceIn(
            lesson_folder_ + "/scene.json", R"x("entropy(sqrt_dk) > entropy(none)"}})x",
            R"x("entropy(sqrt_dk) > entropy(none)"}, "about": {"E": 256}, "reveals": {"cards": [{"setting": "none"}]}})x");
        openSecond();
        QCOMPARE(model().scene().draw->E, 64);
        answer(1);
        QCOMPARE(model().scene().draw->E, 256);
        QCOMPARE(model().view().cards.size(), std::size_t{1});
        lesson().reset();
        QCOMPARE(model().scene().draw->E, 64);
        QVERIFY(frame().isCovered());
    }

    void theTextCanBeHidden() {
        openLesson();
        QVERIFY(panel().isVisible());
        panel().hideButton()->click();
        QVERIFY(!panel().isVisible() && !lesson().isTextShown());
        QTest::keyClick(&lesson(), Qt::Key_T);
        QVERIFY(panel().isVisible());
        QTest::keyClick(panel().nextButton(), Qt::Key_T);
        QVERIFY(!panel().isVisible());
    }

    void wordsOfCardsAreAboutTheSettingsOfTheLesson() {
        openLesson();
        const auto* cards = frame().findChild<CardsArea*>();
        QCOMPARE(cards->cards()[0]->words(), QStringLiteral("no scaling"));
        const QString text = lesson().stepText();
        auto setting = model().scene().settings[0];
        setting.spec.scale.id = "dk";
        model().setSetting(0, setting);
        settleScene();
        QTRY_COMPARE(lesson().stepText(), text); // its numbers are those of the lesson's settings
        for (const auto* card : cards->cards())  // "the most even of the three" is about all of them
            QCOMPARE(card->words(), QString());
    }
};

ATTNLAB_TEST(TestLearnCover)
#include "test_learn_cover.moc"
