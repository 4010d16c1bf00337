// What can be undone on the model page: texts, words, heads that are off, what the model wrote.
#include "core/edit/sentence.h"
#include "tests/test_main.h"
#include "tests/ui/model_page_support.h"
#include "ui/document/document.h"
#include "ui/document/samples.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_session.h"
#include "ui/model/predictions_panel.h"
#include "ui/model/sentence_panel.h"
#include "ui/model/text_panel.h"
#include "ui/panels/ribbon/answer_box.h"
#include "ui/panels/ribbon/token_arcs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/latest_job.h"
#include "ui/window/actions.h"

#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QSemaphore>
#include <QSpinBox>
#include <QThreadPool>
#include <QToolButton>
#include <QUndoStack>

#include <memory>

using namespace attnlab;
using namespace attnlab::ui;

class TestModelUndo : public QObject {
    Q_OBJECT

    std::unique_ptr<ModelWindow> shown_;

    ModelPage& page() { return shown_->page(); }
    ModelSession& session() { return *shown_->window().findChild<ModelSession*>(); }
    QUndoStack& steps() { return *session().undoStack(); }
    QAction& undo() { return *shown_->window().actions().undo; }
    QAction& redo() { return *shown_->window().actions().redo; }
    QString text() { return page().text()->toPlainText(); }
    bool isReady() { return !session().isRunning() && !session().isOutdated() && session().result(); }
    /// What is asked is what is typed, and what is shown is of it.
    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        QCOMPARE(session().request().text, text());
    }
    void type(const QString& words) {
        page().texts()->editButton()->click();
        page().text()->selectAll();
        QTest::keyClicks(page().text(), words);
        QTest::keyClick(page().text(), Qt::Key_Return);
        settle();
    }
    QToolButton* button(const QAction& action) {
        for (auto* one : shown_->window().findChildren<QToolButton*>())
            if (one->defaultAction() == &action && one->isVisible())
                return one;
        return nullptr;
    }

