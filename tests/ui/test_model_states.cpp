// The page of a model while it shows two states: heads off beside effects of all heads on, and a text without a result.
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/model/effect_marks.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/model_result.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/widgets/controls.h"

#include <QPushButton>
#include <QStackedWidget>

#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelStates : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    HeadsPanel& heads() { return *page().heads(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }

    static bool isVeiled(const QWidget* part) {
        for (const QWidget* one = part; one; one = one->parentWidget())
            if (const auto* veil = one->findChild<QWidget*>("staleVeil", Qt::FindDirectChildrenOnly);
                veil && veil->isVisible())
                return true;
        return false;
    }
    void turnOff(HeadIndex head) {
        page().wall()->choose(head);
        page().offButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport() && session().result()->isOff(head), 10000);
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelStatesTest"); }
    void init() {
        shown_ = std::make_unique<ModelWindow>();
        QVERIFY(shown_->openSample());
    }
    void cleanup() { shown_.reset(); }

    /// Bars and words of the wall are of the model with all heads on, also while one is off.
    void wordsSayWhichState() {
        QVERIFY2(heads().note().startsWith(QStringLiteral("3 of 12 heads")), qPrintable(heads().note()));
        turnOff({1, 1});
        QVERIFY2(heads().note().startsWith(QStringLiteral("Of all heads on: 3 of 12 heads")),
                 qPrintable(heads().note()));
    }

    /// The head that was turned off reads what it read before, so another one is shown.
    void differencesHaveAKey() {
        QVERIFY(!heads().differenceKey()->isVisible());
        turnOff({1, 1});
        heads().tabs()->setCurrentIndex(HeadsPanel::Differences);
        QVERIFY(heads().differenceKey()->isVisible());
        const HeadIndex most = *heads().chosen();
        QVERIFY(!(most == HeadIndex{1, 1}));
        const auto& passes = session().result()->compared->passes;
        QVERIFY(passes[static_cast<std::size_t>(most.pass)].distances[static_cast<std::size_t>(most.head)] > 0.0);
        heads().tabs()->setCurrentIndex(HeadsPanel::Wall);
        QVERIFY(!heads().differenceKey()->isVisible());
    }

    /// As with large letters on a small screen.
    void tabsStayInANarrowCard() {
        shown_->window().resize(853, 533);
        QTest::qWait(50);
        const int end = heads().tabs()->mapTo(&heads(), QPoint(heads().tabs()->width(), 0)).x();
        constexpr int margin = 8;
        QVERIFY2(end <= heads().width() - margin, qPrintable(QStringLiteral("%1 of %2").arg(end).arg(heads().width())));
    }

    /// Pictures are dimmed, words are not.
    void wordsOfAnOutdatedTextAreReadable() {
        const QImage bright = page().wall()->imageOf({0, 0}).convertToFormat(QImage::Format_RGB32);
        page().text()->setPlainText(QStringLiteral("the cat ").repeated(100));
        QTRY_VERIFY(session().isTooLong() && !session().isRunning());
        QTRY_VERIFY(page().sentence()->next()->isOutdated());
        const auto& sentence = *page().sentence();
        for (const QWidget* words : std::initializer_list<const QWidget*>{
                 page().guesses(), page().outcomes(), sentence.next(), sentence.answer(), page().wall()})
            QVERIFY2(!isVeiled(words), words->metaObject()->className());
        QVERIFY(isVeiled(page().head()->views()));
        QVERIFY(page().wall()->imageOf({0, 0}) != bright);
        QVERIFY(page().guesses()->titles().front().endsWith(QStringLiteral("not updated")));
        page().text()->setPlainText(QStringLiteral("When Mary and John went"));
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport(), 10000);
        QVERIFY(!page().sentence()->next()->isOutdated());
        QVERIFY(!page().guesses()->titles().front().endsWith(QStringLiteral("not updated")));
    }

    /// A next token that is hardly likelier than others is not given as the answer.
    void anUnlikelyAnswerIsUnsure() {
        page().text()->setPlainText(QStringLiteral("Zelda lost her dog because Zelda is very"));
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport(), 10000);
        const auto& answer = page().sentence()->next()->answer();
        QVERIFY(answer && answer->probability < least_sure);
        QTRY_COMPARE_WITH_TIMEOUT(page().effects()->state(), HeadEffects::State::Done, 20000);
        QVERIFY2(!heads().legend().contains(QStringLiteral("writes")), qPrintable(heads().legend()));
        QVERIFY2(page().sentence()->next()->accessibleName().contains(QStringLiteral("unsure")),
                 qPrintable(page().sentence()->next()->accessibleName()));
    }

    /// The workspace asks for a word while its model is still opening: the result of the model before does not answer
    /// it.
    void anAskedWordWaitsForItsModel() {
        const QString text = QStringLiteral("Mary gave John a");
        page().chooseWord(text, QStringLiteral("Mary gave").size());
        shown_->type("Mary gave John a");
        QTRY_VERIFY_WITH_TIMEOUT(session().result() && !session().isOutdated() && !session().isRunning(), 10000);
        QCOMPARE(page().sentence()->query(), std::optional(4)); // the last, as after each change
        session().open(session().path(), text);
        QTRY_COMPARE_WITH_TIMEOUT(page().sentence()->query(), std::optional(2), 10000); // behind the start
    }

    void onlyHeadsForTheAnswerWriteIt_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("text");
        QTest::newRow("sample") << QString() << QStringLiteral("Mary had a little");
        QTest::newRow("t5") << QStringLiteral("t5") << QStringLiteral("the cat sat");
    }
    /// One that makes it less likely directly is no writer of it, and heads are called as their rows are.
    void onlyHeadsForTheAnswerWriteIt() {
        QFETCH(QString, model);
        QFETCH(QString, text);
        if (!model.isEmpty())
            QVERIFY(shown_->open(model.toLatin1().constData()));
        page().text()->setPlainText(text);
        QTRY_VERIFY_WITH_TIMEOUT(page().canExport(), 10000);
        QTRY_COMPARE_WITH_TIMEOUT(page().effects()->state(), HeadEffects::State::Done, 20000);
        const HeadEffects& effects = *page().effects();
        const QString legend = heads().legend();
        int against = 0;
        for (int pass = 0; pass < static_cast<int>(session().result()->passes.size()); ++pass)
            for (int head = 0; head < session().result()->heads({pass, 0}).heads; ++head) {
                const HeadIndex place{pass, head};
                const auto way = effects.wayOf(place);
                if (!way)
                    continue;
                QCOMPARE(effects.helps(place), *effects.of(place)->margin_change < 0.0);
                QCOMPARE(wayWords(effects, place).contains(QStringLiteral("against")), !effects.helps(place));
                against += effects.helps(place) ? 0 : 1;
                if (!effects.helps(place))
                    QVERIFY2(!legend.contains(shortTitle(*session().result(), place)), qPrintable(legend));
            }
        QVERIFY(against > 0);
        QVERIFY2(legend.contains(QStringLiteral("writ")) || legend.contains(QStringLiteral("through")) ||
                     legend.contains(QStringLiteral("bold")),
                 qPrintable(legend));
        if (!model.isEmpty())
            QVERIFY2(legend.contains(QStringLiteral("coder.")) || legend.contains(QStringLiteral("bold")),
                     qPrintable(legend));
    }
};

ATTNLAB_TEST(TestModelStates)
#include "test_model_states.moc"
