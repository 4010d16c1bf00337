// Lessons written in the window: steps from labs, lessons and the workspace, their fields, undo, files, and a try.
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_files.h"
#include "file_dialogs.h"
#include "layout_faults.h"
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/editor/board_form.h"
#include "ui/learn/editor/lesson_editor.h"
#include "ui/learn/editor/lesson_forms.h"
#include "ui/learn/editor/question_form.h"
#include "ui/learn/lab/cards_board.h"
#include "ui/learn/lab/lab_controls.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/lesson_list.h"
#include "ui/matrix/map/large_inputs.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lesson_authoring.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>

using namespace attnlab;
using namespace attnlab::ui;

class TestLessonEditor : public QObject, protected LearnFixture {
    Q_OBJECT

    LessonEditor& editor() { return *page().editor(); }
    LessonDocument& document() { return editor().document(); }
    LessonAuthoring& authoring() { return *learn().authoring(); }
    const lessons::DraftStep& step() {
        return document().draft().steps.at(static_cast<std::size_t>(document().step()));
    }

    void settleChecks() { QTRY_VERIFY_WITH_TIMEOUT(editor().checker().isSettled(), 20000); }

    static void type(const DraftField& field, const QString& text) {
        if (auto* lines = qobject_cast<QPlainTextEdit*>(field.editor())) {
            lines->setPlainText(text);
            return;
        }
        auto* line = qobject_cast<QLineEdit*>(field.editor());
        line->setText(text);
        emit line->textEdited(text);
    }

