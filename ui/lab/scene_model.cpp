#include "ui/lab/scene_model.h"

#include "ui/failure.h"
#include "ui/latest_run.h"

#include <QFutureWatcher>
#include <QMetaObject>
#include <QtConcurrent>

namespace attnlab::ui {

/// The worker writes `result` before its future finishes and touches nothing else of ours.
struct SceneModel::Run : LatestRun {
    bool dropped = false; ///< not to be shown; of the GUI thread
    lab::Scene scene;
    SceneResultPtr result;
};

SceneModel::SceneModel(QObject* parent) : QObject(parent) {}

SceneModel::~SceneModel() {
    if (!running_)
        return;
    running_->stop = true;
    running_->future.waitForFinished();
}

bool SceneModel::isComputing() const { return stale_ || running_; }

void SceneModel::begin(lab::Scene scene, lab::BoardView view) {
    first_scene_ = scene;
    first_view_ = view;
    const bool same = scene == scene_ && (result_ || isComputing());
    scene_ = std::move(scene);
    view_ = std::move(view);
    if (!same) {
        result_.reset();
        if (running_) // it belongs to what was there before
            running_->dropped = running_->stop = true;
        computeLater();
    }
    emit sceneChanged();
    emit viewChanged();
}

void SceneModel::reset() {
    setScene(first_scene_);
    setView(first_view_);
}

void SceneModel::setScene(lab::Scene scene) {
    if (scene == scene_)
        return;
    scene_ = std::move(scene);
    computeLater();
    emit sceneChanged();
}

void SceneModel::setDraw(const lab::RandomInputs& draw) {
    lab::Scene next = scene_;
    next.draw = draw;
    setScene(std::move(next));
}

void SceneModel::setSetting(std::size_t index, lab::SceneSetting setting) {
    lab::Scene next = scene_;
    next.settings.at(index) = std::move(setting);
    setScene(std::move(next));
}

void SceneModel::setView(lab::BoardView view) {
    if (view == view_)
        return;
    view_ = std::move(view);
    emit viewChanged();
}

/// Several changes of one event make one run.
void SceneModel::computeLater() {
    if (running_)
        running_->superseded = true;
    if (stale_)
        return;
    stale_ = true;
    if (!running_)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (stale_ && !running_)
                    start();
            },
            Qt::QueuedConnection);
}

void SceneModel::start() {
    stale_ = false;
    auto run = std::make_shared<Run>();
    run->scene = scene_;
    running_ = run;

    const auto work = [run, control = controlOf(run)] {
        run->error = failureOf(
            [&] { run->result = std::make_shared<const lab::SceneResult>(lab::compute(run->scene, control)); },
            computing_failed);
    };
    auto* watcher = new QFutureWatcher<void>(this);
    connect(watcher, &QFutureWatcher<void>::finished, this, [this, watcher, run] {
        watcher->deleteLater();
        settle(run);
    });
    run->future = QtConcurrent::run(work);
    watcher->setFuture(run->future);
}

void SceneModel::settle(const std::shared_ptr<Run>& run) {
    running_.reset();
    const bool newest = !stale_;
    if (stale_)
        start();
    if (run->dropped)
        return;
    if (run->result) {
        result_ = run->result;
        computed_scene_ = std::move(run->scene);
        emit computed();
    } else if (run->error && newest) {
        // What failed is newer than what is on show; the failure of a run that is out of date is no news.
        emit failed(*run->error);
    }
}

} // namespace attnlab::ui
