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
#include "ui/widgets/controls.h"
#include "ui/window/actions.h"

#include <QLineEdit>
#include <QPushButton>
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

    /// Words are steps, with the space behind them, and the first letter replaces the text before.
    void textIsTypedInWords() {
        const QString sample = text();
        type(QStringLiteral("Mary and John"));
        for (const char* before : {"Mary and ", "Mary "}) {
            undo().trigger();
            settle();
            QCOMPARE(text(), QString::fromLatin1(before));
        }
        undo().trigger();
        settle();
        QCOMPARE(text(), sample);
        QVERIFY(!undo().isEnabled());
        while (redo().isEnabled())
            redo().trigger();
        settle();
        QCOMPARE(text(), QStringLiteral("Mary and John"));
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

    /// What the model is writing is of a text that is there no more.
    void writingEndsWithTheText() {
        type(QStringLiteral("Mary"));
        session().writeOn({.count = 100});
        QVERIFY(session().isWriting());
        undo().trigger();
        QCOMPARE(text(), QString::fromLatin1(sample_model_text));
        QTRY_VERIFY_WITH_TIMEOUT(!session().isWriting(), 10000);
        settle();
        QCOMPARE(text(), QString::fromLatin1(sample_model_text));
        QVERIFY(redo().isEnabled()); // nothing was written behind the step
    }
};

ATTNLAB_TEST(TestModelUndo)
#include "test_model_undo.moc"
