// The window with a sample, and its inputs open.
#pragma once

#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <QTest>

#include <memory>

namespace attnlab::ui {

class SampleFixture {
protected:
    std::unique_ptr<MainWindow> window_;

    /// Waits until the latest edit is displayed.
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000); }
    void openSample(const char* id) {
        window_->files().openSample(QString::fromLatin1(id));
        settle();
    }

    void prepare() {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName("AttnLabTest");
        QCoreApplication::setApplicationName("AttnLabTest");
    }

    void begin() {
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->panelDocks()->openInputs();
        window_->show();
        QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
        openSample("milk_or_cat_sweet");
        window_->viewState().setPinned(Cell{1, 3}); // a row whose weights differ
    }
};

} // namespace attnlab::ui