    /// A complete lesson of one step from the scale lab, in English.
    void writeSmallLesson() {
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        actions().make_step->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QCOMPARE(document().draft().steps.size(), std::size_t{1});
        type(*editor().textForm()->title(), "Scores grow");
        type(*editor().textForm()->body(), "The entropy is {{entropy(none) | 2}}.");
        editor().showTab(LessonEditor::Tab::Lesson);
        type(*editor().lessonForm()->title(), "My lesson");
        type(*editor().lessonForm()->summary(), "What scores do.");
        editor().showTab(LessonEditor::Tab::Text);
        settleChecks();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() {
        for (const auto& left : LessonDocument::left())
            LessonDocument::remove(left.path);
        end();
    }

    void aLabBecomesAStep() {
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        auto draw = *model().scene().draw;
        draw.E = 300;
        model().setDraw(draw);
        settleScene();
        QVERIFY(actions().make_step->isEnabled());
        const auto scene = model().scene();
        const auto view = model().view();
        actions().make_step->trigger();
        settleChecks();
        const auto report = editor().checker().report(0);
        QVERIFY(report && report->scene);
        QVERIFY(*report->scene == scene);
        QVERIFY(report->view == view);
        QVERIFY(!actions().make_step->isEnabled()); // the editor shows no board of its own
        QVERIFY(document().isUnsaved());
        QVERIFY2(editor().mistakesOf(0).contains("needs a text"), qPrintable(editor().mistakesOf(0)));
        QCOMPARE(editor().tabs()->tabText(0), "Text (1)");
        QVERIFY(!editor().textForm()->body()->error().isEmpty());
    }

    void theWorkspaceAndALessonBecomeSteps() {
        QVERIFY(actions().make_step->isEnabled());
        window_->viewState().setStage("scaled");
        actions().make_step->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        settleChecks();
        auto report = editor().checker().report(0);
        QVERIFY2(report && report->scene && report->result, qPrintable(editor().mistakesOf(0)));
        const auto& problem = window_->document().problem();
        QCOMPARE(report->scene->query_tokens, problem.query_tokens);
        QVERIFY(report->scene->settings.front().spec == problem.spec);
        QCOMPARE(report->view.stage, std::string("scaled"));
        const auto* weights = report->result->settings.front().trace.find("weights");
        QVERIFY(weights && window_->computed());

        openLesson();
        lesson().next();
        settleScene();
        QVERIFY(!actions().make_step->isEnabled()); // it would show what the question asks for
        auto& question = *lesson().panel()->question();
        question.choose(0);
        QTRY_VERIFY_WITH_TIMEOUT(question.hasHint() || !question.answerText().isEmpty(), 30000);
        if (question.hasHint())
            question.requestAnswer();
        QTRY_VERIFY_WITH_TIMEOUT(actions().make_step->isEnabled(), 30000);
        settleScene();
        const auto& content = lesson().lesson()->content().steps.at(1);
        const auto scene = content.scene;
        const auto words = content.text_in("zh_CN").title;
        actions().make_step->trigger();
        QCOMPARE(document().draft().steps.size(), std::size_t{2});
        QCOMPARE(document().step(), 1);
        settleChecks();
        report = editor().checker().report(1);
        QVERIFY(report && *report->scene == scene);
        // With its texts and its question.
        QVERIFY(step().question && step().question->options.size() == content.question->options.size());
        QCOMPARE(step().texts.at("zh_CN").title, words);
        QVERIFY(!step().texts.at("en").body.empty() && !step().texts.at("en").answer.empty());
        QVERIFY(document().draft().steps[0].id != document().draft().steps[1].id);
        learn().leave();
        QVERIFY(actions().make_step->isEnabled());
        QCOMPARE(document().draft().steps.size(), std::size_t{2}); // stays
    }

    void aMapIsNoStep() {
        AttentionProblem problem;
        for (const char* name : {"query", "key", "value"})
            problem.tensors.emplace(name, Tensor({20'000, 2}, 0.5));
        window_->document().reset(problem);
        QTRY_VERIFY(window_->largeInputs()->isOpen());
        actions().make_step->trigger();
        QVERIFY(!learn().isOn());
        QVERIFY(window_->messageBar()->kind() == MessageBar::Kind::Error);
        // The message goes when a step is made.
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        actions().make_step->trigger();
        QVERIFY(window_->messageBar()->isHidden());
    }

    void writtenInTheWindowAndRun() {
        writeSmallLesson();
        QCOMPARE(editor().mistakesOf(0), QString());
        QVERIFY2(editor().previewText().contains("The entropy is 0."), qPrintable(editor().previewText()));
        editor().showTab(LessonEditor::Tab::Question);
        auto& form = *editor().questionForm();
        form.asks()->click();
        QCOMPARE(form.rows().size(), std::size_t{2});
        type(*form.question(), "Which is most even?");
        type(*form.rows()[0].words, "no scale");
        type(*form.rows()[1].words, "1/d");
        type(*form.answer(), "Entropy {{entropy(dk) | 2}}.");
        form.rows()[1].chosen->click();
        settleChecks();
        QCOMPARE(editor().mistakesOf(0), QString());
        QVERIFY(form.rows()[1].chosen->isChecked() && !form.rows()[0].chosen->isChecked());

        const QString path = folder_.filePath("mine.attnlesson");
        QVERIFY(authoring().save(path));
        QVERIFY(!document().isUnsaved());
        const auto written = lessons::load_lesson(path.toStdString(), lessonFiles(path));
        QCOMPARE(written.title_in("en").title, std::string("My lesson"));
        QCOMPARE(lessons::right_option(written.steps.front()), std::string("b"));

        editor().tryButton()->click();
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        settleScene();
        QVERIFY(page().isTrying());
        QVERIFY(page().frame()->isCovered());
        QTRY_VERIFY(panel().question()->isVisible());
        lesson().next(); // from the last step
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        learn().showLesson(0); // an ordinary one again
        QVERIFY(!page().isTrying());
    }

    void theEngineDecidesByExpressions() {
        writeSmallLesson();
        editor().showTab(LessonEditor::Tab::Question);
        auto& form = *editor().questionForm();
        form.asks()->click();
        settleChecks();
        QVERIFY(form.fromCards()->actions().size() > 2);
        form.fromCards()->actions().first()->trigger(); // the largest entropy
        QCOMPARE(form.rows().size(), std::size_t{4});   // the settings of the scale lab
        type(*form.answer(), "So.");
        settleChecks();
        QCOMPARE(editor().mistakesOf(0), QString());
        QCOMPARE(form.decided()->currentIndex(), 1);
        int right = 0;
        for (const auto& row : form.rows())
            right += row.chosen->isChecked();
        QCOMPARE(right, 1);
        QVERIFY(form.rows()[3].chosen->isChecked()); // 1/d
        type(*form.rows()[0].right, "entropy(none) > ");
        settleChecks();
        QVERIFY(!form.rows()[0].right->error().isEmpty());
        type(*form.rows()[0].right, "1 = 1"); // two are right
        settleChecks();
        QVERIFY2(!editor().mistakesOf(0).isEmpty(), "two right options");
    }

    void mistakesAreToldWhereTheyAre() {
        writeSmallLesson();
        auto& text = *editor().textForm();
        type(*text.body(), "The entropy is {{entropy(nobody)}}.");
        settleChecks();
        QVERIFY2(text.body()->error().contains("nobody"), qPrintable(text.body()->error()));
        type(*text.body(), "The entropy is {{entropy(none) | 2}");
        settleChecks();
        QVERIFY(!text.body()->error().isEmpty());
        type(*text.body(), "# A heading is text.");
        settleChecks();
        QCOMPARE(text.body()->error(), QString());
        editor().showTab(LessonEditor::Tab::Checks);
        type(*editor().checksForm()->always(), "entropy(none) > 0\nmax_weight(none) > 2\n");
        settleChecks();
        QCOMPARE(step().checks.size(), std::size_t{2});
        QVERIFY2(editor().checksForm()->always()->error().contains("false"),
                 qPrintable(editor().checksForm()->always()->error()));
        QVERIFY(editor().checksForm()->results().contains(QStringLiteral("✓")));
        QVERIFY(editor().checksForm()->results().contains(QStringLiteral("✗")));
        QVERIFY(!editor().steps()->item(0)->toolTip().isEmpty());
        // The lesson runs; the step says what is not right yet.
        editor().tryButton()->click();
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        QVERIFY2(window_->messageBar()->text().contains("false"), qPrintable(window_->messageBar()->text()));
        page().showEditor();
        // Without a title it cannot run: the field is shown.
        editor().showTab(LessonEditor::Tab::Text);
        type(*text.title(), QString());
        editor().showTab(LessonEditor::Tab::Board);
        editor().tryButton()->click();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QCOMPARE(editor().tab(), LessonEditor::Tab::Text);
        QCOMPARE(window_->messageBar()->text(), "The step needs a title.");
    }

    void bothLanguagesAreWritten() {
        writeSmallLesson();
        editor().setTextLanguage("zh_CN");
        QCOMPARE(editor().textForm()->title()->text(), QString());
        type(*editor().textForm()->title(), QStringLiteral("点积变大"));
        settleChecks();
        QVERIFY(!editor().textForm()->body()->error().isEmpty()); // Chinese has no text yet
        QVERIFY(!editor().tabs()->tabText(4).isEmpty());
        QVERIFY(editor().tabs()->tabText(4).contains('2')); // title and summary
        editor().setTextLanguage("en");
        QCOMPARE(editor().textForm()->title()->text(), "Scores grow");
        QCOMPARE(editor().tabs()->tabText(4), "Lesson"); // what is missing is in the other language
    }

    void aPresentationEnds() {
        openLesson();
        actions().present->trigger();
        actions().make_step->trigger();
        QVERIFY(!actions().present->isChecked());
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QTRY_VERIFY(editor().tryButton()->isVisible());
    }

    void whatIsWrittenIsPresented() {
        writeSmallLesson();
        actions().present->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Lesson);
        QVERIFY(page().isTrying() && actions().present->isChecked());
        actions().present->trigger();
        QVERIFY(!actions().present->isChecked());
        // On from its last step is the editor, which is not presented.
        actions().present->trigger();
        QVERIFY(actions().present->isChecked());
        for (int press = 0; press < 20 && page().showing() == LearnPage::Showing::Lesson; ++press)
            actions().next_step->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QVERIFY(!actions().present->isChecked());
        // Without a title it cannot run: the field is shown.
        page().showEditor();
        type(*editor().textForm()->title(), QString());
        QVERIFY(actions().present->isEnabled());
        actions().present->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QVERIFY(!actions().present->isChecked());
    }

    /// While letters are typed, mistakes of other fields stay, and nothing moves when one is mended.
    void fieldsStayInPlace() {
        actions().make_step->trigger();
        settleChecks();
        auto& form = *editor().questionForm();
        editor().showTab(LessonEditor::Tab::Question);
        form.asks()->click();
        settleChecks();
        QVERIFY(!form.question()->error().isEmpty() && !form.answer()->error().isEmpty());
        const auto place = [&] { return form.answer()->mapTo(&form, QPoint()); };
        const QPoint before = place();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        form.question()->insert(QStringLiteral("W"));
        QTRY_VERIFY(form.question()->editor()->hasFocus());
        QVERIFY(!form.answer()->error().isEmpty()); // not checked yet
        settleChecks();
        QCOMPARE(form.question()->error(), QString());
        QCoreApplication::processEvents();
        QCOMPARE(place(), before);
    }

    void keysSave() {
        writeSmallLesson();
        QVERIFY(authoring().save(folder_.filePath("keys.attnlesson")));
        type(*editor().textForm()->title(), "Changed");
        QVERIFY(document().isUnsaved());
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        editor().textForm()->title()->editor()->setFocus();
        QTest::keyClick(editor().textForm()->title()->editor(), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(!document().isUnsaved());
    }

    void stepsMoveAndComeBack() {
        writeSmallLesson();
        editor().duplicateStep();
        QCOMPARE(document().step(), 1);
        type(*editor().textForm()->title(), "Second");
        editor().steps()->setFocus();
        QTest::keyClick(editor().steps(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(document().step(), 0);
        QCOMPARE(step().texts.at("en").title, std::string("Second"));
        QVERIFY(editor().steps()->item(0)->text().contains("Second"));
        QTest::keyClick(editor().steps(), Qt::Key_Delete);
        QCOMPARE(document().draft().steps.size(), std::size_t{1});
        document().undo(); // removed
        document().undo(); // moved
        QCOMPARE(step().texts.at("en").title, std::string("Second"));
        QCOMPARE(document().step(), 1);
        document().undo(); // typed: one step
        QCOMPARE(step().texts.at("en").title, std::string("Scores grow"));
        document().undo(); // duplicated
        QCOMPARE(document().draft().steps.size(), std::size_t{1});
        while (document().canRedo())
            document().redo();
        QCOMPARE(document().draft().steps.size(), std::size_t{1});
        QCOMPARE(editor().steps()->count(), 1);
    }

    void undoTakesBackWords() {
        writeSmallLesson();
        auto& field = *editor().textForm()->body();
        type(field, QString());
        auto* lines = qobject_cast<QPlainTextEdit*>(field.editor());
        lines->setFocus();
        QTest::keyClicks(lines, "Two words, more");
        QCOMPARE(step().texts.at("en").body, std::string("Two words, more"));
        QTest::keyClick(lines, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), "Two words, ");
        QTest::keyClick(lines, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), "Two ");
        QTest::keyClicks(lines, "a");
        QCOMPARE(field.text(), "Two a");
        for (int k = 0; k < 3; ++k)
            QTest::keyClick(lines, Qt::Key_Backspace);
        QCOMPARE(field.text(), "Tw");
        document().undo(); // all that was deleted
        QCOMPARE(field.text(), "Two a");
        lines->moveCursor(QTextCursor::Start);
        QTest::keyClicks(lines, "x");
        document().undo();
        QCOMPARE(field.text(), "Two a");
        QCOMPARE(lines->textCursor().position(), 0);
    }

    void fieldsGiveExamplesOfTheirBoard() {
        writeSmallLesson();
        const auto id = QString::fromStdString(editor().checker().report(0)->scene->settings.front().id);
        const auto* body = qobject_cast<QPlainTextEdit*>(editor().textForm()->body()->editor());
        QVERIFY2(body->placeholderText().contains("{{entropy(" + id + ")"), qPrintable(body->placeholderText()));
    }

    void thePreviewShowsWordsAsTheyAre() {
        writeSmallLesson();
        type(*editor().textForm()->title(), "W_q, *not* W_k");
        settleChecks();
        QVERIFY2(editor().previewText().contains("W_q, *not* W_k"), qPrintable(editor().previewText()));
    }

    void aDragMovesAStep() {
        writeSmallLesson();
        editor().duplicateStep();
        editor().duplicateStep();
        const auto before = document().draft().steps;
        auto* list = editor().steps();
        QVERIFY(list->model()->moveRow({}, 0, {}, 3)); // as a drop does
        QTRY_COMPARE(document().draft().steps.back().id, before.front().id);
        QCOMPARE(document().draft().steps.front().id, before[1].id);
        document().undo();
        QCOMPARE(document().draft().steps.front().id, before.front().id);
        QCOMPARE(list->count(), 3);
    }

    void keysUndoWhileTyping() {
        writeSmallLesson();
        auto* line = qobject_cast<QLineEdit*>(editor().textForm()->title()->editor());
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        line->setFocus();
        line->setCursorPosition(static_cast<int>(line->text().size()));
        QTest::keyClicks(line, " much");
        QCOMPARE(step().texts.at("en").title, std::string("Scores grow much"));
        QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(step().texts.at("en").title != "Scores grow much");
        QCOMPARE(line->text().toStdString(), step().texts.at("en").title);
    }

    void theBoardIsEdited() {
        writeSmallLesson();
        editor().showTab(LessonEditor::Tab::Board);
        auto& form = *editor().boardForm();
        QTRY_VERIFY_WITH_TIMEOUT(form.frame()->board() && form.frame()->model().result(), 10000);
        const auto chip =
            std::ranges::find(form.chips(), lab::BoardControl::Draw, &std::pair<lab::BoardControl, Chip*>::first);
        QVERIFY(chip->second->isChecked());
        chip->second->click();
        QVERIFY(std::ranges::find(step().live, "draw") == step().live.end());
        settleChecks();
        QVERIFY(!editor().checker().report(0)->view.is_live(lab::BoardControl::Draw));
        // The author keeps the control.
        QVERIFY(form.frame()->model().view().is_live(lab::BoardControl::Draw));
        auto draw = *form.frame()->model().scene().draw;
        draw.E = 200;
        form.frame()->model().setDraw(draw);
        settleChecks();
        QCOMPARE(editor().checker().report(0)->scene->draw->E, 200);
        QVERIFY(std::ranges::find(step().live, "draw") == step().live.end());
        document().undo();
        settleChecks();
        QTRY_COMPARE(form.frame()->model().scene().draw->E, 64);
        form.kind()->setCurrentIndex(form.kind()->findData(static_cast<int>(lab::BoardKind::Matrices)));
        emit form.kind()->activated(form.kind()->currentIndex());
        settleChecks();
        QCOMPARE(editor().checker().report(0)->view.board, lab::BoardKind::Matrices);
        QVERIFY(form.cards().size() == 4);
        type(*form.cards().front().second, "{{entropy(none) | 2}}");
        settleChecks();
        QCOMPARE(editor().mistakesOf(0), QString());
    }

    void shippedLessonsAreEditedAsCopies() {
        learn().showLesson(0);
        settleScene();
        QVERIFY(actions().edit_lesson->isEnabled());
        lesson().next();
        actions().edit_lesson->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QCOMPARE(document().path(), QString());
        QCOMPARE(document().step(), 1);
        QVERIFY(document().isUnsaved());
        settleChecks();
        for (int k = 0; k < editor().steps()->count(); ++k)
            QCOMPARE(editor().mistakesOf(k), QString());
        emit editor().lessonsRequested();
        QVERIFY(editor().addMenu()->actions().last()->menu()->actions().size() >= 21);
        const auto steps = document().draft().steps.size();
        editor().addMenu()->actions().last()->menu()->actions().at(1)->menu()->actions().first()->trigger();
        QCOMPARE(document().draft().steps.size(), steps + 1);
        settleChecks();
        QCOMPARE(editor().mistakesOf(document().step()), QString());
    }

    void filesAreOpenedAndKept() {
        writeSmallLesson();
        const QString path = folder_.filePath("kept.attnlesson");
        QVERIFY(authoring().save(path));
        const auto draft = document().draft();
        window_->files().setAnswer(FileController::Answer::Cancel);
        type(*editor().textForm()->title(), "Changed");
        QVERIFY(!authoring().mayDiscard());
        QVERIFY(!authoring().editFile(lesson_folder_));
        QCOMPARE(step().texts.at("en").title, std::string("Changed"));
        QVERIFY(!window_->close());
        window_->files().setAnswer(FileController::Answer::Discard);
        QVERIFY(authoring().editFile(path));
        QVERIFY(document().draft() == draft);
        QCOMPARE(document().path(), path);
        QVERIFY(authoring().editFile(lesson_folder_ + "/scene.json"));
        QCOMPARE(document().path(), QString()); // a folder stays as it is
        QCOMPARE(document().draft().steps.size(), std::size_t{3});
        QVERIFY(!authoring().editFile(folder_.filePath("nothing.attnlesson")));
        QVERIFY(window_->messageBar()->kind() == MessageBar::Kind::Error);
        QVERIFY(authoring().editFile(path));
        window_->files().setAnswer(FileController::Answer::Save);
        type(*editor().textForm()->title(), "Changed again");
        QVERIFY(authoring().mayDiscard()); // saves
        QCOMPARE(lessons::read_draft(lessonFiles(path)).steps.front().texts.at("en").title,
                 std::string("Changed again"));
        window_->files().setAnswer(FileController::Answer::Discard);
    }

    void anUnfinishedLessonIsSavedToo() {
        learn().showLab(lab::BoardKind::MaskLab);
        settleScene();
        actions().make_step->trigger();
        const QString path = folder_.filePath("unfinished.attnlesson");
        QVERIFY(authoring().save(path));
        const auto draft = document().draft();
        QVERIFY(authoring().editFile(path));
        QVERIFY(document().draft().steps.front().board == draft.steps.front().board);
    }

    void aCrashLeavesACopy() {
        writeSmallLesson();
        const QString path = folder_.filePath("crashed.attnlesson");
        QVERIFY(authoring().save(path));
        type(*editor().textForm()->title(), "Not saved");
        const auto draft = document().draft();
        QVERIFY(LessonDocument::left().empty()); // this program runs
        const QDir copies(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/recovery-lessons");
        QTRY_COMPARE_WITH_TIMEOUT(copies.entryList({"*.attnlesson"}).size(), 1, 10000);
        QVERIFY(LessonDocument::left().empty());
        window_.reset(); // without an answer to what shall happen to it
        QCOMPARE(LessonDocument::left().size(), std::size_t{1});
        begin();
        QVERIFY2(window_->messageBar()->text().contains("My lesson"), qPrintable(window_->messageBar()->text()));
        auto* restore = window_->messageBar()->findChildren<QPushButton*>().first();
        QCOMPARE(restore->text(), "Restore");
        restore->click();
        QVERIFY(document().draft() == draft);
        QCOMPARE(document().path(), path);
        QVERIFY(document().isUnsaved());
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QVERIFY(window_->close());
        QVERIFY(LessonDocument::left().empty());
    }

    void anotherLanguageKeepsTheLesson() {
        writeSmallLesson();
        const auto draft = document().draft();
        editor().showTab(LessonEditor::Tab::Checks);
        applyLanguage("zh_CN");
        QCoreApplication::processEvents();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QVERIFY(document().draft() == draft);
        QVERIFY(document().canUndo());
        QCOMPARE(editor().tab(), LessonEditor::Tab::Checks);
        QCOMPARE(editor().textLanguage(), "en");
        settleChecks();
        QCOMPARE(editor().mistakesOf(0), QString());
    }

    void theListLeadsToTheEditor() {
        learn().showList();
        page().list()->writeButton()->click();
        QCOMPARE(page().showing(), LearnPage::Showing::Editor);
        QVERIFY(document().isEmpty());
        QVERIFY(!editor().tryButton()->isEnabled());
        QVERIFY(!actions().present->isEnabled());
        editor().showTab(LessonEditor::Tab::Lesson);
        QVERIFY(editor().tabs()->tabText(4).contains('3'));
    }

    void everythingFits_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<double>("size");
        QTest::newRow("English") << "en" << 1.0;
        QTest::newRow("English, 150 %") << "en" << 1.5;
        QTest::newRow("Chinese") << "zh_CN" << 1.0;
        QTest::newRow("Chinese, 150 %") << "zh_CN" << 1.5;
    }
    void everythingFits() {
        QFETCH(QString, language);
        QFETCH(double, size);
        const QFont font = QApplication::font();
        applyLanguage(language);
        QFont large = font;
        large.setPointSizeF(font.pointSizeF() * size);
        QApplication::setFont(large);
        QCoreApplication::processEvents();
        QStringList faults;
        learn().showLesson(1);
        settleScene();
        actions().edit_lesson->trigger();
        settleChecks();
        for (int k = 0; k < editor().tabs()->count(); ++k) {
            editor().showTab(static_cast<LessonEditor::Tab>(k));
            QTest::qWait(100);
            QString fault; // a busy machine lays out later
            if (!QTest::qWaitFor([&] { return (fault = layoutFaults(*window_)).isEmpty(); }))
                faults << editor().tabs()->tabText(k) + ": " + fault;
        }
        QApplication::setFont(font);
        QCOMPARE(faults.join('\n'), QString());
    }
};

ATTNLAB_TEST(TestLessonEditor)
#include "test_lesson_editor.moc"
