// A lecture composed in the window: steps in an order, minutes and slides; its file opens and is presented.
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/editor/lesson_editor.h"
#include "ui/learn/lecture_dialog.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/widgets/message_bar.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace attnlab;
using namespace attnlab::ui;

class TestLectureDialog : public QObject, protected LearnFixture {
    Q_OBJECT

    static void type(QLineEdit& field, const QString& text) {
        field.setText(text);
        emit field.textEdited(text);
    }

    /// Two steps of the second lesson, the later one first.
    /// Where the list has the lesson of d = 64.
    static int lessonOfScale() {
        const auto lessons = shippedLessons();
        const auto found = std::ranges::find(lessons, QStringLiteral("02-why-divide-by-sqrt-d"),
                                             [](const auto& one) { return one->key(); });
        return static_cast<int>(found - lessons.begin());
    }
    static void compose(LectureDialog& dialog) {
        dialog.add(lessonOfScale(), 1);
        dialog.add(lessonOfScale(), 0);
        dialog.move(-1);
        dialog.minutes()->setValue(2.5);
        dialog.text()->setPlainText("A score adds *d* products; d = {{E | 0}}.");
        dialog.answer()->setPlainText("About 16 times.");
        type(*dialog.title(), "My lecture");
        type(*dialog.summary(), "Two steps.");
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void isComposedSavedAndOpenedAgain() {
        LectureDialog dialog(shippedLessons());
        QCOMPARE(dialog.steps()->topLevelItemCount(), static_cast<int>(shippedLessons().size()));
        const QString path = folder_.filePath("mine.attnlecture");
        QVERIFY(!dialog.save(path));
        QVERIFY2(dialog.error().contains("title"), qPrintable(dialog.error()));
        compose(dialog);
        QCOMPARE(dialog.entries()->count(), 2);
        dialog.add(lessonOfScale(), 0); // is there
        QCOMPARE(dialog.entries()->count(), 2);
        QCOMPARE(dialog.entries()->currentRow(), 0);
        QVERIFY(dialog.entries()->item(0)->text().contains("2.5"));
        dialog.choose(1);
        QVERIFY(dialog.text()->toPlainText().isEmpty() && !dialog.answer()->isEnabled());
        dialog.asks()->setChecked(false);
        dialog.choose(0);
        QVERIFY(dialog.asks()->isChecked() && dialog.answer()->isEnabled());
        dialog.answer()->clear();
        QVERIFY(!dialog.save(path));
        QVERIFY2(dialog.error().contains("no answer"), qPrintable(dialog.error()));
        dialog.answer()->setPlainText("About 16 times.");
        const QSignalSpy saved(&dialog, &LectureDialog::saved);
        QVERIFY(dialog.isChanged());
        QVERIFY2(dialog.save(path), qPrintable(dialog.error()));
        QCOMPARE(saved.size(), 1);
        QVERIFY(!dialog.isChanged());
        LectureDialog again(shippedLessons());
        QVERIFY2(again.readFile(path), qPrintable(again.error()));
        QVERIFY(again.draft() == dialog.draft());
        QCOMPARE(again.title()->text(), "My lecture");
        again.removeEntry();
        QCOMPARE(again.entries()->count(), 1);
        QVERIFY(again.isChanged());
    }

    void longSlidesAreRefused() {
        LectureDialog dialog(shippedLessons());
        compose(dialog);
        dialog.text()->setPlainText(QStringLiteral("word ").repeated(31));
        const QString path = folder_.filePath("long.attnlecture");
        QVERIFY(!dialog.save(path));
        QVERIFY2(dialog.error().contains("31"), qPrintable(dialog.error()));
        QVERIFY(!QFile::exists(path));
    }

    void itsFileIsPresented() {
        const QString path = folder_.filePath("shown.attnlecture");
        {
            LectureDialog dialog(shippedLessons());
            compose(dialog);
            QVERIFY2(dialog.save(path), qPrintable(dialog.error()));
        }
        QVERIFY(LearnMode::isLesson(path));
        QVERIFY(learn().openFolder(path));
        settleScene();
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        QVERIFY(lesson().lesson()->isLecture());
        QCOMPARE(lesson().lesson()->minutes(), 3.5);
        QVERIFY2(lesson().panel()->bodyText().contains("d = 64"), qPrintable(lesson().panel()->bodyText()));
        lesson().next(); // gives the right answer
        QTRY_VERIFY_WITH_TIMEOUT(lesson().panel()->question()->answerText().contains("16 times"), 30000);
        QVERIFY(!actions().edit_lesson->isEnabled());
    }

    void isInTheMenuOfTheEditor() {
        actions().write_lesson->trigger();
        auto* menu = page().editor()->lessonMenu();
        QAction* compose_action = nullptr;
        for (auto* action : menu->actions())
            if (action->text().startsWith("Compose"))
                compose_action = action;
        QVERIFY(compose_action);
        compose_action->trigger();
        auto* dialog = window_->findChild<LectureDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        compose(*dialog);
        QVERIFY2(dialog->save(folder_.filePath("menu.attnlecture")), qPrintable(dialog->error()));
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson); // behind the dialog
        QVERIFY(lesson().lesson()->isLecture());
        dialog->close();
    }
};

ATTNLAB_TEST(TestLectureDialog)
#include "test_lecture_dialog.moc"