private slots:
    void initTestCase() { ModelWindow::prepare("AttnLabModelUndoTest"); }
    void init() {
        shown_ = std::make_unique<ModelWindow>();
        QVERIFY(shown_->openSample());
        QVERIFY(!undo().isEnabled() && !redo().isEnabled());
    }
    void cleanup() { shown_.reset(); }

    /// By the buttons above the page, whatever has the focus.
    void headsAreTurnedOnAgain() {
        QVERIFY(button(undo()) && button(redo()));
        const HeadIndex head{1, 1};
        const std::string answer = session().result()->guesses.front().now.front().name;
        page().wall()->choose(head);
        page().offButton()->click();
        settle();
        QVERIFY(session().result()->isOff(head));
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Head off (Layer 1 · head 1)"));
        QTest::mouseClick(button(undo()), Qt::LeftButton);
        settle();
        QVERIFY(!session().result()->isOff(head) && !undo().isEnabled());
        QCOMPARE(session().result()->guesses.front().now.front().name, answer);
        QTest::mouseClick(button(redo()), Qt::LeftButton);
        settle();
        QVERIFY(session().result()->isOff(head));
        QCOMPARE(page().wall()->chosen(), std::optional(head)); // what is looked at is no step
    }

    /// Another replacement of heads that are off is a step, and the chooser follows.
    void whatReplacesHeadsComesBack() {
        page().wall()->choose({1, 1});
        page().offButton()->click();
        settle();
        session().setOffBy(model::Ablation::By::Mean);
        settle();
        QCOMPARE(session().request().ablations.front().by, model::Ablation::By::Mean);
        undo().trigger();
        settle();
        QCOMPARE(session().request().ablations.front().by, model::Ablation::By::Zero);
        QCOMPARE(session().offBy(), model::Ablation::By::Zero);
        session().clearAblations();
        settle();
        QCOMPARE(undo().text(), QStringLiteral("&Undo: All heads on"));
        undo().trigger();
        settle();
        QCOMPARE(session().request().ablations.size(), std::size_t{1});
    }

    /// What was typed until Enter is one step; without a change there is none, but for what can be redone.
    void aTypedTextIsOneStep() {
        const QString sample = text();
        type(QStringLiteral("Mary and John"));
        QCOMPARE(steps().count(), 1);
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
        QVERIFY(!undo().isEnabled());
        redo().trigger();
        settle();
        QCOMPARE(text(), QStringLiteral("Mary and John"));
        type(QStringLiteral("When Paul went"));
        page().offButton()->click(); // between two texts
        settle();
        type(QStringLiteral("Tom"));
        QCOMPARE(steps().count(), 4);
        for (const char* before : {"When Paul went", "When Paul went", "Mary and John"}) {
            undo().trigger();
            settle();
            QCOMPARE(text(), QString::fromLatin1(before));
        }
    }

    /// A word that was undone in the field can be done again after the field is closed.
    void whatWasUndoneInTheFieldComesBack() {
        const QString sample = text();
        page().texts()->editButton()->click();
        QTest::keyClicks(page().text(), QStringLiteral(" one two three"));
        QTest::keyClick(page().text(), Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(page().text(), Qt::Key_Return);
        settle();
        QCOMPARE(text(), sample + QStringLiteral(" one two "));
        redo().trigger();
        settle();
        QCOMPARE(text(), sample + QStringLiteral(" one two three"));
    }

    /// In the field, too, whose caret is where the change was; letters that are gone again are no step.
    void keysActInTheField() {
        const QString sample = text();
        page().texts()->editButton()->click();
        auto* field = page().text();
        QTest::keyClicks(field, QStringLiteral(" one two"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text(), sample + QStringLiteral(" one "));
        QVERIFY(field->hasFocus() && field->textCursor().atEnd());
        for (const auto keys : {Qt::ControlModifier | Qt::ShiftModifier, Qt::KeyboardModifiers(Qt::ControlModifier)}) {
            QTest::keyClick(field, keys.testFlag(Qt::ShiftModifier) ? Qt::Key_Z : Qt::Key_Y, keys);
            QCOMPARE(text(), sample + QStringLiteral(" one two"));
            QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        }
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text(), sample);
        QVERIFY(!undo().isEnabled());
    }

    /// A head that is turned off between two words is between their steps.
    void stepsAreInTheOrderOfWhatWasDone() {
        const QString sample = text();
        page().sentence()->change(page().sentence()->tellingToken().value());
        QTest::keyClicks(page().sentence()->wordField(), QStringLiteral("Paul"));
        QTest::keyClick(page().sentence()->wordField(), Qt::Key_Return);
        settle();
        const QString changed = text();
        QVERIFY(changed != sample);
        page().offButton()->click();
        settle();
        QTest::mouseClick(page().sentence()->next(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && text() != changed, 30000);
        const QString written = text();
        QVERIFY(session().request().written);
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Write on"));
        undo().trigger();
        settle();
        QCOMPARE(text(), changed);
        QCOMPARE(session().request().ablations.size(), std::size_t{1});
        undo().trigger();
        settle();
        QCOMPARE(text(), changed);
        QVERIFY(session().request().ablations.empty());
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
        while (redo().isEnabled())
            redo().trigger();
        settle();
        QCOMPARE(text(), written);
        QVERIFY(session().request().written); // as what the model wrote
    }

    /// The text before a cut is not lost.
    void aCutIsAStep() {
        QString much;
        for (int i = 0; i < 80; ++i)
            much += QStringLiteral("the boy and the girl ");
        page().text()->setPlainText(much);
        QTRY_VERIFY_WITH_TIMEOUT(session().isTooLong() && page().texts()->cutButton()->isVisible(), 30000);
        page().texts()->cutButton()->click();
        settle();
        QVERIFY(text().size() < much.size());
        undo().trigger();
        QCOMPARE(text(), much);
        QTRY_VERIFY_WITH_TIMEOUT(session().isTooLong(), 30000);
        undo().trigger();
        settle();
        QCOMPARE(text(), QString::fromLatin1(sample_model_text));
    }

    /// The second text comes and goes with its button.
    void comparisonIsAStep() {
        page().texts()->compareButton()->click();
        settle();
        QVERIFY(page().second()->isVisible());
        page().texts()->other()->setPlainText(QStringLiteral("Mary and Paul"));
        settle();
        undo().trigger();
        settle();
        QCOMPARE(page().texts()->other()->toPlainText(), text());
        undo().trigger();
        settle();
        QVERIFY(!page().second()->isVisible() && !page().texts()->compareButton()->isChecked());
        redo().trigger();
        settle();
        QVERIFY(page().second()->isVisible() && page().texts()->compareButton()->isChecked());
        QVERIFY(!page().second()->wordField() && !page().second()->isEditing()); // asks for nothing
    }

    /// Workspace and model have steps of their own, and another model begins without.
    void eachPageHasItsSteps() {
        auto& actions = shown_->window().actions();
        shown_->window().files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(shown_->openSample());
        const int index = shown_->window().document().undoStack()->index();
        type(QStringLiteral("Mary"));
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Edit text"));
        actions.go_workspace->trigger();
        QVERIFY(!undo().text().contains(QStringLiteral("Edit text")));
        auto edited = with_sentences(shown_->window().document().problem(), {{"Mary", "gave", "John", "a"}, {}});
        shown_->window().document().edit(QStringLiteral("Sentence"), std::move(edited));
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Sentence"));
        actions.go_model->trigger();
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Edit text"));
        undo().trigger();
        settle();
        QCOMPARE(text(), QString::fromLatin1(sample_model_text));
        QCOMPARE(shown_->window().document().undoStack()->index(), index + 1);
        redo().trigger();
        settle();
        QVERIFY(shown_->open("gpt2"));
        QVERIFY(!undo().isEnabled() && !redo().isEnabled());
    }

    /// Undo while the model writes takes back the writing, and nothing before it.
    void undoTakesBackWhatIsBeingWritten() {
        type(QStringLiteral("Mary"));
        session().writeOn({.count = 100});
        QVERIFY(session().isWriting());
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Write on"));
        QTest::mouseClick(button(undo()), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!session().isWriting(), 10000);
        settle();
        QCOMPARE(text(), QStringLiteral("Mary"));
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Edit text"));
        QVERIFY(!redo().isEnabled());
        // With words that are written already.
        QVERIFY(shown_->open("llama"));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        const QString before = text();
        int grown = 0;
        const auto stop = connect(&session(), &ModelSession::textGrows, this, [&] {
            if (++grown == 1)
                undo().trigger();
        });
        session().writeOn({.count = 900});
        QTRY_VERIFY_WITH_TIMEOUT(grown > 0 && !session().isWriting(), 30000);
        disconnect(stop);
        settle();
        QCOMPARE(grown, 1);
        QCOMPARE(text(), before);
        QCOMPARE(steps().count(), 0);
        QVERIFY2(!page().texts()->hint()->text().startsWith(QStringLiteral("Writes")),
                 qPrintable(page().texts()->hint()->text()));
    }

    /// Cancel keeps what is written as one step; without a word there is none.
    void cancelledWritingIsAStepIfAnythingIsWritten() {
        QVERIFY(shown_->open("llama"));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        const QString before = text();
        {
            auto& threads = threadsOf(WorkPool::Computing); // all busy, so that no word is written
            QSemaphore busy;
            const auto release = qScopeGuard([&] {
                busy.release(threads.maxThreadCount());
                threads.waitForDone();
            });
            for (int i = 0; i < threads.maxThreadCount(); ++i)
                threads.start([&busy] { busy.acquire(); });
            session().writeOn({.count = 900});
            QCOMPARE(steps().count(), 1);
            session().cancel();
            QCOMPARE(steps().count(), 0);
            QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning(), 30000);
        }
        const auto stop = connect(&session(), &ModelSession::textGrows, this, [&] { session().cancel(); });
        session().writeOn({.count = 900});
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && text() != before, 30000);
        disconnect(stop);
        QCOMPARE(steps().count(), 1);
        undo().trigger();
        settle();
        QCOMPARE(text(), before);
        QVERIFY(redo().isEnabled());
    }

    /// Where nothing can be written behind the text, there is no step.
    void writingThatFailsIsNoStep() {
        QVERIFY(shown_->open("gpt2"));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        session().writeOn({.count = 900});
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && session().size().tokens == session().size().most, 30000);
        QCOMPARE(steps().count(), 1);
        session().writeOn({.count = 1});
        QCOMPARE(steps().count(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(steps().count(), 1, 30000);
        QVERIFY(!session().isWriting() && undo().isEnabled());
    }

    /// What is done while the model writes comes before what it writes; another text ends the writing.
    void stepsBesideTheWriting() {
        const QString sample = text();
        const HeadIndex head{1, 1};
        session().writeOn({.count = 3});
        session().toggle(head);
        QVERIFY(session().isWriting());
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Write on"));
        QCOMPARE(steps().count(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(isReady() && text() != sample, 30000);
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
        QVERIFY(session().result()->isOff(head));
        session().writeOn({.count = 100});
        page().text()->setPlainText(QStringLiteral("Mary"));
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Edit text"));
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(!session().isWriting(), 30000);
        QCOMPARE(text(), QStringLiteral("Mary"));
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
    }

    /// "Go on" keeps the focus while the model writes: it is pressed again by a key, and Ctrl+Z is the page's.
    void goOnKeepsTheFocus() {
        const QString sample = text();
        auto* count = page().guesses()->writeCount();
        count->setFocus();
        count->selectAll();
        QTest::keyClick(count, Qt::Key_2);
        auto* go_on = page().guesses()->writeButton();
        go_on->setFocus(Qt::TabFocusReason);
        QString before = sample;
        for (int times = 0; times < 2; ++times) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
            QVERIFY(session().isWriting());
            QCOMPARE(QApplication::focusWidget(), go_on);
            QTRY_VERIFY_WITH_TIMEOUT(isReady() && text() != before, 30000);
            QCOMPARE(QApplication::focusWidget(), go_on);
            before = text();
        }
        QCOMPARE(steps().count(), 2);
        for (int times = 0; times < 2; ++times)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QCOMPARE(text(), sample);
        QCOMPARE(count->value(), 2);
    }

    /// The undo steps of the decoder's text are those of the page.
    void theDecodersTextHasTheStepsOfThePage() {
        QVERIFY(shown_->open("t5"));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        auto* line = page().texts()->target();
        line->setFocus();
        QTest::keyClicks(line, QStringLiteral("abc def"));
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(line->text(), QStringLiteral("abc "));
        QTest::mouseClick(button(undo()), Qt::LeftButton);
        QCOMPARE(line->text(), QString());
        QVERIFY(!undo().isEnabled() && line->hasFocus());
        QTest::keyClick(line, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(line->text(), QStringLiteral("abc "));
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(line->text(), QStringLiteral("abc def"));
        QVERIFY(!redo().isEnabled());
        // The keys do nothing else where the window has no step.
        QTest::keyClicks(line, QStringLiteral(" g"));
        steps().clear();
        QVERIFY(!undo().isEnabled() && line->isUndoAvailable());
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(line->text(), QStringLiteral("abc def g"));
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClick(line, Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(line->text(), QStringLiteral("abc def g"));
        QContextMenuEvent asks(QContextMenuEvent::Mouse, {}, line->mapToGlobal(QPoint()));
        QCoreApplication::sendEvent(line, &asks);
        auto* menu = line->findChild<QMenu*>();
        QVERIFY(menu && !menu->actions().isEmpty());
        int entries = 0;
        for (const QAction* entry : menu->actions()) {
            QVERIFY2(!entry->isVisible() || !entry->text().contains(QStringLiteral("do\tCtrl")),
                     qPrintable(entry->text()));
            entries += entry->isVisible() && !entry->isSeparator() ? 1 : 0;
        }
        QVERIFY(entries > 3); // Cut, Copy, Paste
        menu->close();
    }

    void aTypedWordIsEnteredFirst_data() {
        QTest::addColumn<int>("key"); // 0: the button
        QTest::addColumn<int>("modifiers");
        QTest::addColumn<bool>("again");
        QTest::newRow("undo button") << 0 << 0 << false;
        QTest::newRow("redo button") << 0 << 0 << true;
        QTest::newRow("Ctrl+Y") << int{Qt::Key_Y} << static_cast<int>(Qt::ControlModifier) << true;
        QTest::newRow("Ctrl+Shift+Z") << int{Qt::Key_Z} << static_cast<int>(Qt::ControlModifier | Qt::ShiftModifier)
                                      << true;
    }
    /// A word in an open field is a step before Undo and Redo act, so that it is not lost.
    void aTypedWordIsEnteredFirst() {
        QFETCH(int, key);
        QFETCH(int, modifiers);
        QFETCH(bool, again);
        const QString sample = text();
        page().wall()->choose({1, 1});
        page().offButton()->click();
        settle();
        if (again) {
            undo().trigger();
            settle();
            QVERIFY(redo().isEnabled());
        }
        page().sentence()->change(page().sentence()->tellingToken().value());
        auto* field = page().sentence()->wordField();
        QTest::keyClicks(field, QStringLiteral("Annabel"));
        if (key != 0)
            QTest::keyClick(field, static_cast<Qt::Key>(key), Qt::KeyboardModifiers(modifiers));
        else
            QTest::mouseClick(button(again ? redo() : undo()), Qt::LeftButton);
        settle();
        QVERIFY(!page().sentence()->wordField());
        QCOMPARE(QApplication::focusWidget(), page().sentence()->arcs());
        QCOMPARE(text() == sample, !again);
        QCOMPARE(session().request().ablations.size(), std::size_t{again ? 0U : 1U});
        if (!again)
            redo().trigger();
        settle();
        QVERIFY2(text().contains(QStringLiteral("Annabel")), qPrintable(text()));
        QVERIFY(!redo().isEnabled());
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
    }

    /// The field of a word has steps of its own, by all keys for Redo, though the page has steps too.
    void keysActInTheFieldOfAWord() {
        page().texts()->compareButton()->click();
        settle();
        undo().trigger();
        settle();
        QVERIFY(redo().isEnabled());
        const QString sample = text();
        page().sentence()->change(page().sentence()->tellingToken().value());
        auto* field = page().sentence()->wordField();
        const QString word = field->text();
        QTest::keyClicks(field, QStringLiteral("Annabel"));
        for (const auto keys : {Qt::ControlModifier | Qt::ShiftModifier, Qt::KeyboardModifiers(Qt::ControlModifier)}) {
            QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(field->text(), word);
            QTest::keyClick(field, keys.testFlag(Qt::ShiftModifier) ? Qt::Key_Z : Qt::Key_Y, keys);
            QCOMPARE(page().sentence()->wordField(), field);
            QCOMPARE(field->text(), QStringLiteral("Annabel"));
        }
        QCOMPARE(text(), sample);
        QVERIFY(redo().isEnabled() && !page().second()->isVisible());
    }

    /// "Sample model" is a step while that model is open.
    void theSampleTextIsAStep() {
        type(QStringLiteral("Mary and John"));
        page().texts()->compareButton()->click();
        settle();
        page().wall()->choose({1, 1});
        page().offButton()->click();
        settle();
        const ModelRequest before = session().request();
        const auto model = session().model();
        shown_->window().actions().go_workspace->trigger();
        shown_->window().actions().sample_model->trigger();
        QVERIFY(shown_->mode().isOn());
        settle();
        QCOMPARE(text(), QString::fromLatin1(sample_model_text));
        QVERIFY(session().model() == model && session().request().ablations.empty() && !session().request().other);
        QVERIFY(!page().second()->isVisible());
        QCOMPARE(undo().text(), QStringLiteral("&Undo: Sample model"));
        undo().trigger();
        settle();
        QVERIFY(session().request() == before);
        QVERIFY(page().second()->isVisible());
        const int index = steps().index();
        redo().trigger();
        settle();
        shown_->window().actions().sample_model->trigger(); // nothing to change
        QCOMPARE(steps().index(), index + 1);
    }

    /// A text that is too long is in sight itself, not the words of the text before.
    void aTextThatIsTooLongIsShown() {
        const QString much = QStringLiteral("Mary gave John a drink and ").repeated(30);
        auto* field = page().text();
        auto* chips = page().arcs();
        QVERIFY(chips->isVisible() && !field->isVisible());
        page().texts()->editButton()->click();
        field->selectAll();
        field->insertPlainText(much);
        QTRY_VERIFY_WITH_TIMEOUT(session().isTooLong(), 30000);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!page().sentence()->isEditing() && field->isVisible() && !chips->isVisible());
        QTest::keyClick(field, Qt::Key_Return); // no line is added
        QCOMPARE(text(), much);
        const int count = steps().count();
        undo().trigger();
        settle();
        QVERIFY(chips->isVisible() && !field->isVisible());
        QCOMPARE(QApplication::focusWidget(), chips);
        redo().trigger();
        QTRY_VERIFY_WITH_TIMEOUT(session().isTooLong() && field->isVisible(), 30000);
        QVERIFY(!chips->isVisible() && !page().sentence()->surplus().isEmpty());
        QVERIFY(page().sentence()->next()->isOutdated());
        // Who types in it edits it, until Enter or Escape.
        page().sentence()->takeFocus();
        QTest::keyClicks(field, QStringLiteral("x"));
        QVERIFY(page().sentence()->isEditing());
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(text(), much);
        QVERIFY(!page().sentence()->isEditing() && field->isVisible());
        QVERIFY(steps().count() > count);
        QTRY_VERIFY_WITH_TIMEOUT(!session().isRunning(), 30000);
        QTest::mouseClick(page().texts()->cutButton(), Qt::LeftButton);
        settle();
        QVERIFY(chips->isVisible() && text().size() < much.size());
        QCOMPARE(QApplication::focusWidget(), chips);
    }

    /// The focus of a second text that goes is in the first one.
    void theFocusStaysInTheSentence() {
        page().texts()->compareButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page().second()->wordField(), 30000);
        QTest::keyClick(page().second()->wordField(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QVERIFY(!page().second()->isVisible());
        QCOMPARE(QApplication::focusWidget(), page().sentence()->arcs());
        page().texts()->compareButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(page().second()->wordField(), 30000);
        QTest::keyClicks(page().second()->wordField(), QStringLiteral("Paul"));
        QTest::keyClick(page().second()->wordField(), Qt::Key_Return);
        settle();
        for (int times = 0; times < 2; ++times)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
        settle();
        QVERIFY(!page().second()->isVisible());
        QCOMPARE(QApplication::focusWidget(), page().sentence()->arcs());
        // Where both have fields, the first one has it.
        QVERIFY(shown_->open("t5"));
        QTRY_VERIFY_WITH_TIMEOUT(isReady(), 30000);
        page().texts()->compareButton()->click();
        QCOMPARE(QApplication::focusWidget(), page().texts()->other());
        QTest::keyClick(page().texts()->other(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!page().texts()->other()->isVisible());
        QCOMPARE(QApplication::focusWidget(), page().text());
    }
};

ATTNLAB_TEST(TestModelUndo)
#include "test_model_undo.moc"
