// The window with a lesson in it.
#pragma once

#include "learn_support.h"
#include "ui/document/file_controller.h"
#include "ui/learn/lab/board_frame.h"
#include "ui/learn/lesson_page.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/learn_mode.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace attnlab::ui {

class LearnFixture {
protected:
    QTemporaryDir folder_;
    QString lesson_folder_;
    std::unique_ptr<MainWindow> window_;

    LearnMode& learn() { return *window_->learnMode(); }
    LearnPage& page() { return *learn().page(); }
    LessonPage& lesson() { return *page().lessonPage(); }
    StepPanel& panel() { return *lesson().panel(); }
    SceneModel& model() { return page().frame()->model(); }
    Actions& actions() { return window_->actions(); }

    /// An undo step of the user's workspace.
    void edit(double number) {
        Tensor query = window_->document().problem().tensors.at("query");
        query.set({0, 0}, number);
        window_->document().setTensor("query", query, "edit");
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    /// Waits for the numbers of the step.
    void settleScene() { QTRY_VERIFY_WITH_TIMEOUT(model().result() && !model().isComputing(), 10000); }
    void openLesson() {
        QVERIFY(learn().openFolder(lesson_folder_));
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        settleScene();
    }

    void prepare() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabLearnTest");
        QSettings().clear();
        lesson_folder_ = writeLesson(folder_.path());
    }

    void begin() {
        static const Backend* const backends[] = {&reference_backend()};
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        window_->panelDocks()->openInputs();
        QCoreApplication::processEvents();
        window_->files().openSample(QStringLiteral("milk_or_cat_sweet"));
        settle();
    }

    void end() {
        window_.reset();
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
    }
};

} // namespace attnlab::ui
