// Lessons in the window, and the user's workspace, which must not change.
#include "core/lab/setting_numbers.h"
#include "learn_window.h"
#include "tests/test_main.h"
#include "ui/learn/lesson/question_view.h"
#include "ui/learn/lesson/step_panel.h"
#include "ui/learn/lesson_list.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/matrix_page.h"
#include "ui/widgets/message_bar.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QStatusBar>

#include <array>
#include <tuple>

using namespace attnlab;
using namespace attnlab::ui;

class TestLearnMode : public QObject, protected LearnFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void init() { begin(); }
    void cleanup() { end(); }

    void leavingBringsTheWorkspaceBack() {
        auto& document = window_->document();
        edit(7.0);
        edit(8.0);
        document.undoStack()->undo();
        settle();
        auto& view = window_->viewState();
        view.setStage("scaled");
        view.setPinned(Cell{2, 1});
        auto* mask = window_->findChild<QDockWidget*>("mask");
        mask->hide();
        window_->matrixPage()->heatmap()->setFocus();
        const auto problem = document.problem();
        QCoreApplication::processEvents(); // updates the layout without that panel
        const auto layout = window_->saveState();
        const auto title = window_->windowTitle();
        const auto computed = window_->computed();

        openLesson();
        QVERIFY(learn().isOn());
        QVERIFY(page().isVisible());
        QVERIFY(!window_->matrixPage()->isVisible());
        QVERIFY2(window_->windowTitle().startsWith(lesson().lesson()->title()) && !window_->isWindowModified(),
                 qPrintable(window_->windowTitle()));
        for (const auto* dock : window_->findChildren<QDockWidget*>())
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        for (auto* action : {actions().undo, actions().redo, actions().export_shown, actions().zoom_in,
                             actions().compare, actions().paint, actions().next_stage})
            QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        for (int i = 0; i < 2; ++i) {
            lesson().next();
            settleScene();
        }

        actions().go_workspace->trigger();
        QVERIFY(!learn().isOn());
        QVERIFY(document.problem() == problem);
        QCOMPARE(document.undoStack()->index(), 1);
        QCOMPARE(document.undoStack()->count(), 2);
        QVERIFY(document.isModified());
        QVERIFY(actions().undo->isEnabled() && actions().redo->isEnabled());
        QCOMPARE(view.stage(), QString("scaled"));
        QCOMPARE(view.pinned(), (std::optional<Cell>{{2, 1}}));
        QTRY_VERIFY(window_->saveState() == layout);
        QVERIFY(mask->isHidden());
        QCOMPARE(window_->windowTitle(), title);
        QCOMPARE(window_->computed(), computed);
        QVERIFY(window_->matrixPage()->isVisible());
        QVERIFY(window_->matrixPage()->heatmap()->isAncestorOf(window_->focusWidget()));
    }

    /// Cards of the lab have mask panels, too.
    void paintingGoesOnAfterALab() {
        for (const auto board : {lab::BoardKind::ScaleLab, lab::BoardKind::MaskLab}) {
            learn().showLab(board);
            settleScene();
            actions().present->trigger();
            QTest::keyClick(window_.get(), Qt::Key_Escape);
            actions().go_workspace->trigger();
            auto* dock = window_->findChild<QDockWidget*>("mask");
            dock->show();
            dock->raise(); // behind the pages, of the children of the window
            window_->files().openSample(QStringLiteral("milk_or_cat_hungry"));
            settle();
            const auto& heatmap = *window_->matrixPage()->heatmap();
            actions().paint->setChecked(true);
            QVERIFY(heatmap.isPainting());
            window_->viewState().setStage("output");
            QVERIFY(!heatmap.isPainting());
            window_->viewState().setStage("masked");
            QVERIFY(heatmap.isPainting());
            actions().paint->setChecked(false);
            QVERIFY(!heatmap.isPainting());
        }
    }

    /// A message of the status bar is about the page that was left, and its hidden parts stay hidden after it.
    void theStatusBarIsOfOnePage() {
        const auto shown = [this] {
            QStringList texts;
            for (const auto* part : window_->statusBar()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
                if (part->isVisible())
                    texts << part->metaObject()->className();
            if (const QString message = window_->statusBar()->currentMessage(); !message.isEmpty())
                texts << message;
            return texts;
        };
        const QStringList workspace = shown();
        QCOMPARE(workspace.size(), 1);
        edit(7.0);
        settle();
        actions().undo->trigger();
        QVERIFY(!window_->statusBar()->currentMessage().isEmpty());
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        const QStringList lab = shown();
        QCOMPARE(lab.size(), 1);
        QVERIFY(lab != workspace);
        window_->statusBar()->showMessage("what was copied");
        window_->statusBar()->clearMessage();
        QCOMPARE(shown(), lab);
        window_->statusBar()->showMessage("what was copied");
        actions().go_workspace->trigger();
        QCOMPARE(shown(), workspace);
        window_->statusBar()->showMessage("what was copied");
        window_->statusBar()->clearMessage();
        QCOMPARE(shown(), workspace);
    }

    void theTitleIsOfThePageAgain() {
        learn().showLab(lab::BoardKind::ScaleLab);
        settleScene();
        const QString title = window_->windowTitle();
        QVERIFY2(title.startsWith("Scale lab"), qPrintable(title));
        actions().go_workspace->trigger();
        QVERIFY(window_->windowTitle() != title);
        actions().go_lessons->trigger();
        QVERIFY(learn().isOn());
        QCoreApplication::processEvents();
        QCOMPARE(window_->windowTitle(), title);
    }

    void entriesAreThereWhereTheyDoSomething() {
        const auto enabled = [this](const QList<QAction*>& expected) {
            auto& all = actions();
            for (auto* action : {all.next_step, all.previous_step, all.reset_step, all.take_step, all.present,
                                 all.laser, all.export_step, all.export_handout})
                if (action->isEnabled() != expected.contains(action) || (action->isEnabled() && !action->isVisible()))
                    return action->text();
            return QString();
        };
        QCOMPARE(enabled({}), QString());
        actions().lessons->trigger();
        QCOMPARE(enabled({actions().present, actions().laser}), QString());
        openLesson();
        const QList<QAction*> always{actions().next_step, actions().take_step,   actions().present,
                                     actions().laser,     actions().export_step, actions().export_handout};
        QCOMPARE(enabled(always), QString());
        actions().next_step->trigger();
        // A covered board would be open in the workspace.
        auto covered = always + QList<QAction*>{actions().previous_step};
        covered.removeOne(actions().take_step);
        QCOMPARE(enabled(covered), QString());
        page().frame()->cover()->button()->click();
        QCOMPARE(enabled(always + QList<QAction*>{actions().previous_step}), QString());
        actions().scale_lab->trigger();
        settleScene();
        QCOMPARE(enabled({actions().present, actions().laser, actions().export_step}), QString());
        model().setDraw({.L = 4, .S = 4, .E = 8});
        QCOMPARE(enabled({actions().present, actions().laser, actions().export_step, actions().reset_step}), QString());
        actions().go_workspace->trigger();
        QCOMPARE(enabled({}), QString());
    }

    void numbersOfTheTextFollowWhatIsMoved() {
        openLesson();
        const auto& trace = *model().result()->trace_of(model().scene(), "none");
        const auto variance = [](const Trace& of) {
            const auto& scores = of.find("scores")->value;
            double sum = 0.0, squares = 0.0;
            for (const double score : scores.values()) {
                sum += score;
                squares += score * score;
            }
            const auto count = static_cast<double>(scores.size());
            return squares / count - sum / count * sum / count;
        };
        const QString before = panel().bodyText();
        QCOMPARE(before, QString("The width is 64, the variance %1.").arg(variance(trace), 0, 'f', 1));
        QVERIFY(!panel().hintIsShown());

        auto draw = *model().scene().draw;
        draw.E = 256;
        model().setDraw(draw);
        settleScene();
        const auto& wider = *model().result()->trace_of(model().scene(), "none");
        QTRY_COMPARE(panel().bodyText(), QString("The width is 256, the variance %1.").arg(variance(wider), 0, 'f', 1));
        QVERIFY(panel().hintIsShown());
        QVERIFY(actions().reset_step->isEnabled());

        panel().resetButton()->click();
        settleScene();
        QTRY_COMPARE(panel().bodyText(), before);
        QVERIFY(!panel().hintIsShown());
    }

    void aStepShowsNoNumbersOfTheOneBefore() {
        const auto changes = std::to_array<std::tuple<QString, const char*, const char*>>(
            {{lesson_folder_ + "/scene.json", R"("inputs": "same",
      "settings": [{"id": "a")",
              R"("inputs": {"draw": {"L": 6, "S": 6, "E": 32, "Ev": 4, "seed": 7}},
      "settings": [{"id": "a")"},
             {lesson_folder_ + "/en.md", "Nothing after a token is read.", "The width is {{E | 0}}."}});
        const auto back = qScopeGuard([&] {
            for (const auto& [path, from, to] : changes)
                replaceIn(path, to, from);
        });
        for (const auto& [path, from, to] : changes)
            replaceIn(path, from, to);
        openLesson();
        auto setting = model().scene().settings[0];
        setting.spec.scale.id = "dk";
        model().setSetting(0, setting);
        settleScene();
        QTRY_VERIFY(panel().bodyText().startsWith(QStringLiteral("The width is 64")));

        lesson().showStep(2);
        QCOMPARE(panel().bodyText(), QStringLiteral("The width is …."));
        settleScene();
        QTRY_COMPARE(panel().bodyText(), QStringLiteral("The width is 32."));

        // Nor does a lesson that is opened again show the numbers from before it was closed.
        lesson().close();
        openLesson();
        QCOMPARE(lesson().step(), 2);
        QCOMPARE(panel().bodyText(), QStringLiteral("The width is 32."));
    }

    void keysGoOnAndBack() {
        openLesson();
        QCOMPARE(lesson().step(), 0);
        QVERIFY(panel().nextButton()->hasFocus());
        QTest::keyClick(panel().nextButton(), Qt::Key_PageDown);
        QCOMPARE(lesson().step(), 1);
        QTest::keyClick(panel().nextButton(), Qt::Key_Right);
        QCOMPARE(lesson().step(), 2);
        QTest::keyClick(panel().nextButton(), Qt::Key_Left);
        QCOMPARE(lesson().step(), 1);
        QTest::keyClick(panel().nextButton(), Qt::Key_PageUp);
        QCOMPARE(lesson().step(), 0);
        QTest::keyClick(panel().nextButton(), Qt::Key_PageUp);
        QCOMPARE(lesson().step(), 0);
        QCOMPARE(panel().positionText(), QString("Step 1 of 3"));
        QCOMPARE(panel().dots()->accessibleName(), QString("Step 1 of 3"));
        QVERIFY(!panel().backButton()->isEnabled());
        QTest::keyClick(panel().nextButton(), Qt::Key_Space);
        QCOMPARE(lesson().step(), 1);
        QTest::keyClick(panel().nextButton(), Qt::Key_Return);
        QCOMPARE(lesson().step(), 2);
        QTest::keyClick(panel().backButton(), Qt::Key_Return);
        QCOMPARE(lesson().step(), 1);
        const auto dot = panel().dots()->dotRect(2).center().toPoint();
        QTest::mouseClick(panel().dots(), Qt::LeftButton, {}, dot);
        QCOMPARE(lesson().step(), 2);
    }

    void onFromTheLastStepIsTheList() {
        openLesson();
        lesson().showStep(2);
        QVERIFY(panel().nextButton()->text().contains("All lessons"));
        actions().next_step->trigger();
        QCOMPARE(page().showing(), LearnPage::Showing::List);
    }

    void aChoiceIsRevealedByTheEngine() {
        openLesson();
        lesson().showStep(1);
        QCOMPARE(panel().bodyText(), QString("Look at both."));
        auto& question = *panel().question();
        QVERIFY(question.isVisible());
        QCOMPARE(question.options().size(), std::size_t{2});
        QVERIFY(question.answerText().isEmpty());
        auto* wrong = question.options()[0];
        auto* right = question.options()[1];
        QCOMPARE(wrong->text(), QString("not scaled"));
        QTest::keyClick(panel().nextButton(), Qt::Key_1);
        QTRY_COMPARE(wrong->mark(), OptionButton::Mark::Wrong);
        QCOMPARE(right->mark(), OptionButton::Mark::Right);
        settleScene();
        const double entropy =
            lab::numbers_of(*model().result()->trace_of(model().scene(), "sqrt_dk"), model().scene().settings[1].spec)
                .rows.entropy;
        QVERIFY2(question.answerText().startsWith(QString("Entropy %1 against").arg(entropy, 0, 'f', 2)),
                 qPrintable(question.answerText()));
        QVERIFY2(right->measured().startsWith("Entropy (") && right->measured().contains(": "),
                 qPrintable(right->measured()));
        // The choice can be changed.
        right->click();
        QTRY_COMPARE(wrong->mark(), OptionButton::Mark::None);
        QCOMPARE(right->mark(), OptionButton::Mark::Right);
        QVERIFY(right->accessibleName().contains("right"));
        // Reset hides the answer again.
        actions().reset_step->trigger();
        QCOMPARE(right->mark(), OptionButton::Mark::None);
        QVERIFY(question.answerText().isEmpty());
    }

    void aLessonWithoutAGroupIsAmongTheOthers() {
        const auto heading = [this] {
            const auto* row = page().list()->rows().back();
            return row->accessibleDescription().section(QLatin1Char('\n'), 0, 0);
        };
        openLesson();
        learn().showList();
        QCOMPARE(heading(), QString("Other lessons"));
        QCOMPARE(page().list()->headings().back()->text(), QString("Other lessons"));
        const QTemporaryDir folder;
        const QString path = writeLesson(folder.path());
        replaceIn(path + "/scene.json", "\"version\": 1", "\"version\": 1, \"group\": \"masks\"");
        QVERIFY(learn().openFolder(path));
        learn().showList();
        QCOMPARE(heading(), QString("Masks and positions"));
        QCOMPARE(page().list()->headings().size(), std::size_t{7});
    }

    void progressIsRemembered() {
        openLesson();
        lesson().showStep(1);
        panel().question()->choose(1);
        QTRY_VERIFY(!panel().question()->answerText().isEmpty());
        window_.reset();

        init();
        openLesson();
        QCOMPARE(lesson().step(), 1);
        QTRY_COMPARE(panel().question()->chosen(), QString("sqrt_dk"));
        actions().lessons->trigger();
        auto* row = page().list()->rows().back();
        QCOMPARE(row->progressText(), QString("2 of 3 steps · 1 of 1 questions"));

        QTest::mouseClick(page().list()->forgetButton(), Qt::LeftButton);
        auto* yes = window_->messageBar()->findChild<QPushButton*>();
        QVERIFY(yes && yes->isVisible());
        yes->click();
        QCOMPARE(row->progressText(), QString("0 of 3 steps · 0 of 1 questions"));
        QVERIFY(!page().list()->forgetButton()->isEnabled());
    }

    void aLessonSeenToItsEndBeginsAnew() {
        const auto next = [this] { return page().list()->rows().back()->nextText(); };
        openLesson();
        for (const int step : {1, 2, 1})
            lesson().showStep(step);
        actions().lessons->trigger();
        QCOMPARE(next(), QString("Continue"));
        openLesson();
        QCOMPARE(lesson().step(), 1);
        lesson().showStep(2);
        actions().lessons->trigger();
        QCOMPARE(next(), QString("Again"));
        openLesson();
        QCOMPARE(lesson().step(), 0);
    }

    void aBrokenLessonSaysFileAndLine() {
        const QTemporaryDir folder;
        const QString path = writeLesson(folder.path());
        replaceIn(path + "/scene.json", "\"scale_lab\"", "\"scale_lap\"");
        QVERIFY(!learn().openFolder(path));
        QVERIFY(!learn().isOn());
        QVERIFY2(window_->messageBar()->text().contains("scene.json:9"), qPrintable(window_->messageBar()->text()));
        QVERIFY2(window_->messageBar()->text().contains("scale_lap"), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->matrixPage()->isVisible());

        openLesson();
        lesson().showStep(2);
        QVERIFY(!learn().openFolder(folder.path() + "/nothing-here"));
        QCOMPARE(lesson().step(), 2);
    }

    /// An error found only by computing the lesson.
    void aFalseLessonSaysFileAndLine() {
        const QTemporaryDir folder;
        const QString path = writeLesson(folder.path());
        replaceIn(path + "/scene.json", "\"live\": [\"draw\"]", "\"stage\": \"wights\"");
        auto* bar = window_->messageBar();
        QVERIFY(learn().openFolder(path));
        QTRY_VERIFY2(bar->isVisible() && bar->text().contains("scene.json:20: 'none' has no stage 'wights'"),
                     qPrintable(bar->text()));
        QVERIFY2(bar->text().contains("(and 1 more"), qPrintable(bar->text()));
        // A valid lesson gives no message, and that of the previous lesson is removed.
        openLesson();
        QVERIFY(!bar->isVisible());
        learn().showList();
        const auto& rows = page().list()->rows();
        rows[rows.size() - 2]->click();
        QTRY_VERIFY2(bar->isVisible() && bar->text().contains("wights"), qPrintable(bar->text()));
        learn().showList();
        QVERIFY(!bar->isVisible());
    }

    void languageChangesEveryWord() {
        openLesson();
        applyLanguage("zh_CN");
        QTRY_VERIFY(panel().bodyText().startsWith(QStringLiteral("宽度是 64")));
        lesson().showStep(1);
        QCOMPARE(panel().question()->options()[1]->text(), QStringLiteral("除以 √d"));
        actions().lessons->trigger();
        QTRY_COMPARE(page().list()->rows().back()->text(), QStringLiteral("更宽的头"));
        applyLanguage("en");
        QTRY_COMPARE(page().list()->rows().back()->text(), QString("Wider heads"));
    }

    void aStepGoesToTheWorkspace() {
        edit(7.0);
        settle();
        openLesson();
        window_->files().setAnswer(FileController::Answer::Cancel);
        actions().take_step->trigger();
        QVERIFY(learn().isOn());
        QVERIFY(window_->document().isModified());

        window_->files().setAnswer(FileController::Answer::Discard);
        actions().take_step->trigger();
        QVERIFY(!learn().isOn());
        const auto& problem = window_->document().problem();
        QCOMPARE(problem.tensors.at("query").dim(1), std::int64_t{64});
        QCOMPARE(problem.spec.scale.id, std::string("none"));
        QVERIFY(problem.compared_with && problem.compared_with->scale.id == "sqrt_dk");
        QCOMPARE(window_->document().title(), QString("Wider heads"));
        QVERIFY(actions().compare->isEnabled());
        settle();
    }

    void openingAFileLeavesTheLesson() {
        openLesson();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(!learn().isOn());
        QVERIFY(!actions().undo->isEnabled());
        settle();
    }
};

ATTNLAB_TEST(TestLearnMode)
#include "test_learn_mode.moc"
