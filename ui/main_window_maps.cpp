// What the window does while a problem is too large for matrices and is drawn as a map.
#include "ui/compare/against_page.h"
#include "ui/compare/compare_page.h"
#include "ui/exhibits/exhibit_pages.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/main_window.h"
#include "ui/map/large_inputs.h"
#include "ui/message_bar.h"
#include "ui/stages/centre_pages.h"
#include "ui/stages/heads_view.h"
#include "ui/stages/matrix_page.h"
#include "ui/stages/stage_strip.h"
#include "ui/stale_marks.h"
#include "ui/status_line.h"
#include "ui/text.h"

#include <QStackedWidget>

namespace attnlab::ui {

void MainWindow::setMapEngine(const MapEngine* engine) { large_->session().setEngine(engine); }

void MainWindow::connectMaps() {
    connect(large_, &LargeInputs::started, status_, &StatusLine::begin);
    connect(large_, &LargeInputs::progressed, status_, &StatusLine::setProgress);
    connect(large_, &LargeInputs::ready, this, [this](const QString& engine) {
        status_->end();
        status_->setMap(engine, large_->sizes());
        emit settled();
    });
    connect(large_, &LargeInputs::failed, this, [this](const Message& why) {
        status_->end();
        large_->close();
        showMap(false);
        messages_->showMessage(MessageBar::Kind::Notice, why);
        stale_->wait();
        computation_.request(document_.problem()); // as a whole, if there is room for it
    });
    connect(large_, &LargeInputs::noted, this,
            [this](const Message& note) { messages_->showMessage(MessageBar::Kind::Notice, note); });
    connect(status_, &StatusLine::cancelRequested, this, [this] {
        if (!large_->isComputing())
            return;
        large_->cancel();
        status_->end();
        messages_->showMessage(MessageBar::Kind::Notice, tr("The map was cancelled."));
        messages_->offer(tr("Compute the map"), [this] { compute(document_.problem()); });
        emit settled();
    });
    // One row of the map at a time, with every stage of it, is what the inspector explains.
    connect(large_, &LargeInputs::rowRead, this,
            [this](const ComputedPtr& computed, const AttentionProblem& problem, int row) {
                inspector_->setTrace(computed, problem, row);
            });
    connect(large_->overview(), &HeadOverview::enlargeRequested, matrix_, [this] { matrix_->heatmap()->setFocus(); });
}

void MainWindow::compute(const AttentionProblem& problem) {
    const bool map = large_->open(problem);
    showMap(map);
    if (!map) {
        stale_->wait();
        computation_.request(problem);
        return;
    }
    stale_->clear(); // a map begins empty
    computation_.cancel();
    computed_.reset();
    matrix_->setTrace(nullptr); // what they showed is of another problem
    exhibits_->setTrace(nullptr);
    compare_->setTrace(nullptr);
    against_->setTrace(nullptr);
    status_->setMap({}, large_->sizes());
    messages_->clear(QStringLiteral("problem"));
}

void MainWindow::showMap(bool map) {
    heads_page_->setCurrentIndex(map ? 1 : 0);
    strip_->setVisible(!map);
    allowPainting();
    if (!map)
        return;
    centre_->setCurrent(QStringLiteral("matrix"));
    const MatrixAxes axes = large_->source()->axes();
    for (const auto& cell : {view_.pinned(), view_.hovered()})
        if (cell && (cell->row >= axes.rows.count || cell->column >= axes.columns.count)) {
            view_.setPinned({});
            view_.setHovered({});
        }
    inspector_->clear();
}

} // namespace attnlab::ui
