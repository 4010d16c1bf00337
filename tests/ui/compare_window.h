// The window with two settings of the same inputs.
#pragma once

#include "core/attention.h"
#include "tests/ui/traces.h"
#include "tests/ui/window_backends.h"
#include "ui/document/file_controller.h"
#include "ui/matrix/heatmap_view.h"
#include "ui/pages/compare/compare_controls.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/compare_view.h"
#include "ui/widgets/controls.h"
#include "ui/window/actions.h"
#include "ui/window/main_window.h"
#include "ui/window/panel_docks.h"
#include "ui/window/work_area.h"

#include <QAction>
#include <QCoreApplication>
#include <QStandardPaths>
#include <QTest>

#include <memory>

namespace attnlab::ui {

class CompareFixture {
protected:
    std::unique_ptr<MainWindow> window_;

    ComparePage& page() { return *window_->centre()->compare(); }
    CompareView& view() { return *page().view(); }
    CompareControls& controls() { return *page().controls(); }
    const AttentionProblem& problem() { return window_->document().problem(); }

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(!window_->isComputing() && window_->computed(), 10000);
        QCoreApplication::processEvents();
    }
    void edit(const AttentionProblem& problem) {
        window_->document().edit("edit", problem);
        settle();
    }
    void trigger(QAction* Actions::*action) {
        (window_->actions().*action)->trigger();
        settle();
    }
    void press(Preset preset) {
        auto* chip = controls().presetButton(preset);
        QVERIFY(chip && chip->isEnabled());
        QTest::mouseClick(chip, Qt::LeftButton);
        settle();
    }
    static double at(HeatmapView* heatmap, int row, int column) { return heatmap->matrix().view()(row, column); }
    static double weight(const Trace& trace, int head, int row, int column) {
        return trace.find("weights")->value.at({0, head, row, column});
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
        window_->document().reset(problemOf(2, 5, 5, 4));
        window_->viewState().setHead(0);
        window_->viewState().setStage("weights");
        settle();
    }
};

} // namespace attnlab::ui
