// The texts of the model page: the token that starts them, what is chosen after an edit, and two that are compared.
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/samples.h"
#include "ui/drawing/colormap.h"
#include "ui/drawing/matrix_data.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/model/head_effects.h"
#include "ui/model/head_panel.h"
#include "ui/model/model_input.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/try_this.h"
#include "ui/model/weights_view.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/window/actions.h"

#include <QPushButton>
#include <QToolButton>

#include <memory>
#include <string>
#include <vector>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelTexts : public QObject {
    Q_OBJECT
    using Side = RibbonTokens::Side;

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    SentencePanel& first() { return *page().sentence(); }
    SentencePanel& second() { return *page().second(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }
    bool isCurrent() { return !session().isRunning() && !session().isOutdated(); }
    int count(const SentencePanel& panel) { return panel.arcs()->tokens().count(Side::Queries); }

    void openSample() {
        shown_->window().actions().sample_model->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->mode().isOn() && page().wall()->chosen() &&
                                     page().effects()->state() == HeadEffects::State::Done,
                                 30000);
    }
    /// With this second text; its field is closed.
    void compareWith(const QString& other) {
        page().texts()->compareButton()->click();
        page().texts()->other()->setPlainText(other);
        QTRY_VERIFY_WITH_TIMEOUT(isCurrent() && session().request().other == other, 30000);
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelTextsTest"); }
    void init() { shown_ = std::make_unique<ModelWindow>(); }
    void cleanup() { shown_.reset(); }

    void theFirstTokenIsTheStart_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("name");
        QTest::newRow("English") << QStringLiteral("en") << QStringLiteral("start");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN") << QStringLiteral("起始");
    }
    /// What the tokenizer puts before a text is no word of it. All words of the sample are in sight.
    void theFirstTokenIsTheStart() {
        QFETCH(QString, language);
        QFETCH(QString, name);
        applyLanguage(language);
        QCoreApplication::processEvents();
        openSample();
        const auto& tokens = page().arcs()->tokens();
        QVERIFY(tokens.isStart(Side::Queries, 0) && !tokens.isStart(Side::Queries, 1));
        QCOMPARE(tokens.shown(Side::Queries, 0), name);
        QCOMPARE(page().heatmap()->visibleRowLabels().front(), name);
        QCOMPARE(page().heatmap()->visibleColumnLabels().front(), name);
        for (const bool is_off : {false, true}) {
            if (is_off)
                page().offButton()->click();
            QTRY_VERIFY(isCurrent());
            QCoreApplication::processEvents();
            for (int token = 0; token < count(first()); ++token)
                QVERIFY2(page().arcs()->isInSight(Side::Queries, token),
                         qPrintable(tokens.shown(Side::Queries, token)));
        }
    }

    /// Letters of a font that stands in for the window's are beside each other in turned labels, too.
    void wordsOfOtherScriptsAreWholeWhenTurned() {
        constexpr int count = 12;
        const QString word = QStringLiteral("起始起始");
        MatrixData matrix;
        matrix.values = Tensor({count, count}, 0.5);
        matrix.column_labels = QStringList(count, word);
        ValueRange range;
        range.include(1.0);
        HeatmapView view;
        view.setUpright(true);
        view.setLabelSize(1.0);
        view.setMatrix(matrix, colorScale(ColorChoice(), range, false, true));
        view.resize(300, 360);
        QVERIFY(view.columnsAreUpright());
        const QImage seen = view.grab().toImage();
        const QRectF body = view.frame().body;
        const int left = static_cast<int>(body.left()), right = left + static_cast<int>(body.width()) / count;
        int first = -1, last = -1; // rows with ink above the first column
        for (int row = 0; row < static_cast<int>(body.top()) - 1; ++row)
            for (int column = left; column < right; ++column)
                if (seen.pixel(column, row) != seen.pixel(0, 0)) {
                    first = first < 0 ? row : first;
                    last = row;
                }
        const int whole = view.fontMetrics().horizontalAdvance(word);
        QVERIFY2(last - first > whole * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(last - first).arg(whole)));
    }

    void otherModelsStartTheirTextsToo() {
        QVERIFY(shown_->open("bert"));
        QVERIFY(page().arcs()->tokens().isStart(Side::Queries, 0)); // [CLS]
        QVERIFY(shown_->open("gpt2"));                              // adds nothing
        QVERIFY(!page().arcs()->tokens().isStart(Side::Queries, 0));
    }

    /// Not the word that was chosen in the text before.
    void afterAnEditTheLastTokenIsChosen() {
        openSample();
        first().setQuery(3);
        first().edit();
        QTest::keyClicks(page().text(), " Mary");
        QTRY_VERIFY(isCurrent());
        QTest::keyClick(page().text(), Qt::Key_Return);
        QTRY_VERIFY(isCurrent());
        QCOMPARE(first().query(), std::optional(count(first()) - 1));
        QVERIFY(page().arcs()->isInSight(Side::Queries, count(first()) - 1));
        first().setQuery(3);
        first().edit();
        QTest::keyClick(page().text(), Qt::Key_Return); // nothing was changed
        QCOMPARE(first().query(), std::optional(3));
    }

    /// Without a word that comes twice it is the last one before the end; "start" has no letters.
    void aComparisonOfATextWithoutRepetition() {
        openSample();
        page().text()->setPlainText(QStringLiteral("Then Mary gave John a drink"));
        QTRY_VERIFY(isCurrent() && session().result()->size.ends.size() == static_cast<std::size_t>(count(first())));
        page().texts()->compareButton()->click();
        QTRY_VERIFY(isCurrent() && second().wordField());
        QCOMPARE(second().wordField()->text(), QStringLiteral("a"));
    }

    void aFieldThatIsLeftGoes() {
        openSample();
        first().change(2);
        QVERIFY(first().wordField());
        QFocusEvent left(QEvent::FocusOut, Qt::MouseFocusReason);
        QCoreApplication::sendEvent(first().wordField(), &left);
        QTRY_VERIFY(!first().wordField());
        QCOMPARE(page().text()->toPlainText(), QString::fromLatin1(sample_model_text));
    }

    void wordsAreChangedOnTheirChips_data() {
        QTest::addColumn<int>("token");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("text");
        const QString whole = QStringLiteral("When %1 and John went to the store%2 John gave a drink to");
        QTest::newRow("another") << 2 << QStringLiteral("John")
                                 << whole.arg(QStringLiteral("John"), QStringLiteral(","));
        QTest::newRow("several") << 2 << QStringLiteral("the store")
                                 << whole.arg(QStringLiteral("the store"), QStringLiteral(","));
        QTest::newRow("the same") << 2 << QStringLiteral("Mary") << QString::fromLatin1(sample_model_text);
        QTest::newRow("none") << 2 << QString() << whole.arg(QString(), QStringLiteral(",")).replace("  ", " ");
        QTest::newRow("a comma") << 9 << QStringLiteral(".") << whole.arg(QStringLiteral("Mary"), QStringLiteral("."));
        QTest::newRow("the first word, none")
            << 1 << QString() << QString::fromLatin1(sample_model_text).mid(qsizetype(5));
        QTest::newRow("the last") << 14 << QStringLiteral("and")
                                  << QString::fromLatin1(sample_model_text).chopped(2) + QStringLiteral("and");
    }
    /// One step of Undo; then the last token is chosen, unless nothing was changed.
    void wordsAreChangedOnTheirChips() {
        QFETCH(int, token);
        QFETCH(QString, words);
        QFETCH(QString, text);
        openSample();
        const bool changes = text != QString::fromLatin1(sample_model_text);
        const QPoint chip = page().arcs()->chipRect(Side::Queries, token).center().toPoint();
        QTest::mouseClick(page().arcs(), Qt::LeftButton, {}, chip);
        QTest::mouseDClick(page().arcs(), Qt::LeftButton, {}, chip);
        QVERIFY(first().wordField() && !first().isEditing());
        first().wordField()->selectAll();
        if (words.isEmpty())
            QTest::keyClick(first().wordField(), Qt::Key_Delete);
        else
            QTest::keyClicks(first().wordField(), words);
        QTest::keyClick(first().wordField(), Qt::Key_Return);
        QCOMPARE(page().text()->toPlainText(), text);
        QTRY_VERIFY(isCurrent() && session().result()->size.ends.size() == static_cast<std::size_t>(count(first())));
        QTRY_COMPARE(first().query(), std::optional(changes ? count(first()) - 1 : token));
        QTRY_VERIFY(!first().wordField() && page().arcs()->hasFocus());
        if (!changes)
            return;
        QTest::keyClick(page().arcs(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(page().text()->toPlainText(), QString::fromLatin1(sample_model_text));
    }

    /// Escape, and a text that changed meanwhile, drop the word; "start" is none.
    void wordsThatAreDropped() {
        openSample();
        first().change(2);
        QTest::keyClicks(first().wordField(), "John");
        QTest::keyClick(first().wordField(), Qt::Key_Escape);
        QTRY_VERIFY(!first().wordField());
        QCOMPARE(page().text()->toPlainText(), QString::fromLatin1(sample_model_text));
        first().change(2);
        QTest::keyClicks(first().wordField(), "John");
        page().text()->setPlainText(QStringLiteral("When Mary"));
        QTRY_VERIFY(isCurrent() && !first().wordField());
        QCOMPARE(page().text()->toPlainText(), QStringLiteral("When Mary"));
        first().change(0);
        QVERIFY(!first().wordField() && first().isEditing());
    }

    /// It starts with the word of B that is likely to tell, ready to be changed; then with the head that changed most.
    void aComparisonStartsWithAWord() {
        openSample();
        const auto tab = page().heads()->tabs()->currentIndex();
        page().texts()->compareButton()->click();
        QTRY_VERIFY(isCurrent() && second().wordField());
        QCOMPARE(second().wordField()->text(), QStringLiteral("John"));
        QCoreApplication::processEvents();
        QVERIFY(
            second().wordField()->geometry().contains(second().arcs()->chipRect(Side::Queries, 10).center().toPoint()));
        QVERIFY(second().wordField()->hasFocus() || !shown_->window().isActiveWindow());
        QCOMPARE(page().texts()->hint()->text(), QStringLiteral("Change a word in B to see what it changes"));
        // What there is to see stays: of equal texts there is no difference.
        QCOMPARE(page().heads()->tabs()->currentIndex(), tab);
        QCOMPARE(page().head()->view(), page().head()->weights());
        page().heads()->tabs()->setCurrentIndex(HeadsPanel::Differences);
        QCOMPARE(page().heads()->note(), QStringLiteral("A and B are the same text"));
        page().heads()->tabs()->setCurrentIndex(tab);
        QTest::qWait(50); // the first text has become flat
        const QRect before(second().mapTo(&shown_->window(), QPoint()), second().size());
        QTest::keyClicks(second().wordField(), "Mary");
        QTest::keyClick(second().wordField(), Qt::Key_Return);
        QTRY_VERIFY(isCurrent() && session().result()->comparesOtherTexts());
        QCOMPARE(QRect(second().mapTo(&shown_->window(), QPoint()), second().size()), before);
        QCOMPARE(page().heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Differences));
        QCOMPARE(page().head()->view(), page().head()->difference());
        QCOMPARE(page().wall()->chosen(), std::optional(HeadIndex{2, 0})); // 0.93 of the last row
        QVERIFY(page().tryThis()->step(TryThis::ChangeName)->isDone());
        QVERIFY2(page().head()->effect().isEmpty() || page().head()->effect().startsWith(QStringLiteral("A · ")),
                 qPrintable(page().head()->effect()));
        // The user's own choice stays while B does.
        page().wall()->choose({0, 1});
        page().offButton()->click();
        QTRY_VERIFY(isCurrent());
        QCOMPARE(page().wall()->chosen(), std::optional(HeadIndex{0, 1}));
        // Bars of A and B begin and end at one place.
        const auto bars = page().guesses()->bars();
        QCOMPARE(bars.size(), std::size_t{2});
        QCOMPARE(bars[0]->wholeBar(0), bars[1]->wholeBar(0));
    }

    void outcomesHaveNames_data() {
        QTest::addColumn<QByteArray>("label");
        QTest::addColumn<QByteArray>("spelled");
        QTest::addColumn<QString>("name");
        QTest::newRow("a word") << QByteArray(" Mary") << QByteArray("\xC4\xA0Mary") << " Mary";
        QTest::newRow("a part of a letter") << QByteArray("\xEF\xBF\xBD") << QByteArray("\xC3\x83") << "0xC3";
        QTest::newRow("a byte of another tokenizer") << QByteArray("\xEF\xBF\xBD") << QByteArray("<0xE4>") << "0xE4";
        QTest::newRow("what is not seen") << QByteArray("\x01") << QByteArray("\xC4\x81") << "0x01";
        QTest::newRow("a tab") << QByteArray("\t") << QByteArray("\xC4\x89") << "\t";
        QTest::newRow("no text") << QByteArray() << QByteArray("<pad>") << "<pad>";
    }
    void outcomesHaveNames() {
        QFETCH(QByteArray, label);
        QFETCH(QByteArray, spelled);
        QFETCH(QString, name);
        QCOMPARE(textOfOutcome(label.toStdString(), spelled.toStdString()), name);
    }

    void tokensThatDiffer_data() {
        using Words = std::vector<std::string>;
        QTest::addColumn<Words>("a");
        QTest::addColumn<Words>("b");
        QTest::addColumn<QString>("of_a"); // x: it differs
        QTest::addColumn<QString>("of_b");
        QTest::newRow("equal") << Words{"a", "b"} << Words{"a", "b"} << "--"
                               << "--";
        QTest::newRow("one word") << Words{"a", "b", "c"} << Words{"a", "x", "c"} << "-x-"
                                  << "-x-";
        QTest::newRow("two words") << Words{"a", "b", "c", "d"} << Words{"x", "b", "c", "y"} << "x--x"
                                   << "x--x";
        QTest::newRow("one more") << Words{"a", "b"} << Words{"a", "a", "b"} << "--"
                                  << "-x-";
        QTest::newRow("in the middle") << Words{"a", "b", "c", "d", "e"} << Words{"a", "x", "c", "e"} << "-x-x-"
                                       << "-x--";
        QTest::newRow("nothing") << Words{} << Words{"a"} << ""
                                 << "x";
    }
    void tokensThatDiffer() {
        QFETCH(std::vector<std::string>, a);
        QFETCH(std::vector<std::string>, b);
        const auto marks = [](const std::vector<bool>& differing) {
            QString text;
            for (const bool one : differing)
                text += one ? QLatin1Char('x') : QLatin1Char('-');
            return text;
        };
        const auto [of_a, of_b] = differingTokens(a, b);
        QTEST(marks(of_a), "of_a");
        QTEST(marks(of_b), "of_b");
    }

    /// Each text has its words, its answer, and marks where it differs; the matrix is their difference.
    void twoTextsShowTheirDifference() {
        openSample();
        compareWith(QStringLiteral("When Mary and John went to the store, Mary gave a drink to"));
        QVERIFY(first().isVisible() && second().isVisible());
        QTRY_COMPARE(count(second()), count(first()));
        QVERIFY(first().next()->isVisible() && second().next()->isVisible());
        QCOMPARE(first().next()->answer()->name, QStringLiteral("Mary"));
        QCOMPARE(second().next()->answer()->name, QStringLiteral("John"));
        for (const SentencePanel* panel : {&first(), &second()}) {
            QStringList differing;
            for (int token = 0; token < count(*panel); ++token)
                if (panel->arcs()->tokens().differs(token))
                    differing << panel->arcs()->tokens().shown(Side::Queries, token);
            QCOMPARE(differing, QStringList{panel == &first() ? QStringLiteral("John") : QStringLiteral("Mary")});
            QCOMPARE(panel->query(), std::optional(count(*panel) - 1));
            double widest = 0.0;
            for (int key = 0; key < count(*panel); ++key)
                widest = std::max(widest, panel->arcs()->arcWidth(key));
            QVERIFY(widest > 0.0);
        }
        QCOMPARE(page().head()->view(), page().head()->difference());
        QCOMPARE(page().heads()->tabs()->currentIndex(), static_cast<int>(HeadsPanel::Differences));
        const HeatmapView& map = *page().head()->difference()->matrixView();
        QTRY_VERIFY(map.isVisible());
        QVERIFY2(map.height() >= 345 && map.width() >= 345,
                 qPrintable(QStringLiteral("%1 x %2").arg(map.width()).arg(map.height())));
        QVERIFY(map.labelsEveryRow());
        QCOMPARE(map.visibleColumnLabels().size(), count(first()));
        for (const auto* bars : page().guesses()->bars()) // four rows at least
            QVERIFY2(bars->names().size() >= 4 && bars->accessibleName().count(QStringLiteral("< 0.1%")) <= 3,
                     qPrintable(bars->accessibleName()));
        // A token of one text chooses the same position in the other.
        const QPoint chip = second().arcs()->chipRect(Side::Queries, 4).center().toPoint();
        QTest::mouseClick(second().arcs(), Qt::LeftButton, {}, chip);
        QCOMPARE(second().query(), std::optional(4));
        QCOMPARE(first().query(), std::optional(4));
        page().texts()->compareButton()->click();
        QTRY_VERIFY(isCurrent() && !second().isVisible());
        QVERIFY(!page().arcs()->tokens().differs(10));
        QCOMPARE(page().head()->view(), page().head()->weights());
    }

    /// It reads what it read before: a sentence says so instead of a field of zeros.
    void aHeadThatIsOffHasNoDifference() {
        openSample();
        page().wall()->choose({1, 1});
        page().offButton()->click();
        QTRY_VERIFY(isCurrent() && page().head()->tabs()->isTabEnabled(3));
        page().head()->show(page().head()->difference());
        const HeatmapView& map = *page().head()->difference()->matrixView();
        QVERIFY(map.matrix().view().empty());
        QVERIFY2(map.message().contains(QStringLiteral("what it read before")), qPrintable(map.message()));
        page().wall()->choose({2, 0}); // behind it
        QTRY_VERIFY(!map.matrix().view().empty());
        page().head()->allOnButton()->click();
        QTRY_VERIFY(isCurrent());
        QCOMPARE(page().head()->view(), page().head()->weights());
    }
};

ATTNLAB_TEST(TestModelTexts)
#include "test_model_texts.moc"
