// A lecturer with two keys, forward and back, shows the audience everything that a step names.
#include "tests/test_main.h"
#include "ui/learn/cards/cards_area.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/learn_page.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/presentation.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnStage : public QObject {
    Q_OBJECT

    std::unique_ptr<LearnPage> page_;
    QStringList faults_;
    QString where_;

    LessonPage& lesson() { return *page_->lessonPage(); }
    StepPanel& panel() { return *lesson().panel(); }
    QuestionView& question() { return *panel().question(); }
    const CardsBoard* cardsBoard() { return qobject_cast<CardsBoard*>(page_->frame()->board()); }
    bool isAnswered() { return !question().chosen().isEmpty(); }

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(page_->frame()->model().result() && !page_->frame()->model().isComputing(), 30000);
        QCoreApplication::processEvents();
    }
    void begin(int index, const QString& language) {
        faults_.clear();
        applyLanguage(language);
        page_ = std::make_unique<LearnPage>();
        page_->setFont(Presentation::presentationFont(720, QApplication::font()));
        page_->resize(1280, 720);
        page_->show();
        page_->showLesson(index);
        page_->setPresenting(true);
    }
    void forward() {
        lesson().next();
        QCoreApplication::processEvents();
        settle();
    }
    void fault(const QString& what) { faults_ << QStringLiteral("%1: %2").arg(where_, what); }
    void verifyNoFaults() {
        faults_.removeDuplicates();
        QVERIFY2(faults_.isEmpty(), qPrintable(faults_.join(QLatin1Char('\n'))));
    }

    QSet<QString> allCards() {
        QSet<QString> ids;
        if (cardsBoard())
            for (const auto* card : cardsBoard()->area()->cards())
                ids.insert(card->content().id);
        return ids;
    }
    QSet<QString> visibleCards() {
        QSet<QString> ids;
        if (cardsBoard())
            for (const auto* card : cardsBoard()->area()->cards())
                if (card->isVisible() && (card->heatmap()->isVisible() || !card->error().isEmpty()))
                    ids.insert(card->content().id);
        return ids;
    }
    static QString listed(const QSet<QString>& ids) {
        QStringList all(ids.begin(), ids.end());
        all.sort();
        return all.join(QStringLiteral(", "));
    }

    const OptionButton* marked(OptionButton::Mark mark) {
        const auto& options = question().options();
        const auto found = std::ranges::find_if(options, [&](const auto* one) { return one->mark() == mark; });
        return found == options.end() ? nullptr : *found;
    }
    static bool showsReason(const OptionButton& option) {
        return std::ranges::any_of(option.findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->isVisible() && label->text() == option.measured();
        });
    }

    void checkTexts() {
        if (panel().scrolls())
            fault(QStringLiteral("the text scrolls"));
        for (const auto* child : page_->frame()->findChildren<QLabel*>()) {
            const auto* label = dynamic_cast<const ElidedLabel*>(child);
            if (label && label->isVisible() && label->shownText() != label->text())
                fault(QStringLiteral("“%1” is cut").arg(label->text()));
        }
    }
    /// The answer is never seen without what it answers.
    void checkAnswer() {
        const auto* right = marked(OptionButton::Mark::Right);
        if (!right || !right->isVisible())
            fault(QStringLiteral("the right option is out of sight on page %1").arg(panel().page() + 1));
    }

    void playStep(int step) {
        const auto& shown = *lesson().lesson();
        QSet<QString> seen;
        constexpr int most = 40;
        int presses = 0;
        const bool asks = shown.hasQuestion(step);
        for (; presses < most && lesson().step() == step && !(asks && isAnswered()); ++presses) {
            checkTexts();
            seen |= visibleCards();
            const auto hidden = allCards() - seen;
            if (asks && !question().isEmpty() && isLastPress() && !hidden.isEmpty())
                fault(QStringLiteral("not seen before the answer: ") + listed(hidden));
            if (!asks && isLastPress()) {
                if (!hidden.isEmpty())
                    fault(QStringLiteral("not seen: ") + listed(hidden));
                return;
            }
            const bool reveals = asks && isLastPress();
            forward();
            if (reveals)
                QTRY_VERIFY_WITH_TIMEOUT(isAnswered(), 30000);
            settle();
        }
        QVERIFY2(lesson().step() == step && presses < most, qPrintable(where_));
        const auto* right = marked(OptionButton::Mark::Right);
        QVERIFY2(right, qPrintable(where_));
        const auto& model = page_->frame()->model();
        const auto named =
            shown.cardsOf(step, right->objectName(), model.view(), model.computedScene(), *model.result()) & allCards();
        if (!named.isEmpty() && !named.intersects(visibleCards()))
            fault(QStringLiteral("the answer is about %1, on show: %2").arg(listed(named), listed(visibleCards())));
        if (!right->measured().isEmpty() && !showsReason(*right))
            fault(QStringLiteral("the reason of the right option is out of sight"));
        seen.clear();
        for (; presses < most; ++presses) {
            checkTexts();
            checkAnswer();
            seen |= visibleCards();
            if (isLastPress())
                break;
            forward();
        }
        if (!seen.contains(named))
            fault(QStringLiteral("not seen after the answer: ") + listed(named - seen));
    }
    /// The next press leads to the answer or the next step.
    bool isLastPress() {
        const auto* board = page_->frame()->board();
        return panel().page() + 1 == panel().pageCount() && !(board && board->hasNextPage());
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabStageTest");
    }
    void init() { QSettings().clear(); }
    void cleanup() {
        page_.reset();
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
    }

    void allThatIsNamedIsSeen_data() {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("language");
        const int count = static_cast<int>(LearnPage().lessons().size());
        for (int index = 0; index < count; ++index)
            for (const char* language : {"en", "zh_CN"})
                QTest::addRow("%d %s", index + 1, language) << index << QString::fromLatin1(language);
    }

    void allThatIsNamedIsSeen() {
        QFETCH(int, index);
        QFETCH(QString, language);
        begin(index, language);
        for (int step = 0; step < lesson().lesson()->stepCount(); ++step) {
            where_ = QStringLiteral("step %1, %2").arg(step + 1).arg(lesson().lesson()->stepId(step));
            lesson().showStep(step);
            settle();
            playStep(step);
            if (QTest::currentTestFailed())
                return;
        }
        verifyNoFaults();
    }

    void aWrongAnswerLeavesTheTextInPlace_data() { allThatIsNamedIsSeen_data(); }

    void aWrongAnswerLeavesTheTextInPlace() {
        QFETCH(int, index);
        QFETCH(QString, language);
        begin(index, language);
        const auto shown = lesson().lesson();
        for (int step = 0; step < shown->stepCount(); ++step) {
            if (!shown->hasQuestion(step))
                continue;
            lesson().showStep(step);
            settle();
            where_ = QStringLiteral("step %1").arg(step + 1);
            // The second one, if the first one is right.
            for (int option = 0; option < 2 && !question().hasHint(); ++option) {
                lesson().reset();
                question().choose(option);
                QTRY_VERIFY_WITH_TIMEOUT(question().hasHint() || isAnswered(), 30000);
            }
            settle();
            checkTexts();
            if (!question().hasHint())
                continue;
            question().requestAnswer();
            settle();
            checkTexts();
            checkAnswer();
            const auto* wrong = marked(OptionButton::Mark::Wrong);
            if (!wrong || !wrong->isVisible() || !showsReason(*wrong))
                fault(QStringLiteral("the reason of the chosen option is out of sight"));
        }
        verifyNoFaults();
    }

    void backTurnsThePagesOfTheBoard() {
        const auto lessons = LearnPage().lessons();
        const auto heads = std::ranges::find_if(
            lessons, [](const LessonPtr& one) { return one->key() == QStringLiteral("06-heads"); });
        begin(static_cast<int>(heads - lessons.begin()), QStringLiteral("en"));
        lesson().showStep(lesson().lesson()->stepCalled(QStringLiteral("fox")));
        settle();
        QVERIFY(visibleCards().contains(QStringLiteral("head0")));
        while (!cardsBoard()->pages()->page() && !isAnswered())
            forward();
        QVERIFY(!isAnswered() && visibleCards().contains(QStringLiteral("head3")));
        lesson().back();
        QVERIFY(visibleCards().contains(QStringLiteral("head0")));
        while (!isAnswered())
            forward();
        QVERIFY(visibleCards().contains(QStringLiteral("head3"))); // which the answer is about
    }
};

ATTNLAB_TEST(TestLearnStage)
#include "test_learn_stage.moc"
