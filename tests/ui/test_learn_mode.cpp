// Lessons in the window: what they show, and that the user's own workspace is what it was.
#include "learn_support.h"

#include "core/lab/numbers.h"
#include "ui/actions.h"
#include "ui/file_controller.h"
#include "ui/lab/board.h"
#include "ui/language.h"
#include "ui/learn/board_frame.h"
#include "ui/learn/lab_page.h"
#include "ui/learn/laser_pointer.h"
#include "ui/learn/learn_mode.h"
#include "ui/learn/lesson_list.h"
#include "ui/learn/lesson_page.h"
#include "ui/learn/lesson_row.h"
#include "ui/learn/option_button.h"
#include "ui/learn/presentation.h"
#include "ui/learn/step_dots.h"
#include "ui/main_window.h"
#include "ui/message_bar.h"
#include "ui/plot/heatmap_view.h"
#include "ui/stages/stage_view.h"

#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>

using namespace attnlab;
using namespace attnlab::ui;

namespace {

const Backend* const backends[] = {&reference_backend()};

} // namespace

class TestLearnMode : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString lesson_folder_;
    std::unique_ptr<MainWindow> window_;

    LearnMode& learn() { return *window_->learnMode(); }
    LearnPage& page() { return *learn().page(); }
    LessonPage& lesson() { return *page().lessonPage(); }
    StepPanel& panel() { return *lesson().panel(); }
    SceneModel& model() { return page().frame()->model(); }
    QAction* action(const char* id) { return window_->actions()[QString::fromLatin1(id)]; }

    /// A step of the user's own work.
    void edit(double number) {
        Tensor query = window_->document().problem().tensors.at("query");
        query.set({0, 0}, number);
        window_->document().setTensor("query", query, "edit");
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    /// The numbers of the step are there.
    void settleScene() { QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 10000); }
    void openLesson() {
        QVERIFY(learn().openFolder(lesson_folder_));
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        settleScene();
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLearnTest");
        QSettings().clear();
        lesson_folder_ = writeLesson(folder_.path());
    }

    void init() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->files().openSample(QStringLiteral("milk_or_cat_sweet"));
        settle();
    }

    void cleanup() {
        window_.reset();
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
    }

    void leavingBringsTheWorkspaceBack() {
        auto& document = window_->document();
        edit(7.0);
        edit(8.0);
        document.undoStack()->undo();
        settle();
        auto& view = window_->viewState();
        view.setStage("scaled");
        view.setPinned(Cell{2, 1});
        auto* heads = window_->findChild<QDockWidget*>("heads");
        heads->hide();
        window_->stageView()->heatmap()->setFocus();
        const auto problem = document.problem();
        QCoreApplication::processEvents(); // the layout without that panel
        const auto layout = window_->saveState();
        const auto title = window_->windowTitle();
        const auto computed = window_->computed();

        openLesson();
        QVERIFY(learn().isOn());
        QVERIFY(page().isVisible());
        QVERIFY(!window_->stageView()->isVisible());
        for (const auto* dock : window_->findChildren<QDockWidget*>())
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        for (const char* id : {"undo", "redo", "export", "zoom_in", "compare", "paint", "next_stage"})
            QVERIFY2(!action(id)->isEnabled(), id);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        for (int i = 0; i < 2; ++i) {
            lesson().next();
            settleScene();
        }

        action("leave_learn")->trigger();
        QVERIFY(!learn().isOn());
        QVERIFY(document.problem() == problem);
        QCOMPARE(document.undoStack()->index(), 1);
        QCOMPARE(document.undoStack()->count(), 2);
        QVERIFY(document.isModified());
        QVERIFY(action("undo")->isEnabled() && action("redo")->isEnabled());
        QCOMPARE(view.stage(), QString("scaled"));
        QCOMPARE(view.pinned(), (std::optional<Cell>{{2, 1}}));
        QTRY_VERIFY(window_->saveState() == layout);
        QVERIFY(heads->isHidden());
        QCOMPARE(window_->windowTitle(), title);
        QCOMPARE(window_->computed(), computed);
        QVERIFY(window_->stageView()->isVisible());
        QVERIFY(window_->stageView()->heatmap()->isAncestorOf(window_->focusWidget()));
    }

    void entriesAreThereWhereTheyDoSomething() {
        const auto enabled = [this](const QStringList& ids) {
            for (const auto& id : {"next_step", "previous_step", "reset_step", "take_step", "present", "laser",
                                   "export_step", "export_handout", "leave_learn"})
                if (action(id)->isEnabled() != ids.contains(QLatin1String(id)))
                    return QString::fromLatin1(id);
            return QString();
        };
        QCOMPARE(enabled({}), QString());
        action("lessons")->trigger();
        QCOMPARE(enabled({"present", "laser", "leave_learn"}), QString());
        openLesson();
        const QStringList always{"next_step",   "take_step",      "present",    "laser",
                                 "export_step", "export_handout", "leave_learn"};
        QCOMPARE(enabled(always), QString());
        action("next_step")->trigger();
        QCOMPARE(enabled(always + QStringList{"previous_step"}), QString());
        action("scale_lab")->trigger();
        settleScene();
        QCOMPARE(enabled({"present", "laser", "export_step", "leave_learn"}), QString());
        model().setDraw({.L = 4, .S = 4, .E = 8});
        QCOMPARE(enabled({"present", "laser", "export_step", "leave_learn", "reset_step"}), QString());
        action("leave_learn")->trigger();
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
        QVERIFY(action("reset_step")->isEnabled());

        panel().resetButton()->click();
        settleScene();
        QTRY_COMPARE(panel().bodyText(), before);
        QVERIFY(!panel().hintIsShown());
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
        action("next_step")->trigger();
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
        QVERIFY2(right->measured().contains("entropy(sqrt_dk) = "), qPrintable(right->measured()));
        // One may choose again.
        right->click();
        QTRY_COMPARE(wrong->mark(), OptionButton::Mark::None);
        QCOMPARE(right->mark(), OptionButton::Mark::Right);
        QVERIFY(right->accessibleName().contains("right"));
        // Reset hides the answer again.
        action("reset_step")->trigger();
        QCOMPARE(right->mark(), OptionButton::Mark::None);
        QVERIFY(question.answerText().isEmpty());
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
        action("lessons")->trigger();
        auto* row = page().list()->rows().back();
        QCOMPARE(row->progressText(), QString("2 of 3 steps · 1 of 1 questions"));

        QTest::mouseClick(page().list()->forgetButton(), Qt::LeftButton);
        auto* yes = window_->messageBar()->findChild<QPushButton*>();
        QVERIFY(yes && yes->isVisible());
        yes->click();
        QCOMPARE(row->progressText(), QString("0 of 3 steps · 0 of 1 questions"));
        QVERIFY(!page().list()->forgetButton()->isEnabled());
    }

    void aBrokenLessonSaysFileAndLine() {
        const QTemporaryDir folder;
        const QString path = writeLesson(folder.path());
        replaceIn(path + "/scene.json", "\"scale_lab\"", "\"scale_lap\"");
        QVERIFY(!learn().openFolder(path));
        QVERIFY(!learn().isOn());
        QVERIFY2(window_->messageBar()->text().contains("scene.json:9"), qPrintable(window_->messageBar()->text()));
        QVERIFY2(window_->messageBar()->text().contains("scale_lap"), qPrintable(window_->messageBar()->text()));
        QVERIFY(window_->stageView()->isVisible());

        openLesson();
        lesson().showStep(2);
        QVERIFY(!learn().openFolder(folder.path() + "/nothing-here"));
        QCOMPARE(lesson().step(), 2);
    }

    /// What is wrong only once it is computed.
    void aFalseLessonSaysFileAndLine() {
        const QTemporaryDir folder;
        const QString path = writeLesson(folder.path());
        replaceIn(path + "/scene.json", "\"live\": [\"draw\"]", "\"stage\": \"wights\"");
        auto* bar = window_->messageBar();
        QVERIFY(learn().openFolder(path));
        QTRY_VERIFY2(bar->isVisible() && bar->text().contains("scene.json:20: 'none' has no stage 'wights'"),
                     qPrintable(bar->text()));
        QVERIFY2(bar->text().contains("(and 1 more"), qPrintable(bar->text()));
        // A lesson that is true has nothing to say, and the list says nothing of the lesson before.
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
        action("lessons")->trigger();
        QTRY_COMPARE(page().list()->rows().back()->text(), QStringLiteral("更宽的头"));
        applyLanguage("en");
        QTRY_COMPARE(page().list()->rows().back()->text(), QString("Wider heads"));
    }

    void aStepGoesToTheWorkspace() {
        edit(7.0);
        settle();
        openLesson();
        window_->files().setAnswer(FileController::Answer::Cancel);
        action("take_step")->trigger();
        QVERIFY(learn().isOn());
        QVERIFY(window_->document().isModified());

        window_->files().setAnswer(FileController::Answer::Discard);
        action("take_step")->trigger();
        QVERIFY(!learn().isOn());
        const auto& problem = window_->document().problem();
        QCOMPARE(problem.tensors.at("query").dim(1), std::int64_t{64});
        QCOMPARE(problem.spec.scale.id, std::string("none"));
        QVERIFY(problem.compared_with && problem.compared_with->scale.id == "sqrt_dk");
        QCOMPARE(window_->document().title(), QString("Wider heads"));
        QVERIFY(action("compare")->isEnabled());
        settle();
    }

    void openingAFileLeavesTheLesson() {
        openLesson();
        window_->files().openSample(QStringLiteral("multi_head_fox"));
        QVERIFY(!learn().isOn());
        QVERIFY(!action("undo")->isEnabled());
        settle();
    }

    void presentingIsLargerAndEscapeLeaves() {
        openLesson();
        const int usual = panel().nextButton()->fontMetrics().height();
        const auto geometry = window_->saveGeometry();
        action("present")->trigger();
        QVERIFY(learn().presentation()->isOn());
        QVERIFY(window_->isFullScreen());
        QVERIFY(!window_->menuBar()->isVisible() && !window_->statusBar()->isVisible());
        QVERIFY(panel().nextButton()->fontMetrics().height() > usual);
        QVERIFY(page().frame()->board()->fontMetrics().height() > usual);
        QCOMPARE(learn().usualGeometry(), geometry);
        QTest::keyClick(window_.get(), Qt::Key_PageDown);
        QCOMPARE(lesson().step(), 1);
        QTest::keyClick(window_.get(), Qt::Key_Escape);
        QVERIFY(!learn().presentation()->isOn());
        QVERIFY(!window_->isFullScreen());
        QVERIFY(window_->menuBar()->isVisible() && window_->statusBar()->isVisible());
        QCOMPARE(panel().nextButton()->fontMetrics().height(), usual);
        QCOMPARE(page().frame()->board()->fontMetrics().height(), usual);
        QVERIFY(learn().isOn());
    }

    void theLaserFollowsTheMouseAndLetsClicksThrough() {
        openLesson();
        action("laser")->setChecked(true);
        auto* next = panel().nextButton();
        const QPoint there = next->mapTo(&page(), next->rect().center());
        QCursor::setPos(page().mapToGlobal(there));
        QTRY_COMPARE(learn().laser()->position().value_or(QPointF()), QPointF(there));
        QCOMPARE(page().childAt(there), next);
        QVERIFY(learn().laser()->testAttribute(Qt::WA_TransparentForMouseEvents));
        action("laser")->setChecked(false);
        QVERIFY(learn().laser()->isHidden());
        QVERIFY(!QGuiApplication::overrideCursor());
    }

    void theLaserMarksTheCellBelow() {
        QWidget area;
        area.resize(500, 400);
        HeatmapView view(&area);
        view.setGeometry(40, 30, 400, 340);
        MatrixData matrix;
        matrix.values = Tensor({3, 3}, std::vector<double>(9, 0.5));
        ColorScale scale;
        scale.map = &colormaps().front();
        view.setMatrix(matrix, scale);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        LaserPointer laser(area);
        laser.setOn(true);
        const QRectF cell = view.cellRect({1, 2}).translated(40, 30);
        QCursor::setPos(area.mapToGlobal(cell.center().toPoint()));
        QTRY_COMPARE(laser.markedCell(), cell);
        QCursor::setPos(area.mapToGlobal(QPoint(5, 5)));
        QTRY_VERIFY(laser.markedCell().isEmpty());
        laser.setOn(false);
    }
};

QTEST_MAIN(TestLearnMode)
#include "test_learn_mode.moc"
