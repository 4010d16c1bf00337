// Predictions: the board is covered until there is one, and then shows what the question asked about.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/cards/board_layout.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lesson/displayed_lesson.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/matrix/heatmap_view.h"

#include <cmath>
#include <QPushButton>
#include <utility>
#include <vector>

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

    /// "none" and "same" are wrong, "sqrt_dk" in the middle is right.
    void openThreeOptions(const char* hint = "") {
        replaceIn(lesson_folder_ + "/scene.json", R"x("entropy(sqrt_dk) > entropy(none)"}})x",
                  R"x("entropy(sqrt_dk) > entropy(none)", "same": "entropy(sqrt_dk) = entropy(none)"}})x");
        for (const auto& [file, last] : {std::pair{"/en.md", "by √d\n"}, {"/zh_CN.md", "除以 √d\n"}})
            replaceIn(lesson_folder_ + file, last, (QByteArray(last) + "- same: =\n" + hint).constData());
        openSecond();
        QTRY_COMPARE(panel().question()->options().size(), std::size_t{3});
    }
    const CardView* cardAt(std::size_t index) { return frame().findChild<CardsArea*>()->cards().at(index); }
    bool isCovered(std::size_t card) {
        const auto& matrix = *cardAt(card)->content().matrix;
        return matrix.isHidden(0, 0) && matrix.isHidden(5, 5);
    }
    std::vector<OptionButton::Mark> marks() {
        std::vector<OptionButton::Mark> all;
        for (const auto* option : panel().question()->options())
            all.push_back(option->mark());
        return all;
    }
    void press(Qt::Key key) { QTest::keyClick(panel().nextButton(), key); }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() {
        end();
        writeLesson(folder_.path());
    }

    void theBoardOpensWithAnAnswer() {
        openSecond();
        QVERIFY(frame().isCovered());
        QVERIFY(frame().board()->isVisible() && frame().cover()->isVisible());
        QVERIFY(isCovered(0) && isCovered(1));
        answer(0);
        QVERIFY(!frame().isCovered());
        QVERIFY(frame().board()->isVisible() && !frame().cover()->isVisible());
        QVERIFY(!isCovered(0) && !isCovered(1));
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
        QVERIFY(frame().board()->isVisible() && !isCovered(0));
        QVERIFY(actions().take_step->isEnabled() && actions().save_board->isEnabled());
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

    void aFirstWrongChoiceLeavesASecond() {
        using enum OptionButton::Mark;
        openThreeOptions();
        auto& question = *panel().question();
        QVERIFY(!question.answerButton()->isVisible());
        press(Qt::Key_0); // nothing yet
        press(Qt::Key_1);
        QTRY_VERIFY_WITH_TIMEOUT(question.hasHint(), 10000);
        const std::vector one_wrong{Wrong, None, None};
        QCOMPARE(marks(), one_wrong);
        QVERIFY(!question.options()[0]->isEnabled());
        QVERIFY(question.options()[1]->isEnabled() && question.options()[2]->isEnabled());
        QVERIFY(question.options()[0]->accessibleName().contains("not right"));
        QVERIFY(frame().isCovered() && isCovered(0));
        QVERIFY(question.answerText().isEmpty());
        for (const auto* option : question.options())
            QVERIFY(option->measured().isEmpty());
        QCOMPARE(question.hintText(), QString("Not that one. Look at the picture again."));
        QVERIFY(question.answerButton()->isVisible());
        QVERIFY(actions().reset_step->isEnabled() && lesson().coverButton()->isEnabled());
        QVERIFY(lessonProgress(lesson().lesson()->key()).answers.isEmpty());
        press(Qt::Key_1); // it is disabled
        QCOMPARE(marks(), one_wrong);
        QVERIFY(question.hasHint());
        // It stays for those who come back, also in another language.
        lesson().showStep(0);
        lesson().showStep(1);
        QTRY_VERIFY_WITH_TIMEOUT(question.hasHint(), 10000);
        applyLanguage("zh_CN");
        QTRY_VERIFY_WITH_TIMEOUT(panel().question()->hasHint(), 10000);
        QCOMPARE(marks(), one_wrong);
        applyLanguage("en");
        QTRY_VERIFY_WITH_TIMEOUT(panel().question()->hasHint(), 10000);
        auto& again = *panel().question();
        QTRY_COMPARE(again.hintText(), QString("Not that one. Look at the picture again."));

        press(Qt::Key_3);
        QTRY_VERIFY_WITH_TIMEOUT(!again.answerText().isEmpty(), 10000);
        const std::vector both_wrong{Wrong, Right, Wrong};
        QCOMPARE(marks(), both_wrong);
        QVERIFY(!frame().isCovered() && !again.hasHint() && !again.answerButton()->isVisible());
        for (const auto* option : again.options())
            QVERIFY(option->isEnabled() && !option->measured().isEmpty());
        lesson().reset();
        const std::vector none(3, None);
        QCOMPARE(marks(), none);
        QVERIFY(frame().isCovered() && !again.hasHint());
        press(Qt::Key_3);
        QTRY_VERIFY_WITH_TIMEOUT(again.hasHint(), 10000);
        lesson().coverButton()->click();
        QVERIFY(!again.hasHint());
    }

    void theRightOptionReveals() {
        using enum OptionButton::Mark;
        openThreeOptions();
        press(Qt::Key_2);
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 10000);
        const std::vector at_once{None, Right, None};
        QCOMPARE(marks(), at_once);
        lesson().reset();
        panel().question()->choose(2);
        QTRY_VERIFY_WITH_TIMEOUT(panel().question()->hasHint(), 10000);
        press(Qt::Key_2);
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 10000);
        const std::vector second{None, Right, Wrong};
        QCOMPARE(marks(), second);
        QVERIFY(!frame().isCovered());
    }

    /// The other one is right, and the hint says why before it is chosen.
    void ofTwoOptionsAHintLeavesASecond() {
        using enum OptionButton::Mark;
        for (const auto& [file, last] : {std::pair{"/en.md", "by √d\n"}, {"/zh_CN.md", "除以 √d\n"}})
            replaceIn(lesson_folder_ + file, last, (QByteArray(last) + "\n### hint\nIts theory.\n").constData());
        openSecond();
        press(Qt::Key_1);
        QTRY_VERIFY_WITH_TIMEOUT(panel().question()->hasHint(), 10000);
        QCOMPARE(panel().question()->hintText(), QString("Its theory."));
        QVERIFY(frame().isCovered() && panel().question()->answerText().isEmpty());
        press(Qt::Key_2);
        QTRY_VERIFY_WITH_TIMEOUT(!panel().question()->answerText().isEmpty(), 10000);
        const std::vector second{Wrong, Right};
        QCOMPARE(marks(), second);
    }

    void theAnswerIsShownOnRequest_data() {
        QTest::addColumn<bool>("presenting");
        QTest::newRow("window") << false;
        QTest::newRow("presentation") << true;
    }
    void theAnswerIsShownOnRequest() {
        using enum OptionButton::Mark;
        QFETCH(bool, presenting);
        openThreeOptions("\n### hint\nIts variance is {{theory(none) | 0}}.\n");
        if (presenting)
            actions().present->trigger();
        auto& question = *panel().question();
        press(Qt::Key_1);
        QTRY_VERIFY_WITH_TIMEOUT(question.hasHint(), 10000);
        QCOMPARE(question.hintText(), QString("Its variance is 64."));
        QCoreApplication::processEvents();
        QVERIFY(question.isVisible() && question.options()[0]->isVisible() && question.answerButton()->isVisible());
        if (presenting)
            press(Qt::Key_0);
        else
            question.answerButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!question.answerText().isEmpty(), 10000);
        const std::vector shown{Wrong, Right, None};
        QCOMPARE(marks(), shown);
        QVERIFY(!frame().isCovered() && !question.hasHint());
        if (presenting)
            QTest::keyClick(window_.get(), Qt::Key_Escape);
    }

    /// Neither the picture nor its words, tooltips or exports have a number that a question covers.
    void theAnswerIsNowhere() {
        openSecond();
        const CardView* card = cardAt(0);
        const HeatmapView& heatmap = *card->heatmap();
        for (int row = 0; row < 6; ++row)
            for (int key = 0; key < 6; ++key) {
                QVERIFY(heatmap.textInCell({row, key}).isEmpty());
                QVERIFY(std::isnan(heatmap.matrix().view()(row, key)));
            }
        QVERIFY2(heatmap.cellText({2, 3}).endsWith("?, covered until you answer"),
                 qPrintable(heatmap.cellText({2, 3})));
        const auto picture = frame().board()->picture();
        for (const auto& shown : dynamic_cast<const BoardPicture&>(*picture).cards)
            QVERIFY(shown.content.matrix->isHidden(5, 5) && std::isnan(shown.content.matrix->view()(5, 5)));
        QVERIFY(!actions().take_step->isEnabled() && !actions().save_board->isEnabled());
        QVERIFY(!lesson().workspaceScene());
        // Nothing can be drawn again, and what a click pins is not kept.
        for (const auto* button : frame().board()->findChildren<QPushButton*>())
            QVERIFY2(!button->isVisible() || button->text().isEmpty(), qPrintable(button->text()));
        const auto view = model().view();
        QTest::mouseClick(card->heatmap(), Qt::LeftButton, {}, heatmap.cellRect({1, 1}).center().toPoint());
        QCOMPARE(model().view(), view);
        // A board is made anew for other letters, and for another language.
        actions().present->trigger();
        QCoreApplication::processEvents();
        QVERIFY(isCovered(0) && isCovered(1));
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        applyLanguage("zh_CN");
        settleScene();
        QVERIFY(frame().isCovered() && isCovered(0));
        applyLanguage("en");
        settleScene();
        answer(1);
        QVERIFY(actions().take_step->isEnabled() && actions().save_board->isEnabled());
    }

    /// Only what the lesson names is covered: here one row of one card, and the words beside it.
    void theRestStaysVisible() {
        replaceIn(lesson_folder_ + "/scene.json", R"x("entropy(sqrt_dk) > entropy(none)"}})x",
                  R"x("entropy(sqrt_dk) > entropy(none)"}, "hides": ["none.weights[2, :]", "none.words"]})x");
        for (const auto& [file, last] :
             {std::pair{"/en.md", "against {{entropy(none) | 2}}.\n"}, {"/zh_CN.md", "对 {{entropy(none) | 2}}。\n"}})
            replaceIn(lesson_folder_ + file, last,
                      (QByteArray(last) + "\n### card none: one key\n### card sqrt_dk: many keys\n").constData());
        openSecond();
        QVERIFY(frame().isCovered());
        const auto& matrix = *cardAt(0)->content().matrix;
        QVERIFY(matrix.isHidden(2, 0) && matrix.isHidden(2, 5) && !matrix.isHidden(1, 0));
        QCOMPARE(matrix.view()(1, 0), cardAt(0)->heatmap()->matrix().view()(1, 0));
        QVERIFY(matrix.view()(1, 0) > 0.0);
        QVERIFY(cardAt(1)->content().matrix->hidden.size() == 0);
        QCOMPARE(cardAt(0)->words(), QString());
        QCOMPARE(cardAt(1)->words(), QString("many keys"));
        answer(1);
        QCOMPARE(cardAt(0)->words(), QString("one key"));
    }

    void reasonsStandBelowTheOptions() {
        for (const auto& [file, last] :
             {std::pair{"/en.md", "against {{entropy(none) | 2}}.\n"}, {"/zh_CN.md", "对 {{entropy(none) | 2}}。\n"}})
            replaceIn(
                lesson_folder_ + file, last,
                (QByteArray(last) + "\n### why none: A *row* of it has {{effective_keys(none) | 0}}.\n").constData());
        openSecond();
        answer(0);
        const auto& options = panel().question()->options();
        QVERIFY2(options[0]->measured().startsWith("A row of it has "), qPrintable(options[0]->measured()));
        QVERIFY2(options[1]->measured().startsWith("Entropy ("), qPrintable(options[1]->measured()));
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
