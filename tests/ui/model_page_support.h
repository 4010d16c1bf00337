// The model page in a window, with a model of tests/data/models.
#pragma once

#include "tests/places.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/model/head_effects.h"
#include "ui/model/heads_panel.h"
#include "ui/model/heads_wall.h"
#include "ui/model/model_page.h"
#include "ui/model/text_panel.h"
#include "ui/widgets/text.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/model_mode.h"

#include <QAction>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include <memory>

namespace attnlab::ui {

class ModelWindow {
public:
    static void prepare(const char* application) {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("AttnLabTest"));
        QCoreApplication::setApplicationName(QString::fromLatin1(application));
    }

    ModelWindow() {
        QSettings().clear();
        applyLanguage(QStringLiteral("en"));
        window_ = std::make_unique<MainWindow>(backends);
        window_->files().setAnswer(FileController::Answer::Discard);
        window_->resize(1280, 800);
        window_->show();
    }
    ~ModelWindow() {
        window_.reset();
        applyLanguage(QStringLiteral("en"));
    }

    static QString folderOf(const char* name) {
        return QStringLiteral(ATTNLAB_TEST_DATA_DIR "/models/") + QLatin1String(name);
    }

    MainWindow& window() { return *window_; }
    ModelMode& mode() { return *window_->modelMode(); }
    ModelPage& page() { return *mode().page(); }

    /// False if there are no heads in time.
    bool open(const char* name) {
        mode().open(folderOf(name));
        return QTest::qWaitFor(
            [&] {
                return mode().isOn() && window_->windowTitle().startsWith(QLatin1String(name)) &&
                       page().wall()->chosen();
            },
            30000);
    }
    /// The sample model with its text and the effects of all heads; false if they are not there in time.
    bool openSample() {
        window_->actions().sample_model->trigger();
        return QTest::qWaitFor(
            [&] {
                return mode().isOn() && page().wall()->chosen() &&
                       page().effects()->state() == HeadEffects::State::Done && !page().effects()->isWorking() &&
                       page().canExport();
            },
            30000);
    }
    void type(const char* text) { page().text()->setPlainText(QString::fromUtf8(text)); }

private:
    std::unique_ptr<MainWindow> window_;
};

} // namespace attnlab::ui
